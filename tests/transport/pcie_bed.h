// SPDX-License-Identifier: Apache-2.0
// A card on PCIe that is not there: umockdev shows it to this process in sysfs, its BAR 0 is a file, and a thread with
// a simulated device behind pcie_model.h works on that. So libheddle.so runs as it is.
//
// Not thread-safe; the card's thread is its own.
#ifndef HEDDLE_TESTS_PCIE_BED_H
#define HEDDLE_TESTS_PCIE_BED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pcie_bed_board {
  PCIE_BED_MODEL,      // the golden model, as sim_board_model makes it
  PCIE_BED_VERILATED,  // the Verilated device
};

enum { PCIE_BED_NAME = 16 };

// Shows nothing yet.
void pcie_bed_create(enum pcie_bed_board board);

// Ids of the card and its driver (NULL: none), from the next plugging on, if they are not to be Heddle's.
void pcie_bed_pretend(unsigned vendor, unsigned device, unsigned subsystem, const char *driver);

void pcie_bed_plug(void);
// How a card goes: the kernel has noticed, and takes the mapping away; or it has not, and all of the card reads ones;
// or somebody has told the kernel.
void pcie_bed_unplug(void);
// As after writing 1 to its `remove`: it is in no folder any more, but whoever has its memory mapped keeps that, and it
// answers there.
void pcie_bed_have_kernel_remove(void);
void pcie_bed_fall_off_the_bus(void);

// It does nothing more, though its memory is there.
void pcie_bed_hang(void);

// A word of BAR 0, from now on; the thread goes on.
void pcie_bed_set(unsigned offset, uint32_t word);

// What the card says from the next plugging on: a control register in place of its word, bytes of memory that are read,
// words of BAR 0 each time that the card has looked at them. NULL: as it is.
void pcie_bed_lie(uint32_t (*read)(uint32_t offset, uint32_t word),
                  void (*memory)(uint32_t address, uint8_t *data, size_t bytes),
                  void (*registers)(volatile uint32_t *registers));

// Path of a file of the card, as it is outside of the mock.
const char *pcie_bed_file(const char *file);

#endif
