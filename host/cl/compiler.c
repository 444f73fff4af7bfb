// SPDX-License-Identifier: Apache-2.0
// Runs heddlec (compiler.h).
#include "host/cl/compiler.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hls/status.h"
#include "host/cl/child.h"

enum { SECONDS = 120, LOG_BYTES_MAX = 1 << 20, ELF_BYTES_MAX = 256 << 20 };

// `folder`/heddlec if it can be run.
static bool try_folder(const char *folder, int length, const char *below, char *path) {
  const int written = snprintf(path, PATH_MAX, "%.*s%s/heddlec", length, folder, below);
  return written < PATH_MAX && access(path, X_OK) == 0;
}

// The compiler's path, in a buffer of PATH_MAX.
static bool find_compiler(char *path) {
  const char *named = getenv("HEDDLEC");
  Dl_info here;
  if (named && *named) {
    snprintf(path, PATH_MAX, "%s", named);
    return access(path, X_OK) == 0;
  }
  if (dladdr((void *)heddle_compile, &here) && strrchr(here.dli_fname, '/')) {
    const int length = (int)(strrchr(here.dli_fname, '/') - here.dli_fname);
    if (try_folder(here.dli_fname, length, "/../bin", path))
      return true;
  }
  for (const char *folder = getenv("PATH"); folder && *folder;) {
    const int length = (int)strcspn(folder, ":");
    if (try_folder(folder, length, "", path))
      return true;
    folder += length;
    folder += *folder == ':';
  }
  return false;
}

bool heddle_compiler_available(void) {
  char path[PATH_MAX];
  return find_compiler(path);
}

// The whole file; NULL when there is none or it is out of all proportion.
static void *read_file(const char *path, size_t *size) {
  struct stat facts;
  FILE *file = fopen(path, "rb");
  char *bytes = NULL;
  if (!file)
    return NULL;
  if (fstat(fileno(file), &facts) == 0 && facts.st_size > 0 && facts.st_size <= ELF_BYTES_MAX)
    bytes = malloc((size_t)facts.st_size);
  if (bytes && fread(bytes, 1, (size_t)facts.st_size, file) != (size_t)facts.st_size) {
    free(bytes);
    bytes = NULL;
  }
  *size = bytes ? (size_t)facts.st_size : 0;
  fclose(file);
  return bytes;
}

static cl_int error_of(int exit_code) {
  switch (exit_code) {
    case STATUS_OK:
      return CL_SUCCESS;
    case STATUS_INVALID_OPTIONS:
      return CL_INVALID_BUILD_OPTIONS;
    case STATUS_TOOL_MISSING:
      return CL_COMPILER_NOT_AVAILABLE;
    default:
      return CL_BUILD_PROGRAM_FAILURE;
  }
}

// Compiles in a private folder, which exists and is empty.
static cl_int compile_in(const char *folder, const char *compiler, const char *source, size_t source_bytes,
                         const struct heddle_target *target, const char *options, struct heddle_compilation *result) {
  char input[PATH_MAX], output[PATH_MAX];
  if (snprintf(input, sizeof input, "%s/program.cl", folder) >= PATH_MAX ||
      snprintf(output, sizeof output, "%s/program.elf", folder) >= PATH_MAX)
    return CL_OUT_OF_HOST_MEMORY;
  cl_int error = CL_OUT_OF_HOST_MEMORY;
  if (heddle_child_write_file(input, source, source_bytes)) {
    // The last is left out where there is none.
    char *const arguments[] = {(char *)compiler,
                               "--isa",
                               (char *)target->isa,
                               "--build-options",
                               (char *)options,
                               "--name",
                               "program.cl",
                               "-o",
                               output,
                               input,
                               target->has_double ? "--double" : NULL,
                               NULL};
    error = error_of(heddle_child_run(arguments, SECONDS, result->log, LOG_BYTES_MAX));
  }
  if (error == CL_SUCCESS) {
    result->elf = read_file(output, &result->elf_bytes);
    error = result->elf ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE;
  }
  unlink(input);
  unlink(output);
  return error;
}

cl_int heddle_compile(const char *source, size_t source_bytes, const struct heddle_target *target, const char *options,
                      struct heddle_compilation *result) {
  char compiler[PATH_MAX], folder[PATH_MAX];
  *result = (struct heddle_compilation){.log = calloc(1, LOG_BYTES_MAX + 1)};
  if (!result->log)
    return CL_OUT_OF_HOST_MEMORY;
  cl_int error = CL_OUT_OF_HOST_MEMORY;
  if (!find_compiler(compiler)) {
    snprintf(result->log, LOG_BYTES_MAX,
             "The kernel compiler heddlec was not found ($HEDDLEC, ../bin beside libheddle.so, PATH). Install Heddle's "
             "compiler with the packages clang-22 and lld-22, or pass a binary to clCreateProgramWithBinary.\n");
    error = CL_COMPILER_NOT_AVAILABLE;
  } else if (!heddle_child_make_folder(folder)) {
    snprintf(result->log, LOG_BYTES_MAX, "%s: %s\n", folder, strerror(errno));
  } else {
    error = compile_in(folder, compiler, source, source_bytes, target, options, result);
    rmdir(folder);
  }
  char *shorter = realloc(result->log, strlen(result->log) + 1);
  if (shorter)
    result->log = shorter;
  return error;
}
