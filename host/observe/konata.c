// SPDX-License-Identifier: Apache-2.0
// Puts passes through the pipeline together to instructions (konata.h). An instruction of the log is one issue: it
// begins with the first pass after the slot's last issue, and what makes it leave the pipeline and come again is a
// stall of it.
#include "host/observe/konata.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/observe/konata_write.h"

// Of text, about, for each instruction and each pass of it. What is written is counted besides.
enum { BYTES_AN_INSTRUCTION = 330, BYTES_A_PASS = 100 };

struct heddle_konata *heddle_konata_create(uint64_t from, uint64_t to, uint64_t bytes) {
  struct heddle_konata *konata = calloc(1, sizeof *konata);
  if (!konata)
    return NULL;
  konata->from = from;
  konata->to = to;
  konata->bytes = bytes;
  return konata;
}

void heddle_konata_free(struct heddle_konata *konata) {
  if (!konata)
    return;
  free(konata->instructions);
  free(konata->passes);
  free(konata);
}

uint64_t heddle_konata_count(const struct heddle_konata *konata) {
  return konata->count;
}

uint64_t heddle_konata_left_out(const struct heddle_konata *konata) {
  return konata->left_out;
}

// Makes room for one more. False: host memory is out.
static bool has_room(void **items, size_t count, size_t *room, size_t size) {
  if (count < *room)
    return true;
  const size_t more = *room != 0 ? 2 * *room : 1024;
  void *list = realloc(*items, more * size);
  if (!list)
    return false;
  *items = list;
  *room = more;
  return true;
}

// The number of a new instruction; NONE: it is left out.
static uint32_t begin(struct heddle_konata *konata, const struct heddle_sim_pass *pass) {
  void *list = konata->instructions;
  if (pass->cycle < konata->from || pass->cycle > konata->to)
    return HEDDLE_KONATA_NONE;
  if (konata->expected >= konata->bytes ||
      !has_room(&list, konata->count, &konata->room, sizeof *konata->instructions)) {
    konata->left_out++;
    return HEDDLE_KONATA_NONE;
  }
  konata->instructions = list;
  konata->expected += BYTES_AN_INSTRUCTION;
  struct heddle_konata_instruction *i = &konata->instructions[konata->count];
  *i = (struct heddle_konata_instruction){.pc = pass->pc,
                                          .unit = (uint16_t)pass->unit,
                                          .slot = (uint16_t)pass->slot,
                                          .sub_group = pass->sub_group,
                                          .tail = (uint8_t)pass->tail,
                                          .first_pass = HEDDLE_KONATA_NONE,
                                          .last_pass = HEDDLE_KONATA_NONE};
  memcpy(i->group_id, pass->group_id, sizeof i->group_id);
  return (uint32_t)konata->count++;
}

static void add_pass(struct heddle_konata *konata, uint32_t number, const struct heddle_sim_pass *pass) {
  struct heddle_konata_instruction *i = &konata->instructions[number];
  void *list = konata->passes;
  if (!has_room(&list, konata->num_passes, &konata->room_passes, sizeof *konata->passes))
    return;  // the instruction is shown with the passes that there are
  konata->passes = list;
  konata->expected += BYTES_A_PASS;
  const uint32_t added = (uint32_t)konata->num_passes++;
  konata->passes[added] =
      (struct heddle_konata_pass){.cycle = pass->cycle, .next = HEDDLE_KONATA_NONE, .end = (uint8_t)pass->end};
  if (i->first_pass == HEDDLE_KONATA_NONE)
    i->first_pass = added;
  else
    konata->passes[i->last_pass].next = added;
  i->last_pass = added;
}

void heddle_konata_pass(struct heddle_konata *konata, const struct heddle_sim_pass *pass) {
  if (pass->unit >= HEDDLE_KONATA_UNITS || pass->slot >= HEDDLE_KONATA_SLOTS)
    return;
  struct heddle_konata_slot *slot = &konata->slots[pass->unit][pass->slot];
  if (pass->end == HEDDLE_SIM_PASS_ANSWERED) {
    if (slot->num_loads == 0)
      return;
    if (slot->loads[0] != HEDDLE_KONATA_NONE)
      konata->instructions[slot->loads[0]].answered = pass->cycle;
    memmove(slot->loads, slot->loads + 1, --slot->num_loads * sizeof *slot->loads);
    return;
  }
  if (!slot->is_in_one) {
    slot->instruction = begin(konata, pass);
    slot->is_in_one = true;
  }
  if (slot->instruction != HEDDLE_KONATA_NONE) {
    add_pass(konata, slot->instruction, pass);
    if (pass->lanes != 0)
      konata->instructions[slot->instruction].lanes = pass->lanes;
  }
  if (pass->end == HEDDLE_SIM_PASS_LOADS && slot->num_loads < HEDDLE_KONATA_LOADS)
    slot->loads[slot->num_loads++] = slot->instruction;
  slot->is_in_one =
      pass->end != HEDDLE_SIM_PASS_ISSUED && pass->end != HEDDLE_SIM_PASS_LOADS && pass->end != HEDDLE_SIM_PASS_FAULTS;
}

void heddle_konata_dispatch(struct heddle_konata *konata, struct heddle_profile_program *program) {
  for (size_t i = konata->dispatched; i < konata->count; i++)
    konata->instructions[i].program = program;
  konata->dispatched = konata->count;
  memset(konata->slots, 0, sizeof konata->slots);
}
