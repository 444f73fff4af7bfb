// SPDX-License-Identifier: Apache-2.0
// The Verilog of what a kernel does to its pipes on the chip: rtl/pipeline/pipe_read.v and pipe_write.v for each place,
// pipe_sites.v for each pipe, and the module's ports to them.
#include "hls/pipeline/schedule.h"
#include "hls/pipeline/writer.h"

static unsigned bits_of(const struct pipe *pipe) {
  return 8 * pipe->is.bytes;
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
  const unsigned id = s->id, site = (unsigned)node->number, pipe = node->pipe, bits = bits_of(&graph->pipes[pipe]);
  // One that polls has its answer also from a pipe that is not ready: none.
  const char *ok = write_text(node->polls ? "pipe%u_ok_i && pipe%u_ready_i" : "pipe%u_ok_i", pipe, pipe);
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
               "      .read_o(pipe%u_valid[%u]), .ready_i(pipe%u_ready[%u]), .ok_i(%s), "
               ".packet_i(pipe%u_packet_i),\n"
               "      .write_o(p%u_write), .write_slot_o(p%u_slot), .value_o(p%u_value),\n",
               pipe, site, pipe, site, ok, pipe, id, id, id);
  else
    write_body(w,
               "      .packets_i(%s),\n      .write_o(pipe%u_valid[%u]), .packet_o(pipe%u_packet[%u:%u]), "
               ".ready_i(pipe%u_ready[%u]), .ok_i(%s),\n"
               "      .taken_o(p%u_write), .taken_slot_o(p%u_slot), .taken_ok_o(p%u_value),\n",
               packets(w, s, node), pipe, site, pipe, bits * site + bits - 1, bits * site, pipe, site, ok, id, id, id);
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
  for (unsigned i = 0; i < graph->pipe_count; i++) {
    const struct pipe *pipe = &graph->pipes[i];
    fprintf(out,
            "    output wire                   pipe%u_o,  // %s %s, as in pipe_queue.v\n"
            "    input  wire                   pipe%u_ready_i,\n"
            "    input  wire                   pipe%u_ok_i,\n"
            "    %s wire [%u:0] pipe%u_packet_%c,\n",
            i, pipe->is.is_read ? "reads" : "writes", graph_word(pipe->name, ""), i, i,
            pipe->is.is_read ? "input " : "output", bits_of(pipe) - 1, i, pipe->is.is_read ? 'i' : 'o');
  }
}

// The places of the kernel that use a pipe take turns.
static void write_sites(struct writer *w, const struct pipe *pipe, unsigned p) {
  const unsigned bits = bits_of(pipe), sites = pipe->sites;
  const bool reads = pipe->is.is_read;
  write_declaration(w, "  wire %spipe%u_valid, pipe%u_ready;\n  wire %spipe%u_packet;\n", write_range(sites), p, p,
                    write_range(sites * bits), p);
  if (reads)
    write_body(w, "  wire [%u:0] pipe%u_unused;\n  assign pipe%u_packet = 0;\n", bits - 1, p, p);
  write_body(
      w,
      "  pipe_sites #(.SITES(%u), .BITS(%u), .POLLS(%u'd%llu)) pipe%u (.clk(clk), .rst(reset), .valid_i(pipe%u_valid), "
      ".packet_i(pipe%u_packet), .ready_o(pipe%u_ready),\n"
      "      .valid_o(pipe%u_o), .packet_o(pipe%u_%s), .ready_i(pipe%u_ready_i));\n",
      sites, bits, sites, (unsigned long long)pipe->polls, p, p, p, p, p, p, reads ? "unused" : "packet_o", p);
}

void write_pipes(struct writer *w) {
  if (w->graph->pipe_count != 0)
    write_body(w, "\n  // ---- pipes\n");
  for (unsigned i = 0; i < w->graph->pipe_count; i++)
    write_sites(w, &w->graph->pipes[i], i);
}
