// SPDX-License-Identifier: Apache-2.0
// One card as pcie.c drives it, and the two ways to get it: its files in sysfs, where nothing but its memory can be
// reached, and VFIO, which adds interrupts and the host's memory.
#ifndef HEDDLE_PCIE_CARD_H
#define HEDDLE_PCIE_CARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/error.h"
#include "host/transport/bus_location.h"

enum { HEDDLE_PCIE_PAGE = 4096, HEDDLE_PCIE_PAGES = 16, HEDDLE_PCIE_BAR_BYTES = 0x10000 };
enum { HEDDLE_PCIE_DOORBELL_BYTES = 256 };  // of BAR 0, where the doorbell is

enum { HEDDLE_PCIE_NAME = 16 };

// What is known of a kind of card by its ids.
struct heddle_pcie_kind {
  uint16_t vendor, device;  // 0, 0: any
  uint16_t subsystem;       // 0: any
  bool when_named;          // only if $HEDDLE_PCIE says so: others have these ids, too
  uint8_t bar;              // in which the registers are
  bool doorbell;            // they are mere memory: after writing one, 0 is written to word 3 of BAR 0
  bool physical;            // its DMA passes by the IOMMU
};

struct heddle_pcie_card {
  char name[HEDDLE_PCIE_NAME];  // 0000:03:00.0
  const struct heddle_pcie_kind *kind;
  volatile uint32_t *registers;           // HEDDLE_PCIE_BAR_BYTES of them; all ones when the card is gone
  volatile uint32_t *doorbell;            // NULL: there is none
  int interrupt;                          // eventfd; -1: there is none
  uint8_t *pages;                         // of the host's memory, for DMA; NULL: there are none
  uint64_t addresses[HEDDLE_PCIE_PAGES];  // of each page, as the card has to name it
  int descriptors[3];                     // that keep it; -1: none
};

// What kind the card at a location is; NULL: it has gone, or is none of Heddle's.
const struct heddle_pcie_kind *heddle_pcie_kind(const struct heddle_bus_location *location);

void heddle_pcie_name(const struct heddle_bus_location *location, char name[HEDDLE_PCIE_NAME]);

// Whether the kernel still has the card of that plugging.
bool heddle_pcie_is_plugged(const struct heddle_bus_location *location);

// Path of a file of a card in sysfs, and its text: one line, empty when there is none.
enum { HEDDLE_PCIE_PATH = 96, HEDDLE_PCIE_TEXT = 64 };
void heddle_pcie_path(const char *name, const char *file, char path[HEDDLE_PCIE_PATH]);
void heddle_pcie_text(const char *name, const char *file, char text[HEDDLE_PCIE_TEXT]);
// The same for what a link of the card leads to: its last part.
void heddle_pcie_link(const char *name, const char *file, char text[HEDDLE_PCIE_TEXT]);

// Of a card of which name and kind are set, and all else is empty (descriptors -1). 0, or a negative errno with *error
// in words; what is open stays for the caller to close in either case.
int heddle_pcie_sysfs(struct heddle_pcie_card *card, struct heddle_error *error);
int heddle_pcie_vfio(struct heddle_pcie_card *card, struct heddle_error *error);

#endif
