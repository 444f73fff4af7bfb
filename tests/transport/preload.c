// SPDX-License-Identifier: Apache-2.0
// Linked with tests whose device umockdev shows: before main.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/temporary.h"

// The folder goes when the program and all that it started have ended, however: umockdev leaves each device's there.
static void remove_at_end(char *folder) {
  int ends[2];
  if (pipe(ends) != 0 || fork() != 0) {
    close(ends[0]);  // the other one stays open
    return;
  }
  char end;
  close(ends[1]);
  setsid();  // who kills the program's group is not to kill this one
  signal(SIGINT, SIG_IGN);
  for (int file = 0; file < 3; file++)
    close(file);
  while (read(ends[0], &end, 1) > 0) {
  }
  execlp("rm", "rm", "-rf", folder, (char *)NULL);
  _exit(1);
}

// Tests need umockdev's preload library: the program starts itself once more with it.
__attribute__((constructor)) static void preload(int argc, char **argv) {
  static const char library[] = "libumockdev-preload.so.0";
  static char folder[TEMPORARY_BYTES];
  const char *loaded = getenv("LD_PRELOAD");
  (void)argc;
  if (loaded && strstr(loaded, library))
    return;
  if (mkdtemp(temporary_name(folder))) {
    setenv("TMPDIR", folder, 1);
    remove_at_end(folder);
  }
  setenv("LD_PRELOAD", library, 1);
  execv("/proc/self/exe", argv);
  perror("cannot start again with libumockdev-preload.so.0");
  exit(2);
}
