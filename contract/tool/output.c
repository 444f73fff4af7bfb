// SPDX-License-Identifier: Apache-2.0
// Linked into every tool: what goes to standard output arrives, or the tool says so and its exit status is not 0. A
// full disk and an output that is closed (`>&-`) are found when the tool ends, if not before. Nor does a tool inherit
// that the ends of children are ignored: it would not know how they ended. A limit on the size of files makes writes
// fail, which tools say, as of a full disk. Nothing calls this file.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OUTPUT_IS_LOST = 1 };

// What was printed is written, and its errors come out, when the file is closed.
static void check(int status, void *unused) {
  (void)unused;
  const int failed_before = ferror(stdout);
  errno = 0;
  if (fclose(stdout) == 0 && !failed_before)
    return;
  const int reason = errno;
  fprintf(stderr, "%s: standard output cannot be written: %s\n", program_invocation_short_name,
          reason == 0       ? "a write failed"
          : reason == EBADF ? "it is closed"
                            : strerror(reason));
  if (status == 0)
    _exit(OUTPUT_IS_LOST);
}

// Of the first three descriptors each is open, so that no other file takes its place: what is read from or written to
// one that was closed fails.
__attribute__((constructor)) static void begin(void) {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
    if (fcntl(descriptor, F_GETFD) < 0)
      (void)!open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
  signal(SIGCHLD, SIG_DFL);
  signal(SIGXFSZ, SIG_IGN);
  on_exit(check, NULL);
}
