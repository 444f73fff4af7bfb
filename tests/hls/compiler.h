// SPDX-License-Identifier: Apache-2.0
// Runs heddlec for a test.
#ifndef HEDDLE_TESTS_HLS_COMPILER_H
#define HEDDLE_TESTS_HLS_COMPILER_H

#include <stdbool.h>
#include <stddef.h>

struct result {
  int code;              // exit code of heddlec, -1 if it was ended by a signal
  unsigned char *bytes;  // what it wrote with -o; NULL if it wrote nothing
  size_t size;
  char *messages;  // its standard error
};

// Compiles a source text, with the arguments that follow, up to NULL. The caller frees the result.
struct result compile(const char *source, ...) __attribute__((sentinel));

// The same, failing the test with heddlec's messages if it does not end with exit code 0.
struct result compile_well(const char *source, ...) __attribute__((sentinel));
void result_free(struct result *result);

// Fails the test unless heddlec ended with `code` and its messages contain `words`.
void expect_refusal(struct result result, int code, const char *words);

#endif
