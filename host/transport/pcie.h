// SPDX-License-Identifier: Apache-2.0
// The transport of boards on PCIe ("PCIe" in contract/DEVICE.md): requests in a ring on the card, data through its
// memory or, behind an IOMMU, from and to the host's.
#ifndef HEDDLE_PCIE_H
#define HEDDLE_PCIE_H

#include <stddef.h>

#include "contract/error.h"
#include "host/transport/bus_location.h"
#include "host/transport/transport.h"

// Lists the cards that are plugged in now, `most` of them at most, in the order of their bus locations. The card that
// $HEDDLE_PCIE names (0000:03:00.0) is among them, whatever its ids. Returns how many. Opens none. Thread-safe.
size_t heddle_pcie_list(struct heddle_bus_location *locations, size_t most);

// Opens a card for this process alone. 0, or a negative errno with *error in words: -EBUSY names who has it, -EACCES
// what to do, -ENODEV: the card was pulled out.
int heddle_pcie_open(const struct heddle_bus_location *location, struct heddle_link *link, struct heddle_error *error);

#endif
