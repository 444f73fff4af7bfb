// SPDX-License-Identifier: Apache-2.0
// Where a board is plugged in, on whatever bus. What usb_list.c and pcie_list.c give and platform.c compares.
#ifndef HEDDLE_PLACE_H
#define HEDDLE_PLACE_H

struct heddle_place {
  // On USB its bus and address there. On PCIe its domain, and its bus, device and function as in the id of a requester:
  // bus << 8 | device << 3 | function.
  unsigned bus, address;
  // Which plugging it is: number of the board's folder in sysfs, which is made anew each time.
  unsigned long long plugged;
};

#endif
