// SPDX-License-Identifier: Apache-2.0
// One pipeline for each number of lanes and each way to make it smaller is generated, without its Verilog; copies are
// counted. Lanes are doubled until no such pipeline fits or is faster, and then the rounds of loops in one.
#include <stdlib.h>
#include <string.h>

#include "hls/pipeline/board_check.h"
#include "hls/pipeline/chain_room.h"
#include "hls/pipeline/check.h"
#include "hls/pipeline/fit_search.h"
#include "hls/pipeline/pipeline.h"

enum {
  MOST_GENERATED = 30,
  LEAST_GENERATED = 2,
  MOST_LANES = 32,
  MOST_UNROLL = 8,
  USUAL_SLOTS_LOG2 = 6,
  FEW_SLOTS_LOG2 = 4
};

struct heddle_room fit_times(const struct base *base, unsigned units) {
  const struct heddle_room *room =
      &base->result.rooms.with[shifts_are_products(&base->result.rooms, units, base->multipliers)];
  return heddle_room_times(room, units);
}

static double part_of(unsigned wanted, unsigned left) {
  return wanted == 0 ? 0 : left == 0 ? 1e9 : (double)wanted / left;
}

// Of what is left of the board, of that which it takes most of.
static double part(const struct heddle_room *room, const struct heddle_room *left) {
  const double parts[] = {part_of(room->lut4, left->lut4), part_of(room->ff, left->ff), part_of(room->ebr, left->ebr),
                          part_of(room->dsp, left->dsp)};
  double most = 0;
  for (int i = 0; i < 4; i++)
    most = parts[i] > most ? parts[i] : most;
  return most;
}

static bool has_large_operators(const struct graph *graph) {
  for (unsigned i = 0; i < graph->node_count; i++)
    if (graph->nodes[i]->wanted && graph_is_large(graph->nodes[i]))
      return true;
  return false;
}

static double cycles_of(const struct search *s, const struct base *base, unsigned units, unsigned *limit) {
  base->result.graph->units = units;
  const unsigned work_items = rates_work_items(base->result.graph, s->options->work_items);
  return rates_cycles(base->result.graph, &base->rates, work_items, FIT_ROUNDS, limit);
}

// ---- what there is to choose from

// Generates one. *base: NULL if there are enough, or if it has no room for a work-group of the size that is required.
static enum status add_base(struct search *s, struct choices *c, struct fit_shape shape, struct base **base) {
  const struct kernel *kernel = c->kernel->kernel;
  struct pipeline_options options = {
      .lanes = shape.lanes,
      .slots_log2 = shape.slots_log2,
      .is_trial = s->is_told || c->base_count > 0,
      .may_have_few = s->options->slots == 0 && c->pipe_count == 0,
      .may_have_many = s->options->slots == 0 && c->pipe_count == 0 && shape.slots_log2 == USUAL_SLOTS_LOG2,
      .pipe_count = c->pipe_count,
      .units = 1,
      .banks = 1,
      .port_words = shape.port_words,
      .share = shape.share,
      .multipliers = s->fit->multipliers};
  struct pipeline_result result = {.site_count = 0};
  memcpy(options.pipes, c->pipes, sizeof options.pipes);
  *base = NULL;
  if (c->generated == c->most_generated)
    return STATUS_OK;
  c->generated++;
  const enum status status =
      variants_generate(s->variants, shape.unroll, (size_t)(kernel - s->variant->kernels.items), &options, &result);
  free(result.sites);
  result.sites = NULL;
  if (status != STATUS_OK)
    return status;
  s->fit->generated++;
  shape.slots_log2 = result.slots_log2;
  const uint32_t *size = kernel->reqd_work_group_size;
  if (size[0] * size[1] * size[2] > result.work_group_items || s->options->work_group > result.work_group_items ||
      kernel->num_sub_groups > 1u << shape.slots_log2)
    return STATUS_OK;
  *base = &c->bases[c->base_count++];
  c->kernel->work_items = rates_work_items(result.graph, s->options->work_items);
  **base = (struct base){
      .shape = shape, .multipliers = options.multipliers, .result = result, .rates = rates_of(result.graph)};
  return STATUS_OK;
}

// What a larger pipeline lacks even alone; NULL: it fits.
static const char *lacks(const struct search *s, const struct base *base) {
  const struct heddle_room room = fit_times(base, 1);
  return heddle_room_lacks(&room, &s->fit->left);
}

// Usually, and of few. Kernels of a chain have the same.
static unsigned usual_slots(const struct search *s, const struct choices *c) {
  return c->pipe_count != 0       ? s->chain_slots_log2
         : s->options->slots != 0 ? (unsigned)__builtin_ctz(s->options->slots)
                                  : USUAL_SLOTS_LOG2;
}

static unsigned few_slots(const struct search *s, const struct choices *c) {
  return c->pipe_count != 0 || s->options->slots != 0 ? usual_slots(s, c) : FEW_SLOTS_LOG2;
}

// Where none from `first` on fits: the same with fewer slots and more and more operations at an operator, until one
// does.
static enum status add_shared(struct search *s, struct choices *c, unsigned unroll, unsigned lanes, size_t first) {
  const unsigned slots = few_slots(s, c), port_words = s->options->port_words;
  for (size_t i = first; i < c->base_count; i++)
    if (!lacks(s, &c->bases[i]))
      return STATUS_OK;
  for (unsigned share = 4 * OPTIONS_USUAL_SHARE; share <= OPTIONS_MOST_SHARE; share *= 4) {
    struct base *base;
    const enum status status =
        add_base(s, c, (struct fit_shape){lanes, slots, 1, unroll, port_words != 0 ? port_words : lanes, share}, &base);
    if (status != STATUS_OK || !base || !lacks(s, base))
      return status;
  }
  return STATUS_OK;
}

// The pipelines of one number of lanes and of rounds in one. *best: the fewest cycles of those that fit; *lack: what
// all of them lack, else NULL.
static enum status add_lanes(struct search *s, struct choices *c, unsigned unroll, unsigned lanes, double *best,
                             const char **lack) {
  const unsigned usual = usual_slots(s, c);
  const size_t first = c->base_count;
  const unsigned asked = s->options->port_words;
  struct base *base;
  enum status status = add_base(s, c, (struct fit_shape){lanes, usual, 1, unroll, asked, s->options->share}, &base);
  if (status != STATUS_OK || !base)
    return status;
  const struct heddle_room *left = &s->fit->left;
  const struct heddle_room room = fit_times(base, 1);
  const bool wants_few = few_slots(s, c) != usual && part(&room, left) <= part_of(room.ebr, left->ebr);
  const bool wants_sharing = s->options->share == 0 && has_large_operators(base->result.graph);
  const bool wants_narrow = asked == 0 && base->result.graph->port_lanes > lanes;
  bool shares = wants_sharing;
  for (unsigned way = 1; way < 8 && status == STATUS_OK; way++) {
    const bool few = way & 1, share = way & 2, narrow = way & 4;
    if ((few && !wants_few) || (share && !shares) || (narrow && !wants_narrow))
      continue;
    status = add_base(s, c,
                      (struct fit_shape){lanes, few ? FEW_SLOTS_LOG2 : usual, 1, unroll, narrow ? lanes : asked,
                                         share ? OPTIONS_USUAL_SHARE : s->options->share},
                      &base);
    // Where all operators are shared anyway, or none can be, it is the same pipeline.
    if (base && share && !few && !narrow &&
        memcmp(&base->result.rooms, &c->bases[first].result.rooms, sizeof base->result.rooms) == 0) {
      c->base_count--;
      shares = false;
    }
  }
  if (status == STATUS_OK && shares)
    status = add_shared(s, c, unroll, lanes, first);
  *lack = lacks(s, &c->bases[first]);
  for (size_t i = first; i < c->base_count; i++) {
    unsigned limit;
    const double cycles = cycles_of(s, &c->bases[i], 1, &limit);
    if (lacks(s, &c->bases[i]))
      continue;
    *lack = NULL;
    *best = *best == 0 || cycles < *best ? cycles : *best;
  }
  return status;
}

// All lanes of a number of rounds in one, until no more fit or are of use.
static enum status add_unrolled(struct search *s, struct choices *c, unsigned unroll) {
  // Of a size of sub-groups that is required, lanes beyond it would be idle.
  const struct kernel *kernel = c->kernel->kernel;
  const unsigned in_source = kernel->sub_group_size != 0 ? kernel->sub_group_size : kernel->simd_work_items;
  const unsigned only = kernel_has_one_lane(kernel) ? 1 : s->options->lanes != 0 ? s->options->lanes : in_source;
  const unsigned first = only != 0 ? only : 1, last = only != 0 ? only : MOST_LANES;
  double before = 0;
  for (unsigned lanes = first; lanes <= last; lanes *= 2) {
    double best = 0;
    const char *lack = NULL;
    const enum status status = add_lanes(s, c, unroll, lanes, &best, &lack);
    // Arrays of more lanes may take too much where those of fewer do not.
    if (status == STATUS_REJECTED && c->base_count > 0)
      break;
    if (status != STATUS_OK)
      return status;
    if (lack || (before != 0 && best > FIT_WORTH * before))
      break;
    before = best;
  }
  return STATUS_OK;
}

// There is one of a chain.
static unsigned copies_asked(const struct search *s, const struct choices *c) {
  return c->pipe_count != 0 ? 1 : fit_copies_asked(s->options, c->kernel->kernel);
}

unsigned fit_copies_asked(const struct options *options, const struct kernel *kernel) {
  const unsigned copies = options_copies(options, kernel->name), asked = copies != 0 ? copies : kernel->compute_units;
  // Rounds of a kernel of one work-item overlap where there is one copy.
  if (asked == 0 && kernel_is_of_one(kernel))
    return 1;
  return asked <= MOST_COPIES ? asked : MOST_COPIES + 1;
}

// Whether the rounds of all loops are known: only then can cycles be told where several rounds are in one.
static bool has_known_rounds(const struct base *base) {
  for (unsigned i = 0; i < base->result.graph->region_count; i++)
    if (base->rates.rounds[i] == 0)
      return false;
  return true;
}

// With as many rounds in one as make the first pipeline faster.
static enum status find_bases(struct search *s, struct choices *c) {
  const unsigned given = s->options->unroll, last = given != 0 ? given : MOST_UNROLL;
  unsigned limit;
  double before = 0;
  c->bases = graph_allocate(c->most_generated * sizeof *c->bases);
  for (unsigned unroll = given != 0 ? given : 1; unroll <= last; unroll *= 2) {
    const size_t first = c->base_count;
    const enum status status = add_unrolled(s, c, unroll);
    if (status != STATUS_OK || c->base_count == first)
      return status;
    const double cycles = cycles_of(s, &c->bases[first], 1, &limit);
    const bool is_known = has_known_rounds(&c->bases[first]);
    if (first > 0 && (!is_known || cycles > FIT_WORTH * before)) {
      c->base_count = first;
      break;
    }
    if (!is_known || c->bases[first].result.graph->region_count == 1)
      break;
    before = cycles;
  }
  return STATUS_OK;
}

// Copies, as many as fit alone and bring something.
static void find_options(struct search *s, struct choices *c) {
  const unsigned most = MOST_COPIES - s->fit->is_beside_unit;
  unsigned asked = copies_asked(s, c);
  c->options = graph_allocate(c->base_count * MOST_COPIES * sizeof *c->options);
  for (size_t i = 0; i < c->base_count; i++) {
    const struct base *base = &c->bases[i];
    double before = 0;
    for (unsigned units = asked != 0 ? asked : 1; units <= (asked != 0 ? asked : most); units++) {
      const struct heddle_room room = fit_times(base, units);
      struct option option = {.base = base, .units = units, .part = part(&room, &s->fit->left)};
      option.cycles = cycles_of(s, base, units, &option.limit);
      if (heddle_room_lacks(&room, &s->fit->left) || (before != 0 && option.cycles > FIT_WORTH * before))
        break;
      before = option.cycles;
      c->options[c->option_count++] = option;
    }
  }
}

// ---- why there is none

static double part_of_one(const struct search *s, const struct base *base) {
  const struct heddle_room room = fit_times(base, 1);
  return part(&room, &s->fit->left);
}

static const struct base *smallest_base(const struct search *s, const struct choices *c) {
  const struct base *smallest = &c->bases[0];
  for (size_t i = 1; i < c->base_count; i++)
    if (part_of_one(s, &c->bases[i]) < part_of_one(s, smallest))
      smallest = &c->bases[i];
  return smallest;
}

static enum status refuse(const struct search *s) {
  struct heddle_room sum = s->fit->chains;
  fprintf(stderr, "error: no pipelines of %s fit on %s %s programmable unit, by their estimates. The smallest: ",
          options_source_name(s->options), s->fit->board->name, s->fit->is_beside_unit ? "beside its" : "without a");
  for (size_t i = 0; i < s->fit->count; i++) {
    const struct choices *c = &s->choices[i];
    const unsigned asked = copies_asked(s, c), units = asked != 0 ? asked : 1;
    if (c->base_count == 0) {
      const uint32_t *size = c->kernel->kernel->reqd_work_group_size, required = size[0] * size[1] * size[2],
                     wanted = s->options->work_group;
      fprintf(stderr, "%s%s has none for work-groups of %u work-items", i != 0 ? ", " : "", c->kernel->kernel->name,
              required > wanted ? required : wanted);
      continue;
    }
    const struct base *base = smallest_base(s, c);
    const struct heddle_room room = fit_times(base, units);
    sum = heddle_room_sum(&sum, &room);
    fprintf(stderr, "%s%s (", i != 0 ? ", " : "", c->kernel->kernel->name);
    struct fit_shape shape = base->shape;
    shape.units = units;
    fit_write_shape(&shape, stderr);
    fputc(')', stderr);
  }
  fputs(s->fit->count == 1 ? ": " : "; together: ", stderr);
  board_check_tell_lacks(s->options, s->fit->board, &sum, &(struct board_smaller){.kernels = s->fit->count});
  return STATUS_REJECTED;
}

// ---- the table

static void describe_end(const struct search *s, const struct choices *c, const struct option *option,
                         const struct heddle_room *room, struct fit_candidate *row) {
  const char *lack = heddle_room_lacks(room, &s->fit->left);
  char name[RATES_NAME_BYTES];
  if (!option) {
    snprintf(row->end, sizeof row->end, "does not fit: %s", lack ? lack : "");
    return;
  }
  rates_name(&option->base->rates, option->limit, name);
  const bool is_last = option + 1 == c->options + c->option_count || option[1].base != option->base;
  const struct heddle_room more = fit_times(option->base, option->units + 1);
  lack = heddle_room_lacks(&more, &s->fit->left);
  if (!is_last || copies_asked(s, c) != 0)
    snprintf(row->end, sizeof row->end, "%s", name);
  else
    snprintf(row->end, sizeof row->end, "%s; another copy: %s%s", name, lack ? "no room, " : "not faster",
             lack ? lack : "");
}

static void add_row(struct search *s, struct choices *c, const struct base *base, const struct option *option,
                    unsigned units) {
  struct fit_kernel *k = c->kernel;
  struct fit_candidate *row = &k->items[k->count++];
  *row = (struct fit_candidate){.shape = base->shape,
                                .room = fit_times(base, units),
                                .work_group_items = base->result.work_group_items,
                                .words = base->result.graph->port_lanes,
                                .fits = option,
                                .is_chosen = option && option == c->chosen};
  unsigned limit;
  row->shape.units = units;
  row->cycles = cycles_of(s, base, units, &limit);
  describe_end(s, c, option, &row->room, row);
  if (row->is_chosen) {
    k->shape = row->shape;
    k->chosen = row;
  }
}

// Of each base one copy, as many as bring something, and the choice.
static void fill_table(struct search *s, struct choices *c) {
  c->kernel->items = graph_allocate(3 * c->base_count * sizeof *c->kernel->items);
  for (size_t i = 0; i < c->base_count; i++) {
    const struct base *base = &c->bases[i];
    const struct option *first = NULL, *last = NULL;
    const unsigned asked = copies_asked(s, c);
    for (size_t k = 0; k < c->option_count; k++) {
      if (c->options[k].base != base)
        continue;
      first = first ? first : &c->options[k];
      last = &c->options[k];
    }
    add_row(s, c, base, first, asked != 0 ? asked : 1);
    if (c->chosen->base == base && c->chosen != first && c->chosen != last)
      add_row(s, c, base, c->chosen, c->chosen->units);
    if (last != first)
      add_row(s, c, base, last, last->units);
  }
}

// The kernels that can be hardware, each with the pipelines that there are of it.
static enum status find_all_bases(struct search *s, const struct kernel *const *kernels, size_t count,
                                  struct fit_shape *shapes) {
  s->fit->count = s->fit->generated = 0;
  for (size_t i = 0; i < count; i++) {
    // What kernels before it have left is shared by those that follow.
    const size_t left = s->fit->generated < MOST_GENERATED ? MOST_GENERATED - s->fit->generated : 0,
                 share = left / (count - i);
    struct choices *c = &s->choices[s->fit->count];
    *c = (struct choices){.kernel = &s->fit->kernels[s->fit->count],
                          .most_generated = share > LEAST_GENERATED ? share : LEAST_GENERATED};
    *c->kernel = (struct fit_kernel){.kernel = kernels[i]};
    c->pipe_count =
        chain_pipes(s->links, &s->variant->kernels, (size_t)(kernels[i] - s->variant->kernels.items), c->pipes);
    shapes[i] = (struct fit_shape){0};
    enum status status = s->refused[i] ? STATUS_REJECTED : pipeline_check(kernels[i]);
    if (status == STATUS_OK)
      status = find_bases(s, c);
    s->refused[i] = status == STATUS_REJECTED;
    if (s->refused[i])
      continue;
    if (status != STATUS_OK)
      return status;
    shapes[i].lanes = 1;
    s->fit->count++;
  }
  return STATUS_OK;
}

static bool is_among(const struct search *s, const struct kernel *kernel) {
  bool is = false;
  for (size_t i = 0; i < s->fit->count; i++)
    is |= s->fit->kernels[i].kernel == kernel && s->choices[i].base_count > 0;
  return is;
}

static unsigned rest_of(unsigned left, unsigned taken) {
  return left > taken ? left - taken : 0;
}

// Takes from the board what chains have around their kernels. A pipe that has one end alone is none of a chain, which
// is told of when kernels are joined.
static enum status leave_room_for_chains(struct search *s) {
  const struct kernels *kernels = &s->variant->kernels;
  struct chain_links links = {.items = graph_allocate((s->links->count + 1) * sizeof *links.items)};
  for (size_t i = 0; i < s->links->count; i++) {
    const struct chain_link *link = &s->links->items[i];
    if (is_among(s, &kernels->items[link->writer]) && is_among(s, &kernels->items[link->reader]))
      links.items[links.count++] = *link;
  }
  struct folder_kernel *made = graph_allocate((s->fit->count + 1) * sizeof *made);
  size_t count = 0;
  for (size_t i = 0; i < s->fit->count; i++)
    if (s->choices[i].pipe_count != 0) {
      const struct base *base = &s->choices[i].bases[0];
      made[count++] = (struct folder_kernel){.kernel = s->fit->kernels[i].kernel,
                                             .lanes = base->shape.lanes,
                                             .slots_log2 = base->shape.slots_log2,
                                             .units = 1,
                                             .unroll = base->shape.unroll,
                                             .result = base->result};
    }
  const enum status status = chain_join(&links, kernels, made, &count);
  if (status != STATUS_OK)
    return status;
  for (size_t i = 0; i < count; i++)
    s->joined += made[i].leader != &made[i];
  s->fit->chains = chain_room_of_all(made, count);
  s->fit->left = (struct heddle_room){.lut4 = rest_of(s->fit->left.lut4, s->fit->chains.lut4),
                                      .ff = rest_of(s->fit->left.ff, s->fit->chains.ff),
                                      .ebr = rest_of(s->fit->left.ebr, s->fit->chains.ebr),
                                      .dsp = rest_of(s->fit->left.dsp, s->fit->chains.dsp)};
  return STATUS_OK;
}

static enum status find_choices(struct search *s, const struct kernel *const *kernels, size_t count,
                                struct fit_shape *shapes) {
  enum status status = find_all_bases(s, kernels, count, shapes);
  s->joined = 0;
  if (status == STATUS_OK && s->links->count > 0)
    status = leave_room_for_chains(s);
  for (size_t i = 0; i < s->fit->count && status == STATUS_OK; i++)
    find_options(s, &s->choices[i]);
  return status;
}

static bool choose(struct search *s) {
  bool has_all = true;
  for (size_t i = 0; i < s->fit->count; i++)
    has_all = has_all && s->choices[i].option_count > 0;
  return has_all && fit_search_choose(s);
}

enum status fit_choose(struct variants *variants, const struct variant *base, const struct options *options,
                       const struct chain_links *links, const struct kernel *const *kernels, size_t count,
                       struct fit_shape *shapes, struct fit *fit) {
  const struct heddle_board *board = heddle_board_find(options->board);
  const struct heddle_room left = board_check_left(options, board);
  *fit = (struct fit){.board = board,
                      .left = left,
                      .multipliers = shifts_multipliers(&left, count),
                      .is_beside_unit = options->beside_unit,
                      .kernels = graph_allocate((count + 1) * sizeof *fit->kernels)};
  if (!board_check_holds_any(options, board, &(struct heddle_room){.lut4 = 1}))
    return STATUS_REJECTED;
  struct search search = {
      .variants = variants,
      .variant = base,
      .options = options,
      .links = links,
      .chain_slots_log2 = options->slots != 0 ? (unsigned)__builtin_ctz(options->slots) : USUAL_SLOTS_LOG2,
      .fit = fit,
      .refused = graph_allocate((count + 1) * sizeof *search.refused),
      .choices = graph_allocate((count + 1) * sizeof *search.choices)};
  enum status status = find_choices(&search, kernels, count, shapes);
  bool fits = status == STATUS_OK && choose(&search);
  // Chains have few slots if they do not fit with more.
  if (status == STATUS_OK && !fits && links->count > 0 && options->slots == 0) {
    search.chain_slots_log2 = FEW_SLOTS_LOG2;
    search.is_told = true;
    fit->left = left;
    status = find_choices(&search, kernels, count, shapes);
    fits = status == STATUS_OK && choose(&search);
  }
  if (status != STATUS_OK || fit->count == 0)
    return status;
  if (!fits)
    return refuse(&search);
  for (size_t i = 0, at = 0; i < count; i++) {
    if (shapes[i].lanes == 0)
      continue;
    fill_table(&search, &search.choices[at]);
    shapes[i] = fit->kernels[at++].shape;
  }
  return STATUS_OK;
}
