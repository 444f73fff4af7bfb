// SPDX-License-Identifier: Apache-2.0
// clCreateProgramWithIL: SPIR-V, where the compiler has its translator.
#include <stdlib.h>
#include <string.h>

#include "contract/spirv.h"
#include "host/cl/calls.h"
#include "host/cl/compiler.h"
#include "host/cl/program.h"

// Whether the translator may be asked. What it makes of the module is the build's matter.
static bool is_whole(const void *il, size_t length) {
  struct heddle_error error;
  size_t count;
  uint32_t *words = heddle_spirv_open(il, length, &count, &error);
  const bool is_whole = words;
  free(words);
  return is_whole;
}

cl_program clCreateProgramWithIL(cl_context context, const void *il, size_t length, cl_int *errcode_ret) {
  HEDDLE_CALL;
  if (!heddle_is_context(context))
    return heddle_created(errcode_ret, CL_INVALID_CONTEXT, NULL);
  if (!heddle_compiler_takes_il())
    return heddle_created(errcode_ret, CL_INVALID_OPERATION, NULL);
  if (!il || length == 0 || !is_whole(il, length))
    return heddle_created(errcode_ret, CL_INVALID_VALUE, NULL);
  cl_program program = heddle_program_create(context, context->num_devices, context->devices);
  if (program) {
    program->il = malloc(length);
    if (!program->il) {
      heddle_program_release(program);
      return heddle_created(errcode_ret, CL_OUT_OF_HOST_MEMORY, NULL);
    }
    memcpy(program->il, il, length);
    program->il_bytes = length;
  }
  return heddle_created(errcode_ret, program ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, program);
}
