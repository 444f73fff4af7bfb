// SPDX-License-Identifier: Apache-2.0
// A simulated device behind a link (sim_board.h).
#include "sim/link/sim_board.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "contract/device_map.h"

static const char *create(struct sim_board *board) {
  const char *why = NULL;
  board->device = board->api->create(&board->config, &why);
  return board->device ? NULL : why;
}

const char *sim_board_model(struct sim_board *board, const struct heddle_sim_config *config) {
  static const struct heddle_sim_config usual = {.lanes = 4, .slots = 8, .global_bytes = 4 << 20, .processor = 1};
  *board = (struct sim_board){.api = heddle_model_api(), .config = config ? *config : usual};
  return create(board);
}

const char *sim_board_verilated(struct sim_board *board, const char *file) {
  const struct heddle_sim_api *(*api)(void) = NULL;
  *board = (struct sim_board){.config = {.lanes = 8, .slots = 32, .processor = 1}};
  board->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (board->library)
    *(void **)&api = dlsym(board->library, HEDDLE_SIM_SYMBOL);
  if (!api)
    return "no Verilated device; 'make' builds it";
  board->api = api();
  return create(board);
}

int sim_board_read(void *board, uint32_t address, void *data, size_t bytes) {
  const struct sim_board *b = board;
  return b->api->read(b->device, address, data, bytes);
}

int sim_board_write(void *board, uint32_t address, const void *data, size_t bytes) {
  struct sim_board *b = board;
  b->busy = b->written = true;
  return b->api->write(b->device, address, data, bytes);
}

void sim_board_reset(void *board) {
  struct sim_board *b = board;
  uint32_t all = 0;
  if (!b->written)
    return;  // as it is after one
  b->api->read(b->device, HEDDLE_CONTROL_BASE + HEDDLE_REG_GLOBAL_BYTES, &all, sizeof all);
  const uint32_t kept_end = b->library && all > SIM_BOARD_KEPT ? SIM_BOARD_KEPT : all;
  const uint32_t bytes = kept_end - HEDDLE_GLOBAL_FIRST;
  uint8_t *kept = malloc(bytes);
  if (!kept)
    abort();
  b->api->read(b->device, HEDDLE_GLOBAL_FIRST, kept, bytes);
  b->api->destroy(b->device);
  if (create(b))
    abort();
  b->api->write(b->device, HEDDLE_GLOBAL_FIRST, kept, bytes);
  b->busy = true;
  b->written = false;
  free(kept);
}

bool sim_board_busy(void *board) {
  return ((struct sim_board *)board)->busy;
}

void sim_board_run(struct sim_board *board) {
  enum { CYCLES = 1024 };
  if (board->busy)
    board->busy = board->api->run(board->device, CYCLES) == 0;
}

void sim_board_close(struct sim_board *board) {
  board->api->destroy(board->device);
  if (board->library)
    dlclose(board->library);
}
