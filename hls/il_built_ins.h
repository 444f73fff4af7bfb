// SPDX-License-Identifier: Apache-2.0
#ifndef HEDDLE_HLS_IL_BUILT_INS_H
#define HEDDLE_HLS_IL_BUILT_INS_H

#include "hls/il_module.h"

// Two kernels of a module may each have a variable of their own for one built-in value, as GlobalInvocationId. The
// translator makes a function of one such variable and leaves the others without a value. So one stands for all.

// Finds them; once the module is learnt.
void built_ins_learn(struct rewrite *r);

// The variable that stands for a variable: often the same.
uint32_t built_ins_variable(const struct rewrite *r, uint32_t id);

// The instruction, with the variable that stands for others in their place, edited if it is not `at` (module_edit).
// NULL: it is no longer needed.
const uint32_t *built_ins_rename(struct rewrite *r, const uint32_t *at);

#endif
