// SPDX-License-Identifier: Apache-2.0
// Operations whose operands OpenCL C restricts less than LLVM does. There the value is unspecified or
// implementation-defined (OpenCL C 3.0, sections 6.3 and 6.4.3); in LLVM everything around it becomes undefined, and
// is optimised away.
//   a / b, a % b   b is 0, or the quotient is outside of the type's range
//   (int)x         the real number x is outside of the type's range
#ifndef HEDDLE_HLS_DEFINED_H
#define HEDDLE_HLS_DEFINED_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

#include "contract/status.h"

// Before optimisation: makes each of them an operation that has a value for all operands. `optimize` says whether
// constants are still to be found.
void defined_protect(LLVMModuleRef module, bool optimize);

// After optimisation: divisions are LLVM's again, for who makes of them himself what has a value for all operands
// (hls/pipeline).
void defined_show(LLVMModuleRef module);

// After the last pass over the module: divisions become the device's. It has 32-bit ones if has_divider (ISA M).
enum status defined_restore(LLVMModuleRef module, LLVMTargetMachineRef machine, bool has_divider);

#endif
