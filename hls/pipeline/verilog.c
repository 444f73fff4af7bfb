// SPDX-License-Identifier: Apache-2.0
// Writes the Verilog of a scheduled graph: one module, whose parts are those of rtl/pipeline. A value is named for its
// operation, the line of the source and its number, behind it stands the stage; declarations come first, since Verilog
// wants them before their use. The same graph gives the same bytes.
#include <stdlib.h>
#include <string.h>

#include "hls/pipeline/calls.h"
#include "hls/pipeline/interleave.h"
#include "hls/pipeline/schedule.h"
#include "hls/pipeline/writer.h"

// ---- values by slot

// What is loaded is stored as it comes from the port: of each lane the access and the port's lane that have its word.
static void loaded(struct writer *w, const struct node *node) {
  const struct graph *graph = w->graph;
  const unsigned copies = graph_copies(graph, node), width = node->width;
  const char *name = write_name(node);
  struct accesses accesses;
  schedule_accesses(graph, node->home, &accesses);
  write_body(w, "  assign slot_%s = answer_slot;\n", name);
  for (unsigned i = 0; i < accesses.count; i++) {
    const struct access *access = &accesses.items[i];
    unsigned word = 0;
    while (word < access->words && access->nodes[word] != node)
      word++;
    for (unsigned l = 0; l < copies && word < access->words; l++) {
      const int from = access_lane(graph, access, word, l);
      if (from < 0)
        continue;
      write_body(w, "  assign write_%s[%u] = answer && answer_site == %u'd%u && answer_lanes[%d];\n", name, l,
                 w->site_bits, node->home->first_site + i, from);
      write_body(w, "  assign value_%s[%u:%u] = answer_data[%d:%d];\n", name, width * l + width - 1, width * l,
                 32 * from + (int)width - 1, 32 * from);
    }
  }
}

// Writes the signals that store a value: write_…, slot_…, value_…
static void stored(struct writer *w, const struct node *node) {
  const struct graph *graph = w->graph;
  const unsigned copies = graph_copies(graph, node), width = node->width;
  const char *name = write_name(node);
  write_declaration(w, "  wire %swrite_%s;\n  wire %sslot_%s;\n  wire %svalue_%s;\n", write_range(copies), name,
                    write_range(graph->slots_log2), name, write_range(width * copies), name);
  if (node->op == OP_LOAD && node->window != WINDOW_NONE) {
    write_window_answer(w, node);
    return;
  }
  if (node->op == OP_LOAD || node->op == OP_ATOMIC) {
    loaded(w, node);
    return;
  }
  if (graph_is_answer(node)) {
    write_pipe_answer(w, node);
    return;
  }
  if (node->op == OP_OUT) {
    // Each lane's last round stays.
    const struct segment *s = schedule_out_segment(node);
    const unsigned stage = schedule_out_stage(node);
    const char *mask = write_signal(s, node->loop->mask, stage);
    if (node->number == OUT_OF_TOKEN)
      write_body(w, "  assign write_%s = s%u_valid_%u;\n", name, s->id, stage);
    else if (copies == 1 && graph->lanes > 1)
      write_body(w, "  assign write_%s = s%u_valid_%u && (|%s);\n", name, s->id, stage, mask);
    else
      write_body(w, "  assign write_%s = {%u{s%u_valid_%u}} & %s;\n", name, copies, s->id, stage, mask);
    write_body(w, "  assign slot_%s = %s;\n  assign value_%s = %s;\n", name,
               node->loop->overlaps ? write_text("%u'd0", graph->slots_log2) : write_text("s%u_slot_%u", s->id, stage),
               name, write_all_lanes(w, s, node->arguments[0], stage, copies));
    return;
  }
  write_body(w, "  assign write_%s = {%u{s%u_valid_%u}};\n  assign slot_%s = s%u_slot_%u;\n  assign value_%s = %s;\n",
             name, copies, node->home->id, node->stage, name, node->home->id, node->stage, name,
             write_signal(node->home, node, node->stage));
}

const char *write_slot_of(struct writer *w, const struct region *r, const struct node *node, const char *slot) {
  const struct region *around = interleave_around(r);
  return around && !graph_encloses(around, node->region) ? write_text("%u'd0", w->graph->slots_log2) : slot;
}

void write_read_store(struct writer *w, const struct node *node, const char *instance, const char *slot,
                      const char *result) {
  const struct graph *graph = w->graph;
  const char *name = write_name(node);
  unsigned copies = graph_copies(graph, node), width = node->width;
  const char *first = "";
  // What is written for all lanes together is one word.
  if (!schedule_is_written_by_lane(node)) {
    width *= copies;
    copies = 1;
    first = "[0]";
  }
  write_body(w,
             "  slot_store #(.WIDTH(%u), .LANES(%u), .SLOT_BITS(%u)) %s (.clk(clk), .write_i(write_%s%s), "
             ".write_slot_i(slot_%s), .value_i(value_%s),\n"
             "      .read_slot_i(%s), .value_o(%s));\n",
             width, copies, graph->slots_log2, instance, name, first, name, name, slot, result);
}

// Values that a segment other than their own, a loop's entry or a barrier takes.
static void stored_values(struct writer *w) {
  const struct graph *graph = w->graph;
  bool *wanted = graph_allocate(graph->node_count * sizeof *wanted);
  for (unsigned i = 0; i < graph->segment_count; i++) {
    const struct segment *s = graph->segments[i];
    for (unsigned k = 0; k < s->use_count; k++)
      if (schedule_is_read(s, s->uses[k]))
        wanted[s->uses[k]->id] = true;
    if (s->end == END_BARRIER && s->group.items[0]->op != OP_BARRIER &&
        !graph_is_static(s->group.items[0]->arguments[0]))
      wanted[s->group.items[0]->arguments[0]->id] = true;
    if (s->end != END_LOOP || schedule_is_fair(s->group.items[0]->loop))
      continue;
    const struct region *loop = s->group.items[0]->loop;
    if (!graph_is_static(loop->enter))
      wanted[loop->enter->id] = true;
    for (unsigned k = 0; k < loop->initial.count; k++)
      if (!graph_is_static(loop->initial.items[k]))
        wanted[loop->initial.items[k]->id] = true;
  }
  write_body(w, "\n  // ---- values that are kept by slot: when, where and what is written\n");
  for (unsigned i = 0; i < graph->node_count; i++)
    if (wanted[i])
      stored(w, graph->nodes[i]);
}

// ---- what collectives check, and accesses of arrays

// Who is wrong: lanes, and if the graph checks addresses, above them whether it is their address, and one of each lane.
static const char *wrong_of(struct writer *w, const struct node *check) {
  const struct segment *s = check->home;
  const char *lanes = write_operand(w, s, check->arguments[0], check->start, 0);
  if (!w->graph->checks_addresses)
    return lanes;
  const unsigned bits = 32 * w->graph->lanes;
  const bool has_address = check->number == CHECK_ADDRESS;
  const char *addresses = has_address ? write_all_lanes(w, s, check->arguments[1], check->start, w->graph->lanes)
                                      : write_text("%u'd0", bits);
  return write_text("{%s, 1'b%d, %s}", addresses, has_address, lanes);
}

static bool has_local_arrays(const struct graph *graph) {
  bool has = false;
  for (unsigned a = 0; a < graph->array_count; a++)
    has |= graph->arrays[a].is_local;
  return has;
}

// What is checked: the first that finds something is the fault. In registers, since much comes together here.
static void divergence(struct writer *w) {
  const unsigned count = w->checks.count, slots = w->graph->slots_log2;
  const unsigned bits = w->graph->lanes + (w->graph->checks_addresses ? 1 + 32 * w->graph->lanes : 0);
  if (count == 0) {
    write_declaration(
        w, "  wire divergent;\n  wire %sdivergent_slot;\n  wire %sdivergent_site;\n  wire %sdivergent_lanes;\n",
        write_range(slots), write_range(w->site_bits), write_range(bits));
    write_declaration(w, "  wire divergent_fixed;\n");
    write_body(w, "  assign {divergent, divergent_fixed, divergent_slot, divergent_site, divergent_lanes} = 0;\n");
    return;
  }
  write_declaration(w, "  reg divergent;\n  reg %sdivergent_slot;\n  reg %sdivergent_site;\n  reg %sdivergent_lanes;\n",
                    write_range(slots), write_range(w->site_bits), write_range(bits));
  write_body(w,
             w->graph->checks_addresses
                 ? has_local_arrays(w->graph)
                       ? "\n  // ---- lanes with an address outside an array, or that come to a collective and have "
                         "missed one\n"
                       : "\n  // ---- lanes with an address outside private memory, or that come to a collective and "
                         "have missed one\n"
                 : "\n  // ---- lanes that come to a collective and have missed one before\n");
  write_declaration(w, "  reg divergent_fixed;\n");
  const char *fixed = "1'b0", *any = "", *slot = write_text("%u'd0", slots), *site = write_text("%u'd0", w->site_bits),
             *wrong = "0";
  for (unsigned i = count; i-- > 0;) {
    const struct node *check = w->checks.items[i], *found = check->arguments[0];
    const struct segment *s = check->home;
    write_declaration(w, "  wire %s;\n", write_name(check));
    write_body(w, "  assign %s = s%u_valid_%u && (|%s);\n", write_name(check), s->id, check->start,
               write_operand(w, s, found, check->start, 0));
    any = write_text("%s%s%s", write_name(check), any[0] != 0 ? " || " : "", any);
    fixed = i + 1 == count ? write_text("1'b%d", check->number == CHECK_FIXED)
                           : write_text("%s ? 1'b%d : %s", write_name(check), check->number == CHECK_FIXED, fixed);
    if (i + 1 == count) {
      slot = write_text("s%u_slot_%u", s->id, check->start);
      site = write_text("%u'd%u", w->site_bits, check->site);
      wrong = wrong_of(w, check);
      continue;
    }
    slot = write_text("%s ? s%u_slot_%u : %s", write_name(check), s->id, check->start, slot);
    site = write_text("%s ? %u'd%u : %s", write_name(check), w->site_bits, check->site, site);
    wrong = write_text("%s ? %s : %s", write_name(check), wrong_of(w, check), wrong);
  }
  write_body(w, "  always @(posedge clk) begin\n    divergent <= (%s) && !reset;\n    divergent_slot <= %s;\n", any,
             slot);
  write_body(w, "    divergent_site <= %s;\n    divergent_lanes <= %s;\n    divergent_fixed <= %s;\n  end\n", site,
             wrong, fixed);
}

// ---- the module

static void tables(struct writer *w) {
  for (unsigned i = 0; i < w->graph->table_count; i++) {
    const struct table *table = &w->graph->tables[i];
    if (!table->is_read)
      continue;
    const unsigned bits = table->log2_bytes > 2 ? table->log2_bytes - 2 : 1;
    write_body(w, "\n  // ---- %s\n  function [31:0] table_%u_word(input [%u:0] at);\n    case (at)\n", table->name, i,
               bits - 1);
    for (uint32_t k = 0; k < table->words; k++)
      write_body(w, "      %u'd%u: table_%u_word = 32'h%08x;\n", bits, k, i, table->values[k]);
    write_body(w, "      default: table_%u_word = 32'd0;\n    endcase\n  endfunction\n", i);
  }
}

static void static_values(struct writer *w) {
  const struct graph *graph = w->graph;
  write_body(
      w,
      "\n  // ---- what is the same for the whole dispatch: words of the packet, and what is computed from them, a "
      "register each\n");
  for (unsigned i = 0; i < graph->node_count; i++) {
    const struct node *node = graph->nodes[i];
    if (!node->wanted || node->class != CLASS_DISPATCH)
      continue;
    const char *result = write_text("d_%s", write_name(node));
    if (node->op == OP_WORD) {
      write_declaration(w, "  wire [31:0] %s;\n", result);
      if (node->number == PACKET_ADDRESS)
        write_body(w, "  assign %s = packet_i;\n", result);
      else
        write_body(w, "  assign %s = words[%u:%u];\n", result, 32 * (unsigned)node->number + 31,
                   32 * (unsigned)node->number);
      continue;
    }
    if (node->op == OP_FIXED_BAD) {
      write_declaration(w, "  wire [0:0] %s;\n", result);
      write_body(w, "  assign %s = fixed_bad[%u];\n", result, (unsigned)node->number);
      continue;
    }
    if (node->op == OP_FIXED) {
      write_declaration(w, "  wire [31:0] %s;\n", result);
      write_body(w, "  assign %s = fixed[%u:%u];\n", result, 32 * (unsigned)node->number + 31,
                 32 * (unsigned)node->number);
      continue;
    }
    const bool wired = (node->op == OP_MUL && !graph_is_sum(node, NULL)) || node->op == OP_MUL_HIGH ||
                       (node->op >= OP_DIVIDE && node->op <= OP_VERILOG) ||
                       (node->op >= OP_FADD && node->op <= OP_TO_INT);
    write_declaration(w, "  %s %s%s;\n", wired ? "wire" : "reg", write_range(node->width), result);
    write_operation(w, NULL, node, result);
  }
}

static const char unit_ports[] =
    "    input  wire                   start_i,\n"
    "    input  wire                   clear_i,\n"
    "    input  wire [           31:0] packet_i,\n"
    "    input  wire [            2:0] sub_group_log2_i,\n"
    "    input  wire [           10:0] sub_groups_i,\n"
    "    input  wire [           31:0] local_bytes_i,\n"
    "    input  wire [           27:0] rights_i,\n"
    "    input  wire                   group_valid_i,\n"
    "    output wire                   group_ready_o,\n"
    "    input  wire [           95:0] group_id_i,\n"
    "    input  wire [           95:0] group_base_i,\n"
    "    input  wire [           32:0] group_size_i,\n"
    "    output wire                   group_done_o,\n"
    "    output wire                   idle_o,\n"
    "    input  wire                   stop_i,\n"
    "    input  wire [            3:0] stop_reason_i,\n"
    "    output wire                   fault_o,\n"
    "    output wire                   drained_o,\n"
    "    output wire [          255:0] fault_record_o,\n"
    "    output wire                   issued_o,\n"
    "    output wire [            5:0] active_o,\n"
    "    output wire                   memory_wait_o,\n"
    "    output wire                   conflict_o,\n"
    "    output wire                   request_valid_o,\n"
    "    input  wire                   request_ready_i,\n"
    "    output wire [            1:0] request_kind_o,\n"
    "    output wire [            4:0] request_function_o,\n"
    "    output wire [GLOBAL_LOG2-1:0] request_address_o,\n"
    "    output wire [8*BEAT_BYTES-1:0] request_data_o,\n"
    "    output wire [  BEAT_BYTES-1:0] request_strobe_o,\n"
    "    output wire [ OWNER_BITS-1:0] request_owner_o,\n"
    "    output wire [ LABEL_BITS-1:0] request_label_o,\n"
    "    input  wire                   response_valid_i,\n"
    "    output wire                   response_ready_o,\n"
    "    input  wire [8*BEAT_BYTES-1:0] response_data_i,\n"
    "    input  wire [ LABEL_BITS-1:0] response_label_i\n";

static const char unit_names[] =
    "start_i clear_i packet_i sub_group_log2_i sub_groups_i local_bytes_i rights_i group_valid_i group_ready_o "
    "group_id_i "
    "group_base_i "
    "group_size_i group_done_o idle_o stop_i stop_reason_i fault_o drained_o fault_record_o issued_o active_o "
    "memory_wait_o conflict_o "
    "request_valid_o request_ready_i request_kind_o request_function_o request_address_o request_data_o "
    "request_strobe_o "
    "request_owner_o request_label_o response_valid_i response_ready_o response_data_i response_label_i";

// What each site's access is, for the fault's work-item: as in memory_group.v, the first site lowest.
static void site_tables(const struct graph *graph, const char **across, const char **turn) {
  *across = *turn = "";
  unsigned count = 0;
  for (unsigned i = 0; i < graph->segment_count; i++) {
    const struct segment *s = graph->segments[i];
    if ((s->end != END_LOADS && s->end != END_STORES) || s->local_array != 0)
      continue;
    struct accesses a;
    schedule_accesses(graph, s, &a);
    for (unsigned k = 0; k < a.count; k++, count++) {
      const char *comma = count != 0 ? ", " : "";
      *across = write_text("8'd%u%s%s", a.items[k].across, comma, *across);
      *turn = write_text("8'd%u%s%s", a.items[k].turn, comma, *turn);
    }
  }
  if (count < graph->site_count || count == 0) {
    const unsigned rest = 8 * (graph->site_count > count ? graph->site_count - count : 1);
    *across = write_text("%u'd0%s%s", rest, count != 0 ? ", " : "", *across);
    *turn = write_text("%u'd0%s%s", rest, count != 0 ? ", " : "", *turn);
  }
}

// The words that are loaded once a dispatch: where they are, and which wait for those before them.
static void fixed_words(struct writer *w, const char **parameters) {
  const struct graph *graph = w->graph;
  const unsigned count = graph->fixed_count;
  uint32_t waits = 0, sure = 0;
  const char *offsets = "";
  write_declaration(w, "  wire %sfixed_bad;\n", write_range(count != 0 ? count : 1));
  write_declaration(w, "  wire %sfixed, fixed_root;\n", write_range(32 * (count != 0 ? count : 1)));
  if (count == 0)
    write_body(w, "  assign fixed_root = 32'd0;\n");
  for (unsigned i = 0; i < count; i++) {
    if (i > 0 && graph->fixed[i].level != graph->fixed[i - 1].level)
      waits |= 1u << i;
    sure |= (uint32_t)graph->fixed[i].is_sure << i;
    write_body(w, "  assign fixed_root[%u:%u] = %s;\n", 32 * i + 31, 32 * i,
               write_operand(w, NULL, graph->fixed[i].root, 0, 0));
    offsets = write_text("32'h%x%s%s", graph->fixed[i].offset, i != 0 ? ", " : "", offsets);
  }
  *parameters = count == 0 ? ""
                           : write_text(
                                 "      .FIXED(%u),\n      .FIXED_OFFSETS({%s}),\n      .FIXED_WAITS(32'h%x),\n"
                                 "      .FIXED_SURE(32'h%x),\n      .FIXED_SITE(%u),\n",
                                 count, offsets, waits, sure, graph->fixed[0].site);
}

// The signals between the unit and the segments.
static void declare_unit_signals(struct writer *w, unsigned groups) {
  const unsigned lanes = w->graph->lanes, words = w->graph->port_lanes, slots = w->graph->slots_log2;
  write_declaration(
      w, "  wire reset, token, begin_group, wipe, done, answer, answer_end;\n  wire [2:0] shift;\n  wire %swords;\n",
      write_range(32 * w->graph->words));
  write_declaration(
      w,
      "  wire %sslot, wipe_group_slot, begin_group_slot, begin_last, done_slot, answer_slot, launch_sub_group, "
      "launch_last_sub_group;\n",
      write_range(slots));
  write_declaration(
      w, "  wire %slaunch_lanes;\n  wire %sanswer_lanes;\n  wire %slaunch_local_x, launch_local_y, launch_local_z;\n",
      write_range(lanes), write_range(words), write_range(10 * lanes));
  write_declaration(
      w,
      "  wire [5:0] launch_sub_group_size;\n  wire [95:0] launch_group_id, launch_group_base;\n  wire [32:0] "
      "launch_group_size;\n");
  write_declaration(w, "  wire %sanswer_site;\n  wire %sanswer_data;\n", write_range(w->site_bits),
                    write_range(32 * words));
  write_declaration(
      w,
      "  wire [%u:0] group_valid, group_ready, group_final;\n  wire [%u:0] group_kind, group_size;\n  wire [%u:0] "
      "group_function;\n",
      groups - 1, 2 * groups - 1, 5 * groups - 1);
  write_declaration(w,
                    "  wire [%u:0] group_slot;\n  wire [%u:0] group_site;\n  wire [%u:0] group_lanes;\n  wire [%u:0] "
                    "group_address, group_data;\n",
                    slots * groups - 1, w->site_bits * groups - 1, words * groups - 1, 32 * words * groups - 1);
}

static void parameter(struct writer *w, const char *name, unsigned value) {
  write_body(w, "      .%s(%u),\n", name, value);
}

// A parameter that is left at its default where it does not differ.
static void parameter_if(struct writer *w, bool differs, const char *name, unsigned value) {
  if (differs)
    parameter(w, name, value);
}

// `fixed`: those of the words that are loaded once a dispatch.
static void unit_parameters(struct writer *w, unsigned groups, const char *fixed) {
  static const char *const passed_on[] = {"GLOBAL_LOG2", "FIRST_LOG2", "LOCAL_LOG2", "BEAT_LOG2",
                                          "OWNER_BITS",  "LABEL_BITS", "PAGES_LOG2"};
  enum { PASSED_ON = sizeof passed_on / sizeof *passed_on };
  const struct graph *graph = w->graph;
  const char *across, *turn;
  site_tables(graph, &across, &turn);
  write_body(w, "  pipeline_unit #(\n");
  parameter(w, "LANES", graph->lanes);
  parameter(w, "LANES_LOG2", graph->lanes_log2);
  parameter(w, "SLOT_BITS", graph->slots_log2);
  parameter(w, "GROUPS", groups);
  parameter(w, "SITE_BITS", w->site_bits);
  parameter(w, "SITES", graph->site_count != 0 ? graph->site_count : 1);
  write_body(w, "      .ACROSS({%s}),\n      .TURN({%s}),\n", across, turn);
  parameter(w, "WORDS", graph->words);
  parameter(w, "INTERVAL", graph_interval(graph));
  parameter(w, "SETTLE", graph->settle);
  parameter(w, "LOCAL", graph->uses_local);
  parameter(w, "ATOMIC", graph->uses_atomic);
  parameter(w, "NARROW", graph->uses_narrow);
  write_body(w, "%s", fixed);
  const bool has_wide_port = graph->port_lanes != graph->lanes;
  parameter_if(w, has_wide_port, "PORT_LANES", graph->port_lanes);
  parameter_if(w, has_wide_port, "PORT_LANES_LOG2", graph->port_lanes_log2);
  parameter_if(w, graph->private_log2 != 0, "PRIVATE_LOG2", graph->private_log2);
  parameter_if(w, graph->checks_addresses, "CHECK_ADDRESSES", 1);
  parameter_if(w, graph->by_rows, "BY_ROWS", 1);
  parameter_if(w, graph->is_of_one, "IS_OF_ONE", 1);
  parameter_if(w, graph_is_once(graph), "ONCE", 1);
  parameter_if(w, !graph_uses_packet(graph), "PACKET", 0);
  parameter_if(w, graph->ports == 0, "PORT", 0);
  parameter_if(w, graph->group_slots_log2 != graph->slots_log2, "GROUP_SLOTS_LOG2", graph->group_slots_log2);
  for (unsigned i = 0; i < PASSED_ON; i++)
    write_body(w, "      .%s(%s)%s\n", passed_on[i], passed_on[i], i + 1 < PASSED_ON ? "," : "");
}

// Its ports to the segments, and the signals there.
static const struct {
  const char *port, *signal;
} unit_connections[] = {{"reset_o", "reset"},
                        {"words_o", "words"},
                        {"fixed_root_i", "fixed_root"},
                        {"fixed_o", "fixed"},
                        {"fixed_bad_o", "fixed_bad"},
                        {"shift_o", "shift"},
                        {"wipe_o", "wipe"},
                        {"wipe_group_slot_o", "wipe_group_slot"},
                        {"begin_o", "begin_group"},
                        {"begin_group_slot_o", "begin_group_slot"},
                        {"begin_last_o", "begin_last"},
                        {"token_o", "token"},
                        {"slot_o", "slot"},
                        {"lanes_o", "launch_lanes"},
                        {"local_x_o", "launch_local_x"},
                        {"local_y_o", "launch_local_y"},
                        {"local_z_o", "launch_local_z"},
                        {"sub_group_o", "launch_sub_group"},
                        {"sub_group_size_o", "launch_sub_group_size"},
                        {"last_sub_group_o", "launch_last_sub_group"},
                        {"group_id_o", "launch_group_id"},
                        {"group_base_o", "launch_group_base"},
                        {"group_size_o", "launch_group_size"},
                        {"done_i", "done"},
                        {"done_slot_i", "done_slot"},
                        {"valid_i", "group_valid"},
                        {"ready_o", "group_ready"},
                        {"kind_i", "group_kind"},
                        {"function_i", "group_function"},
                        {"size_i", "group_size"},
                        {"slot_i", "group_slot"},
                        {"site_i", "group_site"},
                        {"final_i", "group_final"},
                        {"lanes_i", "group_lanes"},
                        {"address_i", "group_address"},
                        {"data_i", "group_data"},
                        {"answer_o", "answer"},
                        {"answer_end_o", "answer_end"},
                        {"answer_slot_o", "answer_slot"},
                        {"answer_site_o", "answer_site"},
                        {"answer_lanes_o", "answer_lanes"},
                        {"answer_data_o", "answer_data"},
                        {"divergent_i", "divergent"},
                        {"divergent_slot_i", "divergent_slot"},
                        {"divergent_site_i", "divergent_site"},
                        {"divergent_fixed_i", "divergent_fixed"},
                        {"divergent_lanes_i", "divergent_lanes"}};

static void unit(struct writer *w) {
  const unsigned groups = w->graph->ports != 0 ? w->graph->ports : 1;
  const char *fixed;
  fixed_words(w, &fixed);
  declare_unit_signals(w, groups);
  if (w->graph->ports == 0)
    write_body(w,
               "  assign {group_valid, group_final, group_kind, group_size, group_function, group_slot, group_site, "
               "group_lanes} = 0;\n"
               "  assign {group_address, group_data} = 0;\n");
  unit_parameters(w, groups, fixed);
  write_body(w, "  ) unit (\n      .clk(clk),\n      .rst(rst),\n");
  char *names = write_text("%s", unit_names), *rest = NULL;
  for (char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
    write_body(w, "      .%s(%s),\n", name, name);
  enum { CONNECTIONS = sizeof unit_connections / sizeof *unit_connections };
  for (unsigned i = 0; i < CONNECTIONS; i++)
    write_body(w, "      .%s(%s)%s\n", unit_connections[i].port, unit_connections[i].signal,
               i + 1 < CONNECTIONS ? "," : "");
  write_body(w, "  );\n");
}

enum status graph_verilog(const struct graph *graph, FILE *out) {
  struct writer w = {.graph = graph, .site_bits = graph_site_bits(graph)};
  char *declarations = NULL, *statements = NULL;
  size_t declaration_size, statement_size;
  w.declare = open_memstream(&declarations, &declaration_size);
  w.body = open_memstream(&statements, &statement_size);
  if (!w.declare || !w.body)
    return STATUS_FAILED;
  unit(&w);
  static_values(&w);
  write_wire_start(&w, graph->top->first, "token", "slot");
  for (unsigned i = 0; i < graph->segment_count; i++)
    write_segment(&w, graph->segments[i]);
  stored_values(&w);
  write_arrays(&w);
  write_pipes(&w);
  divergence(&w);
  fclose(w.declare);
  fclose(w.body);

  fprintf(out,
          "// SPDX-License-Identifier: Apache-2.0\n"
          "// The kernel %s as a pipeline: %u lanes, %u sub-groups at once, %u segments. Made by heddlec --hardware.\n"
          "`default_nettype none\n\nmodule pipeline_%s #(\n    parameter GLOBAL_LOG2 = 28,\n    parameter FIRST_LOG2 = "
          "12,\n    parameter LOCAL_LOG2 = 15,\n"
          "    parameter BEAT_LOG2 = 4,\n    parameter OWNER_BITS = %u,\n    parameter LABEL_BITS = 63,\n    parameter "
          "PAGES_LOG2 = 0,\n    parameter BEAT_BYTES = 1 << BEAT_LOG2\n) (\n"
          "    input  wire                   clk,\n    input  wire                   rst,\n",
          graph->kernel, graph->lanes, 1u << graph->slots_log2, graph->segment_count, graph->kernel, graph->slots_log2);
  write_pipe_ports(graph, out);
  fprintf(out, "%s);\n", unit_ports);
  fprintf(out,
          "  // NaN, equal and less as IEEE 754 has them.\n"
          "  function float_is_nan(input [31:0] a);\n    float_is_nan = a[30:23] == 8'd255 && a[22:0] != 23'd0;\n  "
          "endfunction\n"
          "  function float_equal(input [31:0] a, input [31:0] b);\n"
          "    float_equal = !float_is_nan(a) && !float_is_nan(b) && (a == b || (a[30:0] | b[30:0]) == 31'd0);\n  "
          "endfunction\n"
          "  function float_less(input [31:0] a, input [31:0] b);\n"
          "    float_less = !float_is_nan(a) && !float_is_nan(b) && (a[31] != b[31] ? a[31] && (a[30:0] | b[30:0]) != "
          "31'd0 :\n"
          "                 a != b && ((a[30:0] < b[30:0]) ^ a[31]));\n  endfunction\n");
  struct writer functions = {.graph = graph, .body = out};
  tables(&functions);
  fprintf(out, "\n%s\n%sendmodule\n\n`default_nettype wire\n", declarations, statements);
  free(declarations);
  free(statements);
  return ferror(out) ? STATUS_FAILED : STATUS_OK;
}
