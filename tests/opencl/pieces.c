// SPDX-License-Identifier: Apache-2.0
// Programs in pieces (pieces.h).
#include "tests/opencl/pieces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/temporary.h"

cl_program source_of(const char *source) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(harness()->context, 1, &source, NULL, &error);
  EXPECT_SUCCESS(error);
  return program;
}

const char *log_of(cl_program program) {
  size_t bytes = 0;
  EXPECT_SUCCESS(clGetProgramBuildInfo(program, harness()->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes));
  char *log = allocate(bytes + 1);
  EXPECT_SUCCESS(clGetProgramBuildInfo(program, harness()->device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL));
  return log;
}

bool has_feature(const char *name) {
  size_t bytes = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_OPENCL_C_FEATURES, 0, NULL, &bytes));
  cl_name_version *features = allocate(bytes);
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_OPENCL_C_FEATURES, bytes, features, NULL));
  for (size_t i = 0; i < bytes / sizeof *features; i++)
    if (strcmp(features[i].name, name) == 0)
      return true;
  return false;
}

cl_program compiled(const char *source, const char *options) {
  cl_program program = source_of(source);
  const cl_int error = clCompileProgram(program, 1, &harness()->device, options, 0, NULL, NULL, NULL, NULL);
  if (error != CL_SUCCESS)
    fail("clCompileProgram: expected CL_SUCCESS, got %s:\n%s", error_name(error), log_of(program));
  return program;
}

cl_program link_well(const cl_program *parts, cl_uint count, const char *options) {
  cl_int error;
  cl_program program =
      clLinkProgram(harness()->context, 1, &harness()->device, options, count, parts, NULL, NULL, &error);
  if (error != CL_SUCCESS)
    fail("clLinkProgram: expected CL_SUCCESS, got %s:\n%s", error_name(error),
         program ? log_of(program) : "no program");
  return program;
}

void expect_link_failure(const cl_program *parts, cl_uint count, const char *words) {
  cl_int error = CL_SUCCESS;
  cl_program program = clLinkProgram(harness()->context, 1, &harness()->device, NULL, count, parts, NULL, NULL, &error);
  EXPECT_CODE(CL_LINK_PROGRAM_FAILURE, error);
  if (!program)
    fail("clLinkProgram that fails in linking: expected a program, got none");
  const char *log = log_of(program);
  if (!strstr(log, words))
    fail("link log: expected \"%s\" in it, got:\n%s", words, log);
  expect_build(CL_BUILD_ERROR, "", program);
  (void)clCreateKernel(program, "k", &error);
  EXPECT_CODE(CL_INVALID_PROGRAM_EXECUTABLE, error);
}

struct binary saved(cl_program program) {
  struct binary binary = {0};
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof binary.size, &binary.size, NULL));
  if (binary.size == 0)
    fail("CL_PROGRAM_BINARY_SIZES: expected more than 0");
  binary.bytes = allocate(binary.size);
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary.bytes, &binary.bytes, NULL));
  return binary;
}

struct binary file_at(const char *path) {
  struct binary binary = {0};
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0)
    fail("%s cannot be read", path);
  binary.size = (size_t)ftell(file);
  binary.bytes = allocate(binary.size);
  if (fseek(file, 0, SEEK_SET) != 0 || fread(binary.bytes, 1, binary.size, file) != binary.size)
    fail("%s cannot be read", path);
  fclose(file);
  return binary;
}

struct binary made_by(const char *command, const char *source) {
  char path[TEMPORARY_BYTES], line[1024];
  const int descriptor = mkstemp(temporary_name(path));
  if (descriptor < 0)
    fail("no temporary file");
  close(descriptor);
  const int length = snprintf(line, sizeof line, command, path);
  FILE *pipe = length < (int)sizeof line ? popen(line, "w") : NULL;
  if (!pipe || fputs(source, pipe) < 0 || pclose(pipe) != 0)
    fail("this failed: %s", line);
  const struct binary binary = file_at(path);
  unlink(path);
  return binary;
}

static cl_program load(const void *bytes, size_t size, cl_int *error) {
  const unsigned char *binary = bytes;
  cl_int status = CL_SUCCESS;
  cl_program program =
      clCreateProgramWithBinary(harness()->context, 1, &harness()->device, &size, &binary, &status, error);
  EXPECT_CODE(*error, status);
  return program;
}

cl_program loaded(struct binary binary) {
  cl_int error;
  cl_program program = load(binary.bytes, binary.size, &error);
  EXPECT_SUCCESS(error);
  return program;
}

cl_int loading(const void *bytes, size_t size) {
  cl_int error;
  cl_program program = load(bytes, size, &error);
  if (program)
    EXPECT_SUCCESS(clReleaseProgram(program));
  return error;
}

void expect_type(cl_program_binary_type expected, cl_program program) {
  cl_program_binary_type type = 99;
  EXPECT_SUCCESS(clGetProgramBuildInfo(program, harness()->device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
  if (type != expected)
    fail("CL_PROGRAM_BINARY_TYPE: expected 0x%x, got 0x%x", expected, type);
}

void expect_build(cl_build_status status, const char *options, cl_program program) {
  cl_build_status got = 99;
  char got_options[256] = "";
  EXPECT_SUCCESS(clGetProgramBuildInfo(program, harness()->device, CL_PROGRAM_BUILD_STATUS, sizeof got, &got, NULL));
  EXPECT_SUCCESS(clGetProgramBuildInfo(program, harness()->device, CL_PROGRAM_BUILD_OPTIONS, sizeof got_options,
                                       got_options, NULL));
  if (got != status || strcmp(got_options, options) != 0)
    fail("build status and options: expected %d and \"%s\", got %d and \"%s\"", status, options, got, got_options);
}

void expect_word(uint32_t expected, cl_program program, const char *name) {
  cl_kernel kernel = kernel_of(program, name);
  cl_mem out = buffer_with(NULL, 8);
  uint32_t got;
  set_args(kernel, ARG(out), END_ARGS);
  run_1d(kernel, 1, 1);
  read_buffer(out, &got, 4);
  EXPECT_SUCCESS(clReleaseKernel(kernel));
  EXPECT_SUCCESS(clReleaseMemObject(out));
  expect_u32(name, &expected, &got, 1);
}
