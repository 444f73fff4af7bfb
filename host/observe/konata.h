// SPDX-License-Identifier: Apache-2.0
// The instruction log: every instruction that a simulated device issues, with its stages, in the format Kanata 0004
// that Konata shows (docs/how-to/see-inside.md).
//
// Everything here is used by one thread at a time: observe.c holds its mutex.
#ifndef HEDDLE_OBSERVE_KONATA_H
#define HEDDLE_OBSERVE_KONATA_H

#include <stdbool.h>
#include <stdio.h>

#include "contract/sim.h"
#include "host/observe/profile.h"

struct heddle_konata;

// Which instructions: those that begin in the cycles `from` to `to`, as many as about `bytes` of text hold. NULL: host
// memory is out.
struct heddle_konata *heddle_konata_create(uint64_t from, uint64_t to, uint64_t bytes);
void heddle_konata_free(struct heddle_konata *konata);

// What a device tells.
void heddle_konata_pass(struct heddle_konata *konata, const struct heddle_sim_pass *pass);

// A dispatch has ended: its instructions are of this program. NULL: it is not known.
void heddle_konata_dispatch(struct heddle_konata *konata, struct heddle_profile_program *program);

// Instructions that are there, and those that were left out.
uint64_t heddle_konata_count(const struct heddle_konata *konata);
uint64_t heddle_konata_left_out(const struct heddle_konata *konata);

// Writes the log. Where a program cannot be disassembled instructions have their PCs alone.
void heddle_konata_write(struct heddle_konata *konata, FILE *out);

#endif
