// SPDX-License-Identifier: Apache-2.0
// The board's thread (model_board.h).
#include "sim/link/model_board.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/link/link_model.h"
#include "sim/link/sim_board.h"

struct model_board {
  struct sim_board sim;  // first: what the link's functions take
  int socket;
  struct link_model link;
};

static void model_answer(void *board, const uint8_t *data, size_t bytes) {
  const struct model_board *b = board;
  while (bytes > 0) {
    const ssize_t sent = send(b->socket, data, bytes, MSG_NOSIGNAL);
    if (sent <= 0)
      return;
    data += sent;
    bytes -= (size_t)sent;
  }
}

static void end(struct model_board *board) {
  if (board->sim.device)
    sim_board_close(&board->sim);
  close(board->socket);
  free(board);
}

static void *run(void *argument) {
  struct model_board *b = argument;
  uint8_t bytes[4096];
  ssize_t come = 1;
  while (come != 0) {
    come = recv(b->socket, bytes, sizeof bytes, b->sim.busy ? MSG_DONTWAIT : 0);
    if (come > 0)
      link_model_take(&b->link, bytes, (size_t)come);
    sim_board_run(&b->sim);
  }
  end(b);
  return NULL;
}

int heddle_model_board_start(const struct heddle_sim_config *config, const char **error) {
  int ends[2];
  pthread_t thread;
  struct model_board *b = calloc(1, sizeof *b);
  *error = "no memory, socket or thread";
  if (!b || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    free(b);
    return -1;
  }
  b->socket = ends[0];
  b->link.to = (struct link_model_device){.read = sim_board_read,
                                          .write = sim_board_write,
                                          .reset = sim_board_reset,
                                          .busy = sim_board_busy,
                                          .answer = model_answer,
                                          .device = b};
  const char *why = sim_board_model(&b->sim, config);
  if (why)
    *error = why;
  else if (pthread_create(&thread, NULL, run, b) == 0 && pthread_detach(thread) == 0)
    return ends[1];
  end(b);
  close(ends[1]);
  return -1;
}
