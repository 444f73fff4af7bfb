// SPDX-License-Identifier: Apache-2.0
// The Verilog of segments: their stages, delays, and what they read by slot.

#include "hls/pipeline/schedule.h"
#include "hls/pipeline/writer.h"

static bool is_launched(enum op op) {
  return op >= OP_LOCAL_ID && op <= OP_LAST_SUB_GROUP;
}

static void launched(struct writer *w, const struct node *node, const char *result) {
  static const char dimension[] = "xyz";
  const unsigned d = (unsigned)node->number;
  switch (node->op) {
    case OP_LOCAL_ID:
      write_body(w, "  assign %s = launch_local_%c%s;\n", result, dimension[d],
                 graph_copies(w->graph, node) == w->graph->lanes ? "" : "[9:0]");
      return;
    case OP_GROUP_ID:
      write_body(w, "  assign %s = launch_group_id[%u:%u];\n", result, 32 * d + 31, 32 * d);
      return;
    case OP_GROUP_BASE:
      write_body(w, "  assign %s = launch_group_base[%u:%u];\n", result, 32 * d + 31, 32 * d);
      return;
    case OP_GROUP_SIZE:
      write_body(w, "  assign %s = launch_group_size[%u:%u];\n", result, 11 * d + 10, 11 * d);
      return;
    case OP_SUB_GROUP:
      write_body(w, "  assign %s = launch_sub_group;\n", result);
      return;
    case OP_SUB_GROUP_SIZE:
      write_body(w, "  assign %s = launch_sub_group_size;\n", result);
      return;
    default:
      write_body(w, "  assign %s = launch_last_sub_group;\n", result);
      return;
  }
}

static bool is_wanted_at(const struct segment *s, const struct node *node, unsigned stage) {
  for (unsigned i = 0; i < s->use_count; i++)
    if (s->uses[i] == node && s->use_stages[i] == stage)
      return true;
  return false;
}

// A value in a segment to which tokens come some cycles apart: a register takes it from the token that is in its stage.
static void hold(struct writer *w, const struct segment *s, const struct node *node, unsigned at, unsigned holders) {
  const unsigned bits = node->width * graph_copies(w->graph, node);
  const char *before = write_signal(s, node, at);
  for (unsigned i = 0; i < holders; i++) {
    const unsigned stage = at + i * s->apart;
    const char *held = write_text("%s_held", write_signal(s, node, stage));
    write_declaration(w, "  reg %s%s;\n", write_range(bits), held);
    write_body(w, "  always @(posedge clk) if (s%u_valid_%u) %s <= %s;\n", s->id, stage, held, before);
    for (unsigned k = stage + 1; k <= stage + s->apart; k++)
      if (is_wanted_at(s, node, k)) {
        write_declaration(w, "  wire %s%s;\n", write_range(bits), write_signal(s, node, k));
        write_body(w, "  assign %s = %s;\n", write_signal(s, node, k), held);
      }
    before = held;
  }
}

// Each value that is wanted in later stages than the one in which it is there.
static void delays(struct writer *w, const struct segment *s, const struct node *node) {
  const unsigned bits = node->width * graph_copies(w->graph, node);
  unsigned at = schedule_first_stage(w->graph, s, node);
  const unsigned holders = schedule_holders(w->graph, s, node, s->depth);
  if (holders != 0) {
    hold(w, s, node, at, holders);
    return;
  }
  for (;;) {
    unsigned next = ~0u;
    for (unsigned i = 0; i < s->use_count; i++)
      if (s->uses[i] == node && s->use_stages[i] > at && s->use_stages[i] < next)
        next = s->use_stages[i];
    if (next == ~0u)
      return;
    write_declaration(w, "  wire %s%s;\n", write_range(bits), write_signal(s, node, next));
    write_body(w, "  value_delay #(.WIDTH(%u), .CYCLES(%u)) %s_delay (.clk(clk), .value_i(%s), .value_o(%s));\n", bits,
               next - at, write_signal(s, node, next), write_signal(s, node, at), write_signal(s, node, next));
    at = next;
  }
}

static void segment_head(struct writer *w, const struct segment *s) {
  static const char *const ends[] = {[END_EXIT] = "the end of the kernel",
                                     [END_BACK] = "the end of a round",
                                     [END_LOADS] = "loads",
                                     [END_STORES] = "stores",
                                     [END_LOOP] = "a loop",
                                     [END_BARRIER] = "a barrier",
                                     [END_PIPE] = "a pipe",
                                     [END_HAZARDS] = "waiting for rounds that it meets",
                                     [END_APART] = "its turn at shared operators"};
  const struct graph *graph = w->graph;
  unsigned least = ~0u, most = 0;
  for (unsigned i = 0; i < s->nodes.count; i++)
    if (s->nodes.items[i]->line != 0) {
      least = s->nodes.items[i]->line < least ? s->nodes.items[i]->line : least;
      most = s->nodes.items[i]->line > most ? s->nodes.items[i]->line : most;
    }
  write_body(w, "\n  // ---- segment %u, %s%s: %u stages, then %s", s->id,
             !s->region->parent ? "the kernel" : "the loop of line ",
             !s->region->parent ? "" : write_text("%u", s->region->line), s->depth + 1, ends[s->end]);
  if (most != 0)
    write_body(w, "; lines %u to %u", least, most);
  write_body(w, "\n");
  for (unsigned k = 1; k <= s->depth; k++)
    write_declaration(w, "  reg s%u_valid_%u;\n  reg %ss%u_slot_%u;\n", s->id, k, write_range(graph->slots_log2), s->id,
                      k);
  if (s->depth != 0) {
    write_body(w, "  always @(posedge clk) begin\n");
    for (unsigned k = 1; k <= s->depth; k++)
      write_body(w, "    s%u_valid_%u <= s%u_valid_%u && !reset;\n    s%u_slot_%u <= s%u_slot_%u;\n", s->id, k, s->id,
                 k - 1, s->id, k, s->id, k - 1);
    write_body(w, "  end\n");
  }
}

// Tokens that come closer to each other than the segment takes them wait.
static bool start_apart(struct writer *w, const struct segment *s, const char *valid, const char *slot) {
  if (s->apart == 1 || !s->from)
    return false;
  write_declaration(w, "  wire s%u_valid_0;\n  wire %ss%u_slot_0;\n", s->id, write_range(w->graph->slots_log2), s->id);
  write_body(
      w,
      "  spacer #(.SLOT_BITS(%u), .INTERVAL(%u)%s) s%u_spacer (.clk(clk), .rst(reset), .valid_i(%s), .slot_i(%s),\n"
      "      .valid_o(s%u_valid_0), .slot_o(s%u_slot_0));\n",
      w->graph->slots_log2, s->apart, s->is_aligned ? ", .ALIGNED(1)" : "", s->id, valid, slot, s->id, s->id);
  return true;
}

void write_wire_start(struct writer *w, const struct segment *s, const char *valid, const char *slot) {
  if (start_apart(w, s, valid, slot))
    return;
  write_declaration(w, "  wire s%u_valid_0;\n  wire %ss%u_slot_0;\n", s->id, write_range(w->graph->slots_log2), s->id);
  write_body(w, "  assign s%u_valid_0 = %s;\n  assign s%u_slot_0 = %s;\n", s->id, valid, s->id, slot);
}

void write_register_start(struct writer *w, const struct segment *s, const char *valid, const char *slot) {
  if (start_apart(w, s, valid, slot))
    return;
  write_declaration(w, "  reg s%u_valid_0;\n  reg %ss%u_slot_0;\n", s->id, write_range(w->graph->slots_log2), s->id);
  write_body(w, "  always @(posedge clk) begin\n    s%u_valid_0 <= (%s) && !reset;\n    s%u_slot_0 <= %s;\n  end\n",
             s->id, valid, s->id, slot);
}

static bool makes_registers(const struct node *node) {
  return node->op == OP_TABLE || node->op == OP_SHUFFLE;
}

// Operations, each in the stage that it has.
static void write_operations(struct writer *w, const struct segment *s) {
  for (unsigned i = 0; i < s->nodes.count; i++) {
    const struct node *node = s->nodes.items[i];
    if (node->op == OP_PHI || (node->op == OP_MASK && node->region->parent))
      continue;
    if (node->op == OP_CHECK) {
      list_add(&w->checks, s->nodes.items[i]);
      continue;
    }
    if (node->op == OP_SET_ELEMENT)  // arrays_verilog.c
      continue;
    const char *result = write_signal(s, node, node->stage);
    write_declaration(w, "  %s %s%s;\n", makes_registers(node) ? "reg" : "wire",
                      write_range(node->width * graph_copies(w->graph, node)), result);
    if (node->op == OP_MASK)
      write_body(w, "  assign %s = launch_lanes;\n", result);
    else if (is_launched(node->op))
      launched(w, node, result);
    else
      write_operation(w, s, node, result);
  }
}

// Values of other segments, and delays.
static void write_uses(struct writer *w, const struct segment *s) {
  const struct graph *graph = w->graph;
  for (unsigned i = 0; i < s->use_count; i++) {
    const struct node *node = s->uses[i];
    bool seen = false;
    for (unsigned k = 0; k < i; k++)
      seen |= s->uses[k] == node;
    if (seen)
      continue;
    if (schedule_is_read(s, node)) {
      const unsigned at = schedule_first_stage(graph, s, node);
      write_declaration(w, "  wire %s%s;\n", write_range(node->width * graph_copies(graph, node)),
                        write_signal(s, node, at));
      write_read_store(w, node, write_text("s%u_%s_store", s->id, write_name(node)),
                       write_slot_of(w, s->region, node, write_text("s%u_slot_%u", s->id, at - 1)),
                       write_signal(s, node, at));
    }
    delays(w, s, node);
  }
}

void write_segment(struct writer *w, const struct segment *s) {
  segment_head(w, s);
  write_operations(w, s);
  write_uses(w, s);
  switch (s->end) {
    case END_LOADS:
    case END_STORES:
      write_memory_end(w, s);
      break;
    case END_BARRIER:
      write_barrier_end(w, s);
      break;
    case END_PIPE:
      write_pipe_end(w, s);
      break;
    case END_HAZARDS:
      write_hazards_end(w, s);
      break;
    case END_LOOP:
      write_loop_entry(w, s->group.items[0]->loop);
      break;
    case END_APART:
      write_register_start(w, s->next, write_last_valid(s), write_last_slot(s));
      break;
    case END_EXIT:
      write_body(w, "  assign done = %s;\n  assign done_slot = %s;\n", write_last_valid(s), write_last_slot(s));
      break;
    default:
      break;
  }
}
