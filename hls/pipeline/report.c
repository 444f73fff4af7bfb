// SPDX-License-Identifier: Apache-2.0
// Estimates: the room of each part, by what it was measured to take, and what limits the rate. As text and as a section
// of a page.
#include "hls/pipeline/report.h"

#include <stdlib.h>
#include <string.h>

#include "contract/boards.h"
#include "hls/pipeline/schedule.h"

static void add_store(const struct graph *graph, struct estimate *e, unsigned width, unsigned copies) {
  // As slot_store.v chooses.
  const bool block = graph->slots_log2 > 4 && (width >= 9 || (width >= 3 && graph->slots_log2 >= 6));
  if (block) {
    e->ebr += copies * ((width + 35) / 36);
  } else {
    const double rams = (width + 3) / 4 * (double)((1u << graph->slots_log2) + 15) / 16;
    e->lut += copies * rams * 4 + copies * width * (graph->slots_log2 > 4 ? 3 : 0);
    e->ff += copies * width;
  }
}

static void add_delay(struct estimate *e, unsigned bits, unsigned cycles) {
  if (cycles <= 3) {
    e->ff += bits * cycles;
  } else {
    const unsigned rings = (cycles + 15) / 16;
    e->lut += rings * (((bits + 3) / 4) * 4 + 5);
    e->ff += rings * bits;
  }
}

static void add_queue(const struct graph *graph, struct estimate *e, unsigned width) {
  // As token_queue.v chooses.
  const bool block = graph->slots_log2 > 4 && (width >= 16 || (width >= 4 && graph->slots_log2 >= 6));
  if (block) {
    e->ebr += (width + 35) / 36;
    e->ff += width + 21;
    e->lut += 38 + (width < 16 ? width : 0);
  } else {
    const double rams = (width + 3) / 4 * (double)((1u << graph->slots_log2) + 15) / 16;
    e->lut += 34 + rams * 4 + (graph->slots_log2 > 4 ? width * 3 : 0);
    e->ff += 3 * graph->slots_log2 + 2 + width;
  }
}

// pipeline_unit.v with everything in it but the segments.
static void add_unit(const struct graph *graph, struct estimate *e) {
  const double lanes = graph->lanes;
  e->lut += 690 + 35 * lanes;  // launch, packet, fault record
  e->ff += 510 + 28 * lanes + (graph->words > 16 ? (graph->words - 16) * 32 : 0);
  e->ebr += 3;
  e->dsp += 2;
  if (graph->ports == 0)
    return;
  e->lut += 420 + 150 * lanes + 20 * lanes * lanes;  // addresses, coalescer, crossbars
  e->ff += 420 + 290 * lanes;
  e->ebr += (unsigned)((lanes * 32 + 35) / 36);
  if (graph->uses_narrow)
    e->lut += 76 * lanes;
  if (graph->uses_local) {
    e->lut += 90 * (lanes > 4 ? lanes : 4);
    e->ebr += 16;
  }
  e->lut += 24 * lanes * (graph->ports > 1 ? graph->ports : 0);
}

static void add_memory_group(const struct graph *graph, const struct segment *s, struct estimate *e) {
  struct accesses a;
  schedule_accesses(s, &a);
  unsigned bits = graph->slots_log2;
  for (unsigned i = 0; i < a.root_count; i++)
    bits += graph_is_static(a.roots[i]) ? 0 : 32 * graph_copies(graph, a.roots[i]);
  for (unsigned i = 0; i < a.mask_count; i++)
    bits += a.any[i] ? 1 : graph->lanes;
  for (unsigned i = 0; i < a.data_count; i++)
    bits += graph_is_static(a.datas[i]) ? 0 : a.datas[i]->width * graph_copies(graph, a.datas[i]);
  add_queue(graph, e, bits);
  bool offset = false;
  for (unsigned i = 0; i < a.count; i++)
    offset |= a.offset[i] != 0;
  const double width = 32.0 * graph->lanes;
  e->lut += 14 + (offset ? width + a.count / 2.0 : 0) + width * (a.root_count - 1) / 2 +
            (a.data_count > 1 ? width * (a.data_count - 1) / 2 : 0);
}

static bool is_here(const struct segment *s, const struct node *node) {
  return !graph_is_static(node) && !schedule_is_read(s, node);
}

static void add_segment(const struct graph *graph, const struct segment *s, struct estimate *e) {
  e->ff += s->depth * (graph->slots_log2 + 1);
  for (unsigned i = 0; i < s->nodes.count; i++) {
    const struct node *node = s->nodes.items[i];
    const struct cost cost = graph_cost(graph, node);
    const double copies = graph_copies(graph, node);
    e->lut += copies * cost.lut;
    e->ff += copies * cost.ff;
    e->dsp += (unsigned)(copies * cost.dsp + 0.5);
  }
  for (unsigned i = 0; i < s->use_count; i++) {
    const struct node *node = s->uses[i];
    // The stage before this use in which the value stands, or none: then it is read here.
    unsigned before = 0;
    bool known = is_here(s, node);
    if (known)
      before = node->stage;
    for (unsigned k = 0; k < s->use_count; k++)
      if (s->uses[k] == node && s->use_stages[k] < s->use_stages[i] && (!known || s->use_stages[k] >= before)) {
        before = s->use_stages[k];
        known = true;
      }
    if (!known)
      add_store(graph, e, node->width, graph_copies(graph, node));
    else if (s->use_stages[i] > before)
      add_delay(e, node->width * graph_copies(graph, node), s->use_stages[i] - before);
  }
  switch (s->end) {
    case END_LOADS:
    case END_STORES:
      add_memory_group(graph, s, e);
      break;
    case END_BARRIER:
      add_queue(graph, e, 2 * graph->slots_log2);
      e->lut += 60 + 8.0 * (1u << graph->slots_log2) / 16 + (s->group.items[0]->op != OP_BARRIER ? 70 : 0);
      e->ff += 40 + (s->group.items[0]->op != OP_BARRIER ? 80 : 0);
      e->ebr += s->group.items[0]->op != OP_BARRIER;
      break;
    case END_LOOP: {
      const struct region *loop = s->group.items[0]->loop;
      add_queue(graph, e, graph->slots_log2);
      for (unsigned i = 0; i < loop->phis.count; i++) {
        const unsigned bits = loop->phis.items[i]->width * graph_copies(graph, loop->phis.items[i]);
        e->lut += bits;
        e->ff += bits;
        if (schedule_is_fair(loop) || !graph_is_static(loop->initial.items[i]))
          add_store(graph, e, loop->phis.items[i]->width, graph_copies(graph, loop->phis.items[i]));
      }
      break;
    }
    default:
      break;
  }
}

struct estimate report_estimate(const struct graph *graph) {
  struct estimate e = {0};
  add_unit(graph, &e);
  for (unsigned i = 0; i < graph->segment_count; i++)
    add_segment(graph, graph->segments[i], &e);
  for (unsigned i = 0; i < graph->node_count; i++)
    if (graph->nodes[i]->wanted && graph->nodes[i]->class == CLASS_DISPATCH) {
      const struct cost cost = graph_cost(graph, graph->nodes[i]);
      e.lut += cost.lut;
      e.ff += cost.ff + graph->nodes[i]->width;
      e.dsp += (unsigned)cost.dsp;
    }
  return e;
}

// ---- rates

// Accesses of a token by region: those of a loop come once a round.
static unsigned accesses_of(const struct graph *graph, const struct region *r) {
  unsigned count = 0;
  for (unsigned i = 0; i < graph->segment_count; i++)
    if (graph->segments[i]->region == r &&
        (graph->segments[i]->end == END_LOADS || graph->segments[i]->end == END_STORES))
      count += graph->segments[i]->group.count;
  return count;
}

static unsigned stages_of(const struct region *r) {
  unsigned stages = 0;
  for (unsigned i = 0; i < r->segment_count; i++)
    stages += r->segments[i]->depth + 1;
  return stages;
}

static const char *end_text(enum segment_end end) {
  static const char *const texts[] = {[END_EXIT] = "end",      [END_BACK] = "next round", [END_LOADS] = "loads",
                                      [END_STORES] = "stores", [END_LOOP] = "loop",       [END_BARRIER] = "barrier"};
  return texts[end];
}

static unsigned loop_depth(const struct region *r) {
  unsigned depth = 0;
  for (r = r->parent; r; r = r->parent)
    depth++;
  return depth;
}

static bool fits(const struct estimate *e, const struct heddle_board *board) {
  const struct heddle_room left = heddle_board_left(board, &board->alone);
  return e->lut <= left.lut4 && e->ff <= left.ff && e->ebr <= left.ebr && e->dsp <= left.dsp;
}

void report_text(const struct graph *graph, FILE *out) {
  const struct estimate e = report_estimate(graph);
  fprintf(out, "kernel %s: %u lanes, %u sub-groups in flight\n", graph->kernel, graph->lanes, 1u << graph->slots_log2);
  fprintf(out, "  estimate: %.0f LUT4, %.0f flip-flops, %u block RAMs, %u multipliers (ECP5)\n", e.lut, e.ff, e.ebr,
          e.dsp);
  fprintf(out, "  fits:");
  for (size_t i = 0; i < heddle_board_count; i++)
    fprintf(out, "%s %s %s", i == 0 ? "" : ",", heddle_boards[i].name, fits(&e, &heddle_boards[i]) ? "yes" : "no");
  fputc('\n', out);
  fprintf(out, "  each stage takes a sub-group a cycle; the memory port one access a cycle for all of them\n");
  if (graph_interval(graph) != 1)
    fprintf(out, "  a sub-group begins every %u cycles at most: lanes share float operators ahead of the loop\n",
            graph_interval(graph));
  fprintf(out, "  per sub-group: %u accesses", accesses_of(graph, graph->top));
  for (unsigned i = 1; i < graph->region_count; i++)
    fprintf(out, "; a round of the loop of line %u: 1 place in its ring of %u stages, %u accesses",
            graph->regions[i]->line, stages_of(graph->regions[i]), accesses_of(graph, graph->regions[i]));
  fprintf(out, "\n  cycles for N sub-groups, about: the largest of");
  if (graph_interval(graph) != 1)
    fprintf(out, " %u", graph_interval(graph));
  fprintf(out, " N");
  if (accesses_of(graph, graph->top) > 1)
    fprintf(out, ", %u N", accesses_of(graph, graph->top));
  for (unsigned i = 1; i < graph->region_count; i++) {
    fprintf(out, ", N x rounds of line %u", graph->regions[i]->line);
    if (accesses_of(graph, graph->regions[i]) > 1)
      fprintf(out, " x %u", accesses_of(graph, graph->regions[i]));
  }
  fprintf(out, "\n  segments:\n");
  for (unsigned i = 0; i < graph->segment_count; i++) {
    const struct segment *s = graph->segments[i];
    fprintf(out, "    %*s%u: %u stages, %u operations, then %s", 2 * (int)loop_depth(s->region), "", s->id,
            s->depth + 1, s->nodes.count, end_text(s->end));
    if (s->end == END_LOADS || s->end == END_STORES)
      fprintf(out, " (%u)", s->group.count);
    fprintf(out, "\n");
  }
  fprintf(out, "  by source line:\n");
  unsigned last = 0;
  for (unsigned i = 0; i < graph->node_count; i++)
    last = graph->nodes[i]->line > last ? graph->nodes[i]->line : last;
  for (unsigned line = 1; line <= last; line++) {
    unsigned operations = 0;
    double lut = 0, dsp = 0;
    for (unsigned i = 0; i < graph->node_count; i++) {
      const struct node *node = graph->nodes[i];
      if (!node->wanted || node->line != line || node->op == OP_CONSTANT)
        continue;
      const struct cost cost = graph_cost(graph, node);
      operations++;
      lut += cost.lut * graph_copies(graph, node);
      dsp += cost.dsp * graph_copies(graph, node);
    }
    if (operations != 0)
      fprintf(out, "    line %-5u %4u operations %8.0f LUT4 %4.0f multipliers\n", line, operations, lut, dsp);
  }
  fprintf(out, "\n");
}

// A drawing: segments from left to right, loops as rings below them.
static void draw(const struct graph *graph, FILE *out) {
  enum { WIDTH = 120, GAP = 34, HEIGHT = 46, LEVEL = 84 };
  unsigned deepest = 0;
  for (unsigned i = 0; i < graph->segment_count; i++) {
    const unsigned depth = loop_depth(graph->segments[i]->region);
    deepest = depth > deepest ? depth : deepest;
  }
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" font-family=\"sans-serif\" "
          "font-size=\"11\">\n",
          graph->segment_count * (WIDTH + GAP) + 20, (deepest + 1) * LEVEL + 30);
  for (unsigned i = 0; i < graph->segment_count; i++) {
    const struct segment *s = graph->segments[i];
    const unsigned depth = loop_depth(s->region), x = 10 + i * (WIDTH + GAP), y = 14 + depth * LEVEL;
    fprintf(out, "<rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\" rx=\"5\" fill=\"%s\" stroke=\"#345\"/>\n", x, y,
            WIDTH, HEIGHT, depth != 0 ? "#dff0df" : "#e4ecf7");
    fprintf(out, "<text x=\"%u\" y=\"%u\">segment %u: %u stages</text>\n", x + 7, y + 17, s->id, s->depth + 1);
    if (s->end == END_LOADS || s->end == END_STORES)
      fprintf(out, "<text x=\"%u\" y=\"%u\">%u %s</text>\n", x + 7, y + 35, s->group.count, end_text(s->end));
    else
      fprintf(out, "<text x=\"%u\" y=\"%u\">%s</text>\n", x + 7, y + 35, end_text(s->end));
    if (s->end == END_BACK) {
      const unsigned to = 10 + s->region->first->id * (WIDTH + GAP) + WIDTH / 2, from = x + WIDTH / 2;
      fprintf(out, "<path d=\"M%u %u v16 H%u v-16\" fill=\"none\" stroke=\"#282\" stroke-width=\"2\"/>\n", from,
              y + HEIGHT, to);
      fprintf(out, "<text x=\"%u\" y=\"%u\" fill=\"#282\">ring of line %u</text>\n", to + 6, y + HEIGHT + 13,
              s->region->line);
    }
    if (s->next)
      fprintf(out, "<path d=\"M%u %u L%u %u\" stroke=\"#345\"/>\n", x + WIDTH, y + HEIGHT / 2,
              10 + s->next->id * (WIDTH + GAP), 14 + loop_depth(s->next->region) * LEVEL + HEIGHT / 2);
  }
  fprintf(out, "</svg>\n");
}

void report_page(const struct graph *graph, FILE *out) {
  fprintf(out, "<h2>Kernel %s</h2>\n", graph->kernel);
  draw(graph, out);
  char *text = NULL;
  size_t size;
  FILE *memory = open_memstream(&text, &size);
  if (!memory)
    return;
  report_text(graph, memory);
  fclose(memory);
  fprintf(out, "<pre>");
  for (const char *c = text; *c != 0; c++)
    fputs(*c == '<' ? "&lt;" : *c == '&' ? "&amp;" : (const char[]){*c, 0}, out);
  fprintf(out, "</pre>\n");
  free(text);
}
