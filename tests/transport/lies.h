// SPDX-License-Identifier: Apache-2.0
// Devices that lie or die, of which the control registers and the memory are the test's: an OpenCL program is to end
// with each, in bounded time and by no signal, and to be told what is wrong. Boards behind a byte link are those of
// tests/host/lying_boards.c.
#ifndef HEDDLE_TESTS_LIES_H
#define HEDDLE_TESTS_LIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum lie_way {
  LIE_NOT,
  LIE_REGISTER,          // one register reads `value`, from its `after`th read on
  LIE_BUSY,              // STATUS and BUS_STATE say busy for ever; the clock stands
  LIE_BUSY_RUNS,         // the same, and the clock goes on
  LIE_CLOCK_BACKWARDS,   // the same, and it runs backwards
  LIE_NEVER_ENDS,        // idle, but nothing has ended
  LIE_COUNTS,            // figures that differ at every read
  LIE_RANDOM_REGISTERS,  // but for what is read at first
  LIE_ALL_RANDOM,        // from `after` reads on: all of them
  LIE_RANDOM_KINDS,      // a table of kinds of pipelines and chains, which `value` chooses
  LIE_RANDOM_MEMORY,     // below `value`, again and again
  LIE_OF_LINK,           // what the link itself says: `offset` and `value` are the test's
};

struct lie {
  const char *name;
  enum lie_way way;
  uint32_t offset, value, after;
  bool is_certain;  // no device could be like that: it is not to be taken for one to the end
};

// Those of registers and memory, which any link has.
extern const struct lie lies_of_registers[];
extern const size_t lies_of_registers_count;

// What register `offset` reads, where an honest device has `word`. One thread at a time.
uint32_t lie_read(const struct lie *lie, uint32_t offset, uint32_t word);

// Changes memory as LIE_RANDOM_MEMORY says.
void lie_meddle(const struct lie *lie, uint8_t *memory, size_t bytes);

uint32_t lie_random(void);

// Each lie in a process of its own, several at once: `plug` shows the device there and makes it the first one, then an
// OpenCL program uses it. Fails the test for those that hang, crash, or lie for certain and are believed.
void expect_lies_to_end(const struct lie *lies, size_t count, void (*plug)(const struct lie *lie));

#endif
