// SPDX-License-Identifier: Apache-2.0
// fmod, remainder, remquo, ilogb and logb of float.
#include "hls/lib/float_type.h"
#include "hls/lib/remainder.h"

ELEMENTS_2S(float, fmod, float, float)
