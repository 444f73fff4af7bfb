// SPDX-License-Identifier: Apache-2.0
// A device on this chip: umockdev shows the UIO device, the golden model or rtl/axi, Verilated, answers behind it.
// Every load and store of its registers is one of the model's (trap.h), its memory is a file that both map, and its
// interrupt does what Linux's uio_pdrv_genirq makes of it.
#ifndef HEDDLE_TESTS_MMIO_BED_H
#define HEDDLE_TESTS_MMIO_BED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MMIO_BED_LANES = 4, MMIO_BED_MEMORY_BYTES = 8 << 20 };
#define MMIO_BED_BASE 0x90000000u

// How the device is shown, and what is wrong with it.
struct mmio_bed {
  bool verilated;                             // the device is rtl/axi, of 256 MiB at 0x40000000
  const char *name;                           // of the UIO device; NULL: "heddle"
  const char *control_bytes;                  // as sysfs says; NULL: what is right
  const char *memory_address, *memory_bytes;  // the same; "": there is no map 1
  bool no_processor, no_interrupt;            // it has none
  bool interrupt_is_lost;                     // it asks for it, and nobody hears
  bool interrupt_is_anybodys;                 // Linux hears one whenever it is switched on, whoever asked
  bool clock_stands;                          // it does nothing
  bool lies;                                  // false_register reads false_value
  uint32_t false_register, false_value;
  uint32_t (*read)(uint32_t offset, uint32_t word);  // what a register reads instead of that word; NULL: the word
  void (*meddle)(uint8_t *memory, size_t bytes);  // what the device does to its memory, again and again; NULL: nothing
};

// Plugs it in: /dev/uio0. Once in a process.
void mmio_bed_plug(const struct mmio_bed *how);

// Its memory, as another process would map it; the file that the memory is.
uint8_t *mmio_bed_memory(void);
const char *mmio_bed_memory_file(void);
const char *mmio_bed_device_file(void);  // where /dev/uio0 is to be found

// The device goes: registers read ones, and, of the second, memory is no longer what is mapped.
void mmio_bed_fall_off_the_bus(void);
void mmio_bed_pull_out(void);

// Loads and stores of registers, and interrupts that Linux took, so far.
struct mmio_bed_figures {
  unsigned loads, stores, interrupts;
};
struct mmio_bed_figures mmio_bed_figures(void);

#endif
