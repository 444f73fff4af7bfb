// SPDX-License-Identifier: Apache-2.0
// The server of one QEMU's ivshmem-doorbell: memory that is BAR 2 there, a doorbell, and an interrupt. Called by
// pcie_card.c; not thread-safe.
#ifndef HEDDLE_PCIE_CARD_IVSHMEM_H
#define HEDDLE_PCIE_CARD_IVSHMEM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/un.h>

struct ivshmem {
  volatile uint32_t *memory;
  int file;       // of the memory
  int listening;  // for QEMU
  int qemu;       // its socket: nothing comes, until it ends
  int doorbell, interrupt;
};

// Makes the memory, zeroed, and listens at a UNIX socket, which must not be there yet unless nobody listens at it. 0,
// or -1 and errno. What it takes it keeps until the process ends.
int ivshmem_open(struct ivshmem *ivshmem, const struct sockaddr_un *address, size_t bytes);

// Waits for QEMU and gives it all of this. -1: `until` ended before, or QEMU did.
int ivshmem_meet(struct ivshmem *ivshmem, int until);

// Takes what the doorbell said: to be called when it can be read.
void ivshmem_rung(const struct ivshmem *ivshmem);

void ivshmem_interrupt(const struct ivshmem *ivshmem);

#endif
