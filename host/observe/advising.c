// SPDX-License-Identifier: Apache-2.0
// What rules of advice stand on (advising.h).
#include "host/observe/advising.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

void heddle_advising_say(const struct advising *a, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  // A sentence begins with a capital letter, a name of a line in front of it too.
  if (text[0] >= 'a' && text[0] <= 'z')
    text[0] = (char)(text[0] - 'a' + 'A');
  a->say(a->user, text);
}

double heddle_advising_part(double of, double all) {
  return all > 0 ? of / all : 0;
}

double heddle_advising_share(const struct advising *a, uint64_t cycles) {
  return heddle_advising_part((double)cycles, (double)a->view->kernel->unit_cycles);
}

double heddle_advising_external(const struct advising *a) {
  return heddle_advising_part((double)a->view->kernel->external_bytes, heddle_profile_external_limit(a->view));
}

const struct heddle_profile_line *heddle_advising_most(const struct advising *a,
                                                       uint64_t (*figure)(const struct heddle_profile_line *line)) {
  const struct heddle_profile_line *found = NULL;
  for (size_t i = 0; i < a->view->num_lines; i++) {
    const struct heddle_profile_line *line = &a->view->lines[i];
    if (line->file && figure(line) != 0 && (!found || figure(line) > figure(found)))
      found = line;
  }
  return found;
}

const char *heddle_advising_name(const struct heddle_profile_line *line, char text[LINE_NAME_BYTES]) {
  if (!line)
    return "the kernel";
  const char *name = line->file ? strrchr(line->file, '/') : NULL;
  snprintf(text, LINE_NAME_BYTES, "line %" PRIu32 "%s%.40s", line->line, line->file ? " of " : "",
           name         ? name + 1
           : line->file ? line->file
                        : "");
  return text;
}
