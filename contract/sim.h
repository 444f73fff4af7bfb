// SPDX-License-Identifier: Apache-2.0
// What a simulated device offers the host: the Verilated RTL (sim/rtl, a shared object loaded at run time) and the
// golden model (sim/model, linked in) both fill this table. Called by host/transport/sim.c and by tests.
// Not thread-safe: one thread at a time per device.
#ifndef HEDDLE_SIM_H
#define HEDDLE_SIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Sizes the maker of a device may choose; 0 takes the default. The Verilated device is built for one LANES, SLOTS and
// UNITS, with a command processor or without, and refuses
// others.
struct heddle_sim_config {
  uint32_t lanes;
  uint32_t slots;            // of a unit
  uint32_t units;            // default 1
  uint32_t global_bytes;     // default 256 MiB
  uint32_t processor;        // 1: with a command processor; default 0: without
  uint32_t memory_latency;   // cycles, RTL only, default 60
  uint32_t memory_interval;  // cycles between lines, RTL only, default 4
};

struct heddle_sim_api {
  const char *name;  // "Heddle sim" or "Heddle model"

  // A device after reset, memory zero. NULL with *error set to a static message when it cannot be made.
  void *(*create)(const struct heddle_sim_config *config, const char **error);
  void (*destroy)(void *device);

  // Global memory and control registers by device address (control registers: aligned words only).
  // 0, or -EFAULT when the range is neither.
  int (*read)(void *device, uint32_t address, void *data, size_t bytes);
  int (*write)(void *device, uint32_t address, const void *data, size_t bytes);

  // Runs for at most `cycles` cycles (the model: issues) or until the device is idle. 1 idle, 0 still busy.
  int (*run)(void *device, uint64_t cycles);
};

// The golden model's table (linked in).
const struct heddle_sim_api *heddle_model_api(void);

// The Verilated device's table: exported by each shared object under this name.
#define HEDDLE_SIM_SYMBOL "heddle_rtl_api"
const struct heddle_sim_api *heddle_rtl_api(void);

#ifdef __cplusplus
}
#endif

#endif
