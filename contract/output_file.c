// SPDX-License-Identifier: Apache-2.0
// See output_file.h.
#include "contract/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool are_same(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

// Whether it is open under a descriptor that tools print to: /dev/stdout is a path, too.
static bool is_printed_to(const struct stat *facts) {
  struct stat standard;
  for (int descriptor = STDOUT_FILENO; descriptor <= STDERR_FILENO; descriptor++)
    if (fstat(descriptor, &standard) == 0 && are_same(facts, &standard))
      return true;
  return false;
}

void heddle_output_file_withdraw(const char *path) {
  const int reason = errno;
  struct stat facts;
  char *file = realpath(path, NULL);
  if (file && lstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && !is_printed_to(&facts))
    unlink(file);
  free(file);
  errno = reason;
}

int heddle_output_file_probe(const char *path, bool *is_file) {
  struct stat facts;
  const bool was_there = stat(path, &facts) == 0;
  *is_file = !was_there || S_ISREG(facts.st_mode);
  if (!*is_file && !S_ISDIR(facts.st_mode))
    return access(path, W_OK) == 0 ? 0 : -errno;
  const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (file < 0)
    return -errno;
  close(file);
  if (!was_there)
    heddle_output_file_withdraw(path);
  return 0;
}

static sigset_t too_large(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  return set;
}

void heddle_output_limit_enter(struct heddle_output_limit *limit) {
  const sigset_t set = too_large();
  sigset_t pending;
  pthread_sigmask(SIG_BLOCK, &set, &limit->before);
  limit->has_come = sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
}

void heddle_output_limit_leave(const struct heddle_output_limit *limit) {
  const int reason = errno;
  const sigset_t set = too_large();
  while (!limit->has_come && sigtimedwait(&set, NULL, &(const struct timespec){0}) < 0 && errno == EINTR) {
  }
  pthread_sigmask(SIG_SETMASK, &limit->before, NULL);
  errno = reason;
}

bool heddle_output_file_is(const char *path, const char *other) {
  struct stat facts, others;
  if (stat(path, &facts) != 0)
    return strcmp(path, other) == 0;
  return S_ISREG(facts.st_mode) && stat(other, &others) == 0 && are_same(&facts, &others);
}
