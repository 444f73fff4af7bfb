// SPDX-License-Identifier: Apache-2.0
// Shift registers of a kernel of one work-item: private arrays whose elements a loop moves by one place, as those of
// filters that keep some lines of a picture. A few of the elements are read: they are values, and what lies between two
// of them is a ring in a memory that gives back what was put there some shifts before. So a long one costs memory
// instead of registers, and its loop is not unrolled.
#ifndef HEDDLE_HLS_PIPELINE_SHIFT_REGISTERS_H
#define HEDDLE_HLS_PIPELINE_SHIFT_REGISTERS_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

#include "contract/status.h"

// Loops that move all elements of long private arrays, or fill them with zeros, become one call of memmove or memset
// each. To be called before loops are unrolled. `any`: whether there were any; a module without long arrays stays as it
// is.
enum status shift_registers_find(LLVMModuleRef module, LLVMTargetMachineRef machine, bool *any);

// What becomes of calls that are not taken apart into values and rings, as an index is not known: they stay calls, or
// are an access for each element. Those of different moves of one array always are.
enum shift_registers { SHIFT_REGISTERS_STAY, SHIFT_REGISTERS_SPREAD };

// Takes these calls apart, behind optimisation, when indices are constants. Whether anything has changed.
bool shift_registers_make(LLVMValueRef kernel, bool as_rings, enum shift_registers otherwise);

// Of an access of a ring: how many shifts later its element is accessed again, at the soonest; 0: it is none. The mark
// is for who makes one.
void shift_registers_mark_distance(LLVMValueRef access, uint32_t distance);
unsigned shift_registers_distance(LLVMValueRef access);

#endif
