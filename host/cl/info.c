// SPDX-License-Identifier: Apache-2.0
// Answers of the clGet…Info calls (info.h).
#include "host/cl/info.h"

#include <string.h>

cl_int heddle_answer_bytes(const struct heddle_answer *answer, const void *bytes, size_t size) {
  if (answer->value && answer->size < size)
    return CL_INVALID_VALUE;
  if (answer->value && size != 0)
    memcpy(answer->value, bytes, size);
  if (answer->size_ret)
    *answer->size_ret = size;
  return CL_SUCCESS;
}

cl_int heddle_answer_string(const struct heddle_answer *answer, const char *text) {
  return heddle_answer_bytes(answer, text, strlen(text) + 1);
}

cl_int heddle_answer_bool(const struct heddle_answer *answer, bool value) {
  return heddle_answer_uint(answer, value ? CL_TRUE : CL_FALSE);
}

cl_int heddle_answer_uint(const struct heddle_answer *answer, cl_uint value) {
  return heddle_answer_bytes(answer, &value, sizeof value);
}

cl_int heddle_answer_ulong(const struct heddle_answer *answer, cl_ulong value) {
  return heddle_answer_bytes(answer, &value, sizeof value);
}

cl_int heddle_answer_size(const struct heddle_answer *answer, size_t value) {
  return heddle_answer_bytes(answer, &value, sizeof value);
}

cl_int heddle_answer_pointer(const struct heddle_answer *answer, const void *value) {
  return heddle_answer_bytes(answer, &value, sizeof value);
}
