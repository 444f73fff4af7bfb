// SPDX-License-Identifier: Apache-2.0
// The one reader of numbers and words in the environment (environment.h).
#include "host/environment.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int heddle_environment_wrong(const char *name, const char *what, struct heddle_error *error) {
  const char *text = getenv(name);
  return heddle_fail(error, -EINVAL, "%s must be %s, not '%.60s'", name, what, text ? text : "");
}

// strtoull takes spaces, signs and octal numbers as well.
static bool read_number(const char *text, uint64_t *value) {
  const bool is_hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const char *digits = is_hexadecimal ? text + 2 : text;
  char *end;
  if (!(is_hexadecimal ? isxdigit((unsigned char)*digits) : isdigit((unsigned char)*digits)))
    return false;
  errno = 0;
  *value = strtoull(digits, &end, is_hexadecimal ? 16 : 10);
  return *end == 0 && errno == 0;
}

int heddle_environment_word(const char *name, const char *const *words, unsigned count, unsigned otherwise,
                            unsigned *place) {
  const char *text = getenv(name);
  *place = otherwise;
  if (!text || !*text)
    return 0;
  for (unsigned i = 0; i < count; i++) {
    if (strcmp(text, words[i]) == 0) {
      *place = i;
      return 0;
    }
  }
  return -EINVAL;
}

int heddle_environment_number(const struct heddle_variable *variable, uint64_t *value, struct heddle_error *error) {
  const char *text = getenv(variable->name);
  uint64_t number = 0;
  *value = variable->otherwise;
  if (!text || !*text)
    return 0;
  if (!read_number(text, &number) || number < variable->least || number > variable->most ||
      (variable->power_of_two && (number & (number - 1)) != 0))
    return heddle_environment_wrong(variable->name, variable->what, error);
  *value = number;
  return 0;
}

size_t heddle_environment_item(const char *name, unsigned number, const char **item) {
  const char *at = secure_getenv(name);
  size_t length = 0;
  for (unsigned i = 0; at && *at; i++) {
    at += strspn(at, ",");
    length = strcspn(at, ",");
    if (i == number || length == 0)
      break;
    at += length;
    length = 0;
  }
  *item = at;
  return length;
}

bool heddle_environment_is_set(const char *name) {
  const char *text = getenv(name);
  return text && *text;
}
