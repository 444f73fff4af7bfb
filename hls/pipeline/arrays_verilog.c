// SPDX-License-Identifier: Apache-2.0
// Writes the memories of arrays in private memory. Each operation on one is a port of it.
#include "hls/pipeline/writer.h"

static char *joined(char *high, const char *low) {
  return high ? write_text("%s, %s", high, low) : write_text("%s", low);
}

// The accesses of one kind, the last port first.
struct ports {
  char *slots, *indices, *values, *masks;
};

static struct ports ports_of(struct writer *w, unsigned array, enum op op, unsigned count) {
  const struct graph *graph = w->graph;
  struct ports ports = {NULL, NULL, NULL, NULL};
  for (unsigned p = count; p-- > 0;) {
    for (unsigned i = 0; i < graph->node_count; i++) {
      const struct node *node = graph->nodes[i];
      if (!node->wanted || node->op != op || node->number != array || node->port != p)
        continue;
      const struct segment *s = node->home;
      const unsigned at = node->start, lanes = graph->lanes;
      ports.slots = joined(ports.slots, write_text("s%u_slot_%u", s->id, at));
      ports.indices = joined(ports.indices, write_all_lanes(w, s, node->arguments[0], at, lanes));
      if (op == OP_ELEMENT)
        continue;
      ports.values = joined(ports.values, write_all_lanes(w, s, node->arguments[1], at, lanes));
      ports.masks = joined(ports.masks, write_text("{%u{s%u_valid_%u}} & %s", lanes, s->id, at,
                                                   write_all_lanes(w, s, node->arguments[2], at, lanes)));
    }
  }
  return ports;
}

void write_arrays(struct writer *w) {
  const struct graph *graph = w->graph;
  for (unsigned a = 0; a < graph->array_count; a++) {
    const struct array *array = &graph->arrays[a];
    if (array->readers == 0)
      continue;
    const struct ports reads = ports_of(w, a, OP_ELEMENT, array->readers),
                       writes = ports_of(w, a, OP_SET_ELEMENT, array->writers);
    const unsigned bits = array->readers * graph->lanes * array->width;
    write_declaration(w, "  wire %sarray_%u_value;\n", write_range(bits), a);
    write_body(w, "\n  // ---- %s, of each work-item %u elements of %u bits\n",
               array->name[0] != 0 ? array->name : "an array", array->elements, array->width);
    write_body(w,
               "  private_array #(.WIDTH(%u), .ELEMENTS(%u), .INDEX_BITS(%u), .LANES(%u), .SLOT_BITS(%u), "
               ".READERS(%u), .WRITERS(%u)) array_%u (.clk(clk),\n",
               array->width, array->elements, array->index_bits, graph->lanes, graph->slots_log2, array->readers,
               array->writers != 0 ? array->writers : 1, a);
    if (array->writers != 0)
      write_body(w,
                 "      .write_i({%s}),\n      .write_slot_i({%s}),\n      .write_index_i({%s}),\n      "
                 ".value_i({%s}),\n",
                 writes.masks, writes.slots, writes.indices, writes.values);
    else
      write_body(w, "      .write_i(%u'd0), .write_slot_i(%u'd0), .write_index_i(%u'd0), .value_i(%u'd0),\n",
                 graph->lanes, graph->slots_log2, graph->lanes * array->index_bits, graph->lanes * array->width);
    write_body(w, "      .read_slot_i({%s}),\n      .read_index_i({%s}),\n      .value_o(array_%u_value));\n",
               reads.slots, reads.indices, a);
  }
}
