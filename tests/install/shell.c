// SPDX-License-Identifier: Apache-2.0
// Commands of the tests of what is installed (shell.h).
#include "tests/install/shell.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/temporary.h"

enum { OUTPUT_MOST = 1 << 16 };

static char folder[TEMPORARY_BYTES], prefix[256], vendors[256];

void begin(const char *installed, const char *icd_folder) {
  cr_assert(mkdtemp(temporary_name(folder)) && chdir(folder) == 0);
  snprintf(prefix, sizeof prefix, "%s%s%s", *installed == '/' ? "" : folder, *installed == '/' ? "" : "/", installed);
  snprintf(vendors, sizeof vendors, "%s%s%s", *icd_folder == '/' ? "" : folder, *icd_folder == '/' ? "" : "/",
           icd_folder);
}

void finish(void) {
  char command[TEMPORARY_BYTES + 16];
  snprintf(command, sizeof command, "rm -r %s", folder);
  cr_assert(chdir("/") == 0 && system(command) == 0);
}

char *output_and_status(int *status, const char *command) {
  char *output = calloc(1, OUTPUT_MOST), *line = NULL;
  cr_assert(output);
  cr_assert(asprintf(&line,
                     "env -i PATH=%s/bin:/usr/bin:/bin HOME=%s LC_ALL=C.UTF-8 TERM=dumb MANWIDTH=200 "
                     "PKG_CONFIG_PATH=%s/lib/pkgconfig CMAKE_PREFIX_PATH=%s OCL_ICD_VENDORS=%s/ bash -c '%s' 2>&1",
                     prefix, folder, prefix, prefix, vendors, command) >= 0);
  FILE *pipe = popen(line, "r");
  cr_assert(pipe, "%s", line);
  cr_assert_lt(fread(output, 1, OUTPUT_MOST, pipe), OUTPUT_MOST);
  *status = pclose(pipe);
  free(line);
  return output;
}

char *output_of(const char *command) {
  int status;
  char *output = output_and_status(&status, command);
  cr_assert_eq(status, 0, "%s\nexpected status 0, got %d and\n%s", command, status, output);
  return output;
}

void expect_output(const char *expected, const char *command) {
  char *output = output_of(command);
  cr_assert_str_eq(output, expected, "%s\nexpected\n%s\ngot\n%s", command, expected, output);
  free(output);
}

void write_file(const char *name, const char *text) {
  FILE *file = fopen(name, "w");
  cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0, "%s cannot be written", name);
}

char *read_file(const char *name) {
  char *text = calloc(1, OUTPUT_MOST);
  FILE *file = fopen(name, "r");
  cr_assert(text && file, "%s cannot be read", name);
  const size_t bytes = fread(text, 1, OUTPUT_MOST - 1, file);
  cr_assert(bytes < OUTPUT_MOST - 1, "%s is too long", name);
  fclose(file);
  return text;
}
