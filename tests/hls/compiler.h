// SPDX-License-Identifier: Apache-2.0
// Runs heddlec for a test. The environment variable HEDDLE_TEST_ISA stands in for heddlec's default ISA.
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

// Compiles a source text, with the arguments that follow, up to NULL. The caller frees the result. compile_well fails
// the test with heddlec's messages if it does not end with exit code 0.
#define compile(source, ...) compile_with(source, (const char *const[]){__VA_ARGS__})
#define compile_well(source, ...) compile_well_with(source, (const char *const[]){__VA_ARGS__})
struct result compile_with(const char *source, const char *const *arguments);
struct result compile_well_with(const char *source, const char *const *arguments);

// Links results, which it names 1.o, 2.o and so on; "--link" belongs to the arguments.
#define link_all(objects, count, ...) link_with(objects, count, (const char *const[]){"--link", __VA_ARGS__})
struct result link_with(const struct result *objects, size_t count, const char *const *arguments);

void result_free(struct result *result);

// Fails the test unless heddlec ended with `code` and its messages contain `words`.
void expect_refusal(struct result result, int code, const char *words);

#endif
