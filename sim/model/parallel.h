// SPDX-License-Identifier: Apache-2.0
// Work-groups of a dispatch on several threads, with all that anybody sees as on one (parallel.c says how). Here is
// what the interpreter does for it: it tells which words a group slot's work-groups access.
#ifndef HEDDLE_SIM_MODEL_PARALLEL_H
#define HEDDLE_SIM_MODEL_PARALLEL_H

#include <stdatomic.h>

#include "sim/model/device.h"

enum {
  MODEL_TOUCHED_WORDS = 1 << (MODEL_PAGE_LOG2 - 2),
  MODEL_RECENT = 256,  // pages that a course finds at once
};

// What a course has accessed of a page in a stretch by global addresses, a bit a word.
struct model_touched {
  struct model_touched *next;  // of the same page, another course's
  struct model_course *course;
  uint64_t loaded[MODEL_TOUCHED_WORDS / 64], stored[MODEL_TOUCHED_WORDS / 64];
};

// Up to 64 words, of one page.
static inline void model_mark_words(uint64_t *bits, uint32_t word, uint32_t words) {
  const uint64_t ones = UINT64_MAX >> (64 - words);
  bits += word % MODEL_TOUCHED_WORDS / 64;
  bits[0] |= ones << word % 64;
  if (__builtin_expect(word % 64 + words > 64, 0))
    bits[1] |= ones >> (64 - word % 64);
}

// A page that a course has loaded from, or stored to, in a stretch: tags of both.
struct model_recent {
  uint64_t loaded, stored;
  struct model_touched *touched;
};

enum model_course_state {
  COURSE_EMPTY,   // it has no work-group and gets none
  COURSE_READY,   // a thread may run it
  COURSE_RUNS,    // one does
  COURSE_AWAITS,  // its work-group has completed; the next one is not known yet
};

// The work-groups that a group slot runs in a stretch, one after the other.
struct model_course {
  struct model_work_group *group;
  enum model_course_state state;
  bool is_new;           // its work-group has been taken, not filled
  _Atomic uint32_t lap;  // first that it has not been through; of one that awaits: in which its work-group completed
  bool has_run;
  uint32_t turn, slice_left, turn_lap;  // of its last turn, as the device has them
  uint32_t last_issues;                 // of the last call of the interpreter
  uint64_t stretch;                     // upper half of all tags of this stretch
  bool tells_loads;                     // each word; else a load is one of the whole page
  struct model_recent recent[MODEL_RECENT];
  uint64_t saved[MODEL_RECENT];  // tags of pages with private or local memory that have been saved
};

#ifndef MODEL_ONE_THREAD
// Runs work-groups on several threads for some time, not longer than until the clock says `end`. False: nothing has
// been done, for now is no time for that.
bool model_run_together(struct model_device *d, uint64_t end);
void model_team_destroy(struct model_device *d);

// Where a course finds a page. Buffers begin at round addresses, and yet their pages have places of their own.
static inline uint32_t model_place(uint32_t page) {
  return (page ^ page >> 8) % MODEL_RECENT;
}

// The slow ways of what follows. False: the thread has given up.
bool model_touch_page(struct model_device *d, uint32_t word, uint32_t words, bool is_store);
bool model_save_own_page(struct model_device *d, uint32_t page);

static inline bool model_touch_words(struct model_device *d, uint32_t word, uint32_t words, bool is_store) {
  struct model_course *c = d->course;
  const uint32_t page = word / MODEL_TOUCHED_WORDS;
  const struct model_recent *recent = &c->recent[model_place(page)];
  if (__builtin_expect((is_store ? recent->stored : recent->loaded) != (c->stretch | page), 0))
    return model_touch_page(d, word, words, is_store);
  if (is_store || c->tells_loads)
    model_mark_words(is_store ? recent->touched->stored : recent->touched->loaded, word, words);
  return true;
}

// Called before each access of global memory by a global address, of up to 64 words, in a thread's copy of the device.
// False: the thread has given up.
static inline bool model_touch(struct model_device *d, uint32_t address, uint32_t bytes, bool is_store) {
  const uint32_t word = address / 4, words = (bytes + 3) / 4, room = MODEL_TOUCHED_WORDS - word % MODEL_TOUCHED_WORDS;
  if (__builtin_expect(words > room, 0))
    return model_touch_words(d, word, room, is_store) && model_touch_words(d, word + room, words - room, is_store);
  return model_touch_words(d, word, words, is_store);
}

// The same before a store to private or local memory, which is the course's own.
static inline bool model_touch_own(struct model_device *d, uint32_t physical, uint32_t bytes) {
  const struct model_course *c = d->course;
  const uint32_t first = physical >> MODEL_PAGE_LOG2, last = (physical + bytes - 1) >> MODEL_PAGE_LOG2;
  for (uint32_t page = first; page <= last; page++)
    if (__builtin_expect(c->saved[model_place(page)] != (c->stretch | page), 0) && !model_save_own_page(d, page))
      return false;
  return true;
}
#else
static inline bool model_run_together(struct model_device *d, uint64_t end) {
  (void)d, (void)end;
  return false;
}
static inline void model_team_destroy(struct model_device *d) {
  (void)d;
}
static inline bool model_touch_words(struct model_device *d, uint32_t word, uint32_t words, bool is_store) {
  (void)d, (void)word, (void)words, (void)is_store;
  return true;
}
static inline bool model_touch(struct model_device *d, uint32_t address, uint32_t bytes, bool is_store) {
  return model_touch_words(d, address, bytes, is_store);
}
static inline bool model_touch_own(struct model_device *d, uint32_t physical, uint32_t bytes) {
  (void)d, (void)physical, (void)bytes;
  return true;
}
#endif

// The same for each lane of mask, wherever its address is.
static inline bool model_touch_lanes(struct model_device *d, const uint32_t *address, const uint32_t *physical,
                                     uint32_t mask, uint32_t bytes, bool is_store) {
  for (; mask != 0; mask &= mask - 1) {
    const uint32_t l = (uint32_t)__builtin_ctz(mask);
    if (address[l] < d->global_bytes ? !model_touch_words(d, address[l] / 4, 1, is_store)
                                     : is_store && !model_touch_own(d, physical[l], bytes))
      return false;
  }
  return true;
}

#endif
