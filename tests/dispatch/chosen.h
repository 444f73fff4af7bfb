// SPDX-License-Identifier: Apache-2.0
// The device that a suite of this folder runs on, Verilated RTL or golden model as the environment says, kernels of one
// work-item for it, and dispatches of these. Everything goes through struct heddle_sim_api, so a test is the same on
// both.
//
// Environment: HEDDLE_TEST_DEVICE (`model`, else the RTL), HEDDLE_SIM_LANES, HEDDLE_SIM_SLOTS, HEDDLE_SIM_UNITS
// (default 8, 32, 1), HEDDLE_SIM_PROCESSOR=1: with a command processor, also where none is needed; HEDDLE_DISPATCH_RTL:
// another shared object than that of the shape.
#ifndef HEDDLE_TESTS_DISPATCH_CHOSEN_H
#define HEDDLE_TESTS_DISPATCH_CHOSEN_H

#include <stdbool.h>
#include <stdint.h>

#include "contract/device_map.h"
#include "contract/sim.h"

// Where things are in global memory.
enum {
  CODE = 0x00010000,        // kernel k of enum kernel is at CODE + k * KERNEL_BYTES
  KERNEL_BYTES = 0x100,     //
  LOG = 0x00020000,         // how many kernels have written to it, then the packet of each
  DISPATCHES = 0x00040000,  // 256 places of them
  DATA = 0x00100000,        // 1 MiB
  PRIVATE = 0x00800000,     // of kernels
};

enum kernel {
  KERNEL_LOG,      // adds its packet's address to the log
  KERNEL_SLOW,     // the same, after some 1,400 instructions
  KERNEL_FAULT,    // 1,400 instructions, then one that is illegal
  KERNEL_FOREVER,  // does not end by itself
  KERNEL_EMPTY,    // one instruction
  KERNEL_ILLEGAL,  // one that is illegal
  KERNEL_RING,     // writes to the ring
  KERNEL_MARK,     // adds 1 to the word of DATA that its group id names; its last private word becomes the group id + 1
  KERNELS,
};
enum { SLOW_ROUNDS = 700 };

struct chosen {
  const struct heddle_sim_api *api;
  void *device;
  uint32_t first_global, global_bytes;
  // Of the RTL only: external memory fails to read and write these bytes from now on; of no bytes it works again.
  void (*fail_memory)(void *device, uint32_t address, uint32_t bytes);
};

// A device after reset, with the kernels in its memory. Fails the test if there is none.
struct chosen chosen_open(void);
struct chosen chosen_open_processor(void);  // with a command processor; what `run` calls idle is then that too
void chosen_close(struct chosen *c);

uint32_t get(const struct chosen *c, uint32_t address);
void put(const struct chosen *c, uint32_t address, uint32_t value);
uint32_t get_control(const struct chosen *c, uint32_t reg);
void set_control(const struct chosen *c, uint32_t reg, uint32_t value);
uint64_t get_figure(const struct chosen *c, uint32_t reg);

// Address of a kernel's fault, and of dispatch `number`.
uint32_t fault_pc(void);
uint32_t dispatch_at(uint32_t number);
// Writes dispatch `number`: one work-item of a kernel.
void write_dispatch(const struct chosen *c, uint32_t number, enum kernel kernel);
void set_dispatch(const struct chosen *c, uint32_t number, uint32_t word, uint32_t value);

// Starts what is at an address. Lets the device run until it is idle; fails the test when that takes too long.
void start_at(const struct chosen *c, uint32_t address);
void run_until_idle(const struct chosen *c);
// A dispatch of KERNEL_SLOW that has been started runs, and has far to go.
void run_a_little(const struct chosen *c);

// Fails the test unless these dispatches, and no others, have written to the log in this order; empties it.
void expect_log(const struct chosen *c, const uint32_t *numbers, uint32_t count);
#define EXPECT_LOG(c, ...) \
  expect_log(c, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

#endif
