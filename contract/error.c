// SPDX-License-Identifier: Apache-2.0
// Words for a failure (error.h).
#include "contract/error.h"

#include <stdarg.h>
#include <stdio.h>

int heddle_fail(struct heddle_error *error, int code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  return code;
}
