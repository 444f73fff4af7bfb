// SPDX-License-Identifier: Apache-2.0
// Runs the kernel compiler, `heddlec`, as a child process with limits on its time and memory.
//
// It is found through $HEDDLEC, then as ../bin/heddlec beside this library, then on PATH. Thread-safe; nothing is
// cached but the path.
#ifndef HEDDLE_CL_COMPILER_H
#define HEDDLE_CL_COMPILER_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

// What came out. Both are the caller's to free; elf is NULL unless the result was CL_SUCCESS.
struct heddle_compilation {
  void *elf;
  size_t elf_bytes;
  char *log;  // never NULL on return but with CL_OUT_OF_HOST_MEMORY
};

// What is compiled for.
struct heddle_target {
  const char *isa;  // as the capability block says
  bool has_double;
};

bool heddle_compiler_available(void);

// CL_SUCCESS (with warnings in the log, perhaps), CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BUILD_OPTIONS,
// CL_COMPILER_NOT_AVAILABLE, CL_OUT_OF_HOST_MEMORY. The log has the compiler's own words.
cl_int heddle_compile(const char *source, size_t source_bytes, const struct heddle_target *target, const char *options,
                      struct heddle_compilation *result);

#endif
