// SPDX-License-Identifier: Apache-2.0
// Four blocks of sha256.cl side by side.
#define LANES 4
#include "sha256.cl"
