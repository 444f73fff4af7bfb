// SPDX-License-Identifier: Apache-2.0
// Messages on standard error (log.h).
#include "host/cl/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "host/environment.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static enum heddle_log_level limit;

static void read_limit(void) {
  static const char *const words[] = {"off", "error", "info", "debug"};
  struct heddle_error error;
  unsigned chosen;
  if (heddle_environment_word("HEDDLE_LOG", words, sizeof words / sizeof *words, HEDDLE_LOG_ERROR, &chosen) != 0) {
    heddle_environment_wrong("HEDDLE_LOG", "off, error, info or debug", &error);
    fprintf(stderr, "heddle: %s\n", error.text);
  }
  limit = (enum heddle_log_level)chosen;
}

static bool is_written(enum heddle_log_level level) {
  pthread_once(&once, read_limit);
  return level <= limit;
}

void heddle_log(enum heddle_log_level level, const char *format, ...) {
  va_list values;
  if (!is_written(level))
    return;
  flockfile(stderr);
  fputs("heddle: ", stderr);
  va_start(values, format);
  vfprintf(stderr, format, values);
  va_end(values);
  fputc('\n', stderr);
  funlockfile(stderr);
}
