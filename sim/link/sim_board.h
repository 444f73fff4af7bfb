// SPDX-License-Identifier: Apache-2.0
// A simulated device as what is behind a link: its accesses, reset and time. Each call's first argument is a struct
// sim_board, so that the models of links take the functions as they are. One thread at a time.
#ifndef HEDDLE_SIM_BOARD_H
#define HEDDLE_SIM_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/sim.h"

struct sim_board {
  const struct heddle_sim_api *api;
  struct heddle_sim_config config;
  void *library;  // of dlopen; NULL for the golden model
  void *device;
  bool busy;
  bool written;  // since it was made or reset
};

// Of a Verilated device's memory, which is large and slow to read, a reset keeps so much; of the golden model's all.
enum { SIM_BOARD_KEPT = 16 << 20 };

// The golden model; config NULL: 4 lanes, 8 slots, a command processor, 4 MiB. NULL, or what went wrong in words.
const char *sim_board_model(struct sim_board *board, const struct heddle_sim_config *config);

// The Verilated device in a file of build/lib/heddle, of 8 lanes and 32 slots with a command processor.
const char *sim_board_verilated(struct sim_board *board, const char *file);

int sim_board_read(void *board, uint32_t address, void *data, size_t bytes);
int sim_board_write(void *board, uint32_t address, const void *data, size_t bytes);
void sim_board_reset(void *board);  // keeps global memory
bool sim_board_busy(void *board);

// Lets it run for a while if it is busy.
void sim_board_run(struct sim_board *board);

void sim_board_close(struct sim_board *board);

#endif
