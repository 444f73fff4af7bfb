// SPDX-License-Identifier: Apache-2.0
// The process of a simulated board (simulated_board.h).
#include "tests/transport/simulated_board.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// The end of a pipe that is the board's standard input, which it reads to the end; never written to.
static int lifeline = -1;

// $HEDDLE_TEST_BOARD, or build/bin/heddle-board of the checkout that this program was built in: beside the tests'
// folder.
static void find_program(char *path) {
  const char *given = getenv("HEDDLE_TEST_BOARD");
  if (given) {
    snprintf(path, PATH_MAX, "%s", given);
    return;
  }
  const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
  path[length > 0 ? length : 0] = 0;
  char *tests = strstr(path, "/tests/");
  snprintf(tests ? tests : path, 32, "/bin/heddle-board");
}

const char *simulated_board_start(struct simulated_board *board, const char *option, const char *value) {
  static char path[PATH_MAX + 32];
  char *const arguments[] = {path, (char *)option, (char *)value, NULL};
  int to_board[2], from_board[2];
  posix_spawn_file_actions_t actions;
  find_program(path);
  if (pipe(to_board) != 0 || pipe(from_board) != 0)
    return "no pipe";
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to_board[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, from_board[1], STDOUT_FILENO);
  for (int i = 0; i < 2; i++) {
    posix_spawn_file_actions_addclose(&actions, to_board[i]);
    posix_spawn_file_actions_addclose(&actions, from_board[i]);
  }
  const int failed = posix_spawn(&board->process, path, &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(to_board[0]);
  close(from_board[1]);
  lifeline = to_board[1];
  if (failed != 0)
    return "build/bin/heddle-board does not start; 'make' builds it";
  FILE *said = fdopen(from_board[0], "r");
  const bool named = said && fgets(board->port, sizeof board->port, said);
  if (said)
    fclose(said);
  board->port[strcspn(board->port, "\n")] = 0;
  return !named ? "heddle-board names no port" : setenv("HEDDLE_SERIAL", board->port, 1) != 0 ? "no environment" : NULL;
}

void simulated_board_unplug(struct simulated_board *board) {
  kill(board->process, SIGKILL);
  waitpid(board->process, NULL, 0);
  close(lifeline);
}
