// SPDX-License-Identifier: Apache-2.0
// #pragma ivdep: no round of the loop accesses memory that another round of it stores to. front_end.c makes clang's
// pragma of it. LLVM then has an access group (llvm.access.group) for the loop's accesses, and the loop's metadata
// lists it as llvm.loop.parallel_accesses.
#ifndef HEDDLE_HLS_PIPELINE_IVDEP_H
#define HEDDLE_HLS_PIPELINE_IVDEP_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Before optimisation: clang's pragma asks for vectorisation, too. Removes that request, of which LLVM would warn that
// it did not follow it.
void ivdep_ask_for_no_vectors(LLVMModuleRef module);

// Marks the loads and stores that are in the access groups of loops around them. A function with loops that LLVM's
// loop-simplify would change has no marks.
void ivdep_mark(LLVMValueRef function);

// Of which loops around an access no other round stores to the same bytes, or, for a store, accesses them: bit 0 is
// the innermost one, bit 1 the loop around that one, and so on.
enum { IVDEP_LOOPS = 4 };
unsigned ivdep_loops(LLVMValueRef access);
// Removes the marks, where a loop becomes part of another one.
void ivdep_unmark(LLVMValueRef access);

#endif
