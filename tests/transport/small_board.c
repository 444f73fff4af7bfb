// SPDX-License-Identifier: Apache-2.0
// Boards with a small device (small_board.h).
#include "tests/transport/small_board.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/opencl/harness.h"
#include "tests/transport/simulated_board.h"

void small_board_plug_in(const char *name) {
  static struct simulated_board board;
  char path[PATH_MAX + 32];
  const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
  path[length > 0 ? length : 0] = 0;
  char *tests = strstr(path, "/tests/");
  cr_assert(tests);
  const char *as = getenv("HEDDLE_BOARDS_AS");
  snprintf(tests, 32, "/bin/heddle-%s%s%s", name, as ? "-" : "", as ? as : "");
  setenv("HEDDLE_TEST_BOARD", path, 1);
  const char *failed = simulated_board_start(&board, NULL, NULL);
  if (failed)
    fail("%s", failed);
  setenv("HEDDLE_TEST_DEVICE", "board", 1);
}
