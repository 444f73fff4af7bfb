// SPDX-License-Identifier: Apache-2.0
// Answers of the clGet…Info calls: one way to check param_value_size and to copy the value out.
#ifndef HEDDLE_CL_INFO_H
#define HEDDLE_CL_INFO_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

// Where the answer goes: the last three parameters of every clGet…Info. `value` and `size_ret` may be NULL.
struct heddle_answer {
  size_t size;
  void *value;
  size_t *size_ret;
};

// Each returns CL_SUCCESS, or CL_INVALID_VALUE when the value is wanted and `size` is too small for it.
cl_int heddle_answer_bytes(const struct heddle_answer *answer, const void *bytes, size_t size);
cl_int heddle_answer_string(const struct heddle_answer *answer, const char *text);
cl_int heddle_answer_bool(const struct heddle_answer *answer, bool value);
cl_int heddle_answer_uint(const struct heddle_answer *answer, cl_uint value);
cl_int heddle_answer_ulong(const struct heddle_answer *answer, cl_ulong value);
cl_int heddle_answer_size(const struct heddle_answer *answer, size_t value);
cl_int heddle_answer_pointer(const struct heddle_answer *answer, const void *value);

#endif
