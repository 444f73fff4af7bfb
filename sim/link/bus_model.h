// SPDX-License-Identifier: Apache-2.0
// The golden model on a bus: the registers of "A device on a bus" (contract/DEVICE.md) before its own, and global
// memory that is a file, which the host maps. One thread at a time.
#ifndef HEDDLE_SIM_LINK_BUS_MODEL_H
#define HEDDLE_SIM_LINK_BUS_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "contract/sim.h"

enum { BUS_MODEL_CONTROL_BYTES = 0x1000 };

struct bus_model {
  struct heddle_sim_config config;
  int memory;       // descriptor of the file
  uint64_t offset;  // of global memory in it, a multiple of 4096
  uint64_t base;    // where global memory is on the bus
  // The model's own.
  void *device;
  bool busy, enabled, asks;  // BUS_STATE, INTERRUPT_ENABLE, INTERRUPT
};

// Opens a model of which config, memory and base are set, and all else is 0. NULL, or what went wrong in words.
const char *bus_model_open(struct bus_model *model);
void bus_model_close(struct bus_model *model);

// Control registers, by offset.
uint32_t bus_model_read(const struct bus_model *model, uint32_t offset);
void bus_model_write(struct bus_model *model, uint32_t offset, uint32_t value);

// Lets it run for a while if it is busy. Whether it is busy still.
bool bus_model_run(struct bus_model *model);

// Whether the interrupt is asked for.
static inline bool bus_model_interrupt(const struct bus_model *model) {
  return model->enabled && model->asks;
}

#endif
