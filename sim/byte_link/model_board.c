// SPDX-License-Identifier: Apache-2.0
// The board's thread (model_board.h).
#include "sim/byte_link/model_board.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/byte_link/link_model.h"

// Of memory that a reset leaves as it is: what lies below belongs to whoever resets.
enum { FIRST_KEPT = 0x1000, DEFAULT_BYTES = 256 << 20, CYCLES_A_SLICE = 1024 };

struct model_board {
  int socket;
  struct heddle_sim_config config;
  void *device;
  bool busy;
  struct link_model link;
};

static int model_read(void *board, uint32_t address, void *data, size_t bytes) {
  return heddle_model_api()->read(((struct model_board *)board)->device, address, data, bytes);
}

static int model_write(void *board, uint32_t address, const void *data, size_t bytes) {
  struct model_board *b = board;
  b->busy = true;
  return heddle_model_api()->write(b->device, address, data, bytes);
}

// A new device with the old one's memory.
static void model_reset(void *board) {
  struct model_board *b = board;
  const uint32_t bytes = b->config.global_bytes - FIRST_KEPT;
  const char *why = "out of memory";
  uint8_t *kept = malloc(bytes);
  if (kept) {
    heddle_model_api()->read(b->device, FIRST_KEPT, kept, bytes);
    heddle_model_api()->destroy(b->device);
    b->device = heddle_model_api()->create(&b->config, &why);
  }
  if (!kept || !b->device) {
    fprintf(stderr, "the golden model cannot be reset: %s\n", why);
    abort();
  }
  heddle_model_api()->write(b->device, FIRST_KEPT, kept, bytes);
  free(kept);
}

static bool model_busy(void *board) {
  return ((struct model_board *)board)->busy;
}

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
  if (board->device)
    heddle_model_api()->destroy(board->device);
  close(board->socket);
  free(board);
}

static void *run(void *argument) {
  struct model_board *b = argument;
  uint8_t bytes[4096];
  ssize_t come = 1;
  while (come != 0) {
    come = recv(b->socket, bytes, sizeof bytes, b->busy ? MSG_DONTWAIT : 0);
    if (come > 0)
      link_model_take(&b->link, bytes, (size_t)come);
    b->busy = heddle_model_api()->run(b->device, CYCLES_A_SLICE) == 0;
  }
  end(b);
  return NULL;
}

int heddle_model_board_start(const struct heddle_sim_config *config, const char **error) {
  int ends[2];
  pthread_t thread;
  struct model_board *b = calloc(1, sizeof *b);
  *error = "out of memory";
  if (!b || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    free(b);
    return -1;
  }
  b->socket = ends[0];
  b->config = *config;
  if (b->config.global_bytes == 0)
    b->config.global_bytes = DEFAULT_BYTES;
  b->device = heddle_model_api()->create(&b->config, error);
  b->link.to = (struct link_model_device){.read = model_read,
                                          .write = model_write,
                                          .reset = model_reset,
                                          .busy = model_busy,
                                          .answer = model_answer,
                                          .device = b};
  if (b->device && pthread_create(&thread, NULL, run, b) == 0) {
    pthread_detach(thread);
    return ends[1];
  }
  end(b);
  close(ends[1]);
  return -1;
}
