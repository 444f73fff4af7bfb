// SPDX-License-Identifier: Apache-2.0
// Child processes with limits, and their private files (child.h).
#include "host/cl/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "contract/output_file.h"
#include "contract/program.h"
#include "contract/status.h"

static const rlim_t address_space_bytes = (rlim_t)8 << 30;

bool heddle_child_write_file(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wbe");
  if (!file)
    return false;
  struct heddle_output_limit limit;
  heddle_output_limit_enter(&limit);
  bool written = fwrite(bytes, 1, size, file) == size;
  written = fclose(file) == 0 && written;
  heddle_output_limit_leave(&limit);
  return written;
}

// What a child is told of the environment: where programs and data are, and what heddlec lets kernels include.
static const char *const passed_on[] = {
    "PATH", "TMPDIR", "TZ", "HEDDLE_DATA", "SOURCE_DATE_EPOCH", "HEDDLE_CONFINE_INCLUDES", NULL};
enum { PASSED_ON = sizeof passed_on / sizeof *passed_on };

struct start {
  char *const *arguments;
  char *environment[PASSED_ON];
  const struct heddle_jail *jail;
  pid_t parent;
  int output;
  rlim_t seconds;
  char *stacks;  // of the two processes, in memory of their own: a thread that builds may have a small one
};

// The parent's end, however it comes, is the process's: heddlec then ends its own and removes the folder.
static void end_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent)
    _exit(STATUS_FAILED);
}

static bool say(const char *text) {
  return syscall(SYS_write, STDERR_FILENO, text, strlen(text)) >= 0;
}

// In the process that becomes the program: only what POSIX allows between fork and exec. Files not by libc's functions:
// what a program has put in front of them (LD_PRELOAD) may want a lock that one of its threads held when this began.
static int become(void *context) {
  const struct start *start = context;
  const struct rlimit time_limit = {start->seconds, start->seconds},
                      memory_limit = {address_space_bytes, address_space_bytes};
  end_with(start->parent);
  setrlimit(RLIMIT_CPU, &time_limit);
  setrlimit(RLIMIT_AS, &memory_limit);
  const int nothing = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDONLY, 0);
  // Copies stay open in the program that is run, but where a descriptor is copied to itself. `output` is none of these.
  if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(start->output, STDOUT_FILENO) < 0 ||
      dup2(start->output, STDERR_FILENO) < 0)
    _exit(STATUS_FAILED);
  if (start->jail)
    heddle_jail_enter(start->jail);
  execve(start->arguments[0], start->arguments, start->environment);
  if (errno == ENOENT)
    _exit(STATUS_TOOL_MISSING);
  const bool is_long = errno == E2BIG;
  if (say(start->arguments[0]) && say(" cannot be started: "))
    say(is_long ? "its arguments are too long\n" : "the system refuses it\n");
  _exit(STATUS_FAILED);
}

enum { STACK_BYTES = 1 << 16 };

// In the process between: starts the program, and ends as that does.
static int stand_between(void *context) {
  struct start *start = context;
  sigset_t none;
  int status;
  setpgid(0, 0);
  // A signal that the program handles or ignores is no business of its children's.
  for (int number = 1; number < NSIG; number++)
    signal(number, SIG_DFL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  end_with(start->parent);
  start->parent = getpid();
  const pid_t child = clone(become, start->stacks + STACK_BYTES, CLONE_VM | CLONE_VFORK | SIGCHLD, start);
  prctl(PR_SET_DUMPABLE, 0);  // its memory is the program's
  // What the program closes is not to stay open here. An older Linux has not that call.
  syscall(SYS_close_range, 0U, ~0U, 0U);
  while (child < 0 || waitpid(child, &status, 0) < 0)
    if (child < 0 || errno != EINTR)
      _exit(STATUS_FAILED);
  if (WIFSIGNALED(status))
    kill(getpid(), WTERMSIG(status));
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_FAILED);
}

// Starts a process like that of fork, but whose end is no signal, and which no wait for any child finds. So its exit
// code is there whatever the program does about its children: it may ignore their ends, or collect all that there are.
// As Linux makes a process that executes a program an ordinary child again, this one stands between. -1: errno.
static pid_t start_child(struct start *start) {
  start->stacks = aligned_alloc(64, (size_t)2 * STACK_BYTES);
  const pid_t child = start->stacks ? clone(stand_between, start->stacks + 2 * STACK_BYTES, 0, start) : -1;
  const int error = errno;
  free(start->stacks);  // the process has a copy
  errno = error;
  return child;
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

// A pipe that is none of the standard descriptors, which a program may have closed.
static bool open_pipe(int ends[2]) {
  int low[2];
  if (pipe2(low, O_CLOEXEC) != 0)
    return false;
  for (int i = 0; i < 2; i++)
    ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  for (int i = 0; i < 2; i++)
    close(low[i]);
  if (ends[0] >= 0 && ends[1] >= 0)
    return true;
  for (int i = 0; i < 2; i++)
    if (ends[i] >= 0)
      close(ends[i]);
  errno = error;
  return false;
}

static int failed(char *log, size_t log_bytes, const char *program) {
  snprintf(log, log_bytes, "%s cannot be started: %s\n", program, strerror(errno));
  return STATUS_FAILED;
}

int heddle_child_run(char *const arguments[], const struct heddle_jail *jail, int seconds, char *log,
                     size_t log_bytes) {
  int ends[2], wait_status;
  struct start start = {.arguments = arguments, .jail = jail, .parent = getpid(), .seconds = (rlim_t)seconds};
  heddle_program_environment(passed_on, start.environment);
  if (!open_pipe(ends))
    return failed(log, log_bytes, arguments[0]);
  start.output = ends[1];
  const pid_t child = start_child(&start);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return failed(log, log_bytes, arguments[0]);
  }
  // Both sides set it, so that it holds whoever comes first.
  setpgid(child, child);
  const bool ended = listen(ends[0], seconds, log, log_bytes);
  close(ends[0]);
  if (!ended) {
    kill(-child, SIGKILL);
    snprintf(log, log_bytes, "%s: stopped after %d seconds\n", arguments[0], seconds);
  }
  while (waitpid(child, &wait_status, __WALL) < 0)
    if (errno != EINTR)
      return STATUS_FAILED;
  if (ended && WIFSIGNALED(wait_status)) {
    const size_t used = strlen(log);
    snprintf(log + used, log_bytes - used, "%s was ended by a signal: %s\n", arguments[0],
             strsignal(WTERMSIG(wait_status)));
  }
  return ended && WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : STATUS_FAILED;
}

int heddle_child_run_llvm(const char *tool, char *arguments[], const char *folder, int seconds, char *log,
                          size_t log_bytes) {
  const char *const readable[] = {folder, NULL};
  const struct heddle_jail jail = {.runs_program = true, .readable = readable};
  static const char *const versions[] = {"-22", ""};
  int status = STATUS_TOOL_MISSING;
  for (size_t i = 0; i < sizeof versions / sizeof *versions && status == STATUS_TOOL_MISSING; i++) {
    char path[64];
    snprintf(path, sizeof path, "/usr/bin/%s%s", tool, versions[i]);
    arguments[0] = path;
    status = heddle_child_run(arguments, &jail, seconds, log, log_bytes);
  }
  arguments[0] = NULL;
  return status;
}
