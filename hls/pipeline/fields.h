// SPDX-License-Identifier: Apache-2.0
// Private arrays of structures, and of rows whose elements the code names by number.
#ifndef HEDDLE_HLS_PIPELINE_FIELDS_H
#define HEDDLE_HLS_PIPELINE_FIELDS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// A memory of a private array has elements of one size, and a port for each access. Of an array whose accesses are to
// fields of its elements, each field becomes an array: it has the ports of its own accesses alone, and fields may be
// of different sizes. Fields that some access reaches together with others, or by parts, stay where they are. Returns
// whether there were any.
bool fields_take_apart(LLVMModuleRef module);

#endif
