// SPDX-License-Identifier: Apache-2.0
// Runs heddlec (compiler.h).
#include "host/cl/compiler.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hls/status.h"

enum { SECONDS = 120, LOG_BYTES_MAX = 1 << 20, ELF_BYTES_MAX = 256 << 20 };
static const rlim_t address_space_bytes = (rlim_t)8 << 30;

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
  if (dladdr((void *)&address_space_bytes, &here) && strrchr(here.dli_fname, '/')) {
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

static bool write_file(const char *path, const char *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file)
    return false;
  const bool written = fwrite(bytes, 1, size, file) == size;
  return fclose(file) == 0 && written;
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

// In the child, between fork and exec: only what POSIX allows there.
static void become(char *const arguments[], int output) {
  const struct rlimit time_limit = {SECONDS, SECONDS}, memory_limit = {address_space_bytes, address_space_bytes};
  sigset_t none;
  setpgid(0, 0);
  setrlimit(RLIMIT_CPU, &time_limit);
  setrlimit(RLIMIT_AS, &memory_limit);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
      dup2(output, STDERR_FILENO) < 0)
    _exit(STATUS_FAILED);
  execv(arguments[0], arguments);
  _exit(errno == ENOENT ? STATUS_TOOL_MISSING : STATUS_FAILED);
}

static long long milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Collects what the child says until it closes its output. False: time is up.
static bool listen(int input, char *log) {
  const long long end = milliseconds_now() + SECONDS * 1000LL;
  size_t used = 0;
  for (;;) {
    char scrap[4096];
    struct pollfd poll_input = {.fd = input, .events = POLLIN};
    const long long left = end - milliseconds_now();
    if (left <= 0)
      return false;
    const int ready = poll(&poll_input, 1, (int)left);
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0)
      return false;
    const ssize_t got = read(input, scrap, sizeof scrap);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return true;
    // What does not fit is read all the same, so that the child does not block.
    const size_t fits = (size_t)got < LOG_BYTES_MAX - used ? (size_t)got : LOG_BYTES_MAX - used;
    memcpy(log + used, scrap, fits);
    used += fits;
    log[used] = 0;
  }
}

// Runs a program to its end. Its exit code, or STATUS_FAILED when it did not come to one.
static int run(char *const arguments[], char *log) {
  int ends[2], wait_status;
  if (pipe2(ends, O_CLOEXEC) != 0)
    return STATUS_FAILED;
  const pid_t child = fork();
  if (child == 0)
    become(arguments, ends[1]);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return STATUS_FAILED;
  }
  // Both sides set it, so that it holds whoever comes first.
  setpgid(child, child);
  const bool ended = listen(ends[0], log);
  close(ends[0]);
  if (!ended) {
    kill(-child, SIGKILL);
    snprintf(log, LOG_BYTES_MAX, "heddlec: stopped after %d seconds\n", SECONDS);
  }
  while (waitpid(child, &wait_status, 0) < 0) {
    if (errno != EINTR)
      return STATUS_FAILED;
  }
  return ended && WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : STATUS_FAILED;
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
                         const char *isa, const char *options, struct heddle_compilation *result) {
  char input[PATH_MAX], output[PATH_MAX];
  if (snprintf(input, sizeof input, "%s/program.cl", folder) >= PATH_MAX ||
      snprintf(output, sizeof output, "%s/program.elf", folder) >= PATH_MAX)
    return CL_OUT_OF_HOST_MEMORY;
  cl_int error = CL_OUT_OF_HOST_MEMORY;
  if (write_file(input, source, source_bytes)) {
    char *const arguments[] = {(char *)compiler, "--isa",  (char *)isa,  "--build-options",
                               (char *)options,  "--name", "program.cl", "-o",
                               output,           input,    NULL};
    error = error_of(run(arguments, result->log));
  }
  if (error == CL_SUCCESS) {
    result->elf = read_file(output, &result->elf_bytes);
    error = result->elf ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE;
  }
  unlink(input);
  unlink(output);
  return error;
}

cl_int heddle_compile(const char *source, size_t source_bytes, const char *isa, const char *options,
                      struct heddle_compilation *result) {
  char compiler[PATH_MAX], folder[PATH_MAX];
  const char *temporary = getenv("TMPDIR");
  *result = (struct heddle_compilation){.log = calloc(1, LOG_BYTES_MAX + 1)};
  if (!result->log)
    return CL_OUT_OF_HOST_MEMORY;
  cl_int error = CL_OUT_OF_HOST_MEMORY;
  snprintf(folder, sizeof folder, "%s/heddle-XXXXXX", temporary && *temporary ? temporary : "/tmp");
  if (!find_compiler(compiler)) {
    snprintf(result->log, LOG_BYTES_MAX,
             "The kernel compiler heddlec was not found ($HEDDLEC, ../bin beside libheddle.so, PATH). Install Heddle's "
             "compiler with the packages clang-22 and lld-22, or pass a binary to clCreateProgramWithBinary.\n");
    error = CL_COMPILER_NOT_AVAILABLE;
  } else if (!mkdtemp(folder)) {
    snprintf(result->log, LOG_BYTES_MAX, "%s: %s\n", folder, strerror(errno));
  } else {
    error = compile_in(folder, compiler, source, source_bytes, isa, options, result);
    rmdir(folder);
  }
  char *shorter = realloc(result->log, strlen(result->log) + 1);
  if (shorter)
    result->log = shorter;
  return error;
}
