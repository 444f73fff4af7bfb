// SPDX-License-Identifier: Apache-2.0
// fmod, remainder, remquo, ilogb and logb of double.
#include "hls/lib/double_type.h"
#include "hls/lib/remainder.h"
