// SPDX-License-Identifier: Apache-2.0
// floor, ceil and their like.
#include "hls/lib/runtime/double_bits.h"
#include "hls/lib/runtime/rounding.h"
