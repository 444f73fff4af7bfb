// SPDX-License-Identifier: Apache-2.0
// ldexpf.
#include "hls/lib/runtime/float_bits.h"
#include "hls/lib/runtime/scale.h"
