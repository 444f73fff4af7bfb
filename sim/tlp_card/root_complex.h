// SPDX-License-Identifier: Apache-2.0
// A host's side of PCIe for the Verilated card: words of BAR 0 become packets, and packets of the card become accesses
// of the host's memory and interrupts. What the card sends is checked against the rules that hold for every packet; one
// that breaks them ends the process with a message. Not thread-safe.
#ifndef HEDDLE_TLP_CARD_ROOT_COMPLEX_H
#define HEDDLE_TLP_CARD_ROOT_COMPLEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct root_complex_host {
  // Where so many bytes of the host's memory are, all in one page; NULL: the card may not reach them.
  uint8_t *(*memory)(void *host, uint64_t address, size_t bytes);
  void (*interrupt)(void *host);
  void *host;
};

// Packets, bytes of data in them, and cycles, since it was made.
struct root_complex_figures {
  uint64_t cycles;
  uint64_t bar_reads, bar_writes;
  uint64_t reads, bytes_read, writes, bytes_written;  // of the host's memory, by the card
  uint64_t refused;                                   // of these, those that the host did not allow
  uint64_t interrupts;
};

struct root_complex;

// `latency` cycles pass from a read of the host's memory to its answer; `pauses` as of endpoint.h. NULL: no memory.
struct root_complex *root_complex_create(const struct root_complex_host *host, bool pauses, unsigned latency);

// Whether the card may send requests, and whether its vector of MSI-X is on, to be sent to this address with this word.
void root_complex_allow(struct root_complex *root, bool master);
void root_complex_enable_msix(struct root_complex *root, uint32_t address, uint32_t word);

// A word of BAR 0, read by a packet: the card's time passes until the answer has come. All ones: there is none.
uint32_t root_complex_read(struct root_complex *root, uint32_t offset);
// Written: bytes of it, those whose bits `strobe` has; the packet is on its way.
void root_complex_write(struct root_complex *root, uint32_t offset, uint32_t word, unsigned strobe);

void root_complex_run(struct root_complex *root, unsigned cycles);

struct root_complex_figures root_complex_figures(const struct root_complex *root);

void root_complex_destroy(struct root_complex *root);

#endif
