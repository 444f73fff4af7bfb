// SPDX-License-Identifier: Apache-2.0
// Starts heddle-board, the simulated board behind a pseudo-terminal, for a test.
#ifndef HEDDLE_TESTS_SIMULATED_BOARD_H
#define HEDDLE_TESTS_SIMULATED_BOARD_H

#include <sys/types.h>

struct simulated_board {
  pid_t process;
  char port[64];  // /dev/pts/N
};

// Starts it with an option or two (NULL: none), and sets HEDDLE_SERIAL to its port. It ends with the process that
// started it. NULL, or what went wrong in words.
const char *simulated_board_start(struct simulated_board *board, const char *option, const char *value);

// As if it were unplugged. Returns when it is gone.
void simulated_board_unplug(struct simulated_board *board);

#endif
