// SPDX-License-Identifier: Apache-2.0
// Reservations of pipes that a kernel has not committed when it ends: they block the pipe from then on. Who takes
// packets writes how many they are into the mark of the first one's slot (hls/lib/pipes.cl); a commit takes that away,
// or says that it waits for those in front of it.
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "sim/model/check_state.h"

static uint32_t word_at(const struct model_device *d, uint32_t address) {
  uint32_t word = 0;
  if (address % 4 == 0 && address <= d->memory_bytes - sizeof word)
    memcpy(&word, d->memory + address, sizeof word);
  return word;
}

static bool is_open(const struct model_device *d, const struct check_reservation *taken) {
  const uint32_t mark = word_at(d, taken->finding.address);
  return (mark & HEDDLE_PIPE_MARK_PACKETS) == taken->packets &&
         (mark & (HEDDLE_PIPE_MARK_WRITING_COMMITTED | HEDDLE_PIPE_MARK_READING_COMMITTED)) == 0;
}

// The place of a mark in the table, which has free ones.
static struct check_reservation *place_of(const struct model_check *c, uint32_t address) {
  uint32_t i = address / 4 * 2654435761u & (c->room_for_reservations - 1);
  while (c->reservations[i].packets != 0 && c->reservations[i].finding.address != address)
    i = (i + 1) & (c->room_for_reservations - 1);
  return &c->reservations[i];
}

// Makes the table twice as large once it is half full. It does not become larger than pipes have slots.
static bool has_room(struct model_check *c) {
  struct check_reservation *old = c->reservations;
  const uint32_t old_room = c->room_for_reservations, room = old_room != 0 ? 2 * old_room : 64;
  if (2 * c->num_reservations < old_room)
    return true;
  struct check_reservation *larger = calloc(room, sizeof *larger);
  if (!larger)
    return false;
  c->reservations = larger;
  c->room_for_reservations = room;
  for (uint32_t i = 0; i < old_room; i++)
    if (old[i].packets != 0)
      *place_of(c, old[i].finding.address) = old[i];
  free(old);
  return true;
}

void check_takes_packets(struct model_device *d, const struct model_sub_group *g, const struct check_touch *touch) {
  struct model_check *c = d->check;
  const uint32_t packets = touch->stored[touch->lane];
  const uint32_t pipe = c->objects[touch->object].is.address;
  if (packets == 0 || packets > HEDDLE_PIPE_MARK_PACKETS ||
      touch->address - pipe < sizeof(uint32_t[HEDDLE_PIPE_HEADER_WORDS]))
    return;
  if (!has_room(c)) {
    c->incomplete = true;
    return;
  }
  struct check_reservation *taken = place_of(c, touch->address);
  c->num_reservations += taken->packets == 0;
  *taken = (struct check_reservation){.object = touch->object,
                                      .packets = packets,
                                      .finding = {.kind = HEDDLE_FINDING_MISUSE,
                                                  .here = check_access_of(d, g, touch->lane, touch->pc),
                                                  .address = touch->address}};
  check_complete(d, &taken->finding);
}

// Of writing are the packets from the last one given to readers up to the last one taken.
static bool is_of_writing(const struct model_device *d, const struct check_reservation *taken) {
  const uint32_t pipe = d->check->objects[taken->object].is.address;
  const uint32_t slot = (taken->finding.address - pipe) / 4 - HEDDLE_PIPE_HEADER_WORDS;
  const uint32_t written = word_at(d, pipe + 4 * HEDDLE_PIPE_WRITTEN);
  const uint32_t behind = (slot - written) & word_at(d, pipe + 4 * HEDDLE_PIPE_SLOT_MASK);
  return behind < word_at(d, pipe + 4 * HEDDLE_PIPE_TAKEN_FOR_WRITING) - written;
}

void check_uncommitted(struct model_device *d) {
  struct model_check *c = d->check;
  for (uint32_t i = 0; i < c->room_for_reservations; i++) {
    const struct check_reservation *taken = &c->reservations[i];
    if (taken->packets == 0 || !is_open(d, taken))
      continue;
    struct heddle_finding finding = taken->finding;
    finding.address = is_of_writing(d, taken) ? HEDDLE_MISUSE_UNCOMMITTED_WRITING : HEDDLE_MISUSE_UNCOMMITTED_READING;
    check_keep(c, &finding);
  }
  check_forget_reservations(c);
}

void check_forget_reservations(struct model_check *c) {
  if (c->num_reservations != 0)
    memset(c->reservations, 0, c->room_for_reservations * sizeof *c->reservations);
  c->num_reservations = 0;
}
