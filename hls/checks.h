// SPDX-License-Identifier: Apache-2.0
// What heddlec --check adds to kernels, for a device that checks them (docs/how-to/check-a-kernel.md).
#ifndef HEDDLE_HLS_CHECKS_H
#define HEDDLE_HLS_CHECKS_H

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

// Makes atomic accesses and fences visible in the code: an atomic load or store becomes an amo instruction, a volatile
// one an amo with aq and rl, and what only holds the compiler a fence instruction. Before optimisation, on a module for
// a device with A.
void checks_show_orders(LLVMModuleRef module);

// Tells the built-in library whether it is checked. Before optimisation.
void checks_announce(LLVMModuleRef module, bool are_made);

// Makes library functions that tell about the program part of their callers. Before optimisation.
void checks_inline_library(LLVMModuleRef module);

// Marks values that are read to be stored elsewhere: a move, and behind it lui to x0. So the checker knows them from
// pieces of structures that are copied. Marks addresses that have to be multiples of more than a word. Before functions
// of the library become part of the program's, and before checks_show_unwritten(). Functions that may copy structures
// piece by piece, as those of SPIR-V, have the attribute CHECKS_COPIES_PIECES, and stay as they are.
#define CHECKS_COPIES_PIECES "heddle-copies-pieces"
void checks_show_reads(LLVMModuleRef module);

// Stores the elements of a vector that a program writes, and not the whole vector. Before checks_show_reads().
void checks_store_elements(LLVMModuleRef module, LLVMTargetDataRef layout);

// Marks indices of arrays that are members of structures, and those by which a function makes a reference that it
// returns. Before optimisation.
void checks_show_indices(LLVMModuleRef module);

// Marks where a function with several ways to its end may return: lui to x0. Before optimisation.
void checks_show_returns(LLVMModuleRef module);

// Gives variables that nobody has written a value that says so: li of 0, and behind it lui to x0. Before optimisation,
// and before checks_keep_stack().
void checks_show_unwritten(LLVMModuleRef module, LLVMTargetDataRef layout);

// Keeps variables on the stack in memory that are reached by an index, or large: marks their addresses, as
// checks_mark_variables(), and where their lives begin. Before optimisation, behind checks_show_unwritten().
void checks_keep_stack(LLVMModuleRef module, LLVMTargetDataRef layout);

// Notes which variables of the program's scope are its own, and marks addresses of those with elements; keeps those in
// local memory whole. Before optimisation.
void checks_know_variables(LLVMModuleRef module, LLVMTargetDataRef layout);

// Marks where the address of a variable is taken that is in local memory, on the stack or of the program's scope: a
// move, and behind it lui to x0 with the bytes that it has. After optimisation, before local variables get addresses.
void checks_mark_variables(LLVMModuleRef module, LLVMTargetDataRef layout);

// ---- what checks.c, checks_elements.c, checks_reads.c and checks_variables.c share

// Bodies of the program's functions have debug information, the library's have none.
static inline bool checks_are_of_program(LLVMValueRef function) {
  return LLVMGetSubprogram(function) && !LLVMIsDeclaration(function);
}
// The value with a mark: a move, and behind it lui to x0 of `says`. It accesses no memory and has no side effects:
// where nobody uses it, it goes.
LLVMValueRef checks_build_mark(LLVMBuilderRef builder, LLVMValueRef value, unsigned says);
// The same with a second lui, of a number.
LLVMValueRef checks_build_marks(LLVMBuilderRef builder, LLVMValueRef value, unsigned says, unsigned number);
// Marks the address of a load or store if it has to be a multiple of more than a word.
void checks_mark_address(LLVMBuilderRef builder, LLVMValueRef access);
// The variable on the stack whose life begins with an instruction; NULL: none.
LLVMValueRef checks_variable_begun(LLVMValueRef instruction);
// Whether a variable on the stack stays in memory, as it is reached by an index, or is large.
bool checks_keeps(LLVMValueRef variable, LLVMTargetDataRef layout);

#endif
