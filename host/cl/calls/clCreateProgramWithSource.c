// SPDX-License-Identifier: Apache-2.0
// clCreateProgramWithSource.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host/cl/calls.h"
#include "host/cl/program.h"

// Joins the strings; a length of 0, or no lengths, means up to the zero. NULL: host memory is out, or is less than
// that.
static char *join(cl_uint count, const char **strings, const size_t *lengths, size_t *total) {
  *total = 0;
  for (cl_uint i = 0; i < count; i++)
    if (__builtin_add_overflow(*total, lengths && lengths[i] ? lengths[i] : strlen(strings[i]), total))
      return NULL;
  if (*total == SIZE_MAX)
    return NULL;
  char *text = malloc(*total + 1);
  char *at = text;
  for (cl_uint i = 0; text && i < count; i++) {
    const size_t length = lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
    memcpy(at, strings[i], length);
    at += length;
  }
  if (text)
    *at = 0;
  return text;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings, const size_t *lengths,
                                     cl_int *errcode_ret) {
  HEDDLE_CALL;
  if (!heddle_is_context(context))
    return heddle_created(errcode_ret, CL_INVALID_CONTEXT, NULL);
  if (count == 0 || !strings)
    return heddle_created(errcode_ret, CL_INVALID_VALUE, NULL);
  for (cl_uint i = 0; i < count; i++)
    if (!strings[i])
      return heddle_created(errcode_ret, CL_INVALID_VALUE, NULL);
  cl_program program = heddle_program_create(context, context->num_devices, context->devices);
  if (program) {
    program->source = join(count, strings, lengths, &program->source_bytes);
    if (!program->source) {
      heddle_program_release(program);
      program = NULL;
    }
  }
  return heddle_created(errcode_ret, program ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, program);
}
