// SPDX-License-Identifier: Apache-2.0
// Loops that a work-item leaves from the middle: what it does on the way out belongs to the round that it is in.
#ifndef HEDDLE_HLS_LOOP_SCOPES_H
#define HEDDLE_HLS_LOOP_SCOPES_H

#include <llvm-c/Core.h>

// Before optimisation: keeps code of the source in its loop, where it has active-set collectives without a barrier.
void loop_scopes_keep(LLVMModuleRef module);

#endif
