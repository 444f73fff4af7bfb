// SPDX-License-Identifier: Apache-2.0
// Runs the kernel compiler, `heddlec`, as a child process with limits on its time and memory.
//
// It is found through $HEDDLEC, then as ../bin/heddlec beside this library, then on PATH. What it has done once is kept
// on disk (cache.h). Thread-safe.
#ifndef HEDDLE_CL_COMPILER_H
#define HEDDLE_CL_COMPILER_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

// From source to kernel file; from source to object file; from object files to kernel file or library.
enum heddle_step { HEDDLE_BUILD, HEDDLE_COMPILE, HEDDLE_LINK };

struct heddle_input {
  const char *name;  // of an embedded header, as #include has it; else unused
  const void *bytes;
  size_t size;
};

// What is to be done. All of it is the caller's and only read.
struct heddle_job {
  enum heddle_step step;
  const struct heddle_input *inputs;  // one source, OpenCL C or SPIR-V, or object files
  size_t num_inputs;
  const struct heddle_input *headers;
  size_t num_headers;
  const char *options;    // of the program; not NULL
  const char *isa;        // of the device, as the capability block says
  bool has_double;        // offered to sources
  bool has_checks;        // the device checks kernels
  const char *pipelines;  // of the device: "HASH:LANES:SLOTS:SITES HASH:LANES:SLOTS:SITES …"; not NULL
};

// Files, by their absolute paths. Of one with a "!" before its path it counts that it is not there.
struct heddle_files {
  char **paths;
  size_t count;
  bool unknown;  // there are others
};

// What came out. Both are the caller's to free; output is NULL unless the result was CL_SUCCESS.
struct heddle_compilation {
  void *output;
  size_t output_bytes;
  char *log;  // never NULL on return but with CL_OUT_OF_HOST_MEMORY
};

enum { HEDDLE_LOG_BYTES_MAX = 1 << 20, HEDDLE_OUTPUT_BYTES_MAX = 256 << 20 };

bool heddle_compiler_available(void);

// Its path, in a buffer of PATH_MAX; false: it is not there.
bool heddle_compiler_find(char *path);

// Whether sources may be SPIR-V: the compiler and its translator are there.
bool heddle_compiler_takes_il(void);

// Does the job: takes the result from the cache or runs the compiler. CL_SUCCESS (with warnings in the log, perhaps),
// CL_OUT_OF_HOST_MEMORY, or the code that the step's call has for invalid options, a compiler or linker that is not
// there, and failure. The log has the compiler's own words.
cl_int heddle_compile(const struct heddle_job *job, struct heddle_compilation *result);

// Whether the compiler that is there can read what `compiler` wrote, as object files name it. True where there is none.
bool heddle_compiler_reads(const char *compiler);

// In a child of fork: nobody asks heddlec.
void heddle_compiler_forked(void);

#endif
