// SPDX-License-Identifier: Apache-2.0
// ldexp.
#include "hls/lib/runtime/double_bits.h"
#include "hls/lib/runtime/scale.h"
