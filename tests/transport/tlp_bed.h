// SPDX-License-Identifier: Apache-2.0
// A card on PCIe that is rtl/pcie itself, Verilated with its device (sim/tlp_card): umockdev shows it in sysfs, each
// load and store of its memory becomes a packet (trap.h), and where it is bound to vfio-pci what the kernel does with
// ioctls is done here: pages for DMA, and the vector of MSI-X as an eventfd. libheddle.so runs as it is.
//
// The card's time passes on a thread of its own, and while the host waits for an answer. Not thread-safe.
#ifndef HEDDLE_TESTS_TLP_BED_H
#define HEDDLE_TESTS_TLP_BED_H

#include <stdbool.h>

#include "sim/tlp_card/root_complex.h"

enum tlp_bed_kind {
  TLP_BED_SYSFS,             // no driver: its memory is a file
  TLP_BED_VFIO,              // bound to vfio-pci, with an IOMMU
  TLP_BED_VFIO_NO_INTERRUPT  // which gives no interrupt
};

void tlp_bed_plug(enum tlp_bed_kind kind);

// The kernel has noticed: the card reads ones, and is in no folder any more. What it had begun to send is lost.
void tlp_bed_unplug(void);

// The bus master enable bit, as if somebody had changed it in configuration space.
void tlp_bed_set_master(bool master);

struct root_complex_figures tlp_bed_figures(void);

#endif
