// SPDX-License-Identifier: Apache-2.0
#ifndef HEDDLE_HLS_IL_BRANCHES_H
#define HEDDLE_HLS_IL_BRANCHES_H

#include "hls/il_module.h"

// Blocks from which two ways lead to one block, as two values of OpSwitch do. SPIR-V names such a block once in an
// OpPhi, LLVM once for each way, which the translator does not know. So these ways lead through a block of their own.

// Finds them; once the module is learnt. The owner frees `r->detours.words`.
void branches_learn(struct rewrite *r);

// Writes an instruction of a function, if it is a label, a branch or an OpPhi. Expects all of them in order.
bool branches_write(struct rewrite *r, const uint32_t *at);

#endif
