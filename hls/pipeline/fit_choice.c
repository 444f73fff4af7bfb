// SPDX-License-Identifier: Apache-2.0
// Each kernel begins with its smallest pipeline, and the one is improved that gains most cycles for its part of the
// board, until nothing is gained.
#include <math.h>

#include "hls/pipeline/fit_search.h"

// Work-items. A program misses nothing in a larger work-group than the first, and may well have those of the second.
enum { USUAL_WORK_GROUP = 256, SMALL_WORK_GROUP = 64 };

static struct heddle_room room_of(const struct option *option) {
  return fit_times(option->base, option->units);
}

// Whether all choices fit together, with `other` instead of that of choices[at].
static bool fit_together(const struct search *s, size_t at, const struct option *other) {
  struct heddle_room sum = {0};
  unsigned units = s->fit->is_beside_unit;  // of the device: a chain is one
  for (size_t i = 0; i < s->fit->count; i++) {
    const struct option *option = i == at ? other : s->choices[i].chosen;
    const struct heddle_room room = room_of(option);
    sum = heddle_room_sum(&sum, &room);
    units += option->units;
  }
  return !heddle_room_lacks(&sum, &s->fit->left) && units - s->joined <= MOST_COPIES;
}

static bool may_choose(const struct search *s, const struct option *option) {
  return option->base->result.work_group_items >= s->least_items;
}

// What each kernel begins with: the option that takes least, of the whole or of one thing.
enum measure { BY_PART, BY_LUT4, BY_FF, BY_EBR, BY_DSP, MEASURES };

static double measured(const struct option *option, enum measure measure) {
  const struct heddle_room room = room_of(option);
  switch (measure) {
    case BY_LUT4:
      return room.lut4;
    case BY_FF:
      return room.ff;
    case BY_EBR:
      return room.ebr;
    case BY_DSP:
      return room.dsp;
    default:
      return option->part;
  }
}

static bool choose_smallest(struct search *s, enum measure measure) {
  for (size_t i = 0; i < s->fit->count; i++) {
    struct choices *c = &s->choices[i];
    c->chosen = NULL;
    for (size_t k = 0; k < c->option_count; k++) {
      const struct option *option = &c->options[k];
      if (!may_choose(s, option))
        continue;
      const double other = measured(option, measure), least = c->chosen ? measured(c->chosen, measure) : INFINITY;
      if (!c->chosen || other < least || (other == least && option->part < c->chosen->part))
        c->chosen = option;
    }
    if (!c->chosen)
      return false;
  }
  return fit_together(s, s->fit->count, NULL);
}

// The most cycles for the least part. False: nothing is gained any more.
static bool improve(struct search *s) {
  double most = 0;
  struct choices *at = NULL;
  const struct option *better = NULL;
  for (size_t i = 0; i < s->fit->count; i++) {
    struct choices *c = &s->choices[i];
    for (size_t k = 0; k < c->option_count; k++) {
      const struct option *option = &c->options[k];
      const double gain = c->chosen->cycles - option->cycles, more = option->part - c->chosen->part;
      const double score = gain / (more > 1e-6 ? more : 1e-6);
      if (gain > 0 && score > most && may_choose(s, option) && fit_together(s, i, option)) {
        most = score;
        at = c;
        better = option;
      }
    }
  }
  if (at)
    at->chosen = better;
  return at;
}

// Of a pipeline for small work-groups alone.
static unsigned usual_group(const struct option *option) {
  const unsigned items = option->base->result.work_group_items;
  return items < USUAL_WORK_GROUP ? items : USUAL_WORK_GROUP;
}

static bool is_better(const struct option *option, const struct option *than) {
  const unsigned items = usual_group(option), others = usual_group(than);
  return items > others || (items == others && option->part < than->part);
}

// Of what is nearly as fast, what takes larger work-groups is taken instead, then what is smaller.
static void spare(struct search *s) {
  for (size_t i = 0; i < s->fit->count; i++) {
    struct choices *c = &s->choices[i];
    const double most = c->chosen->cycles / FIT_WORTH;
    for (size_t k = 0; k < c->option_count; k++) {
      const struct option *option = &c->options[k];
      if (option->cycles <= most && may_choose(s, option) && is_better(option, c->chosen) && fit_together(s, i, option))
        c->chosen = option;
    }
  }
}

static bool choose(struct search *s, unsigned least_items) {
  bool fits = false;
  s->least_items = least_items;
  for (enum measure measure = BY_PART; measure < MEASURES && !fits; measure++)
    fits = choose_smallest(s, measure);
  while (fits && improve(s)) {
  }
  if (fits)
    spare(s);
  return fits;
}

bool fit_search_choose(struct search *s) {
  return choose(s, SMALL_WORK_GROUP) || choose(s, 0);
}
