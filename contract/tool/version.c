// SPDX-License-Identifier: Apache-2.0
// Linked into every tool but heddlec, which has more to say: `TOOL --version` is its name and the version of Heddle,
// before anything else is looked at. Nothing calls this file.
#include "contract/version.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void answer(int argc, char **argv) {
  if (argc != 2 || strcmp(argv[1], "--version") != 0)
    return;
  printf("%s %s\n", program_invocation_short_name, HEDDLE_VERSION);
  exit(0);
}
