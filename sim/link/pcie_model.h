// SPDX-License-Identifier: Apache-2.0
// The device's side of "PCIe" of contract/DEVICE.md in C, on memory that it shares with the host; written from there
// and sharing nothing with rtl/pcie or host/transport. What it is the end of is the caller's.
#ifndef HEDDLE_PCIE_MODEL_H
#define HEDDLE_PCIE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PCIE_MODEL_BYTES = 0x10000 };  // of the registers

// The device; read and write give 0, or not for "no such address".
struct pcie_model_device {
  int (*read)(void *device, uint32_t address, void *data, size_t bytes);
  int (*write)(void *device, uint32_t address, const void *data, size_t bytes);
  void (*reset)(void *device);
  bool (*busy)(void *device);
  void (*interrupt)(void *device);  // NULL: there is none
  // Where so many bytes of the host's memory are, within a page; NULL: they cannot be reached. NULL itself: no DMA.
  void *(*host_memory)(void *device, uint64_t address, size_t bytes);
  void *device;  // first argument of each
};

struct pcie_model {
  struct pcie_model_device to;
  volatile uint32_t *registers;  // PCIE_MODEL_BYTES; each word is written by one side only
  uint32_t in_bytes, out_bytes;  // as the registers have them
  bool was_busy;
};

// Shows a device that nobody has opened.
void pcie_model_start(struct pcie_model *model);

// Does what the host has asked for since the last call, and says whether the device is busy. To be called whenever the
// host may have written, and after the device has run. Whether there was anything to do.
bool pcie_model_step(struct pcie_model *model);

#endif
