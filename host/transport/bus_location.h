// SPDX-License-Identifier: Apache-2.0
// The bus location of a board, on USB or PCIe: usb_list.c and pcie_list.c find it, platform.c compares it.
#ifndef HEDDLE_BUS_LOCATION_H
#define HEDDLE_BUS_LOCATION_H

struct heddle_bus_location {
  // USB: bus number and device address. PCIe: domain, and bus << 8 | device << 3 | function.
  unsigned bus, address;
  // Tells a board from the next one at the same location: the inode of its folder in sysfs, which is new each time.
  unsigned long long plugged;
};

#endif
