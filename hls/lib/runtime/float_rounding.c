// SPDX-License-Identifier: Apache-2.0
// floorf, ceilf and their like.
#include "hls/lib/runtime/float_bits.h"
#include "hls/lib/runtime/rounding.h"
