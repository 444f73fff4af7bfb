// SPDX-License-Identifier: Apache-2.0
// A set of the device's slots, for the turns of sub-groups and for reservations. Whether it is empty, which every store
// asks, and its next member take no longer when there are many slots.
#ifndef HEDDLE_SIM_MODEL_SLOT_SET_H
#define HEDDLE_SIM_MODEL_SLOT_SET_H

#include <stdbool.h>
#include <stdint.h>

enum { MODEL_SET_WORDS = 16, MODEL_SET_SLOTS = 64 * MODEL_SET_WORDS };

struct model_slot_set {
  uint64_t words;                  // bit w: word[w] is not 0
  uint64_t word[MODEL_SET_WORDS];  // bit s % 64 of word[s / 64]: slot s is a member
};

static inline bool model_set_is_empty(const struct model_slot_set *set) {
  return set->words == 0;
}

static inline void model_set_add(struct model_slot_set *set, uint32_t slot) {
  set->word[slot / 64] |= UINT64_C(1) << slot % 64;
  set->words |= UINT64_C(1) << slot / 64;
}

static inline void model_set_remove(struct model_slot_set *set, uint32_t slot) {
  set->word[slot / 64] &= ~(UINT64_C(1) << slot % 64);
  if (set->word[slot / 64] == 0)
    set->words &= ~(UINT64_C(1) << slot / 64);
}

// The first member from slot `from` on (at most MODEL_SET_SLOTS); MODEL_SET_SLOTS: there is none.
static inline uint32_t model_set_next(const struct model_slot_set *set, uint32_t from) {
  uint32_t w = from / 64;
  uint64_t members = w < MODEL_SET_WORDS ? set->word[w] & UINT64_MAX << from % 64 : 0;
  if (members == 0) {
    uint64_t words = set->words & UINT64_MAX << 1 << w;
    if (words == 0)
      return MODEL_SET_SLOTS;
    w = (uint32_t)__builtin_ctzll(words);
    members = set->word[w];
  }
  return 64 * w + (uint32_t)__builtin_ctzll(members);
}

#endif
