// SPDX-License-Identifier: Apache-2.0
// A stream of bytes to a device and back, which may lose, damage or invent some: a serial line, the endpoints of a USB
// device. What frames.h makes a link of. Not thread-safe.
#ifndef HEDDLE_CHANNEL_H
#define HEDDLE_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

struct heddle_channel_calls {
  // Sends all of it. 0, or a negative errno value when the device is gone.
  int (*send)(void *state, const uint8_t *data, size_t bytes);

  // Waits at most `milliseconds` for bytes and takes up to `room` of them. Returns how many came, 0 if none did, or a
  // negative errno value when the device is gone.
  int (*receive)(void *state, uint8_t *data, size_t room, unsigned milliseconds);

  void (*close)(void *state);
};

struct heddle_channel {
  const struct heddle_channel_calls *calls;
  void *state;              // first argument of every call
  uint64_t bytes_a_second;  // about; 0: not known, as fast as memory
  uint32_t access_ns;       // until a few bytes have gone there and an answer is back
};

#endif
