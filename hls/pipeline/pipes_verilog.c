// SPDX-License-Identifier: Apache-2.0
// The Verilog of what a kernel does to its pipes on the chip: rtl/pipeline/pipe_read.v and pipe_write.v for each place,
// pipe_sites.v for each pipe, and the module's ports to them.
#include "hls/pipeline/schedule.h"
#include "hls/pipeline/writer.h"

static unsigned bits_of(const struct pipe *pipe) {
  return 8 * pipe->bytes;
}

static const struct pipe *pipe_of(const struct graph *graph, const struct node *node) {
  return node->op == OP_PIPE_READ ? &graph->reads : &graph->writes;
}

// The packets of all lanes, as they stand at the end of a segment.
static const char *packets(struct writer *w, const struct segment *s, const struct node *node) {
  const char *text = "", *comma = "";
  for (unsigned l = w->graph->lanes; l-- > 0;)
    for (unsigned i = node->count; i-- > 1; comma = ", ")
      text = write_text("%s%s%s", text, comma, write_operand(w, s, node->arguments[i], s->depth, l));
  return write_text("{%s}", text);
}

void write_pipe_end(struct writer *w, const struct segment *s) {
  const struct graph *graph = w->graph;
  const struct node *node = s->group.items[0];
  const bool reads = node->op == OP_PIPE_READ;
  const unsigned id = s->id, site = (unsigned)node->number, bits = bits_of(pipe_of(graph, node));
  write_declaration(
      w, "  wire p%u_done;\n  wire %sp%u_done_slot, p%u_slot;\n  wire %sp%u_write;\n  wire %sp%u_value;\n", id,
      write_range(graph->slots_log2), id, id, write_range(graph->lanes), id, write_range(reads ? bits + 1 : 1), id);
  write_body(w,
             "  %s #(.LANES(%u), .SLOT_BITS(%u), .BITS(%u), .WAITS(%u)) p%u (.clk(clk), .rst(reset), .valid_i(%s), "
             ".slot_i(%s),\n",
             reads ? "pipe_read" : "pipe_write", graph->lanes, graph->slots_log2, bits, node->waits, id,
             write_last_valid(s), write_last_slot(s));
  write_body(w, "      .lanes_i(%s),\n", write_all_lanes(w, s, node->arguments[0], s->depth, graph->lanes));
  if (reads)
    write_body(w,
               "      .read_o(reads_valid[%u]), .ready_i(reads_ready[%u]), .ok_i(pipe_read_ok_i), "
               ".packet_i(pipe_read_packet_i),\n"
               "      .write_o(p%u_write), .write_slot_o(p%u_slot), .value_o(p%u_value),\n",
               site, site, id, id, id);
  else
    write_body(w,
               "      .packets_i(%s),\n      .write_o(writes_valid[%u]), .packet_o(writes_packet[%u:%u]), "
               ".ready_i(writes_ready[%u]), .ok_i(pipe_write_ok_i),\n"
               "      .taken_o(p%u_write), .taken_slot_o(p%u_slot), .taken_ok_o(p%u_value),\n",
               packets(w, s, node), site, bits * site + bits - 1, bits * site, site, id, id, id);
  write_body(w, "      .done_o(p%u_done), .done_slot_o(p%u_done_slot));\n", id, id);
  write_register_start(w, s->next, write_text("p%u_done", id), write_text("p%u_done_slot", id));
}

void write_pipe_answer(struct writer *w, const struct node *node) {
  const char *name = write_name(node);
  const unsigned id = node->home->id;
  write_body(w, "  assign write_%s = p%u_write;\n  assign slot_%s = p%u_slot;\n  assign value_%s = {%u{p%u_value}};\n",
             name, id, name, id, name, w->graph->lanes, id);
}

void write_pipe_ports(const struct graph *graph, FILE *out) {
  const struct pipe *reads = &graph->reads, *writes = &graph->writes;
  if (reads->name)
    fprintf(out,
            "    output wire                   pipe_read_o,  // %s, as in pipe_queue.v\n"
            "    input  wire                   pipe_read_ready_i,\n"
            "    input  wire                   pipe_read_ok_i,\n"
            "    input  wire [%u:0] pipe_read_packet_i,\n",
            reads->name, bits_of(reads) - 1);
  if (writes->name)
    fprintf(out,
            "    output wire                   pipe_write_o,  // %s, as in pipe_queue.v\n"
            "    output wire [%u:0] pipe_write_packet_o,\n"
            "    input  wire                   pipe_write_ready_i,\n"
            "    input  wire                   pipe_write_ok_i,\n",
            writes->name, bits_of(writes) - 1);
}

static void write_sites(struct writer *w, const struct pipe *pipe, const char *name, const char *port) {
  const unsigned bits = bits_of(pipe), sites = pipe->sites;
  const bool reads = pipe == &w->graph->reads;
  write_declaration(w, "  wire %s%s_valid, %s_ready;\n  wire %s%s_packet;\n", write_range(sites), name, name,
                    write_range(sites * bits), name);
  if (reads)
    write_body(w, "  wire [%u:0] reads_unused;\n  assign reads_packet = 0;\n", bits - 1);
  write_body(w,
             "  pipe_sites #(.SITES(%u), .BITS(%u)) %s (.clk(clk), .rst(reset), .valid_i(%s_valid), "
             ".packet_i(%s_packet), .ready_o(%s_ready),\n"
             "      .valid_o(%s_o), .packet_o(%s), .ready_i(%s_ready_i));\n",
             sites, bits, name, name, name, name, port, reads ? "reads_unused" : write_text("%s_packet_o", port), port);
}

void write_pipes(struct writer *w) {
  const struct graph *graph = w->graph;
  if (!graph->reads.name && !graph->writes.name)
    return;
  write_body(w, "\n  // ---- pipes\n");
  if (graph->reads.name)
    write_sites(w, &graph->reads, "reads", "pipe_read");
  if (graph->writes.name)
    write_sites(w, &graph->writes, "writes", "pipe_write");
}
