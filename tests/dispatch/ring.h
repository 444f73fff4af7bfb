// SPDX-License-Identifier: Apache-2.0
// A device with a command processor that runs the firmware, and commands for it.
#ifndef HEDDLE_TESTS_DISPATCH_RING_H
#define HEDDLE_TESTS_DISPATCH_RING_H

#include "tests/dispatch/chosen.h"

struct ring {
  struct chosen c;
  uint32_t tail;  // number of the next command; the device does not know it before `ring_doorbell`
};

// The words of a command that count; waits beyond four are only counted.
struct command {
  uint32_t kind, num_waits, waits[4], a, b, c, d, e, f;
};

// Opens a device, or starts an opened one's firmware again; the first command has this number.
struct ring ring_open(uint32_t first_command);
void ring_start(struct ring *r, uint32_t first_command);
void ring_close(struct ring *r);

// Writes a command and returns its number; never more than 64 ahead of HEAD.
uint32_t ring_write(struct ring *r, const struct command *command);
#define RING_WRITE(r, ...) ring_write(r, &(struct command){.kind = __VA_ARGS__})
#define BEHIND(...) .num_waits = sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), .waits = {__VA_ARGS__}
void ring_doorbell(const struct ring *r);
// Rings and runs until all is done; fails the test if that takes too long or the command processor has stopped.
void ring_finish(const struct ring *r);

uint32_t ring_head(const struct ring *r);
uint32_t ring_record(const struct ring *r, uint32_t number, uint32_t word);
uint64_t ring_record_long(const struct ring *r, uint32_t number, uint32_t word);  // low word first
// Fails the test unless the command ended so; why is 0 unless it was refused.
void ring_expect(const struct ring *r, uint32_t number, uint32_t status, uint32_t why);

#endif
