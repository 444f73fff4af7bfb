// SPDX-License-Identifier: Apache-2.0
// The interpreter for any host.
#define MODEL_EXECUTE model_execute
#include "sim/model/execute_body.h"
