// SPDX-License-Identifier: Apache-2.0
// A cache of kernels for a test alone, and a compiler that counts its runs, both in a folder that goes with the test.
#ifndef HEDDLE_TESTS_OWN_CACHE_H
#define HEDDLE_TESTS_OWN_CACHE_H

#include <stdint.h>

#include "tests/temporary.h"

enum { OWN_CACHE_BYTES = TEMPORARY_BYTES + 32 };

// The folder of the test; the cache's, which is not made yet ($HEDDLE_CACHE_DIR); the compiler ($HEDDLEC).
extern char top[TEMPORARY_BYTES], folder[OWN_CACHE_BYTES], compiler[OWN_CACHE_BYTES];

// To begin and to end each test of a suite with.
void own_cache(void);
void remove_own_cache(void);

// Of what was built with this program; valid until it is asked for again.
const char *build_folder(void);

// Makes the compiler anew, where a test has lost it.
void write_compiler(void);

// How often it has run.
int count_runs(void);
#define EXPECT_RUNS(expected) expect_runs(expected, __LINE__)
void expect_runs(int expected, int line);

// Files in a folder, hidden ones left out that are not the cache's, and their bytes.
int count_entries(const char *path, uint64_t *bytes);
void expect_entries(int expected, const char *path);

// The path of the only entry; valid until it is asked for again.
const char *only_entry(void);

// A program whose kernel k puts 5 into the first word.
#define SIMPLE "kernel void k(global int *out) { out[0] = 5; }\n"
void build_and_run(const char *source, const char *options, uint32_t expected);

// Changed longer ago than any build may look at it.
void write_old_file(const char *path, const char *text);

#endif
