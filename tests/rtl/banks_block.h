// SPDX-License-Identifier: Apache-2.0
// The Verilated banks of the device cache of one shape, for tests in C. Set `in`, call settle() to see `out` of the
// same cycle, then edge() for the clock.
#ifndef HEDDLE_TESTS_RTL_BANKS_BLOCK_H
#define HEDDLE_TESTS_RTL_BANKS_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/rtl/beat_reference.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST_UNITS = 4, MOST_BANKS = 4 };

struct banks_unit_in {
  const struct beat_request *request;  // NULL: none. Its owner is unit * slots + slot
  bool response_ready;
};

struct banks_channel_in {
  bool memory_ready;
  const uint8_t *fill;  // a beat, or NULL
};

struct banks_in {
  bool rst, invalidate;
  struct banks_unit_in unit[MOST_UNITS];
  struct banks_channel_in channel[MOST_BANKS];
};

struct banks_unit_out {
  bool request_ready, taken, response_valid;
  uint32_t response_label;
  uint8_t response_data[MOST_BEAT_BYTES];
};

struct banks_channel_out {
  bool memory_valid, memory_store, fill_ready, missed;
  uint32_t memory_address;
  uint8_t memory_data[MOST_BEAT_BYTES];
  bool memory_strobe[MOST_BEAT_BYTES];
};

struct banks_out {
  struct banks_unit_out unit[MOST_UNITS];
  struct banks_channel_out channel[MOST_BANKS];
  bool idle;
};

struct banks_shape {
  uint32_t units, banks, slots, beat_bytes, line_bytes, cache_bytes, memory_bytes;
};

struct banks_block;
struct banks_block *banks_block_create(int seed);  // registers start with arbitrary values of that seed
void banks_block_destroy(struct banks_block *block);
void banks_block_settle(struct banks_block *block, const struct banks_in *in, struct banks_out *out);
void banks_block_edge(struct banks_block *block);
struct banks_shape banks_block_shape(void);

#ifdef __cplusplus
}
#endif

#endif
