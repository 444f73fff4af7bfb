// SPDX-License-Identifier: Apache-2.0
// Functions of <cmath> that OpenCL has in another form, such as lround, and LLVM's intrinsics of them: they get a body
// that calls OpenCL's. Those that OpenCL has in the same form are only renamed (library.c).
#ifndef HEDDLE_SYCL_C_FUNCTIONS_H
#define HEDDLE_SYCL_C_FUNCTIONS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Whether a function that is declared is one of these.
bool c_function_is_known(LLVMValueRef declared);
// Whether it is an intrinsic that ends as a call of a function, which the device does not have.
bool c_function_is_missing(LLVMValueRef intrinsic);
// Before functions get the names of the built-in library.
void c_functions_define(LLVMModuleRef module);

#endif
