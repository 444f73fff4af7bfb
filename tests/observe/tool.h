// SPDX-License-Identifier: Apache-2.0
// Runs the `heddle` tool with a profile, and reads what it writes.
#ifndef HEDDLE_TESTS_OBSERVE_TOOL_H
#define HEDDLE_TESTS_OBSERVE_TOOL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

// What `heddle run --json --profile=FILE` said.
struct profiled {
  json_t *figures;  // of the dispatch
  json_t *kernel;   // of the profile, which has one
};

// Runs one kernel of tests/observe/kernels.cl, or of another file, on a device ("sim", "model"). The test fails unless
// the tool ends well and both texts are JSON.
struct profiled run_profiled(const char *device, const char *file, const char *kernel, const char *words);

// A whole number of an object; the test fails if it is not there.
uint64_t number_of(const json_t *object, const char *key);

// The line of the profile that a comment at its end names; NULL: it has none.
const json_t *line_with(const json_t *kernel, const char *comment);

// What a line or instruction lost to a reason.
uint64_t lost_to(const json_t *row, const char *reason);

// Whether a sentence of the kernel's advice has this text in it.
bool has_advice(const json_t *kernel, const char *text);

// What a shell command says; the test fails unless it ends with 0.
char *output_of(const char *command);

#endif
