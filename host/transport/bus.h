// SPDX-License-Identifier: Apache-2.0
// The transport of a device on the bus of the processor that runs this (contract/DEVICE.md, "A device on a bus"):
// control registers and global memory are memory of the program's. What is in buffers never moves: the program may
// read and write it in place. For programs without an operating system, and what mmio.c has below it on Linux; needs
// nothing of an operating system.
#ifndef HEDDLE_BUS_H
#define HEDDLE_BUS_H

#include "contract/error.h"
#include "host/transport/transport.h"

struct heddle_bus {
  volatile uint32_t *control;  // the slave's 4 KiB
  uint8_t *memory;             // byte 0 of the device's global memory
  uint32_t memory_bytes;       // of it that there are
  bool keeps_memory;           // it may hold data of others: what is given to somebody is wiped before
  // How bytes go to memory and from it; NULL: memcpy. For memory that takes aligned accesses alone.
  void (*copy)(void *to, const void *from, size_t bytes);
  // A processor whose caches do not follow the bus: writes back what it holds of this memory, and forgets it. NULL:
  // there are no such caches.
  void (*clean)(void *user);
  // Returns when the interrupt has come, or after about so many milliseconds. NULL: the device is asked again and
  // again.
  void (*sleep)(void *user, unsigned milliseconds);
  void *user;
  // The transport's own, 0 at first.
  bool written, started;   // since SYNC: the host wrote memory; something may have run
  uint32_t reads, writes;  // of control registers, for whoever wants to know
};

// Opens a link to the device at *bus, which the caller keeps until the link is closed, and resets it. 0, or -ENODEV:
// what is at `control` is no Heddle device, or its memory is larger than `memory_bytes`; *error says which.
int heddle_bus_open(struct heddle_bus *bus, struct heddle_link *link, struct heddle_error *error);

// To be called before the program reads in place what a kernel has written.
void heddle_bus_sync(struct heddle_bus *bus);

#endif
