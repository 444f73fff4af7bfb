// SPDX-License-Identifier: Apache-2.0
// fmin and fmax.
#include "hls/lib/runtime/double_bits.h"
#include "hls/lib/runtime/minimum.h"
