// SPDX-License-Identifier: Apache-2.0
// fminf and fmaxf.
#include "hls/lib/runtime/float_bits.h"
#include "hls/lib/runtime/minimum.h"
