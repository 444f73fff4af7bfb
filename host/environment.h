// SPDX-License-Identifier: Apache-2.0
// Numbers, switches and words in the environment: every variable of Heddle's that is not a path or a name is read here,
// and a wrong one is explained in the same words. Thread-safe as getenv is.
#ifndef HEDDLE_ENVIRONMENT_H
#define HEDDLE_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/error.h"

// What a variable may be.
struct heddle_variable {
  const char *name;
  uint64_t otherwise;    // when it is unset or empty
  uint64_t least, most;  // otherwise: any number between
  bool power_of_two;
  const char *what;  // ends "NAME must be …": "a power of two from 1 to 32"
};

// A number: decimal digits, or hexadecimal ones behind 0x, and nothing else. 0, or -EINVAL: it is another text, which
// *error repeats, or out of range; *value is then the default.
int heddle_environment_number(const struct heddle_variable *variable, uint64_t *value, struct heddle_error *error);

// One of `count` words: its place in the list. 0, or -EINVAL: it is another text; *place is then `otherwise`, as it is
// when the variable is unset or empty.
int heddle_environment_word(const char *name, const char *const *words, unsigned count, unsigned otherwise,
                            unsigned *place);

// Item `number`, from 0, of a list of files with commas between them, as a pointer into the variable, and its length: 0
// where there is none. A program with more rights than whoever started it takes the variable for unset.
size_t heddle_environment_item(const char *name, unsigned number, const char **item);

// Whether a variable is there and not empty.
bool heddle_environment_is_set(const char *name);

// "NAME must be WHAT, not 'TEXT'", for a variable whose values are checked elsewhere. Returns -EINVAL.
int heddle_environment_wrong(const char *name, const char *what, struct heddle_error *error);

#endif
