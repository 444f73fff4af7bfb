// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/memory_channel.h"

#include <criterion/criterion.h>
#include <string.h>

bool memory_channel_has_room(const struct memory_channel *channel) {
  return channel->count < MOST_LINES_ASKED;
}

void memory_channel_write(struct memory_channel *channel, uint32_t address, const uint8_t *beat, const bool *strobe) {
  for (unsigned i = 0; i < channel->beat_bytes; i++)
    if (strobe[i])
      channel->bytes[address + i] = beat[i];
  channel->beats_written++;
}

void memory_channel_ask(struct memory_channel *channel, uint32_t address, uint64_t cycle) {
  cr_assert_eq(address % channel->line_bytes, 0u, "a line at 0x%x", address);
  const unsigned at = (channel->first + channel->count++) % MOST_LINES_ASKED;
  memcpy(channel->lines[at].beats, channel->bytes + address, channel->line_bytes);
  channel->lines[at].due = cycle + channel->latency;
}

const uint8_t *memory_channel_beat(const struct memory_channel *channel, uint64_t cycle) {
  if (channel->count == 0 || channel->lines[channel->first].due > cycle)
    return NULL;
  return channel->lines[channel->first].beats + channel->offset;
}

void memory_channel_beat_taken(struct memory_channel *channel) {
  channel->offset += channel->beat_bytes;
  if (channel->offset == channel->line_bytes) {
    channel->offset = 0;
    channel->first = (channel->first + 1) % MOST_LINES_ASKED;
    channel->count--;
  }
}
