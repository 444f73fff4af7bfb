// SPDX-License-Identifier: Apache-2.0
// Writes the memories of arrays in private and local memory. Each operation on one is a port of it, and each memory
// group that stores into a local one.
#include "hls/pipeline/writer.h"

static char *joined(char *high, const char *low) {
  return high ? write_text("%s, %s", high, low) : write_text("%s", low);
}

// Of neighbours the first lane's index alone counts, and its lowest bits are their bank.
static const char *indices_of(struct writer *w, const struct node *node) {
  const struct graph *graph = w->graph;
  const struct node *index = node->arguments[0];
  const int bank = graph_bank(graph, node);
  if (bank < 0)
    return write_all_lanes(w, node->home, index, node->start, graph->lanes);
  return write_text("%u'd0, %s >> %u << %u | %u'd%u", (graph->lanes - 1) * index->width,
                    write_operand(w, node->home, index, node->start, 0), graph->lanes_log2, graph->lanes_log2,
                    index->width, (unsigned)bank);
}

// The accesses of one kind, the last port first.
struct ports {
  char *slots, *indices, *values, *masks;
};

// What is on a port: with another access on it, who is at work decides.
static char *shared(const char *before, const char *is_at_work, const char *value) {
  return before ? write_text("%s ? %s : %s", is_at_work, value, before) : write_text("%s", value);
}

static char *either(const char *before, const char *mask) {
  return before ? write_text("%s | %s", before, mask) : write_text("%s", mask);
}

static struct ports ports_of(struct writer *w, unsigned array, enum op op, unsigned count) {
  const struct graph *graph = w->graph;
  struct ports ports = {NULL, NULL, NULL, NULL};
  for (unsigned p = count; p-- > 0;) {
    struct ports port = {NULL, NULL, NULL, NULL};
    for (unsigned i = 0; i < graph->node_count; i++) {
      const struct node *node = graph->nodes[i];
      if (!node->wanted || node->op != op || node->number != array || node->port != p)
        continue;
      const struct segment *s = node->home;
      const unsigned at = node->start, lanes = graph->lanes;
      const char *valid = write_text("s%u_valid_%u", s->id, at);
      port.slots = shared(port.slots, valid, write_text("s%u_slot_%u", s->id, at));
      port.indices = shared(port.indices, valid, indices_of(w, node));
      if (op == OP_ELEMENT)
        continue;
      port.values = shared(port.values, valid, write_all_lanes(w, s, node->arguments[1], at, lanes));
      port.masks = either(
          port.masks, write_text("{%u{%s}} & %s", lanes, valid, write_all_lanes(w, s, node->arguments[2], at, lanes)));
    }
    ports.slots = joined(ports.slots, port.slots);
    ports.indices = joined(ports.indices, port.indices);
    if (op == OP_ELEMENT)
      continue;
    ports.values = joined(ports.values, port.values);
    ports.masks = joined(ports.masks, port.masks);
  }
  return ports;
}

// The signals of the memory groups that store into an array, the last writer first.
static const char *writers_of(const struct graph *graph, unsigned array, const char *signal) {
  const char *list = "";
  for (unsigned i = 0; i < graph->segment_count; i++) {
    const struct segment *s = graph->segments[i];
    if (s->local_array == array + 1)
      list = write_text("m%u_%s%s%s", s->port, signal, list[0] != 0 ? ", " : "", list);
  }
  return list;
}

// The same, of their indices: the lowest bits of each lane's are its bank, where that is always the same.
static const char *indices_of_writers(const struct graph *graph, unsigned array) {
  const char *list = "";
  for (unsigned i = 0; i < graph->segment_count; i++) {
    const struct segment *s = graph->segments[i];
    if (s->local_array != array + 1)
      continue;
    const int bank = graph_bank_of_stores(graph, s);
    const char *comma = list[0] != 0 ? ", " : "";
    if (bank < 0) {
      list = write_text("m%u_address%s%s", s->port, comma, list);
      continue;
    }
    for (unsigned l = 0; l < graph->lanes; l++) {
      list = write_text("m%u_address[%u:%u], %u'd%u%s%s", s->port, 32 * l + 31, 32 * l + graph->lanes_log2,
                        graph->lanes_log2, ((unsigned)bank + l) % graph->lanes, comma, list);
      comma = ", ";
    }
  }
  return list;
}

static const char *patterns_of(const struct graph *graph, unsigned array) {
  const char *list = "";
  for (unsigned p = 0; p < graph->arrays[array].readers; p++)
    for (unsigned i = 0; i < graph->node_count; i++) {
      const struct node *node = graph->nodes[i];
      if (node->wanted && node->op == OP_ELEMENT && node->local_array == array + 1 && node->port == p)
        list = write_text("2'd%u%s%s", node->pattern, list[0] != 0 ? ", " : "", list);
    }
  return list;
}

static void write_local_array(struct writer *w, unsigned a) {
  const struct graph *graph = w->graph;
  const struct array *array = &graph->arrays[a];
  const unsigned lanes = graph->lanes, readers = array->readers != 0 ? array->readers : 1,
                 writers = array->writers != 0 ? array->writers : 1;
  write_declaration(
      w, "  wire %sarray_%u_value;\n  wire %sarray_%u_ready, array_%u_done;\n  wire %sarray_%u_done_slot;\n",
      write_range(readers * lanes * array->width), a, write_range(writers), a, a, write_range(graph->slots_log2), a);
  write_body(w, "\n  // ---- %s, of each work-group %u elements of %u bits\n", array->name, array->elements,
             array->width);
  write_body(
      w,
      "  local_array #(.WIDTH(%u), .ELEMENTS(%u), .INDEX_BITS(%u), .LANES(%u), .BANKS_LOG2(%u), .SLOT_BITS(%u), "
      ".GROUP_SLOT_BITS(%u),\n      .READERS(%u), .PATTERN({%s}), .WRITERS(%u)) array_%u (.clk(clk), .rst(reset), "
      ".shift_i(shift),\n",
      array->width, array->elements, array->index_bits, lanes, array->banks_log2, graph->slots_log2,
      graph->group_slots_log2, readers, array->readers != 0 ? patterns_of(graph, a) : "2'd0", writers, a);
  if (array->writers != 0)
    write_body(w,
               "      .write_i({%s}), .final_i({%s}), .slot_i({%s}), .lanes_i({%s}),\n      .index_i({%s}), "
               ".value_i({%s}),\n",
               writers_of(graph, a, "access"), writers_of(graph, a, "final"), writers_of(graph, a, "slot"),
               writers_of(graph, a, "lanes"), indices_of_writers(graph, a), writers_of(graph, a, "data"));
  else
    write_body(w,
               "      .write_i(1'b0), .final_i(1'b0), .slot_i(%u'd0), .lanes_i(%u'd0), .index_i(%u'd0), "
               ".value_i(%u'd0),\n",
               graph->slots_log2, lanes, 32 * lanes, 32 * lanes);
  write_body(w, "      .ready_o(array_%u_ready), .done_o(array_%u_done), .done_slot_o(array_%u_done_slot),\n", a, a, a);
  const struct ports reads = ports_of(w, a, OP_ELEMENT, array->readers);
  if (array->readers != 0)
    write_body(w, "      .read_slot_i({%s}),\n      .read_index_i({%s}), .value_o(array_%u_value));\n", reads.slots,
               reads.indices, a);
  else
    write_body(w, "      .read_slot_i(%u'd0), .read_index_i(%u'd0), .value_o(array_%u_value));\n", graph->slots_log2,
               lanes * array->index_bits, a);
}

void write_arrays(struct writer *w) {
  const struct graph *graph = w->graph;
  for (unsigned a = 0; a < graph->array_count; a++) {
    const struct array *array = &graph->arrays[a];
    if (array->is_local && (array->readers != 0 || array->writers != 0))
      write_local_array(w, a);
    if (array->is_local || array->readers == 0)
      continue;
    const struct ports reads = ports_of(w, a, OP_ELEMENT, array->readers),
                       writes = ports_of(w, a, OP_SET_ELEMENT, array->writers);
    const unsigned bits = array->readers * graph->lanes * array->width;
    // Of a work-item that is alone there are no slots.
    const bool has_slots = graph_array_has_slots(graph, array);
    const unsigned slot_bits = has_slots ? graph->slots_log2 : 0;
    const char *read_slots = has_slots ? reads.slots : write_text("%u'd0", array->readers),
               *write_slots = has_slots ? writes.slots : write_text("%u'd0", array->writers);
    write_declaration(w, "  wire %sarray_%u_value;\n", write_range(bits), a);
    write_body(w, "\n  // ---- %s, of each %s %u elements of %u bits\n", array->name[0] != 0 ? array->name : "an array",
               graph->arrays_of_one && has_slots ? "round" : "work-item", array->elements, array->width);
    write_body(w,
               "  private_array #(.WIDTH(%u), .ELEMENTS(%u), .INDEX_BITS(%u), .LANES(%u), .SLOT_BITS(%u), "
               ".READERS(%u), .WRITERS(%u)) array_%u (.clk(clk),\n",
               array->width, array->elements, array->index_bits, graph->lanes, slot_bits, array->readers,
               array->writers != 0 ? array->writers : 1, a);
    if (array->writers != 0)
      write_body(w,
                 "      .write_i({%s}),\n      .write_slot_i({%s}),\n      .write_index_i({%s}),\n      "
                 ".value_i({%s}),\n",
                 writes.masks, write_slots, writes.indices, writes.values);
    else
      write_body(w, "      .write_i(%u'd0), .write_slot_i(%u'd0), .write_index_i(%u'd0), .value_i(%u'd0),\n",
                 graph->lanes, slot_bits != 0 ? slot_bits : 1, graph->lanes * array->index_bits,
                 graph->lanes * array->width);
    write_body(w, "      .read_slot_i({%s}),\n      .read_index_i({%s}),\n      .value_o(array_%u_value));\n",
               read_slots, reads.indices, a);
  }
}
