// SPDX-License-Identifier: Apache-2.0
// Of a segment of a loop whose rounds overlap: in which stage there is what a round needs of the one before, and how
// far rounds are apart for it. Both the values that the loop carries and elements of arrays that it sets are kept so.
#include <stdlib.h>

#include "hls/pipeline/dependence.h"
#include "hls/pipeline/hazards.h"
#include "hls/pipeline/overlap.h"
#include "hls/pipeline/scheduling.h"

enum { SOON = 32 };  // rounds in which what is set may be read again, so that it is worth reading late

static bool is_state_of(const struct segment *segment, const struct node *phi) {
  return phi->is_state && phi->home == segment;
}

static unsigned states_of(const struct segment *segment) {
  unsigned count = 0;
  for (unsigned i = 0; i < segment->nodes.count; i++)
    count += segment->nodes.items[i]->is_state;
  return count;
}

enum { STATES = -1 };  // in place of the number of an array

// Whether a node gives what is kept from round to round: in registers, or in elements of an array.
static bool is_kept(const struct node *node, int array) {
  return array == STATES ? node->is_state : node->op == OP_ELEMENT && node->number == (uint64_t)array;
}

// The stage in which what a segment keeps from round to round is best there: when all else is that goes into what is
// kept next.
static unsigned kept_wanted(const struct graph *graph, const struct segment *segment, int array) {
  bool *depends = graph_allocate(graph->node_count * sizeof *depends);
  bool *leads = graph_allocate(graph->node_count * sizeof *leads);
  const struct list *nodes = &segment->nodes;
  unsigned wanted = 0;
  for (unsigned i = 0; i < nodes->count; i++) {
    const struct node *node = nodes->items[i];
    depends[node->id] = is_kept(node, array);
    for (unsigned k = 0; k < node->count && !graph_is_given(node); k++)
      depends[node->id] |= depends[node->arguments[k]->id];
    leads[node->id] |= node->op == OP_SET_ELEMENT && node->number == (uint64_t)array;
    if (node->is_state && array == STATES)
      leads[segment->region->next.items[node->low]->id] = true;
  }
  for (unsigned i = 0; i < nodes->count; i++) {
    const struct node *next =
        array == STATES && nodes->items[i]->is_state ? segment->region->next.items[nodes->items[i]->low] : NULL;
    const unsigned stage = next && !depends[next->id] ? schedule_choice_stage(graph, segment, next, CHOICE_NS) : 0;
    wanted = stage > wanted ? stage : wanted;
  }
  for (unsigned i = nodes->count; i-- > 0;)
    for (unsigned k = 0; k < nodes->items[i]->count && leads[nodes->items[i]->id]; k++)
      leads[nodes->items[i]->arguments[k]->id] = true;
  for (unsigned i = 0; i < nodes->count; i++) {
    const struct node *node = nodes->items[i];
    for (unsigned k = 0; k < node->count && leads[node->id] && depends[node->id] && !graph_is_given(node); k++) {
      const struct node *value = node->arguments[k];
      unsigned stage;
      double ns;
      schedule_available(graph, segment, value, &stage, &ns);
      if (!depends[value->id] && !graph_is_static(value) && stage + (ns > 2 * REGISTER_NS) > wanted)
        wanted = stage + (ns > 2 * REGISTER_NS);
    }
  }
  free(depends);
  free(leads);
  return wanted;
}

// Accesses of arrays that rounds share.
static struct list elements_of(const struct graph *graph, const struct segment *segment) {
  struct list elements = {NULL, 0};
  for (unsigned i = 0; i < segment->nodes.count; i++) {
    struct node *node = segment->nodes.items[i];
    if (graph_is_element(node) && !hazards_keep_array(segment->region, (unsigned)node->number) &&
        !(graph->arrays[node->number].round && segment->region->any_order))
      list_add(&elements, node);
  }
  return elements;
}

// Calls back for each two accesses of arrays that come to one element, `later` so many rounds later, and yet not behind
// `earlier` if rounds are *apart cycles apart. False: there are none.
typedef void (*too_close_fn)(const struct node *earlier, struct node *later, unsigned rounds, unsigned *apart);

static bool find_too_close(const struct graph *graph, const struct segment *segment, const struct list *elements,
                           too_close_fn found, unsigned *apart) {
  bool any = false;
  for (unsigned i = 0; i < elements->count; i++)
    for (unsigned k = 0; k < elements->count; k++) {
      const struct node *earlier = elements->items[i];
      struct node *later = elements->items[k];
      if (later->number != earlier->number || (earlier->op == OP_ELEMENT && later->op == OP_ELEMENT))
        continue;
      // Rounds that follow within that time must not come to the element.
      for (unsigned rounds = 1; later->start + rounds * *apart < earlier->stage; rounds++)
        if (dependence_of_elements(graph, segment->region, earlier, later, rounds)) {
          found(earlier, later, rounds, apart);
          any = true;
        }
    }
  return any;
}

static void come_further_apart(const struct node *earlier, struct node *later, unsigned rounds, unsigned *apart) {
  *apart = (earlier->stage - later->start + rounds - 1) / rounds;
}

// Cycles from a round to the next, so that accesses of arrays that may be to one element come in the rounds' order.
static unsigned elements_apart(const struct graph *graph, const struct segment *segment, const struct list *elements) {
  unsigned apart = 1;
  find_too_close(graph, segment, elements, come_further_apart, &apart);
  return apart;
}

static void come_later(const struct node *earlier, struct node *later, unsigned rounds, unsigned *apart) {
  const unsigned wanted = earlier->stage - rounds * *apart;
  later->not_before = wanted > later->not_before ? wanted : later->not_before;
}

const struct node *rounds_source(const struct node *phi) {
  const struct node *next = phi->region->next.items[phi->low];
  return next->op == OP_PHI && next->is_state && next->home == phi->home ? next : NULL;
}

// The first stage in which an operation takes a value, `last` at most.
static unsigned first_wanted(const struct segment *segment, const struct node *value, unsigned last) {
  unsigned first = last;
  for (unsigned i = 0; i < segment->nodes.count; i++) {
    const struct node *node = segment->nodes.items[i];
    for (unsigned k = 0; k < node->count && !graph_is_given(node); k++)
      if (node->arguments[k] == value && node->start < first)
        first = node->start;
  }
  return first;
}

// Where a value that a shift register passes on comes from; itself, if it is not passed on. *rounds: how many rounds it
// takes. Of values that only change places that is one of them, with a source itself.
static struct node *last_source(struct node *phi, unsigned *rounds) {
  for (*rounds = 1; rounds_source(phi) && *rounds <= phi->region->phis.count; ++*rounds)
    phi = phi->region->next.items[phi->low];
  return phi;
}

// When a carried value is read, as late as it may be, and stored; returns how far rounds are apart for it. What a shift
// register has passed on for some rounds was made so many rounds before, which may be as much closer.
static unsigned keep_state(const struct graph *graph, const struct segment *segment, struct node *phi) {
  const struct region *r = segment->region;
  const unsigned states = phi->not_before;
  unsigned rounds;
  const struct node *last = last_source(phi, &rounds), *source = rounds_source(last);
  // Values that only change places are never made anew.
  const unsigned made = source ? states : schedule_choice_stage(graph, segment, r->next.items[last->low], CHOICE_NS);
  phi->kept = made > states ? made : states;
  phi->stage = first_wanted(segment, phi, phi->kept);
  return (phi->kept - phi->stage) / rounds + 1;
}

// What comes from one round to the next: when it is stored, and how far rounds are apart for it.
static void keep_apart(struct graph *graph, struct segment *segment, const struct list *elements, unsigned *depth) {
  struct region *r = segment->region;
  unsigned interval = elements_apart(graph, segment, elements);
  for (unsigned i = 0; i < r->phis.count; i++) {
    struct node *phi = r->phis.items[i];
    if (!is_state_of(segment, phi))
      continue;
    const unsigned carried = keep_state(graph, segment, phi);
    interval = carried > interval ? carried : interval;
    *depth = phi->kept > *depth ? phi->kept : *depth;
  }
  if (segment == r->first) {
    r->back = schedule_choice_stage(graph, segment, r->again, COUNT_NS);
    for (unsigned i = 0; i < r->phis.count; i++) {
      const unsigned stage = schedule_choice_stage(graph, segment, r->next.items[i], CHOICE_NS);
      if (!r->phis.items[i]->is_state && stage > r->back)
        r->back = stage;
    }
    *depth = r->back > *depth ? r->back : *depth;
    r->interval = r->carried_apart = r->back + 1 > interval ? r->back + 1 : interval;
  } else {
    // Who shares an operator has a stage modulo `apart`.
    const unsigned shared = segment->is_aligned && segment->apart > 1 ? segment->apart : 1;
    r->carried_apart = interval > r->carried_apart ? interval : r->carried_apart;
    r->shared_apart = shared > r->shared_apart ? shared : r->shared_apart;
    segment->apart = interval > segment->apart ? (interval + shared - 1) / shared * shared : segment->apart;
    r->interval = segment->apart > r->interval ? segment->apart : r->interval;
  }
}

// Whether a round may read what one a little before it has set.
static bool is_read_again(const struct graph *graph, const struct segment *segment, const struct list *elements,
                          unsigned array) {
  for (unsigned i = 0; i < elements->count; i++)
    for (unsigned k = 0; k < elements->count; k++) {
      const struct node *set = elements->items[i], *read = elements->items[k];
      if (set->op != OP_SET_ELEMENT || read->op != OP_ELEMENT || set->number != array || read->number != array)
        continue;
      for (unsigned rounds = 1; rounds <= SOON; rounds++)
        if (dependence_of_elements(graph, segment->region, set, read, rounds))
          return true;
    }
  return false;
}

// Reads of elements that other rounds set come as late as they may, so that rounds are closer to each other. Returns
// the last stage.
static unsigned delay_reads(struct graph *graph, struct segment *segment, const struct list *elements, unsigned depth) {
  for (unsigned a = 0; a < graph->array_count; a++) {
    if (!is_read_again(graph, segment, elements, a))
      continue;
    const unsigned wanted = kept_wanted(graph, segment, (int)a);
    for (unsigned i = 0; i < elements->count; i++) {
      struct node *node = elements->items[i];
      const unsigned latency = graph_cost(graph, node).latency;
      if (is_kept(node, (int)a) && wanted > latency)
        node->not_before = wanted - latency;
    }
    depth = schedule_place(graph, segment);
  }
  return depth;
}

void rounds_use(struct segment *segment) {
  const struct region *r = segment->region;
  for (unsigned i = 0; i < r->phis.count; i++)
    if (r->phis.items[i]->is_state && r->phis.items[i]->home == segment) {
      if (!rounds_source(r->phis.items[i]))
        schedule_use(segment, r->next.items[i], r->phis.items[i]->kept);
    } else if (!r->phis.items[i]->is_state && segment == r->first)
      schedule_use(segment, r->next.items[i], r->back);
  if (segment == r->first)
    schedule_use(segment, r->again, r->back);
}

unsigned rounds_apart(const struct node *phi) {
  const unsigned apart = phi->home == phi->region->first ? phi->region->interval : phi->home->apart;
  return apart != 0 ? apart : 1;
}

unsigned rounds_under_way(const struct node *phi) {
  return (phi->kept - phi->stage) / rounds_apart(phi);
}

// ---- the stages of carried values

static void begin_together(const struct segment *segment, unsigned stage) {
  const struct region *r = segment->region;
  for (unsigned i = 0; i < r->phis.count; i++)
    if (is_state_of(segment, r->phis.items[i]))
      r->phis.items[i]->not_before = stage;
}

static unsigned place_together(struct graph *graph, struct segment *segment, unsigned stage) {
  begin_together(segment, stage);
  return schedule_place(graph, segment);
}

// How far rounds are apart for values that are carried on.
static unsigned states_apart(const struct graph *graph, const struct segment *segment) {
  const struct region *r = segment->region;
  unsigned apart = 1;
  for (unsigned i = 0; i < r->phis.count; i++) {
    const unsigned one = is_state_of(segment, r->phis.items[i]) ? keep_state(graph, segment, r->phis.items[i]) : 0;
    apart = one > apart ? one : apart;
  }
  return apart;
}

// Those of a shift register move on at once.
static void follow_sources(const struct segment *segment) {
  const struct region *r = segment->region;
  unsigned rounds;
  for (unsigned i = 0; i < r->phis.count; i++)
    if (is_state_of(segment, r->phis.items[i]))
      r->phis.items[i]->not_before = last_source(r->phis.items[i], &rounds)->not_before;
}

enum { MOST_ELEMENTS = 32 };  // accesses of arrays that are worth the time to find them stages

static bool are_placed_apart(const struct graph *graph, const struct segment *segment, const struct list *elements) {
  return elements->count != 0 && elements->count <= MOST_ELEMENTS && elements_apart(graph, segment, elements) > 1;
}

// Accesses of arrays may come as soon as `stages` say.
static void begin_elements(const struct list *elements, const unsigned *stages) {
  for (unsigned i = 0; i < elements->count; i++)
    elements->items[i]->not_before = stages[i];
}

// Whether carried values, and accesses of arrays, can have stages with which rounds are `apart`: each comes later until
// what a round needs is there soon enough behind the one before. Where a value depends on itself by too long a way that
// never ends.
static bool place_apart(struct graph *graph, struct segment *segment, const struct list *elements, unsigned apart,
                        unsigned *depth) {
  enum { MOST_TIMES = 128 };
  const struct region *r = segment->region;
  const unsigned most = 2 * (states_of(segment) + elements->count) + 4;
  begin_together(segment, 0);
  for (unsigned times = 0; times < most && times < MOST_TIMES; times++) {
    follow_sources(segment);
    *depth = schedule_place(graph, segment);
    bool is_late = find_too_close(graph, segment, elements, come_later, &apart);
    for (unsigned i = 0; i < r->phis.count; i++) {
      struct node *phi = r->phis.items[i];
      unsigned rounds;
      if (!is_state_of(segment, phi) || keep_state(graph, segment, phi) <= apart)
        continue;
      struct node *last = last_source(phi, &rounds);
      const unsigned wanted = phi->kept + 1 - apart * rounds;
      last->not_before = wanted > last->not_before ? wanted : last->not_before + 1;
      is_late = true;
    }
    if (!is_late)
      return true;
  }
  return false;
}

static bool has_sharers(const struct segment *segment) {
  for (unsigned i = 0; i < segment->nodes.count; i++)
    if (segment->nodes.items[i]->sharers != 0)
      return true;
  return false;
}

// All carried values in one stage, unless rounds can be closer with a stage for each, and for accesses of arrays: where
// one goes into another, as in a row of comparisons each of which keeps the larger of two. Returns the last stage.
static unsigned place_states(struct graph *graph, struct segment *segment, const struct list *all) {
  const unsigned together = kept_wanted(graph, segment, STATES), states = states_of(segment);
  unsigned depth = place_together(graph, segment, together);
  const unsigned values = states_apart(graph, segment), arrays = elements_apart(graph, segment, all);
  const bool are_moved = are_placed_apart(graph, segment, all);
  const struct list none = {NULL, 0}, *elements = are_moved ? all : &none;
  if ((states == 1 && !are_moved) || has_sharers(segment))
    return depth;
  unsigned *stages = graph_allocate(all->count * sizeof *stages + 1);
  for (unsigned i = 0; i < all->count; i++)
    stages[i] = all->items[i]->not_before;
  const unsigned before = arrays > values && are_moved ? arrays : values;
  unsigned low = are_moved ? 1 : arrays, high = before;
  while (low < high) {
    const unsigned apart = (low + high) / 2;
    begin_elements(all, stages);
    if (place_apart(graph, segment, elements, apart, &depth))
      high = apart;
    else
      low = apart + 1;
  }
  begin_elements(all, stages);
  // Accesses of arrays that are not moved may have come further apart with that.
  bool is_closer = high < before && place_apart(graph, segment, elements, high, &depth) &&
                   elements_apart(graph, segment, all) < before;
  if (!is_closer) {
    begin_elements(all, stages);
    depth = place_together(graph, segment, together);
  }
  free(stages);
  return depth;
}

unsigned rounds_schedule(struct graph *graph, struct segment *segment, unsigned depth) {
  const struct list elements = elements_of(graph, segment);
  depth = delay_reads(graph, segment, &elements, depth);
  if (states_of(segment) > 0 || elements.count > 0)
    depth = place_states(graph, segment, &elements);
  keep_apart(graph, segment, &elements, &depth);
  return depth;
}
