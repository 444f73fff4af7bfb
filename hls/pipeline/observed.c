// SPDX-License-Identifier: Apache-2.0
// Writes, beside a pipeline's Verilog, what a simulated device has to know to observe it (observed.h). Signals are
// named as segments_verilog.c, ends_verilog.c and pipes_verilog.c name them. Each segment has two events, a token that
// comes and one that leaves; behind them those that wait in a spacer, or for rounds that they meet. Heads are of the
// queues of memory groups, by port, and behind them those of places that use a pipe.
#include "hls/pipeline/observed.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "hls/pipeline/schedule.h"
#include "hls/pipeline/writer.h"

// Whether rounds wait in front of it for those that they meet.
static bool is_behind_hazards(const struct segment *s) {
  return s->from && s->from->end == END_HAZARDS;
}

static bool has_spacer(const struct segment *s) {
  return s->from && (s->apart != 1 || is_behind_hazards(s));
}

static const char *spacer_name(const struct segment *s) {
  return is_behind_hazards(s) ? write_text("h%u", s->from->id) : write_text("s%u_spacer", s->id);
}

static bool has_group(const struct segment *s) {
  return s->end == END_LOADS || s->end == END_STORES;
}

// Memory groups: those of the port, and those of local arrays.
static unsigned count_groups(const struct graph *graph) {
  unsigned count = 0;
  for (unsigned i = 0; i < graph->segment_count; i++)
    if (has_group(graph->segments[i]) && graph->segments[i]->port >= count)
      count = graph->segments[i]->port + 1;
  return count;
}

// The number of a segment's head among all; that of a pipe's place is behind those of groups.
static int head_of(const struct graph *graph, const struct segment *s) {
  if (has_group(s))
    return (int)s->port;
  if (s->end != END_PIPE)
    return -1;
  unsigned number = count_groups(graph);
  for (unsigned i = 0; graph->segments[i] != s; i++)
    number += graph->segments[i]->end == END_PIPE;
  return (int)number;
}

// A number for the kernel, by which its places are found: FNV-1a of its name.
static unsigned key_of(const struct graph *graph) {
  uint32_t key = 2166136261u;
  for (const char *c = graph->kernel; *c != 0; c++)
    key = (key ^ (unsigned char)*c) * 16777619u;
  return key;
}

// ---- the signals

// Of events, the last first: `valid` or `slot` signals.
static void write_events(const struct graph *graph, const char *what, const char *cast, FILE *out) {
  for (unsigned i = graph->segment_count; i-- > 0;)
    if (has_spacer(graph->segments[i]))
      fprintf(out, "%s(%s.%s_i),\n      ", cast, spacer_name(graph->segments[i]), what);
  for (unsigned i = graph->segment_count; i-- > 0;) {
    const struct segment *s = graph->segments[i];
    fprintf(out, "%s(s%u_%s_%u), %s(s%u_%s_0)%s", cast, s->id, what, s->depth, cast, s->id, what,
            i != 0 ? ",\n      " : "");
  }
}

// {valid, access, ready, taken, slot, number of the access}
static void write_group_head(const struct segment *s, FILE *out) {
  const unsigned p = s->port;
  fprintf(out, "m%u_valid, m%u_access, m%u_ready, m%u_take, 4'd0, 8'(m%u_%s), 16'(m%u_number)", p, p, p, p, p,
          s->is_window ? "head" : "slot", p);
}

// {a token, it asks, ready, 0, slot, 0}
static void write_pipe_head(const struct segment *s, FILE *out) {
  const struct node *node = s->group.items[0];
  const unsigned site = (unsigned)node->number, pipe = node->pipe;
  fprintf(out, "1'b1, pipe%u_valid[%u], pipe%u_ready[%u], 5'd0, 8'(p%u.slot), 16'd0", pipe, site, pipe, site, s->id);
}

static unsigned write_heads(const struct graph *graph, FILE *out) {
  const unsigned groups = count_groups(graph);
  unsigned count = groups;
  const char *between = "";
  for (unsigned i = 0; i < graph->segment_count; i++)
    count += graph->segments[i]->end == END_PIPE;
  for (unsigned head = count; head-- > 0; between = ",\n      ") {
    fputs(between, out);
    for (unsigned i = 0; i < graph->segment_count; i++) {
      const struct segment *s = graph->segments[i];
      if (head_of(graph, s) != (int)head)
        continue;
      if (has_group(s))
        write_group_head(s, out);
      else
        write_pipe_head(s, out);
    }
  }
  if (count == 0)
    fputs("32'd0", out);
  return count != 0 ? count : 1;
}

void observed_binding(const struct graph *graph, FILE *out) {
  unsigned events = 2 * graph->segment_count;
  char *heads = NULL;
  size_t size;
  FILE *text = open_memstream(&heads, &size);
  for (unsigned i = 0; i < graph->segment_count; i++)
    events += has_spacer(graph->segments[i]);
  const unsigned head_count = text ? write_heads(graph, text) : 0;
  if (!text || fclose(text) != 0)
    return;
  fprintf(out,
          "// SPDX-License-Identifier: Apache-2.0\n"
          "// What a simulated device looks at in the pipeline of %s. Made by heddlec --hardware.\n"
          "bind pipeline_%s pipeline_observer #(\n    .KEY(%u),\n    .EVENTS(%u),\n    .HEADS(%u)\n) observer (\n"
          "    .events_i({",
          graph->kernel, graph->kernel, key_of(graph), events, head_count);
  write_events(graph, "valid", "", out);
  fprintf(out, "}),\n    .slots_i({");
  write_events(graph, "slot", "8'", out);
  fprintf(out, "}),\n    .heads_i({%s}),\n", heads);
  const unsigned last = graph_site_bits(graph) - 1;
  fprintf(out,
          "    .answer_i({unit.answer && unit.answer_last, 7'd0, 8'(unit.answer_slot), 16'(unit.answer_tag[%u:0])}),\n"
          "    .request_i({unit.packet_valid, 15'd0, %s})\n);\n",
          last, graph->ports == 0 ? "16'd0" : write_text("16'(unit.port.memory_port.load_store.rd[%u:0])", last));
}

// ---- their places

// Entries of the table of lines, the first of which is that of what has none.
struct places {
  FILE *out;
  const char *file;  // of the kernel
  struct line {
    const char *file;
    unsigned line;
  } *lines;
  unsigned count;
};

static unsigned place(struct places *places, const char *file, unsigned line) {
  if (line == 0)
    return 0;
  for (unsigned i = 1; i < places->count; i++)
    if (places->lines[i].line == line && strcmp(places->lines[i].file, file) == 0)
      return i;
  places->lines[places->count] = (struct line){file, line};
  return places->count++;
}

static unsigned place_of_site(struct places *places, const struct site *site) {
  return place(places, site->file, site->line);
}

// The line whose operation takes most of a stage.
static unsigned line_of_stage(const struct graph *graph, const struct segment *s, unsigned stage) {
  unsigned line = 0;
  double most = -1;
  for (unsigned i = 0; i < s->nodes.count; i++) {
    const struct node *node = s->nodes.items[i];
    if (node->line == 0 || graph_is_given(node) || graph_is_static(node) || node->start > stage || node->stage < stage)
      continue;
    const double takes = node->stage == stage ? node->ns : graph->period;
    if (takes > most) {
      most = takes;
      line = node->line;
    }
  }
  return line;
}

// The line of what a segment ends with; 0: not known.
static unsigned line_of_end(const struct segment *s) {
  if (s->end == END_LOOP)
    return s->group.items[0]->loop->line;
  if (s->end == END_BACK)
    return s->region->line;
  return s->group.count != 0 ? s->group.items[0]->line : 0;
}

// Stages in which nothing of a line is done are of the line before, else of the next one.
static void write_stages(struct places *places, const struct graph *graph, const struct segment *s) {
  unsigned *lines = graph_allocate((s->depth + 1) * sizeof *lines);
  unsigned next = line_of_end(s);
  if (next == 0 && s->from)
    next = line_of_end(s->from);
  for (unsigned k = 0; k <= s->depth; k++)
    lines[k] = line_of_stage(graph, s, k);
  for (unsigned k = 1; k <= s->depth; k++)
    if (lines[k] == 0)
      lines[k] = lines[k - 1];
  for (unsigned k = s->depth + 1; k-- > 0;) {
    if (lines[k] == 0)
      lines[k] = next;
    next = lines[k];
  }
  for (unsigned k = 0; k <= s->depth; k++)
    fprintf(places->out, " %u", place(places, places->file, lines[k]));
  fputc('\n', places->out);
}

// What ends for the next one's turn is left at once, like the end of a round.
static void write_segment_places(struct places *places, const struct graph *graph, const struct segment *s,
                                 unsigned *spacer) {
  static const char *const ends[] = {[END_EXIT] = "exit",     [END_BACK] = "back",    [END_LOADS] = "loads",
                                     [END_STORES] = "stores", [END_LOOP] = "loop",    [END_BARRIER] = "barrier",
                                     [END_PIPE] = "pipe",     [END_HAZARDS] = "back", [END_APART] = "back"};
  const bool is_array = has_group(s) && s->local_array != 0;
  const char *end = is_array ? "array" : s->is_window ? "window" : ends[s->end];
  const bool has_sites = has_group(s) && !is_array;
  fprintf(places->out, "segment %s %d %d %u %u %u %u", end, head_of(graph, s), has_spacer(s) ? (int)(*spacer)++ : -1,
          place(places, places->file, line_of_end(s)), has_sites ? s->first_site : 0, has_sites ? s->access_count : 0,
          s->depth + 1);
  write_stages(places, graph, s);
}

static char *file_of(const struct graph *graph) {
  LLVMMetadataRef scope = LLVMGetSubprogram(graph->function), file = scope ? LLVMDIScopeGetFile(scope) : NULL;
  unsigned length = 0;
  const char *text = file ? LLVMDIFileGetFilename(file, &length) : "";
  char *name = graph_allocate(length + 1);
  memcpy(name, text, length);
  return name;
}

static void write_file(const char *file, FILE *out) {
  for (const unsigned char *c = (const unsigned char *)file; *c != 0; c++)
    fputc(*c < 0x20 ? '?' : *c, out);
  fputc('\n', out);
}

void observed_places(const struct graph *graph, FILE *out) {
  struct places places = {.out = out, .file = file_of(graph), .count = 1};
  size_t most = graph->site_count + graph->region_count + 2;
  unsigned spacer = 2 * graph->segment_count;
  for (unsigned i = 0; i < graph->segment_count; i++)
    most += graph->segments[i]->depth + 2;
  places.lines = graph_allocate(most * sizeof *places.lines);
  fprintf(out, "pipeline %u %u\n", key_of(graph), graph->lanes);
  for (unsigned i = 0; i < graph->segment_count; i++)
    write_segment_places(&places, graph, graph->segments[i], &spacer);
  for (unsigned i = 0; i < graph->site_count; i++)
    fprintf(out, "site %u\n", place_of_site(&places, &graph->sites[i]));
  for (unsigned i = 0; i < places.count; i++) {
    fprintf(out, "line %u ", places.lines[i].line);
    write_file(i != 0 ? places.lines[i].file : "", out);
  }
}
