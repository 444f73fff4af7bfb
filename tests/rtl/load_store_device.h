// SPDX-License-Identifier: Apache-2.0
// A Verilated load_store of rtl/memory for tests in C: its ports as plain numbers, a clock cycle in two calls.
#ifndef HEDDLE_TESTS_RTL_LOAD_STORE_DEVICE_H
#define HEDDLE_TESTS_RTL_LOAD_STORE_DEVICE_H

#include <stdint.h>

// The parameters of the module; build.mk gives them to the compiler and to Verilator.
#ifndef LANES
#define LANES 8
#define SLOT_BITS 3
#define ADDRESS_BITS 13
#define LOCAL_LOG2 12
#define BEAT_LOG2 5
#endif
enum {
  BEAT_BYTES = 1 << BEAT_LOG2,
  BEAT_WORDS = BEAT_BYTES / 4,
  GLOBAL_BYTES = 1 << ADDRESS_BITS,
  LOCAL_BYTES = 1 << LOCAL_LOG2,
  SLOTS = 1 << SLOT_BITS
};

#ifdef __cplusplus
extern "C" {
#endif

struct load_store_in {
  uint32_t rst, begin, push, store, atomic, function, is_unsigned, rd, slot, size, lanes, local;
  uint32_t address[LANES], data[LANES];
  uint32_t rd_shuffle, e1_shuffle, e2_shuffle, e2_word[LANES], e2_from[LANES];
  uint32_t write_ready, request_ready, response_valid, response_data[BEAT_WORDS];
};

struct load_store_out {
  uint32_t full, idle, conflict, e2_shuffled[LANES];
  uint32_t write_valid, write_rd, write_slot, write_lanes, write_last, write_value[LANES];
  uint32_t request_valid, request_kind, request_function, request_address, request_owner, response_ready;
  uint32_t request_data[BEAT_WORDS], request_strobe[(BEAT_BYTES + 31) / 32];
};

void *load_store_open(void);
void load_store_close(void *device);
// The outputs in this cycle, for these inputs; then the rising edge that ends it.
void load_store_settle(void *device, const struct load_store_in *in, struct load_store_out *out);
void load_store_clock(void *device);

#ifdef __cplusplus
}
#endif

#endif
