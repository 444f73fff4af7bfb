// SPDX-License-Identifier: Apache-2.0
// Child processes with limits, and their private files (child.h).
#include "host/cl/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "contract/status.h"

static const rlim_t address_space_bytes = (rlim_t)8 << 30;

bool heddle_child_make_folder(char *path) {
  const char *temporary = getenv("TMPDIR");
  snprintf(path, PATH_MAX, "%s/heddle-XXXXXX", temporary && *temporary ? temporary : "/tmp");
  return mkdtemp(path) != NULL;
}

bool heddle_child_write_file(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file)
    return false;
  const bool written = fwrite(bytes, 1, size, file) == size;
  return fclose(file) == 0 && written;
}

bool heddle_child_find(const char *name, char path[PATH_MAX]) {
  for (const char *folder = getenv("PATH"); folder && *folder;) {
    const int length = (int)strcspn(folder, ":");
    if (snprintf(path, PATH_MAX, "%.*s/%s", length, folder, name) < PATH_MAX && access(path, X_OK) == 0)
      return true;
    folder += length;
    folder += *folder == ':';
  }
  return false;
}

// In the child, between fork and exec: only what POSIX allows there.
static void become(char *const arguments[], int output, rlim_t seconds) {
  const struct rlimit time_limit = {seconds, seconds}, memory_limit = {address_space_bytes, address_space_bytes};
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
static bool listen(int input, int seconds, char *log, size_t log_bytes) {
  const long long end = milliseconds_now() + seconds * 1000LL;
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
    const size_t fits = (size_t)got < log_bytes - used ? (size_t)got : log_bytes - used;
    memcpy(log + used, scrap, fits);
    used += fits;
    log[used] = 0;
  }
}

int heddle_child_run(char *const arguments[], int seconds, char *log, size_t log_bytes) {
  int ends[2], wait_status;
  if (pipe2(ends, O_CLOEXEC) != 0)
    return STATUS_FAILED;
  const pid_t child = fork();
  if (child == 0)
    become(arguments, ends[1], (rlim_t)seconds);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return STATUS_FAILED;
  }
  // Both sides set it, so that it holds whoever comes first.
  setpgid(child, child);
  const bool ended = listen(ends[0], seconds, log, log_bytes);
  close(ends[0]);
  if (!ended) {
    kill(-child, SIGKILL);
    snprintf(log, log_bytes, "%s: stopped after %d seconds\n", arguments[0], seconds);
  }
  while (waitpid(child, &wait_status, 0) < 0) {
    if (errno != EINTR)
      return STATUS_FAILED;
  }
  return ended && WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : STATUS_FAILED;
}
