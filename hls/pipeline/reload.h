// SPDX-License-Identifier: Apache-2.0
// Words that a round of a loop with loops in it has from the round before, which has loaded them, as the end of a row
// that is the beginning of the next one: each round loads them itself, so that rounds do not need each other
// (interleave.h).
#ifndef HEDDLE_HLS_PIPELINE_RELOAD_H
#define HEDDLE_HLS_PIPELINE_RELOAD_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// To be called when loops have their form. Whether anything has changed.
bool reload_make(LLVMValueRef kernel);

#endif
