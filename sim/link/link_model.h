// SPDX-License-Identifier: Apache-2.0
// The device's side of "The byte link" of contract/DEVICE.md in C, written from there and sharing nothing with rtl/link
// or host/transport. What it is the end of is the caller's.
#ifndef HEDDLE_LINK_MODEL_H
#define HEDDLE_LINK_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINK_MODEL_BUFFER = 4096, LINK_MODEL_MOST = 512 };

// The device; 0 or not for "no such address".
struct link_model_device {
  int (*read)(void *device, uint32_t address, void *data, size_t bytes);
  int (*write)(void *device, uint32_t address, const void *data, size_t bytes);
  void (*reset)(void *device);
  bool (*busy)(void *device);
  void (*answer)(void *device, const uint8_t *data, size_t bytes);  // bytes for the host
  void *device;                                                     // first argument of each
};

struct link_model {
  struct link_model_device to;
  bool open;
  uint8_t expected;
  size_t come;  // bytes that may be the beginning of a frame
  uint8_t bytes[LINK_MODEL_MOST + 17];
};

// Takes bytes from the host and does what they ask for.
void link_model_take(struct link_model *link, const uint8_t *data, size_t bytes);

#endif
