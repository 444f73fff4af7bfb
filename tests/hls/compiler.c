// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/compiler.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/temporary.h"

enum { ARGUMENTS_MAX = 48, FILES_MAX = 8 };

static char heddlec[] = BUILD "/bin/heddlec";

static char *read_whole(const char *path, size_t *size) {
  *size = 0;
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  char *bytes = NULL;
  long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  if (length >= 0) {
    *size = (size_t)length;
    bytes = calloc(1, *size + 1);
    cr_assert(bytes && fseek(file, 0, SEEK_SET) == 0);
    cr_assert_eq(fread(bytes, 1, *size, file), *size);
  }
  fclose(file);
  cr_assert_not_null(bytes);
  return bytes;
}

// The folder of one run.
struct folder {
  char path[TEMPORARY_BYTES];
  char *files[FILES_MAX];
  size_t count;
};

static char *write_whole(struct folder *folder, const char *name, const void *bytes, size_t size) {
  cr_assert_lt(folder->count, FILES_MAX);
  char *path = NULL;
  cr_assert_gt(asprintf(&path, "%s/%s", folder->path, name), 0);
  folder->files[folder->count++] = path;
  if (bytes) {
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    fclose(file);
  }
  return path;
}

// Runs it on the files that are in the folder, all of them inputs.
static struct result run(struct folder *folder, const char *const *rest) {
  char *arguments[ARGUMENTS_MAX] = {heddlec};
  size_t count = 1;
  for (size_t i = 0; i < folder->count; i++)
    arguments[count++] = folder->files[i];
  char *output = write_whole(folder, "out", NULL, 0), *messages = write_whole(folder, "messages", NULL, 0);
  char *const always[] = {"-o", output, "--name", "test.cl"};
  for (size_t i = 0; i < sizeof always / sizeof *always; i++)
    arguments[count++] = always[i];
  char *isa = getenv("HEDDLE_TEST_ISA");
  if (isa) {  // one among the test's own arguments comes later and wins
    arguments[count++] = "--isa";
    arguments[count++] = isa;
  }
  for (; *rest; rest++, count++) {
    cr_assert_lt(count, ARGUMENTS_MAX - 1);
    arguments[count] = (char *)*rest;
  }
  pid_t pid = fork();
  cr_assert_geq(pid, 0);
  if (pid == 0) {
    int out = open(messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    setenv("TMPDIR", folder->path, 1);
    execv(arguments[0], arguments);
    _exit(99);
  }
  int status;
  waitpid(pid, &status, 0);
  struct result result = {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1};
  size_t length;
  result.bytes = (unsigned char *)read_whole(output, &result.size);
  result.messages = read_whole(messages, &length);
  for (size_t i = 0; i < folder->count; i++) {
    unlink(folder->files[i]);
    free(folder->files[i]);
  }
  cr_expect_eq(rmdir(folder->path), 0, "heddlec left temporary files behind in %s", folder->path);
  return result;
}

static struct folder make_folder(void) {
  struct folder folder = {.count = 0};
  cr_assert_not_null(mkdtemp(temporary_name(folder.path)));
  return folder;
}

struct result compile_with(const char *source, const char *const *arguments) {
  struct folder folder = make_folder();
  write_whole(&folder, "test.cl", source, strlen(source));
  return run(&folder, arguments);
}

struct result link_with(const struct result *objects, size_t count, const char *const *arguments) {
  struct folder folder = make_folder();
  for (size_t i = 0; i < count; i++) {
    char name[32];
    snprintf(name, sizeof name, "%zu.o", i + 1);
    write_whole(&folder, name, objects[i].bytes, objects[i].size);
  }
  return run(&folder, arguments);
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
  cr_expect(strstr(result.messages, words), "'%s' expected in: %s", words, result.messages);
  cr_expect_null(result.bytes, "a refused kernel left a result");
  result_free(&result);
}
