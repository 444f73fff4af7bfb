// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/estimate.h"

#include <math.h>

#include "contract/device_map.h"
#include "hls/pipeline/hazards.h"
#include "hls/pipeline/schedule.h"
#include "hls/pipeline/windows.h"

// What is being added to: a part, and a line of the source (0: none).
struct account {
  const struct graph *graph;
  struct estimate *estimate;
  enum estimate_part part;
  unsigned line;
};

static void add(const struct account *a, struct room room) {
  struct room *const totals[] = {&a->estimate->total, &a->estimate->parts[a->part], &a->estimate->lines[a->line]};
  for (unsigned i = 0; i < 3; i++) {
    totals[i]->lut += room.lut;
    totals[i]->ff += room.ff;
    totals[i]->ebr += room.ebr;
    totals[i]->dsp += room.dsp;
  }
}

// What LLVM has lost the line of counts for the loop that it stands in.
static unsigned line_of(const struct node *node) {
  return node->line != 0 || !node->region ? node->line : node->region->line;
}

static struct account part_of(const struct account *a, enum estimate_part part, unsigned line) {
  return (struct account){a->graph, a->estimate, part, line};
}

// A small RAM of distributed memory: LUT4 of its words, 16 deep each.
static double distributed(const struct graph *graph, unsigned width) {
  return (width + 3) / 4 * (double)((1u << graph->slots_log2) + 15) / 16 * 4;
}

// With the values of all lanes in one word, or apart.
static void add_store(const struct account *a, const struct node *node, bool apart) {
  const struct graph *graph = a->graph;
  const unsigned together = apart ? 1 : graph_copies(graph, node), copies = graph_copies(graph, node) / together;
  const unsigned width = node->width * together;
  const struct account stores = part_of(a, PART_STORES, line_of(node));
  if (schedule_is_in_block_ram(graph, width))
    add(&stores, (struct room){.ebr = copies * ((width + 35) / 36)});
  else
    add(&stores, (struct room){.lut = copies * (distributed(graph, width) + width * (graph->slots_log2 > 4 ? 3 : 0)),
                               .ff = copies * width});
}

// Bits that are not all the same: of a sign that is spread over a word there is one.
static unsigned different_bits(const struct node *node) {
  const bool is_sign =
      node->op == OP_ASHR && node->arguments[1]->op == OP_CONSTANT && node->arguments[1]->number == node->width - 1u;
  return is_sign ? 1 : graph_live_bits(node);
}

static void add_delay(const struct account *a, const struct node *node, unsigned cycles) {
  const unsigned bits = different_bits(node) * graph_copies(a->graph, node), rings = (cycles + 15) / 16;
  const struct account delays = part_of(a, PART_DELAYS, line_of(node));
  // As value_delay.v chooses.
  if (cycles <= 5)
    add(&delays, (struct room){.ff = bits * cycles});
  else
    add(&delays, (struct room){.lut = rings * (((bits + 3) / 4) * 4 + 5), .ff = rings * bits});
}

static void add_holders(const struct account *a, const struct node *node, unsigned count) {
  const struct account delays = part_of(a, PART_DELAYS, line_of(node));
  add(&delays, (struct room){.ff = (double)different_bits(node) * graph_copies(a->graph, node) * count});
}

static void add_queue(const struct account *a, unsigned width) {
  const unsigned log2 = a->graph->slots_log2;
  // As token_queue.v chooses.
  if (log2 > 4 && (width >= 16 || (width >= 4 && log2 >= 6)))
    add(a, (struct room){38 + (width < 16 ? width : 0), width + 21, (width + 35) / 36, 0});
  else
    add(a, (struct room){.lut = 34 + distributed(a->graph, width) + (log2 > 4 ? width * 3 : 0),
                         .ff = 3 * log2 + 2 + width});
}

// Whether each lane stores to one bank of the array, which needs no way from lanes to banks.
static bool lanes_keep_to_banks(const struct graph *graph, unsigned array) {
  int first = -1;
  for (unsigned i = 0; i < graph->segment_count; i++) {
    const struct segment *s = graph->segments[i];
    if (s->local_array != array + 1)
      continue;
    const int bank = graph_bank_of_stores(graph, s);
    if (bank < 0 || (first >= 0 && bank != first))
      return false;
    first = bank;
  }
  return true;
}

// pipeline_unit.v with everything in it but the segments.
static void add_unit(const struct account *a) {
  const struct graph *graph = a->graph;
  const double lanes = graph->lanes;
  const struct account unit = part_of(a, PART_UNIT, 0), port = part_of(a, PART_PORT, 0),
                       arrays = part_of(a, PART_ARRAYS, 0);
  for (unsigned i = 0; i < graph->array_count; i++) {
    const struct array *array = &graph->arrays[i];
    add(&arrays, (struct room){.ebr = graph_array_blocks(graph, array)});
    // The choice of a store, and the lanes' way to banks.
    if (array->is_local && array->writers != 0) {
      const double bits = array->width + array->index_bits, banks = 1u << array->banks_log2;
      const double ways = lanes_keep_to_banks(graph, i) ? 0 : banks * bits * (lanes - 1) / 2;
      add(&arrays, (struct room){.lut = lanes * bits * (array->writers - 1) / 2 + ways + 40,
                                 .ff = lanes * (bits + 1) + graph->slots_log2});
    }
  }
  const double words_behind = (graph->words - HEDDLE_PACKET_WORDS) * 32;
  if (!graph->is_of_one)
    add(&unit, (struct room){690 + 35 * lanes, 510 + 28 * lanes + words_behind, 3, 2});
  else {
    add(&unit, (struct room){.lut = 20, .ff = 12});
    if (graph_uses_packet(graph))
      add(&unit, (struct room){.lut = 80, .ff = 100 + words_behind});
    if (!graph_is_once(graph))
      add(&unit, (struct room){.lut = 95, .ff = 80});
  }
  // fixed_words.v; its words are registers of the dispatch.
  if (graph->fixed_count > 0) {
    const struct account dispatch = part_of(a, PART_DISPATCH, 0);
    add(&dispatch, (struct room){.lut = 210 + 23 * graph->fixed_count, .ff = 61});
  }
  if (graph->ports == 0)
    return;
  // Addresses, coalescer, crossbars.
  const double words = graph->port_lanes;
  struct room room = {420 + 150 * words + 20 * words * words, 420 + 290 * words, (graph->port_lanes * 32 + 35) / 36, 0};
  if (graph->uses_narrow)
    room.lut += 76 * words;
  if (graph->uses_local) {
    room.lut += 90 * (words > 4 ? words : 4);
    room.ebr += 16;
  }
  if (graph->private_log2 != 0) {
    const unsigned log2 = graph->private_log2 + graph->slots_log2 + graph->lanes_log2;
    room.lut += 60 * words;
    room.ebr += log2 > 13 ? 1u << (log2 - 11) : 4;  // four banks at least, of 2 KiB each
  }
  room.lut += 24 * words * (graph->ports > 1 ? graph->ports : 0);
  add(&port, room);
}

// rtl/pipeline/load_window.v: comparisons of points, the choice of a word of the window for each that is loaded.
static void add_window(const struct account *a, const struct accesses *accesses) {
  const struct graph *graph = a->graph;
  unsigned points = 0, words = 0;
  for (unsigned i = 0; i < accesses->count; i++) {
    const bool any = accesses->any[accesses->items[i].mask];
    points += any ? 1 : graph->lanes;
    words += any ? accesses->items[i].words : graph->lanes;
  }
  const unsigned window = windows_words(graph), pass = 45 + 4 * points;
  // Block RAMs: the words of lines, lines that have come, which are there, which are asked for, passes.
  add(a, (struct room){420 + 130.0 * points + 24.0 * words * window, 1200 + 130.0 * points + 33.0 * words,
                       window + (32 * window + 35) / 36 + 2 + 2 + (pass + 35) / 36, 0});
}

// rtl/pipeline/lane_lines.v: of each lane which line it has, and the choice of its words from the banks.
static void add_lines(const struct account *a, const struct accesses *accesses) {
  const struct graph *graph = a->graph;
  const double lanes = graph->lanes, words = accesses->items[0].words;
  // Block RAMs: banks, which lines are there, what is wanted, what is asked for, and queues of slots.
  add(a, (struct room){300 + lanes * (50 + 64 * words), 400 + lanes * (100 + 33 * words),
                       lanes * lanes + lanes + (24 * lanes + 35) / 36 + (20 * lanes + 41) / 36 + 3, 0});
}

static void add_memory_group(const struct account *a, const struct segment *s) {
  const struct graph *graph = a->graph;
  const struct account group = part_of(a, PART_GROUPS, line_of(s->group.items[0]));
  struct accesses accesses;
  schedule_accesses(graph, s, &accesses);
  unsigned bits = graph->slots_log2;
  for (unsigned i = 0; i < accesses.root_count; i++)
    bits += graph_is_static(accesses.roots[i]) ? 0 : 32 * graph_copies(graph, accesses.roots[i]);
  for (unsigned i = 0; i < accesses.mask_count; i++)
    bits += accesses.any[i] ? 1 : graph->lanes;
  for (unsigned i = 0; i < accesses.data_count; i++)
    bits += graph_is_static(accesses.datas[i]) ? 0 : accesses.datas[i]->width * graph_copies(graph, accesses.datas[i]);
  add_queue(&group, bits);
  bool offset = false, across = false;
  for (unsigned i = 0; i < accesses.count; i++) {
    offset |= accesses.items[i].offset != 0;
    across |= accesses.items[i].across != 0;
  }
  if (s->is_window) {
    if (s->group.items[0]->window == WINDOW_OF_LINES)
      add_lines(&group, &accesses);
    else
      add_window(&group, &accesses);
    return;
  }
  // Across: each lane of the port chooses a work-item, and adds its word.
  const double lanes = graph->lanes, width = 32.0 * group_lanes(graph, s);
  // Where the port is wider than the lanes an access has words of its own.
  const unsigned datas = graph->port_lanes > graph->lanes ? accesses.count : accesses.data_count;
  const double adder = offset || across ? width + accesses.count / 2.0 : 0;
  add(&group, (struct room){.lut = 14 + adder + width * (accesses.root_count - 1) / 2 +
                                   (accesses.data_count > 1 ? width * (datas - 1) / 2 : 0) +
                                   (across ? width * (lanes - 1) / 2 : 0)});
}

static void add_ring(const struct account *a, const struct region *loop) {
  const struct account ring = part_of(a, PART_RINGS, loop->line);
  const bool fair = schedule_is_fair(loop);
  const unsigned slots_log2 = a->graph->slots_log2;
  add_queue(&ring, slots_log2);
  if (loop->any_order)  // a list of free slots
    add(&ring, (struct room){.lut = distributed(a->graph, slots_log2) + 3 * slots_log2, .ff = 3 * slots_log2});
  if (fair)
    add_store(a, loop->mask, true);
  else if (!graph_is_static(loop->enter))
    add_store(a, loop->enter, schedule_is_written_by_lane(loop->enter));
  for (unsigned i = 0; i < loop->phis.count; i++) {
    const struct node *phi = loop->phis.items[i];
    const double bits = phi->width * graph_copies(a->graph, phi);
    add(&ring, (struct room){.lut = bits, .ff = bits});
    const struct node *initial = loop->initial.items[i];
    if (fair)
      add_store(a, phi, true);
    else if (!graph_is_static(initial))
      add_store(a, initial, schedule_is_written_by_lane(initial));
  }
}

static void add_barrier(const struct account *a, const struct node *node) {
  const struct account barrier = part_of(a, PART_BARRIERS, line_of(node));
  const bool has_value = node->op != OP_BARRIER;
  add_queue(&barrier, 2 * a->graph->slots_log2);
  add(&barrier, (struct room){60 + 8.0 * (1u << a->graph->slots_log2) / 16 + (has_value ? 70 : 0),
                              40 + (has_value ? 80 : 0), has_value, 0});
}

// Its token's queue, and the lanes' turns.
static void add_pipe(const struct account *a, const struct node *node) {
  const struct account pipe = part_of(a, PART_GROUPS, line_of(node));
  const double lanes = a->graph->lanes, slots = a->graph->slots_log2;
  const bool reads = node->op == OP_PIPE_READ;
  const double bits = 8.0 * a->graph->pipes[node->pipe].is.bytes;
  add_queue(&pipe, (unsigned)(slots + lanes * (reads ? 1 : bits + 1)));
  add(&pipe, (struct room){3 * lanes + (reads || lanes == 1 ? 0 : lanes * bits / 2) + 10,
                           3 * slots + 2 * lanes + (reads ? bits : lanes * bits) + 4, 0, 0});
}

// Its tokens' queue, what each round claims, and a comparison of each word of each round with each that is checked.
static void add_hazards(const struct account *a, const struct node *node) {
  enum { HASH_BITS = 12 };
  const struct account part = part_of(a, PART_GROUPS, line_of(node));
  const struct hazards hazards = hazards_of(a->graph, node);
  const double rounds = 1u << hazards.rounds_log2, compared = hazards.claimed * hazards.checked;
  add_queue(&part, a->graph->slots_log2 + hazards.words * (HASH_BITS + 2));
  add(&part, (struct room){rounds * (9 * compared + 2) + 20, rounds * hazards.claimed * (HASH_BITS + 1) + 20, 0, 0});
}

static void add_operation(const struct account *a, const struct node *node, unsigned copies) {
  const struct cost cost = graph_cost(a->graph, node);
  const struct account operations = part_of(a, a->part, line_of(node));
  add(&operations, (struct room){copies * cost.lut, copies * cost.ff, 0, copies * cost.dsp});
}

// Whether a value has no bits but those of its first argument.
static bool is_wiring(const struct node *node) {
  switch (node->op) {
    case OP_ZEXT:
    case OP_SEXT:
    case OP_SLICE:
      return true;
    case OP_AND:
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
      return node->arguments[1]->op == OP_CONSTANT;
    default:
      return false;
  }
}

// Whether the bits of a value, in a use, are those of another one that is kept as long: synthesis keeps them once.
static bool is_kept_with_another(const struct segment *s, unsigned use) {
  const struct node *node = s->uses[use];
  while (is_wiring(node)) {
    node = node->arguments[0];
    for (unsigned i = 0; i < s->use_count; i++)
      if (s->uses[i] == node && s->use_stages[i] >= s->use_stages[use])
        return true;
  }
  return false;
}

// A value as a segment wants it, the use'th time: from its slot store, or some stages later than it was made or wanted.
static void add_use(const struct account *a, const struct segment *s, unsigned use) {
  const struct node *node = s->uses[use];
  bool known = !graph_is_static(node) && !schedule_is_read(s, node);
  unsigned before = known ? node->stage : 0;
  for (unsigned k = 0; k < s->use_count; k++)
    if (s->uses[k] == node && s->use_stages[k] < s->use_stages[use] && (!known || s->use_stages[k] >= before)) {
      before = s->use_stages[k];
      known = true;
    }
  if (!known) {
    add_store(a, node, schedule_is_written_by_lane(node));
    if (s->use_stages[use] > schedule_read_stage(a->graph, s, node))
      add_delay(a, node, 1);
  } else if (s->use_stages[use] > before && !is_kept_with_another(s, use)) {
    const unsigned held = schedule_holders(a->graph, s, node, s->use_stages[use]);
    if (held != 0)
      add_holders(a, node, held - schedule_holders(a->graph, s, node, before));
    else
      add_delay(a, node, s->use_stages[use] - before);
  }
}

static void add_segment(const struct account *a, const struct segment *s) {
  const struct account unit = part_of(a, PART_UNIT, 0);
  add(&unit, (struct room){.ff = s->depth * (a->graph->slots_log2 + 1)});
  for (unsigned i = 0; i < s->nodes.count; i++)
    add_operation(a, s->nodes.items[i], graph_copies(a->graph, s->nodes.items[i]));
  for (unsigned i = 0; i < s->use_count; i++)
    add_use(a, s, i);
  switch (s->end) {
    case END_LOADS:
    case END_STORES:
      add_memory_group(a, s);
      break;
    case END_BARRIER:
      add_barrier(a, s->group.items[0]);
      break;
    case END_PIPE:
      add_pipe(a, s->group.items[0]);
      break;
    case END_HAZARDS:
      add_hazards(a, s->group.items[0]);
      break;
    case END_LOOP:
      add_ring(a, s->group.items[0]->loop);
      break;
    default:
      break;
  }
}

static unsigned last_line(const struct graph *graph) {
  unsigned last = 0;
  for (unsigned i = 0; i < graph->node_count; i++)
    last = graph->nodes[i]->line > last ? graph->nodes[i]->line : last;
  for (unsigned i = 0; i < graph->region_count; i++)
    last = graph->regions[i]->line > last ? graph->regions[i]->line : last;
  return last;
}

struct estimate estimate_room(const struct graph *graph) {
  struct estimate e = {.line_count = last_line(graph) + 1};
  e.lines = graph_allocate(e.line_count * sizeof *e.lines);
  const struct account operations = {graph, &e, PART_ORDINARY, 0}, dispatch = {graph, &e, PART_DISPATCH, 0};
  add_unit(&operations);
  for (unsigned i = 0; i < graph->segment_count; i++)
    add_segment(&operations, graph->segments[i]);
  for (unsigned i = 0; i < graph->node_count; i++)
    if (graph->nodes[i]->wanted && graph->nodes[i]->class == CLASS_DISPATCH) {
      const struct account here = part_of(&dispatch, PART_DISPATCH, line_of(graph->nodes[i]));
      add_operation(&dispatch, graph->nodes[i], 1);
      add(&here, (struct room){.ff = graph->nodes[i]->width});
    }
  return e;
}

unsigned estimate_modules(const struct graph *graph, unsigned number) {
  unsigned copies = 0;
  for (unsigned i = 0; i < graph->node_count; i++) {
    const struct node *node = graph->nodes[i];
    if (node->wanted && node->op == OP_VERILOG && node->number == number)
      copies += graph_copies(graph, node);
  }
  return copies;
}

void estimate_module_text(const struct graph *graph, unsigned number, char text[ESTIMATE_MODULE_BYTES]) {
  const struct verilog_function *module = &graph->modules[number];
  snprintf(text, ESTIMATE_MODULE_BYTES, "module %s of Verilog, %u cycle%s: %u%s", module->module, module->latency,
           module->latency != 1 ? "s" : "", estimate_modules(graph, number),
           module->lut + module->ff + module->dsp == 0 ? ", whose room is not known and not counted" : "");
}

// Multipliers and block RAMs count as many LUT4 as boards have for each of them, or somewhat fewer.
double estimate_size(const struct graph *graph) {
  const struct room room = estimate_room(graph).total;
  return room.lut + 200 * room.ebr + 100 * room.dsp;
}

const char *estimate_part_name(enum estimate_part part) {
  static const char *const names[] = {
      [PART_UNIT] = "launch, packet, faults",
      [PART_PORT] = "memory port and coalescer",
      [PART_GROUPS] = "queues of loads and stores",
      [PART_ORDINARY] = "operations",
      [PART_STORES] = "values kept by sub-group",
      [PART_DELAYS] = "values kept for some stages",
      [PART_ARRAYS] = "arrays in private and local memory",
      [PART_RINGS] = "rings of loops",
      [PART_BARRIERS] = "barriers and work-group collectives",
      [PART_DISPATCH] = "once for a dispatch",
  };
  return names[part];
}

// Rounded up; sums of parts may be a little off.
static unsigned whole(double room) {
  return (unsigned)ceil(room - 1e-6);
}

struct heddle_room estimate_whole(const struct room *room, unsigned units) {
  return (struct heddle_room){units * whole(room->lut), units * whole(room->ff), units * whole(room->ebr),
                              units * whole(room->dsp)};
}

const char *estimate_lacks(const struct heddle_room *wanted, const struct heddle_board *board) {
  const struct heddle_room left = heddle_board_left(board, &board->alone);
  return heddle_room_lacks(wanted, &left);
}
