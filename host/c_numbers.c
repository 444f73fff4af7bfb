// SPDX-License-Identifier: Apache-2.0
// See c_numbers.h. Without memory for C's locale the program's stays.
#include "host/c_numbers.h"

#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t c_locale;

static void make(void) {
  c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

void heddle_c_numbers_enter(struct heddle_c_numbers *before) {
  pthread_once(&once, make);
  before->locale = uselocale(c_locale);
  fegetenv(&before->floats);
  fesetenv(FE_DFL_ENV);
}

void heddle_c_numbers_leave(const struct heddle_c_numbers *before) {
  fesetenv(&before->floats);
  uselocale(before->locale);
}
