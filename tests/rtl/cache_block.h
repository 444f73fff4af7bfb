// SPDX-License-Identifier: Apache-2.0
// The Verilated device cache of one shape, for tests in C. Set `in`, call settle() to see `out` of the same cycle, then
// edge() for the clock.
#ifndef HEDDLE_TESTS_RTL_CACHE_BLOCK_H
#define HEDDLE_TESTS_RTL_CACHE_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/rtl/beat_reference.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cache_in {
  bool rst, invalidate;
  const struct beat_request *request;  // NULL: none
  bool response_ready;
  bool memory_ready;
  const uint8_t *fill;  // a beat, or NULL
};

struct cache_out {
  bool request_ready;
  bool response_valid;
  uint8_t response_data[MOST_BEAT_BYTES];
  uint32_t response_label;
  bool memory_valid, memory_store;
  uint32_t memory_address;
  uint8_t memory_data[MOST_BEAT_BYTES];
  bool memory_strobe[MOST_BEAT_BYTES];
  bool fill_ready, missed, idle;
};

struct cache_shape {
  uint32_t cache_bytes, beat_bytes, line_bytes;
};

struct cache_block;
struct cache_block *cache_block_create(int seed);  // registers start with arbitrary values of that seed
void cache_block_destroy(struct cache_block *block);
void cache_block_settle(struct cache_block *block, const struct cache_in *in, struct cache_out *out);
void cache_block_edge(struct cache_block *block);
struct cache_shape cache_block_shape(void);

#ifdef __cplusplus
}
#endif

#endif
