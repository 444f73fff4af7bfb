// SPDX-License-Identifier: Apache-2.0
// Temporary files, removed on every way out. What a signal handler needs is laid down before the first signal can come.
#include "hls/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "contract/work_folder.h"
#include "hls/child.h"

enum { DESCRIPTOR_LEAST = 10 };

static char directory[512];
static char paths[SCRATCH_FILES][sizeof directory + 32];
static pid_t owner;   // a forked child shares this memory, and must not remove what its parent still needs
static bool is_lent;  // the directory is that of the program which started heddlec, ...
static pid_t lender;  // ... this one
static volatile sig_atomic_t lender_ends;

static const char *const names[SCRATCH_FILES] = {
    [SCRATCH_SOURCE] = "source.cl",    [SCRATCH_MACROS] = "macros.h",    [SCRATCH_OVERLAY] = "overlay.yaml",
    [SCRATCH_DEPEND] = "depend",       [SCRATCH_BITCODE] = "kernels.bc", [SCRATCH_WITH_BUILTINS] = "builtins.bc",
    [SCRATCH_OBJECT] = "kernels.o",    [SCRATCH_IMAGE] = "kernels.elf",  [SCRATCH_MESSAGES] = "messages",
    [SCRATCH_PIPELINES] = "pipelines", [SCRATCH_NAMES] = "names.h",
};

static const int ending_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXCPU};

// Async-signal-safe, as the handler calls it.
static void close_directory(void) {
  if (directory[0] == 0 || owner != getpid())
    return;
  if (!is_lent || lender_ends || getppid() != lender)  // nobody is left who could remove it
    heddle_work_folder_remove(directory);
  else
    for (int i = 0; i < SCRATCH_FILES; i++)
      unlink(paths[i]);
  directory[0] = 0;
}

// The signal for a parent's end comes when the thread that started heddlec ends. The lender's other threads may be left
// for a while, and getppid does not see its end before theirs.
static void end_by_signal(int number, siginfo_t *from, void *context) {
  (void)context;
  lender_ends = from->si_code == SI_USER && from->si_pid == lender;
  child_kill();
  close_directory();
  signal(number, SIG_DFL);
  raise(number);
}

static void handle_signals(const sigset_t *all) {
  struct sigaction action = {.sa_sigaction = end_by_signal, .sa_flags = SA_SIGINFO, .sa_mask = *all};
  for (size_t i = 0; i < sizeof ending_signals / sizeof *ending_signals; i++) {
    struct sigaction old;
    if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
      sigaction(ending_signals[i], &action, NULL);
  }
}

// Messages are kept in memory: a full disk is no reason to lose the one that says so.
static void keep_messages_in_memory(void) {
  const int file = memfd_create("messages", MFD_CLOEXEC);
  const int kept = file >= 0 ? fcntl(file, F_DUPFD_CLOEXEC, DESCRIPTOR_LEAST) : -1;
  if (file >= 0)
    close(file);
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", kept);
  if (kept >= 0 && access(path, W_OK) == 0)
    memcpy(paths[SCRATCH_MESSAGES], path, sizeof path);
}

enum status scratch_open(const char *lent) {
  char path[sizeof directory];
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  enum status status = STATUS_OK;
  // In any other folder files of these names could be the user's.
  if (lent && (lent[0] != '/' || strlen(lent) >= sizeof path || !heddle_work_folder_is_one(lent) ||
               access(lent, R_OK | W_OK | X_OK) != 0)) {
    fprintf(stderr, "heddlec: --scratch %s: no heddle-build-... folder to write in, given by an absolute path\n", lent);
    status = STATUS_INVALID_OPTIONS;
  } else if (!lent && heddle_work_folder_make(path, sizeof path) < 0) {
    fprintf(stderr, "heddlec: cannot make a folder in %s: %s\n", path, strerror(errno));
    status = STATUS_FAILED;
  } else {
    owner = getpid();
    is_lent = lent;
    lender = getppid();
    snprintf(directory, sizeof directory, "%s", is_lent ? lent : path);
    for (int i = 0; i < SCRATCH_FILES; i++)
      snprintf(paths[i], sizeof paths[i], "%s/%s", directory, names[i]);
    keep_messages_in_memory();
    handle_signals(&all);
    atexit(close_directory);
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
