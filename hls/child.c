// SPDX-License-Identifier: Apache-2.0
// Child processes with limits on time and memory.
#include "hls/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "contract/jail.h"
#include "contract/program.h"
#include "hls/data.h"
#include "hls/scratch.h"

// What a child that could not start its program says, as a shell would; and the most that a step may write.
enum { NOT_EXECUTABLE = 126, FILE_BYTES_MAX = 1 << 30 };

static volatile pid_t running;
static volatile sig_atomic_t time_spent;  // enum time_spent

// Its limit counts processor time, so that a busy machine fails no compilation. Who waits for something for ever, as
// for a named pipe that is included, takes none: the same time without any ends it, too.
enum time_spent { TIME_LEFT, TIME_WORKED, TIME_WAITED };

// What on_alarm looks at every second.
static struct {
  clockid_t clock;  // the child's processor time
  struct timespec worked;
  unsigned waited, limit;  // seconds
} watch;

void child_kill(void) {
  const pid_t pid = running;
  if (pid > 0) {
    kill(pid, SIGKILL);
    // Until it is gone it may still make files.
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
  }
}

static void on_alarm(int number) {
  (void)number;
  struct timespec worked;
  if (running <= 0 || clock_gettime(watch.clock, &worked) != 0)
    return;
  const bool waits = worked.tv_sec == watch.worked.tv_sec && worked.tv_nsec == watch.worked.tv_nsec;
  watch.waited = waits ? watch.waited + 1 : 0;
  watch.worked = worked;
  if (worked.tv_sec >= (time_t)watch.limit)
    time_spent = TIME_WORKED;
  else if (watch.waited >= watch.limit)
    time_spent = TIME_WAITED;
  if (time_spent != TIME_LEFT)
    kill(running, SIGKILL);  // child_run waits for it
}

static void limit(int resource, rlim_t value) {
  struct rlimit both = {.rlim_cur = value, .rlim_max = value};
  setrlimit(resource, &both);
}

// A program that is run: what it is in the file system, and all it is told.
struct program {
  char path[PATH_MAX];
  char prefix[PATH_MAX];  // folder above its own, where a compiler keeps its headers
  char *environment[5];
};

static bool find_program(const char *name, struct program *program) {
  static const char *const passed_on[] = {"PATH", "TZ", "SOURCE_DATE_EPOCH", NULL};
  if (!heddle_program_find(name, program->path))
    return false;
  if (!realpath(program->path, program->prefix))
    program->prefix[0] = 0;
  for (int i = 0; i < 2; i++) {
    char *last = strrchr(program->prefix, '/');
    if (last)
      *last = 0;
  }
  // A tool of LLVM's that crashes would start another one to describe where.
  static char no_symbolizer[] = "LLVM_DISABLE_SYMBOLIZATION=1";
  program->environment[0] = no_symbolizer;
  heddle_program_environment(passed_on, program->environment + 1);
  return true;
}

static void enter_jail(const struct child *child, const struct program *program) {
  char data[PATH_MAX];
  struct strings readable = {0};
  if (data_folder(data))
    strings_add(&readable, data);
  if (child->arguments && program->prefix[0] != 0)
    strings_add(&readable, program->prefix);
  for (const char *const *input = child->inputs; input && *input; input++)
    strings_add(&readable, *input);
  const struct heddle_jail jail = {
      .has_users_files = child->has_users_files,
      .reads_everything = child->reads_everything,
      .runs_program = child->arguments,
      .readable = (const char *const *)readable.items,
      .writable = scratch_directory(),
  };
  heddle_jail_enter(&jail);
  strings_free(&readable);
}

static _Noreturn void run_in_child(const struct child *child, const struct options *options,
                                   const struct program *program, pid_t parent, const sigset_t *signals) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(STATUS_FAILED);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_AS, (rlim_t)options->memory_limit << 20);
  limit(RLIMIT_CPU, options->time_limit + 2);  // for when nobody watches
  limit(RLIMIT_FSIZE, FILE_BYTES_MAX);
  static const int handled[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXCPU, SIGALRM};
  for (size_t i = 0; i < sizeof handled / sizeof *handled; i++)
    signal(handled[i], SIG_DFL);
  // A file that is too long is an error that the tool tells: to the signal it would answer as to a crash.
  sigset_t blocked = *signals;
  sigaddset(&blocked, SIGXFSZ);
  sigprocmask(SIG_SETMASK, &blocked, NULL);
  if (child->messages) {
    int file = open(child->messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || dup2(file, STDERR_FILENO) < 0) {
      fprintf(stderr, "heddlec: cannot write the messages of %s to %s: %s\n", child->what, child->messages,
              strerror(errno));
      _exit(STATUS_FAILED);
    }
  }
  enter_jail(child, program);
  if (!child->arguments) {
    enum status status = child->function(child->context);
    fflush(NULL);
    _exit((int)status);
  }
  execve(program->path, child->arguments, program->environment);
  fprintf(stderr, "error: cannot run %s: %s\n", program->path, strerror(errno));
  fflush(NULL);
  _exit(NOT_EXECUTABLE);
}

static enum status judge(const struct child *child, const struct options *options, int wait_status) {
  if (time_spent != TIME_LEFT) {
    fprintf(stderr, "heddlec: %s did not %s %u s%s\n", child->what,
            time_spent == TIME_WORKED ? "end within" : "do anything for", options->time_limit,
            time_spent == TIME_WORKED ? " of processor time" : "");
    return STATUS_FAILED;
  }
  if (WIFSIGNALED(wait_status)) {
    int number = WTERMSIG(wait_status);
    fprintf(stderr, "heddlec: %s crashed: %s\n", child->what, strsignal(number));
    return STATUS_FAILED;
  }
  int code = WEXITSTATUS(wait_status);
  if (code == STATUS_OK || code == STATUS_REJECTED || !child->arguments)
    return (enum status)code;
  if (code == NOT_EXECUTABLE)
    return STATUS_FAILED;  // it has said why
  fprintf(stderr, "heddlec: %s (%s) failed with exit code %d\n", child->what, child->arguments[0], code);
  return STATUS_FAILED;
}

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

enum status child_run(const struct child *child, const struct options *options) {
  if (options->verbose && child->arguments) {
    for (char *const *argument = child->arguments; *argument; argument++)
      fprintf(stderr, "%s%s", argument == child->arguments ? "" : " ", *argument);
    fputc('\n', stderr);
  }
  struct program program = {.path = ""};
  if (child->arguments && !find_program(child->arguments[0], &program))
    return STATUS_TOOL_MISSING;
  fflush(NULL);  // else a child that ends by exit writes what is buffered a second time

  double start = milliseconds();
  pid_t parent = getpid();
  struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, NULL);
  time_spent = TIME_LEFT;
  // No signal comes between the child's start and its being known.
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  pid_t pid = fork();
  running = pid > 0 ? pid : 0;
  const int error = errno;
  if (pid != 0)
    sigprocmask(SIG_SETMASK, &before, NULL);
  errno = error;
  if (pid < 0) {
    fprintf(stderr, "heddlec: cannot start %s: %s\n", child->what, strerror(errno));
    return STATUS_FAILED;
  }
  if (pid == 0)
    run_in_child(child, options, &program, parent, &before);
  watch.limit = options->time_limit;
  watch.waited = 0;
  watch.worked = (struct timespec){0};
  const struct itimerval timer = {.it_interval.tv_sec = 1, .it_value.tv_sec = 1};
  if (clock_getcpuclockid(pid, &watch.clock) == 0)
    setitimer(ITIMER_REAL, &timer, NULL);

  int wait_status = 0;
  while (waitpid(pid, &wait_status, 0) < 0 && errno == EINTR) {
  }
  running = 0;
  setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);

  if (options->verbose)
    fprintf(stderr, "heddlec: %-10s %7.1f ms\n", child->what, milliseconds() - start);
  return judge(child, options, wait_status);
}
