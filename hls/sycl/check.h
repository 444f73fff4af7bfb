// SPDX-License-Identifier: Apache-2.0
// What kernels may not do, found in all that they reach and named with the user's line: recursion, calls through
// pointers and of virtual functions, new, throw, variables that change, functions that are not there, and functions of
// other sub-group sizes. clang's device pass says next to nothing of these.
#ifndef HEDDLE_SYCL_CHECK_H
#define HEDDLE_SYCL_CHECK_H

#include "hls/sycl/kernel.h"

// All of it is on stderr when it returns STATUS_REJECTED. Functions of other units are looked for in `units`, unless
// `is_alone`: then this is one unit, of a program that is linked later.
enum status check_kernels(const struct unit *units, size_t count, const struct sycl_kernels *kernels, bool is_alone);

// What a name of the built-in library begins with in the headers (include/sycl/detail/device_functions.hpp).
#define BUILTIN_PREFIX "__heddle_builtin"

// The OpenCL C function for a function of the C library, or for an intrinsic of LLVM; NULL: there is none.
const char *library_function(const char *name);
// The built-in library's function of this name and type, declared if need be. A user's function that has the name gets
// another.
LLVMValueRef library_declare(LLVMModuleRef module, const char *name, LLVMTypeRef type, unsigned convention);

#endif
