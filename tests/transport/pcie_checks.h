// SPDX-License-Identifier: Apache-2.0
// What the host's transport for PCIe has to do on any card, without an OpenCL program: the only card that there is.
#ifndef HEDDLE_TESTS_TRANSPORT_PCIE_CHECKS_H
#define HEDDLE_TESTS_TRANSPORT_PCIE_CHECKS_H

#include <stddef.h>
#include <stdint.h>

#include "host/transport/pcie.h"

void open_card(struct heddle_link *link);

// Writes and reads so often, from `base` on, at most 16 bytes and `most` in turn.
void expect_any_bytes_back(uint32_t base, int times, size_t most);

// Of reads at no address, and of writes of so many bytes that begin `there` bytes before the card's memory ends; then
// the word at `base` can be written and read.
void expect_no_address(uint32_t base, uint32_t end, uint32_t there, size_t bytes);

#endif
