// SPDX-License-Identifier: Apache-2.0
// The words that go with a failure: the driver's functions return a negative errno and, where a person should learn
// more, fill one of these. Owned by the caller; never NULL where a function takes one.
#ifndef HEDDLE_ERROR_H
#define HEDDLE_ERROR_H

struct heddle_error {
  char text[512];  // zero-terminated, no newline
};

// Fills the text and returns `code`, so that a check can end with `return heddle_fail(...)`.
int heddle_fail(struct heddle_error *error, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
