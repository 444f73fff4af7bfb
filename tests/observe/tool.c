// SPDX-License-Identifier: Apache-2.0
#include "tests/observe/tool.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/temporary.h"

char *output_of(const char *command) {
  char *text = calloc(1, 1 << 20);
  FILE *pipe = popen(command, "r");
  cr_assert(pipe && text, "cannot run %s", command);
  const size_t length = fread(text, 1, (1 << 20) - 1, pipe);
  text[length] = 0;
  const int status = pclose(pipe);
  cr_assert(status == 0, "%s: wait status %d", command, status);
  return text;
}

struct profiled run_profiled(const char *device, const char *file, const char *kernel, const char *words) {
  char name[TEMPORARY_BYTES], path[TEMPORARY_BYTES + 8], command[1024];
  json_error_t error;
  const int made = mkstemp(temporary_name(name));
  cr_assert(made >= 0);
  close(made);
  snprintf(path, sizeof path, "%s.json", name);
  snprintf(command, sizeof command, BUILD "/bin/heddle run %s -k %s -d %s --json --profile=%s %s", file, kernel, device,
           path, words);
  char *text = output_of(command);
  struct profiled result = {.figures = json_loads(text, 0, &error)};
  cr_assert(result.figures, "%s: no JSON on standard output: %s", command, error.text);
  json_t *profile = json_load_file(path, 0, &error);
  cr_assert(profile, "%s: no JSON in the profile: line %d: %s", command, error.line, error.text);
  const json_t *kernels = json_object_get(profile, "kernels");
  cr_assert(json_array_size(kernels) == 1, "%s: a profile of %zu kernels", command, json_array_size(kernels));
  result.kernel = json_array_get(kernels, 0);
  unlink(path);
  unlink(name);
  free(text);
  return result;
}

uint64_t number_of(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  cr_assert(json_is_integer(value), "no number \"%s\"", key);
  return (uint64_t)json_integer_value(value);
}

const json_t *line_with(const json_t *kernel, const char *comment) {
  size_t i;
  json_t *line;
  json_array_foreach(json_object_get(kernel, "lines"), i, line) {
    const char *text = json_string_value(json_object_get(line, "text"));
    const char *at = text ? strstr(text, "// ") : NULL;
    if (at && strcmp(at + 3, comment) == 0)
      return line;
  }
  return NULL;
}

uint64_t lost_to(const json_t *row, const char *reason) {
  return number_of(json_object_get(row, "lost"), reason);
}

bool has_advice(const json_t *kernel, const char *text) {
  size_t i;
  json_t *advice;
  json_array_foreach(json_object_get(kernel, "advice"), i,
                     advice) if (strstr(json_string_value(advice), text)) return true;
  return false;
}
