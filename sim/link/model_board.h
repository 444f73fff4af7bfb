// SPDX-License-Identifier: Apache-2.0
// The golden model as a board: it is reached through a socket on which "The byte link" of contract/DEVICE.md is spoken.
// Used by what simulates a USB board, for programs (sim/usb_board) and for tests (tests/transport/usb_bed.c).
#ifndef HEDDLE_MODEL_BOARD_H
#define HEDDLE_MODEL_BOARD_H

#include "contract/sim.h"

// Starts it, on a thread of its own, and returns the host's end of the socket; when that is closed the board ends. -1:
// *error says why, a message that stays. `config` is as sim_board_model takes it.
int heddle_model_board_start(const struct heddle_sim_config *config, const char **error);

#endif
