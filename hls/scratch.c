// SPDX-License-Identifier: Apache-2.0
// Temporary files, removed on every way out. What a signal handler needs is laid down before the first signal can come.
#include "hls/scratch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hls/child.h"

static char directory[512];
static char paths[SCRATCH_FILES][sizeof directory + 32];
static pid_t owner;  // a forked child shares this memory, and must not remove what its parent still needs

static const char *const names[SCRATCH_FILES] = {
    [SCRATCH_SOURCE] = "source.cl",   [SCRATCH_HEADERS] = "headers.yaml",      [SCRATCH_DEPEND] = "depend",
    [SCRATCH_BITCODE] = "kernels.bc", [SCRATCH_WITH_BUILTINS] = "builtins.bc", [SCRATCH_OBJECT] = "kernels.o",
    [SCRATCH_IMAGE] = "kernels.elf",  [SCRATCH_MESSAGES] = "messages",         [SCRATCH_PIPELINES] = "pipelines",
};

static const int ending_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXCPU};

// Async-signal-safe, as the handler calls it.
void scratch_close(void) {
  if (directory[0] != 0 && owner == getpid()) {
    for (int i = 0; i < SCRATCH_FILES; i++) {
      unlink(paths[i]);
    }
    rmdir(directory);
    directory[0] = 0;
  }
}

static void end_by_signal(int number) {
  child_kill();
  scratch_close();
  signal(number, SIG_DFL);
  raise(number);
}

enum status scratch_open(void) {
  const char *parent = getenv("TMPDIR");
  if (parent == NULL || parent[0] != '/' || strlen(parent) > sizeof directory - 32) {
    parent = "/tmp";
  }
  char template[sizeof directory];
  snprintf(template, sizeof template, "%s/heddlec-XXXXXX", parent);

  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  enum status status = STATUS_OK;
  if (mkdtemp(template) == NULL) {
    fprintf(stderr, "heddlec: cannot make a directory in %s: %s\n", parent, strerror(errno));
    status = STATUS_FAILED;
  } else {
    owner = getpid();
    for (int i = 0; i < SCRATCH_FILES; i++) {
      snprintf(paths[i], sizeof paths[i], "%s/%s", template, names[i]);
    }
    memcpy(directory, template, sizeof directory);
    struct sigaction action = {.sa_handler = end_by_signal, .sa_mask = all};
    for (size_t i = 0; i < sizeof ending_signals / sizeof *ending_signals; i++) {
      struct sigaction old;
      if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
        sigaction(ending_signals[i], &action, NULL);
      }
    }
    atexit(scratch_close);
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
  return status;
}

const char *scratch_path(enum scratch_file file) {
  return paths[file];
}

const char *scratch_directory(void) {
  return directory;
}
