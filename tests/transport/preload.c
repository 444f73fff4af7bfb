// SPDX-License-Identifier: Apache-2.0
// Linked with tests whose device umockdev shows: before main.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Tests need umockdev's preload library: the program starts itself once more with it.
__attribute__((constructor)) static void preload(int argc, char **argv) {
  static const char library[] = "libumockdev-preload.so.0";
  const char *loaded = getenv("LD_PRELOAD");
  (void)argc;
  if (loaded && strstr(loaded, library))
    return;
  setenv("LD_PRELOAD", library, 1);
  execv("/proc/self/exe", argv);
  perror("cannot start again with libumockdev-preload.so.0");
  exit(2);
}
