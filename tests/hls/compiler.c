// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/compiler.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 32 };

static char heddlec[] = BUILD "/bin/heddlec";

static char *read_whole(const char *path, size_t *size) {
  *size = 0;
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    return NULL;
  }
  char *bytes = NULL;
  long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  if (length >= 0) {
    *size = (size_t)length;
    bytes = calloc(1, *size + 1);
    cr_assert(bytes != NULL && fseek(file, 0, SEEK_SET) == 0);
    cr_assert_eq(fread(bytes, 1, *size, file), *size);
  }
  fclose(file);
  cr_assert_not_null(bytes);
  return bytes;
}

struct result compile_with(const char *source, const char *const *rest) {
  char folder[] = "/tmp/heddle-test-XXXXXX";
  char input[64], output[64], messages[64];
  cr_assert_not_null(mkdtemp(folder));
  snprintf(input, sizeof input, "%s/test.cl", folder);
  snprintf(output, sizeof output, "%s/out", folder);
  snprintf(messages, sizeof messages, "%s/messages", folder);
  FILE *file = fopen(input, "w");
  cr_assert_not_null(file);
  fputs(source, file);
  fclose(file);

  char *arguments[ARGUMENTS_MAX] = {heddlec, input, "-o", output, "--name", "test.cl"};
  size_t count = 6;
  char *isa = getenv("HEDDLE_TEST_ISA");
  if (isa != NULL) {  // one among the test's own arguments comes later and wins
    arguments[count++] = "--isa";
    arguments[count++] = isa;
  }
  for (; *rest != NULL; rest++, count++) {
    cr_assert_lt(count, ARGUMENTS_MAX - 1);
    arguments[count] = (char *)*rest;
  }
  pid_t pid = fork();
  cr_assert_geq(pid, 0);
  if (pid == 0) {
    int out = open(messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    setenv("TMPDIR", folder, 1);
    execv(arguments[0], arguments);
    _exit(99);
  }
  int status;
  waitpid(pid, &status, 0);
  struct result result = {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1};
  size_t length;
  result.bytes = (unsigned char *)read_whole(output, &result.size);
  result.messages = read_whole(messages, &length);
  unlink(input);
  unlink(output);
  unlink(messages);
  cr_expect_eq(rmdir(folder), 0, "heddlec left temporary files behind in %s", folder);
  return result;
}

struct result compile_well_with(const char *source, const char *const *arguments) {
  struct result result = compile_with(source, arguments);
  cr_assert_eq(result.code, 0, "heddlec ended with %d: %s", result.code, result.messages);
  cr_assert_not_null(result.bytes);
  return result;
}

void result_free(struct result *result) {
  free(result->bytes);
  free(result->messages);
  *result = (struct result){0};
}

void expect_refusal(struct result result, int code, const char *words) {
  cr_expect_eq(result.code, code, "exit code %d expected, got %d: %s", code, result.code, result.messages);
  cr_expect(strstr(result.messages, words) != NULL, "'%s' expected in: %s", words, result.messages);
  cr_expect_null(result.bytes, "a refused kernel left a result");
  result_free(&result);
}
