// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/drawing.h"

enum { WIDTH = 156, GAP = 34, HEIGHT = 62, LEVEL = 104, EDGE = 14 };

static unsigned left_of(const struct segment *s) {
  return EDGE + s->id * (WIDTH + GAP);
}

static unsigned top_of(const struct segment *s) {
  return EDGE + graph_depth(s->region) * LEVEL;
}

static const char *kind_of(const struct segment *s) {
  return s->end == END_LOADS || s->end == END_STORES                            ? "memory"
         : s->end == END_BARRIER || s->end == END_PIPE || s->end == END_HAZARDS ? "wait"
                                                                                : "plain";
}

static void write_end(const struct segment *s, FILE *out) {
  switch (s->end) {
    case END_LOADS:
      fprintf(out, "then %u load%s", s->group.count, s->group.count != 1 ? "s" : "");
      break;
    case END_STORES:
      fprintf(out, "then %u store%s", s->group.count, s->group.count != 1 ? "s" : "");
      break;
    case END_LOOP:
      fprintf(out, "then the loop of line %u", s->group.items[0]->loop->line);
      break;
    case END_BARRIER:
      fprintf(out, "then %s", s->group.items[0]->op == OP_BARRIER ? "a barrier" : "a collective");
      break;
    case END_PIPE:
      fprintf(out, "then %s a pipe", s->group.items[0]->op == OP_PIPE_READ ? "a read of" : "a write of");
      break;
    case END_HAZARDS:
      fprintf(out, "then rounds that it meets");
      break;
    case END_APART:
      fprintf(out, "then its turn at shared operators");
      break;
    case END_BACK:
      fprintf(out, "then the next round");
      break;
    default:
      fprintf(out, "the end");
  }
}

static void find_lines(const struct segment *s, unsigned *first, unsigned *last) {
  *first = *last = 0;
  for (unsigned i = 0; i < s->nodes.count; i++) {
    const unsigned line = s->nodes.items[i]->line;
    if (line == 0)
      continue;
    *first = *first == 0 || line < *first ? line : *first;
    *last = line > *last ? line : *last;
  }
}

static void write_box(const struct segment *s, FILE *out) {
  const unsigned x = left_of(s), y = top_of(s);
  unsigned first, last;
  find_lines(s, &first, &last);
  fprintf(out, "<g class=\"segment %s\"><title>segment %u: %u operations", kind_of(s), s->id, s->nodes.count);
  if (first != 0)
    fprintf(out, ", lines %u to %u", first, last);
  fprintf(out, "</title><rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n", x, y, WIDTH, HEIGHT);
  fprintf(out, "<text x=\"%u\" y=\"%u\" class=\"name\">segment %u</text>", x + 8, y + 17, s->id);
  fprintf(out, "<text x=\"%u\" y=\"%u\">%u stage%s, %u operations</text>", x + 8, y + 34, s->depth + 1,
          s->depth != 0 ? "s" : "", s->nodes.count);
  fprintf(out, "<text x=\"%u\" y=\"%u\">", x + 8, y + 51);
  write_end(s, out);
  fprintf(out, "</text></g>\n");
}

static void write_arrows(const struct segment *s, FILE *out) {
  if (s->next)
    fprintf(out, "<path class=\"flow\" marker-end=\"url(#head)\" d=\"M%u %u L%u %u\"/>\n", left_of(s) + WIDTH,
            top_of(s) + HEIGHT / 2, left_of(s->next) - 3, top_of(s->next) + HEIGHT / 2);
  if (s->end != END_BACK)
    return;
  const unsigned from = left_of(s) + WIDTH - 20, to = left_of(s->region->first) + 20, y = top_of(s) + HEIGHT;
  fprintf(out, "<path class=\"ring\" marker-end=\"url(#ringhead)\" d=\"M%u %u v18 H%u v-15\"/>\n", from, y, to);
  fprintf(out, "<text class=\"ringname\" x=\"%u\" y=\"%u\">ring of line %u</text>\n", to + 8, y + 14, s->region->line);
}

void drawing_write(const struct graph *graph, FILE *out) {
  unsigned deepest = 0;
  for (unsigned i = 0; i < graph->segment_count; i++) {
    const unsigned depth = graph_depth(graph->segments[i]->region);
    deepest = depth > deepest ? depth : deepest;
  }
  fprintf(out,
          "<svg class=\"drawing\" xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" role=\"img\" "
          "aria-label=\"segments of the pipeline and the rings of its loops\">\n",
          graph->segment_count * (WIDTH + GAP) + EDGE, (deepest + 1) * LEVEL + EDGE);
  fputs(
      "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" "
      "orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" class=\"head\"/></marker><marker id=\"ringhead\" viewBox=\"0 0 8 "
      "8\" "
      "refX=\"7\" refY=\"4\" markerWidth=\"6\" markerHeight=\"6\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" "
      "class=\"ringhead\"/></marker></defs>\n",
      out);
  for (unsigned i = 0; i < graph->segment_count; i++)
    write_arrows(graph->segments[i], out);
  for (unsigned i = 0; i < graph->segment_count; i++)
    write_box(graph->segments[i], out);
  fputs("</svg>\n", out);
}
