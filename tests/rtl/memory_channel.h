// SPDX-License-Identifier: Apache-2.0
// A channel of external memory, as the device cache expects it: lines read and beats written in the order of the
// requests; the beats of a line come lowest first, after a latency. Several channels may share the bytes.
#ifndef HEDDLE_TESTS_RTL_MEMORY_CHANNEL_H
#define HEDDLE_TESTS_RTL_MEMORY_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/rtl/beat_reference.h"

enum { MOST_LINES_ASKED = 64 };

struct memory_channel {
  uint8_t *bytes;
  uint32_t beat_bytes, line_bytes;
  unsigned latency;  // cycles
  uint32_t beats_written;

  struct {
    uint8_t beats[MOST_BEAT_BYTES];
    uint64_t due;
  } lines[MOST_LINES_ASKED];  // asked for, not all of it given; a ring
  unsigned first, count, offset;
};

bool memory_channel_has_room(const struct memory_channel *channel);
void memory_channel_write(struct memory_channel *channel, uint32_t address, const uint8_t *beat, const bool *strobe);
void memory_channel_ask(struct memory_channel *channel, uint32_t address, uint64_t cycle);

// The beat that may come in this cycle, or NULL; the same until it has been taken.
const uint8_t *memory_channel_beat(const struct memory_channel *channel, uint64_t cycle);
void memory_channel_beat_taken(struct memory_channel *channel);

#endif
