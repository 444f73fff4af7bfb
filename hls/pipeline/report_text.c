// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/estimate.h"
#include "hls/pipeline/rates.h"
#include "hls/pipeline/report.h"

static const char *end_text(enum segment_end end) {
  static const char *const texts[] = {[END_EXIT] = "end",      [END_BACK] = "next round", [END_LOADS] = "loads",
                                      [END_STORES] = "stores", [END_LOOP] = "loop",       [END_BARRIER] = "barrier",
                                      [END_PIPE] = "pipe",     [END_HAZARDS] = "hazards", [END_APART] = "its turn"};
  return texts[end];
}

static void write_room(const struct graph *graph, const struct estimate *e, FILE *out) {
  const struct heddle_room all = estimate_whole(&e->total, graph->units);
  fprintf(out, "  room on an ECP5, estimated%s: %.0f LUT4, %.0f flip-flops, %.0f block RAMs, %.0f multipliers\n",
          graph->units != 1 ? ", of one copy" : "", e->total.lut, e->total.ff, e->total.ebr, e->total.dsp);
  if (graph->units != 1)
    fprintf(out, "  room of all %u copies: %u LUT4, %u flip-flops, %u block RAMs, %u multipliers\n", graph->units,
            all.lut4, all.ff, all.ebr, all.dsp);
  for (unsigned part = 0; part < PART_COUNT; part++) {
    const struct room *room = &e->parts[part];
    if (room->lut + room->ff + room->ebr + room->dsp > 0)
      fprintf(out, "    %-36s %7.0f LUT4 %7.0f flip-flops %4.0f block RAMs %4.0f multipliers\n",
              estimate_part_name(part), room->lut, room->ff, room->ebr, room->dsp);
  }
  fprintf(out, "  fits, with no programmable unit beside it:");
  for (size_t i = 0; i < heddle_board_count; i++) {
    const char *lacks = estimate_lacks(&all, &heddle_boards[i]);
    fprintf(out, "%s %s %s%s%s", i != 0 ? "," : "", heddle_boards[i].name, lacks ? "no (" : "yes", lacks ? lacks : "",
            lacks ? ")" : "");
  }
  fprintf(out, "\n");
}

static void write_unknown_rounds(const struct region *r, FILE *out) {
  if (r->made_of.rounds > 1)
    fprintf(out, " x %llu", (unsigned long long)r->made_of.rounds);
  for (unsigned i = 0; i < r->made_of.unknown; i++)
    fprintf(out, " x R%u", r->line);
}

static void write_use(const struct graph *graph, const struct rates *rates, unsigned index, FILE *out) {
  char name[RATES_NAME_BYTES];
  const struct rate *rate = &rates->items[index];
  rates_name(rates, index, name);
  fprintf(out, "    %s", name);
  const char *between = ": ";
  for (unsigned i = 0; i < graph->region_count; i++) {
    if (rate->cycles[i] == 0)
      continue;
    fprintf(out, "%s%.10g", between, rate->cycles[i]);
    between = " + ";
    for (const struct region *r = graph->regions[i]; r->parent; r = r->parent)
      if (rates->rounds[r->id] != 0)
        fprintf(out, " x %u rounds of line %u", rates->rounds[r->id], r->line);
      else
        write_unknown_rounds(r, out);
  }
  fprintf(out, "%s\n", between[1] == ' ' && between[0] == ':' ? ": 0" : "");
}

static void write_cycles(const struct graph *graph, const struct rates *rates, unsigned work_items, FILE *out) {
  static const unsigned guesses[] = {1, 16, 256};
  bool has_unknown = false;
  for (unsigned i = 0; i < graph->region_count; i++)
    has_unknown |= rates->rounds[i] == 0;
  for (unsigned i = 0; i < (has_unknown ? 3 : 1); i++) {
    unsigned limit = 0;
    const double cycles = rates_cycles(graph, rates, work_items, guesses[i], &limit);
    fprintf(out, "  %u work-item%s about %.0f cycles", work_items, work_items != 1 ? "s take" : " takes", cycles);
    if (has_unknown)
      fprintf(out, " if R is %u", guesses[i]);
    char name[RATES_NAME_BYTES];
    rates_name(rates, limit, name);
    fprintf(out, "; limited by: %s\n", name);
  }
}

// How many operations of a segment share operators, and how many operators they have.
static void count_shared(const struct segment *s, unsigned *operations, unsigned *operators) {
  *operations = *operators = 0;
  for (unsigned i = 0; i < s->nodes.count; i++) {
    const struct node *node = s->nodes.items[i];
    *operations += node->sharers != 0;
    *operators += node->sharers != 0 && graph_first_of_operator(s, node) == node;
  }
}

static void write_sharing(const struct graph *graph, const struct segment *s, FILE *out) {
  unsigned operations, operators;
  count_shared(s, &operations, &operators);
  if (s->is_aligned)
    fprintf(out, "  %u operations share %u operator%s%s in segment %u, a sub-group every %u cycles%s\n", operations,
            operators, operators != 1 ? "s" : "", s->turns > 1 ? " of several lanes" : "", s->id, s->apart,
            graph->operations_share_freely ? ": it does not get more anyway" : " (--share)");
  else if (s->turns > 1)
    fprintf(out, "  lanes share float operators in segment %u, a sub-group every %u cycles%s\n", s->id, s->turns,
            s->shares_freely ? ": it does not get more anyway" : " (--share)");
}

static void write_rates(const struct graph *graph, const struct rates *rates, unsigned work_items, FILE *out) {
  fprintf(out, "  initiation interval: %u cycle%s from a sub-group to the next%s\n", graph_interval(graph),
          graph_interval(graph) != 1 ? "s" : "", graph_interval(graph) != 1 ? ", as lanes share float operators" : "");
  for (unsigned i = 0; i < graph->segment_count; i++)
    write_sharing(graph, graph->segments[i], out);
  if (graph->port_lanes > graph->lanes)
    fprintf(out, "  the memory port accesses up to %u neighbouring words a cycle (--port-words 1 is smaller)\n",
            graph->port_lanes);
  if (graph->fixed_count > 0)
    fprintf(out, "  loaded once for a dispatch, in front of its first sub-group: %u word%s of constant memory\n",
            graph->fixed_count, graph->fixed_count != 1 ? "s" : "");
  for (unsigned i = 0; i < graph->module_count; i++) {
    char text[ESTIMATE_MODULE_BYTES];
    estimate_module_text(graph, i, text);
    fprintf(out, "  %s\n", text);
  }
  if (graph->exclusive > 0)
    fprintf(out, "  done once for branches that exclude each other: %u accesses and operations are %u\n",
            graph->exclusive, graph->joined);
  fprintf(out, "  cycles that each sub-group takes of what all of them share (R: rounds of a loop of that line):\n");
  for (unsigned i = 0; i < rates->count; i++)
    write_use(graph, rates, i, out);
  if (graph->units != 1)
    fprintf(out, "  %u copies share out the work-groups; the cache has %u bank%s for their rows of memory\n",
            graph->units, graph->banks, graph->banks != 1 ? "s" : "");
  write_cycles(graph, rates, work_items, out);
}

static void write_segments(const struct graph *graph, FILE *out) {
  fprintf(out, "  segments:\n");
  for (unsigned i = 0; i < graph->segment_count; i++) {
    const struct segment *s = graph->segments[i];
    fprintf(out, "    %*s%u: %u stage%s, %u operations, then %s", 2 * (int)graph_depth(s->region), "", s->id,
            s->depth + 1, s->depth != 0 ? "s" : "", s->nodes.count, end_text(s->end));
    if (s->end == END_LOADS || s->end == END_STORES)
      fprintf(out, " (%u in %u access%s)", s->group.count, s->access_count, s->access_count != 1 ? "es" : "");
    if (s->end == END_LOOP)
      fprintf(out, " of line %u", s->group.items[0]->loop->line);
    fprintf(out, "\n");
  }
}

static const char *access_name(const struct node *access) {
  return access->op == OP_LOAD ? "load" : access->op == OP_STORE ? "store" : "atomic";
}

static bool is_alike(const struct graph *graph, const struct node *a, const struct node *b) {
  const struct pattern p = rates_pattern(graph, a), q = rates_pattern(graph, b);
  return a->op == b->op && a->window == b->window && a->line == b->line && a->bytes == b->bytes &&
         a->space == b->space && p.is_known == q.is_known && p.stride == q.stride && p.rows == q.rows;
}

static void write_access(const struct graph *graph, const struct node *access, unsigned count, FILE *out) {
  const struct pattern pattern = rates_pattern(graph, access);
  static const char *const through[] = {
      [WINDOW_OF_LANES] = "through a window on the chip, where lanes' words lie together",
      [WINDOW_OF_TOKEN] = "the same for all lanes, through a window on the chip",
      [WINDOW_OF_LINES] = "through lines on the chip, of which each lane keeps its own"};
  static const char *const spaces[] = {
      [SPACE_GLOBAL] = "global", [SPACE_LOCAL] = "local", [SPACE_PRIVATE] = "private", [SPACE_GENERIC] = "any"};
  fprintf(out, "    line %-6u%3u %s%s of %u byte%s, %s memory%s", access->line, count, access_name(access),
          count != 1 ? "s" : "", access->bytes, access->bytes != 1 ? "s" : "", spaces[access->space],
          graph->lanes == 1 ? "\n" : ": ");
  if (graph->lanes == 1)
    return;
  if (access->window != WINDOW_NONE)
    fprintf(out, "%s\n", through[access->window]);
  else if (!pattern.is_known)
    fprintf(out, "lanes are anywhere, up to %u rows of 16 bytes each\n", pattern.rows);
  else if (pattern.stride == 0)
    fprintf(out, "the same for all lanes, 1 row of 16 bytes each\n");
  else
    fprintf(out, "lanes are %lld bytes apart, %u row%s of 16 bytes each\n", (long long)pattern.stride, pattern.rows,
            pattern.rows != 1 ? "s" : "");
}

static void write_local_array(const struct graph *graph, unsigned a, FILE *out) {
  const struct array *array = &graph->arrays[a];
  unsigned reads[LANES_ANYWHERE + 1] = {0};
  for (unsigned i = 0; i < graph->node_count; i++)
    if (graph->nodes[i]->wanted && graph->nodes[i]->op == OP_ELEMENT && graph->nodes[i]->local_array == a + 1)
      reads[graph->nodes[i]->pattern]++;
  fprintf(
      out,
      "    %s: %u elements of %u bits for %u work-groups, %u bank%s, %u block RAMs; a cycle makes all its reads: %u "
      "of one element, %u of neighbours, %u of any; %u group%s of stores take turns\n",
      array->name, array->elements, array->width, 1u << graph->group_slots_log2, 1u << array->banks_log2,
      array->banks_log2 != 0 ? "s" : "", graph_array_blocks(graph, array), reads[LANES_ALIKE], reads[LANES_NEIGHBOURS],
      reads[LANES_ANYWHERE], array->writers, array->writers != 1 ? "s" : "");
}

static void write_local_arrays(const struct graph *graph, FILE *out) {
  bool is_first = true;
  for (unsigned a = 0; a < graph->array_count; a++) {
    const struct array *array = &graph->arrays[a];
    if (!array->is_local)
      continue;
    if (is_first)
      fprintf(out, "  local arrays with memories of their own:\n");
    is_first = false;
    write_local_array(graph, a, out);
    if (graph->group_size[0] == 0 && array->required_blocks < graph_array_blocks(graph, array))
      fprintf(out, "      %s it takes %u block RAMs\n", GRAPH_REQUIRE_A_SIZE, array->required_blocks);
  }
  for (unsigned i = 0; i < graph->port_array_count; i++)
    fprintf(out, "  %s array %s is in the memory port: %s\n", graph->port_arrays[i].kind, graph->port_arrays[i].name,
            graph->port_arrays[i].why);
}

// Of kernels that have one work-item at a time.
static void write_rounds(const struct graph *graph, FILE *out) {
  char text[RATES_ROUNDS_BYTES];
  for (unsigned i = 0; i < graph->region_count; i++)
    if (rates_rounds_text(graph, graph->regions[i], text))
      fprintf(out, "  rounds of %s\n", text);
}

static void write_accesses(const struct graph *graph, FILE *out) {
  write_rounds(graph, out);
  write_local_arrays(graph, out);
  if (graph->ports != 0)
    fprintf(out, "  accesses:\n");
  for (unsigned i = 0; i < graph->segment_count; i++) {
    const struct segment *s = graph->segments[i];
    unsigned count = 0;
    if (s->local_array != 0)
      continue;
    for (unsigned k = 0; k < s->group.count && (s->end == END_LOADS || s->end == END_STORES); k++) {
      count++;
      if (k + 1 < s->group.count && is_alike(graph, s->group.items[k], s->group.items[k + 1]))
        continue;
      write_access(graph, s->group.items[k], count, out);
      count = 0;
    }
  }
}

static void write_lines(const struct graph *graph, const struct estimate *e, FILE *out) {
  unsigned *operations = graph_allocate(e->line_count * sizeof *operations);
  for (unsigned i = 0; i < graph->node_count; i++)
    if (graph->nodes[i]->wanted && graph->nodes[i]->op != OP_CONSTANT)
      operations[graph->nodes[i]->line]++;
  fprintf(out, "  by source line:\n");
  for (unsigned line = 1; line <= e->line_count; line++) {
    // What belongs to no line comes last.
    const unsigned at = line < e->line_count ? line : 0;
    const struct room *room = &e->lines[at];
    if (operations[at] == 0 && room->lut + room->ff + room->ebr + room->dsp <= 0)
      continue;
    if (at != 0)
      fprintf(out, "    line %-6u", at);
    else
      fprintf(out, "    no line    ");
    fprintf(out, "%5u operations %7.0f LUT4 %7.0f flip-flops %4.0f block RAMs %4.0f multipliers\n", operations[at],
            room->lut, room->ff, room->ebr, room->dsp);
  }
}

void report_text(const struct graph *graph, const struct report_options *options, FILE *out) {
  const struct estimate e = estimate_room(graph);
  const struct rates rates = rates_of(graph);
  fprintf(out, "kernel %s: %u lane%s, %u sub-groups in flight", graph->kernel, graph->lanes,
          graph->lanes != 1 ? "s" : "", 1u << graph->slots_log2);
  if (graph->units != 1)
    fprintf(out, ", %u copies", graph->units);
  if (graph->unroll != 1)
    fprintf(out, ", %u rounds of innermost loops in one", graph->unroll);
  fprintf(out, "\n");
  write_room(graph, &e, out);
  write_rates(graph, &rates, rates_work_items(graph, options->work_items), out);
  write_segments(graph, out);
  write_accesses(graph, out);
  write_lines(graph, &e, out);
  fprintf(out, "\n");
}
