// SPDX-License-Identifier: Apache-2.0
// The interpreter for hosts with AVX2 and FMA, where eight lanes are one vector; device.c asks the processor. Built
// with -mavx2 -mfma on x86-64 (build.mk), empty elsewhere.
#if defined(__AVX2__) && !defined(MODEL_SMALL)
#define MODEL_EXECUTE model_execute_avx2
#include "sim/model/execute_body.h"
#else
typedef int model_execute_avx2_is_not_for_this_host;
#endif
