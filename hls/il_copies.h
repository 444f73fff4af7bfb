// SPDX-License-Identifier: Apache-2.0
#ifndef HEDDLE_HLS_IL_COPIES_H
#define HEDDLE_HLS_IL_COPIES_H

#include "hls/il_module.h"

// The address of a built-in variable, as GlobalInvocationId, may be handed on: to a function, through OpPhi, into
// memory. The translator makes a call of each such variable, which has no address. So a function that hands it on has a
// variable of its own with the value, and pointers to the storage class Input point to Function.

// Finds where addresses are handed on; once the module and its built-in variables are learnt. The owner frees
// `r->copies.words`.
void copies_learn(struct rewrite *r);

// To be called for each instruction of the module, before and after it is written. The first returns the instruction
// with the function's own variables in place of the others, edited if it was not `at` (module_edit); NULL: it is
// written already.
const uint32_t *copies_before(struct rewrite *r, const uint32_t *at, bool in_functions);
void copies_behind(struct rewrite *r, const uint32_t *at);

// Of the address of an element of a built-in variable that is handed on: the function's own variable; else 0.
uint32_t copies_of_element(const struct rewrite *r, uint32_t address, uint32_t variable);

#endif
