// SPDX-License-Identifier: Apache-2.0
// Addresses of elements of built-in variables, such as of the x of GlobalInvocationId. The translator knows such a
// variable only where the whole of it is loaded. For il_rewrite.c alone.
#ifndef HEDDLE_HLS_IL_ELEMENTS_H
#define HEDDLE_HLS_IL_ELEMENTS_H

#include <stdbool.h>

#include "hls/il_module.h"

// The instruction that makes such an address; NULL: the pointer is another one.
const uint32_t *elements_chain(const struct rewrite *r, uint32_t pointer);

// Writes a load of a pointer that leads to an element or to all of a built-in variable: a load of the variable, of
// which the element is taken. False: it is no such pointer, and nothing is written.
bool elements_load(struct rewrite *r, uint32_t type, uint32_t result, uint32_t pointer);

// Leaves out what makes such an address, unless it is handed on, and writes what loads from it. False: the instruction
// is another one.
bool elements_write(struct rewrite *r, const uint32_t *at);

#endif
