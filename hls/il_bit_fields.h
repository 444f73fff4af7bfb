// SPDX-License-Identifier: Apache-2.0
// SPIR-V's bit field instructions, whose offset and count may be integers of any width.
#ifndef HEDDLE_HLS_IL_BIT_FIELDS_H
#define HEDDLE_HLS_IL_BIT_FIELDS_H

#include <llvm-c/Core.h>

// The translator calls a function of OpenCL C by the types that the module has; there is the one with offset and count
// of uint (cl_khr_extended_bit_ops). Makes calls of others calls of that.
void il_bit_fields_take_uint(LLVMModuleRef module);

#endif
