// SPDX-License-Identifier: Apache-2.0
// Which kinds of compute unit run as a chain, by a device's table of kinds (contract/DEVICE.md, "Chains"). Kernels and
// pipes of a chain are numbered as they are there.
//
// Threads: any thread may call.
#ifndef HEDDLE_CHAINS_H
#define HEDDLE_CHAINS_H

#include <stdbool.h>
#include <stdint.h>

#include "contract/device_map.h"

struct heddle_capabilities;

enum { HEDDLE_CHAIN_PIPES = HEDDLE_CHAIN_KERNELS * HEDDLE_DISPATCH_PIPE_COUNT };  // of a chain at most

// A pipe on the chip: the kernels at its ends, and their arguments.
struct heddle_chain_pipe {
  uint32_t writer, reader;
  uint32_t writer_argument, reader_argument;
};

struct heddle_chain_shape {
  uint32_t count, num_pipes;             // of kernels, of pipes; 0: it is no chain
  uint32_t kinds[HEDDLE_CHAIN_KERNELS];  // the first has the unit
  struct heddle_chain_pipe pipes[HEDDLE_CHAIN_PIPES];
};

// Whether a kind writes or reads a pipe on the chip.
bool heddle_kind_is_of_chain(const struct heddle_capabilities *capabilities, uint32_t kind);

// The chain that a kind is part of. False, and no chain: it is of none, or the table has more of something than a chain
// can have, or not one unit for it.
bool heddle_chain_shape(const struct heddle_capabilities *capabilities, uint32_t kind,
                        struct heddle_chain_shape *shape);

// The number of a kind in its chain, which has it.
uint32_t heddle_chain_number(const struct heddle_chain_shape *shape, uint32_t kind);

#endif
