// SPDX-License-Identifier: Apache-2.0
// clSetProgramSpecializationConstant: kept until the next build or compilation writes it into the module.
#include <stdlib.h>
#include <string.h>

#include "contract/spirv.h"
#include "host/cl/calls.h"
#include "host/cl/program.h"

// The entry of an id's value, a new one where it has none; NULL: memory is out.
static struct heddle_specialization *entry_of(cl_program program, cl_uint id) {
  for (size_t i = 0; i < program->num_specializations; i++)
    if (program->specializations[i].id == id)
      return &program->specializations[i];
  struct heddle_specialization *longer =
      realloc(program->specializations, (program->num_specializations + 1) * sizeof *longer);
  if (!longer)
    return NULL;
  program->specializations = longer;
  longer[program->num_specializations] = (struct heddle_specialization){.id = id};
  return &longer[program->num_specializations++];
}

static cl_int keep(cl_program program, cl_uint id, size_t size, const void *value) {
  pthread_mutex_lock(&program->lock);
  struct heddle_specialization *found = entry_of(program, id);
  if (found)
    memcpy(found->value, value, size);
  pthread_mutex_unlock(&program->lock);
  return found ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

cl_int clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id, size_t spec_size,
                                          const void *spec_value) {
  HEDDLE_CALL;
  struct heddle_error error;
  size_t count;
  if (!heddle_is_program(program) || !program->il)
    return CL_INVALID_PROGRAM;
  uint32_t *words = heddle_spirv_open(program->il, program->il_bytes, &count, &error);
  if (!words)
    return CL_OUT_OF_HOST_MEMORY;
  const size_t bytes = heddle_spirv_constant_bytes(words, count, spec_id);
  free(words);
  if (bytes == 0)
    return CL_INVALID_SPEC_ID;
  if (spec_size != bytes || !spec_value)
    return CL_INVALID_VALUE;
  return keep(program, spec_id, spec_size, spec_value);
}
