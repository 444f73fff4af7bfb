// SPDX-License-Identifier: Apache-2.0
// Which round of a loop a work-item is in when it leaves the loop from its midst.
#ifndef HEDDLE_HLS_LOOP_SCOPES_H
#define HEDDLE_HLS_LOOP_SCOPES_H

#include <llvm-c/Core.h>

// Before optimisation: keeps what the source has in a loop in it, where that has free-standing active-set collectives.
void loop_scopes_keep(LLVMModuleRef module);

#endif
