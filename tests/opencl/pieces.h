// SPDX-License-Identifier: Apache-2.0
// What suites of programs in pieces share: compiling, linking, saving, loading, and what is expected of the results.
#ifndef HEDDLE_TESTS_PIECES_H
#define HEDDLE_TESTS_PIECES_H

#include "tests/opencl/harness.h"

cl_program source_of(const char *source);

// Compiled by clCompileProgram, linked by clLinkProgram; the test fails with the log where they are not.
cl_program compiled(const char *source, const char *options);
cl_program link_well(const cl_program *parts, cl_uint count, const char *options);

// The test fails unless linking fails, leaves a program without an executable, and has the words in its log.
void expect_link_failure(const cl_program *parts, cl_uint count, const char *words);

// Of the device under test.
const char *log_of(cl_program program);
bool has_feature(const char *name);

// The binary for the device under test. The caller's, for the rest of the test.
struct binary {
  unsigned char *bytes;
  size_t size;
};
struct binary saved(cl_program program);
cl_program loaded(struct binary binary);

// The contents of a file; what a command makes of a source on its standard input, where %s in the command is the file
// to write.
struct binary file_at(const char *path);
struct binary made_by(const char *command, const char *source);
// heddlec, for such commands.
#define HEDDLEC "\"${HEDDLEC:-build/bin/heddlec}\""

// What clCreateProgramWithBinary says to it.
cl_int loading(const void *bytes, size_t size);

void expect_type(cl_program_binary_type expected, cl_program program);
void expect_build(cl_build_status status, const char *options, cl_program program);

// Runs the kernel, of one argument, with one work-item on two words of 0: the first is then `expected`.
void expect_word(uint32_t expected, cl_program program, const char *kernel);

#endif
