// SPDX-License-Identifier: Apache-2.0
// A cache of kernels for a test alone (own_cache.h).
#include "tests/opencl/own_cache.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "tests/opencl/harness.h"
#include "tests/opencl/pieces.h"

char top[TEMPORARY_BYTES], folder[OWN_CACHE_BYTES], compiler[OWN_CACHE_BYTES];
static char runs[OWN_CACHE_BYTES];

const char *build_folder(void) {
  static char self[PATH_MAX];  // build/tests/opencl/cache
  cr_assert_gt(readlink("/proc/self/exe", self, sizeof self - 1), 0);
  for (int i = 0; i < 3; i++)
    *strrchr(self, '/') = 0;
  return self;
}

void write_compiler(void) {
  FILE *script = fopen(compiler, "w");
  cr_assert_not_null(script);
  fprintf(script, "#!/bin/sh\n[ \"$1\" = --version ] || echo run >> %s\nexec %s/bin/heddlec \"$@\"\n", runs,
          build_folder());
  fclose(script);
  cr_assert_eq(chmod(compiler, 0755), 0);
}

void own_cache(void) {
  cr_assert_not_null(mkdtemp(temporary_name(top)));
  snprintf(folder, sizeof folder, "%s/cache", top);
  snprintf(compiler, sizeof compiler, "%s/heddlec", top);
  snprintf(runs, sizeof runs, "%s/runs", top);
  write_compiler();
  setenv("HEDDLEC", compiler, 1);
  setenv("HEDDLE_CACHE_DIR", folder, 1);
  unsetenv("HEDDLE_CACHE_BYTES");
  harness();
  unsetenv("HEDDLE_CACHE_BYTES");
}

void remove_own_cache(void) {
  char command[128];
  snprintf(command, sizeof command, "/bin/rm -rf %s", top);
  cr_expect_eq(system(command), 0);
}

int count_runs(void) {
  FILE *file = fopen(runs, "r");
  int count = 0;
  char line[16];
  while (file && fgets(line, sizeof line, file))
    count++;
  if (file)
    fclose(file);
  return count;
}

void expect_runs(int expected, int line) {
  if (count_runs() != expected)
    fail("line %d: expected the compiler to have run %d times, got %d", line, expected, count_runs());
}

int count_entries(const char *path, uint64_t *bytes) {
  DIR *open_folder = opendir(path);
  int count = 0;
  *bytes = 0;
  const int number = open_folder ? dirfd(open_folder) : -1;
  cr_assert(!open_folder || number >= 0);
  for (const struct dirent *at; open_folder && (at = readdir(open_folder));) {
    struct stat facts;
    if (at->d_name[0] == '.' && strncmp(at->d_name, ".new", 4) != 0)
      continue;
    cr_assert_eq(fstatat(number, at->d_name, &facts, 0), 0);
    *bytes += (uint64_t)facts.st_size;
    count++;
  }
  if (open_folder)
    closedir(open_folder);
  return count;
}

void expect_entries(int expected, const char *path) {
  uint64_t bytes;
  const int count = count_entries(path, &bytes);
  if (count != expected)
    fail("entries in %s: expected %d, got %d", path, expected, count);
}

const char *only_entry(void) {
  static char path[PATH_MAX];
  DIR *open_folder = opendir(folder);
  cr_assert_not_null(open_folder);
  expect_entries(1, folder);
  for (const struct dirent *at; (at = readdir(open_folder));)
    if (at->d_name[0] != '.')
      snprintf(path, sizeof path, "%s/%s", folder, at->d_name);
  closedir(open_folder);
  return path;
}

void build_and_run(const char *source, const char *options, uint32_t expected) {
  cl_program program = build(source, options);
  expect_word(expected, program, "k");
  EXPECT_SUCCESS(clReleaseProgram(program));
}

void write_old_file(const char *path, const char *text) {
  const struct timeval times[2] = {{1000000000, 0}, {1000000000, 0}};
  FILE *file = fopen(path, "w");
  cr_assert_not_null(file);
  fputs(text, file);
  fclose(file);
  cr_assert_eq(utimes(path, times), 0);
}
