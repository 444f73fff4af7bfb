// SPDX-License-Identifier: Apache-2.0
// A serial line to link_bench.v and a device behind it that the test can look into: memory, registers, what was done to
// them. The line can be made to damage, lose and invent bytes.
#ifndef HEDDLE_TESTS_LINK_BENCH_H
#define HEDDLE_TESTS_LINK_BENCH_H

#include <stdint.h>

#include "host/transport/channel.h"

// 1: over the pins of a USB device; else DIVISOR says what line it is.
#ifndef USB
#define USB 0
#endif

#ifdef __cplusplus
extern "C" {
#endif

// One of so many bytes, on average, suffers each of these; 0: none does.
struct link_damage {
  uint32_t flip, lose, invent;
  uint32_t seed;
};

// As link_bench.v is built.
enum { LINK_MEMORY_BYTES = 1 << GLOBAL_LOG2, LINK_REGISTERS = 1024 };

struct link_bench {
  uint8_t *memory;                     // LINK_MEMORY_BYTES
  uint32_t registers[LINK_REGISTERS];  // as they were last written
  uint64_t register_writes, resets;    // what came to the device
  uint64_t early;                      // registers written while rows were still on their way
  uint64_t cycles;                     // since it was made
  uint64_t bytes;                      // on the line, both ways
  uint64_t damaged;                    // of these: flipped, lost, and invented besides
  int busy;                            // what the device says of itself
  int stalled;                         // the device takes no rows
  int glitches;                        // pulses of a cycle that are still to come on the idle line to the device
  int unplugged;                       // the channel says so, too
  void *rtl;                           // the rest of it
};

struct link_bench *link_bench_create(const struct link_damage *damage);
void link_bench_destroy(struct link_bench *bench);

// As when the board's bitstream is loaded again.
void link_bench_reset(struct link_bench *bench);

// The host's end; time passes only when it waits for bytes. Closing it leaves the bench.
struct heddle_channel link_bench_channel(struct link_bench *bench);

#ifdef __cplusplus
}
#endif

#endif
