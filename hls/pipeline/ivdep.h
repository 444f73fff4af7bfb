// SPDX-License-Identifier: Apache-2.0
// #pragma ivdep: rounds of a loop access no memory that others of its rounds store to. clang is given its own words for
// it (front_end.c), which make a group of a loop's accesses and a list of such groups in the loop's metadata.
#ifndef HEDDLE_HLS_PIPELINE_IVDEP_H
#define HEDDLE_HLS_PIPELINE_IVDEP_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Takes away what else clang's words ask for: vectors, of which LLVM would say that it has made none. To be called
// before optimisation.
void ivdep_ask_for_no_vectors(LLVMModuleRef module);

// Marks the loads and stores of each loop that are in such a group of it, but those of loops in it. Every loop has one
// latch (LLVM's loop-simplify); of functions with other loops none is marked.
void ivdep_mark(LLVMValueRef function);

// Whether an access is marked: no other round of the innermost loop around it stores there, or, of a store, accesses
// it.
bool ivdep_is_marked(LLVMValueRef access);
// Takes a mark away: the loop becomes part of another one.
void ivdep_unmark(LLVMValueRef access);

#endif
