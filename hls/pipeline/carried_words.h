// SPDX-License-Identifier: Apache-2.0
// Words that a round of a loop loads although the round before it has stored them, as a[i - 1] in a[i] += a[i - 1], in
// memory or in an array: the value is carried on instead (scalar replacement). So rounds do not wait until it is there.
// Neighbours that are only loaded stay loads, which go together in rows.
#ifndef HEDDLE_HLS_PIPELINE_CARRIED_WORDS_H
#define HEDDLE_HLS_PIPELINE_CARRIED_WORDS_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

// Of a kernel of one work-item whose loops are in simplified form, with accesses of whole words or parts of one.
// Whether anything has changed.
bool carried_words_make(LLVMTargetDataRef layout, LLVMValueRef kernel);

#endif
