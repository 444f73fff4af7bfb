// SPDX-License-Identifier: Apache-2.0
// Names of temporary files and folders of tests. They lie in TMPDIR: tests/run removes that with all that a test that
// failed left.
#ifndef HEDDLE_TESTS_TEMPORARY_H
#define HEDDLE_TESTS_TEMPORARY_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

// What a name has room for, with the zero byte.
enum { TEMPORARY_BYTES = 80 };

// A name for mkdtemp() and mkstemp(), which make what it names and return an error where they cannot.
static inline char *temporary_name(char name[TEMPORARY_BYTES]) {
  const char *folder = getenv("TMPDIR");
  const int length =
      snprintf(name, TEMPORARY_BYTES, "%s/heddle-test-XXXXXX", folder && *folder == '/' ? folder : "/tmp");
  if (length < TEMPORARY_BYTES)
    return name;
  fprintf(stderr, "TMPDIR is too long: %s\n", folder);
  exit(2);
}

// A file with this text. False: it cannot be written.
static inline bool temporary_write(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  if (!file)
    return false;
  const bool is_written = fputs(text, file) >= 0;
  return fclose(file) == 0 && is_written;
}

#endif
