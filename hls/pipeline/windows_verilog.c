// SPDX-License-Identifier: Apache-2.0
// The Verilog of loads that read through a window (rtl/pipeline/load_window.v) or through lanes' lines (lane_lines.v):
// the accesses of the memory port that bring them lines, and what they answer.

#include "hls/pipeline/schedule.h"
#include "hls/pipeline/writer.h"

// Puts `text` in front of a list: the first is lowest.
static void prepend(const char **list, const char *text) {
  *list = write_text("%s%s%s", text, (*list)[0] != 0 ? ", " : "", *list);
}

struct parameters {
  unsigned points, words;
  const char *span, *of_token, *lane, *number, *point, *behind, *active, *address;
};

static void add_point(struct parameters *all, const struct access *access, unsigned port, unsigned lanes,
                      unsigned number, unsigned lane, bool any) {
  prepend(&all->span, write_text("8'd%u", access->words - 1));
  prepend(&all->of_token, any ? "1'b1" : "1'b0");
  prepend(&all->lane, write_text("8'd%u", lane));
  prepend(&all->number, write_text("8'd%u", number));
  prepend(&all->active, write_text("m%u_masks[%u]", port, access->mask * lanes + lane));
  prepend(&all->address, write_text("m%u_roots[%u:%u] + 32'h%x", port, 32 * (access->root * lanes + lane) + 31,
                                    32 * (access->root * lanes + lane), access->offset));
  for (unsigned k = 0; k < access->words; k++) {
    prepend(&all->point, write_text("8'd%u", all->points));
    prepend(&all->behind, write_text("8'd%u", k));
    all->words++;
  }
  all->points++;
}

static void write_lines(struct writer *w, const struct segment *s, const struct access *access, unsigned access_bits) {
  const unsigned lanes = w->graph->lanes, p = s->port;
  const char *address = "";
  for (unsigned l = 0; l < lanes; l++)
    prepend(&address, write_text("m%u_roots[%u:%u] + 32'h%x", p, 32 * (access->root * lanes + l) + 31,
                                 32 * (access->root * lanes + l), access->offset));
  write_body(w,
             "  lane_lines #(.LANES(%u), .SLOT_BITS(%u), .NUMBER_BITS(%u), .GLOBAL_LOG2(GLOBAL_LOG2), "
             ".FIRST_LOG2(FIRST_LOG2), .WORDS(%u)) m%u (.clk(clk), .rst(reset),\n",
             lanes, w->graph->slots_log2, access_bits, access->words, p);
  write_body(w,
             "      .start_i(start_i), .valid_i(m%u_valid), .take_o(m%u_take), .slot_i(m%u_head), "
             ".active_i(m%u_masks),\n      .address_i({%s}),\n",
             p, p, p, p, address);
}

static void write_points(struct writer *w, const struct segment *s, const struct parameters *all,
                         unsigned access_bits) {
  const unsigned p = s->port;
  write_body(w,
             "  load_window #(.LANES(%u), .SLOT_BITS(%u), .NUMBER_BITS(%u), .GLOBAL_LOG2(GLOBAL_LOG2), "
             ".FIRST_LOG2(FIRST_LOG2), .POINTS(%u), .WORDS(%u),\n"
             "      .SPAN({%s}), .OF_TOKEN({%s}),\n      .LANE({%s}), .NUMBER({%s}),\n"
             "      .POINT({%s}), .BEHIND({%s})) m%u (.clk(clk), .rst(reset),\n",
             w->graph->lanes, w->graph->slots_log2, access_bits, all->points, all->words, all->span, all->of_token,
             all->lane, all->number, all->point, all->behind, p);
  write_body(w,
             "      .start_i(start_i), .valid_i(m%u_valid), .take_o(m%u_take), .slot_i(m%u_head), .active_i({%s}),\n"
             "      .address_i({%s}),\n",
             p, p, p, all->active, all->address);
}

void write_window(struct writer *w, const struct segment *s, const struct accesses *a, unsigned access_bits,
                  const char *roots, const char *masks) {
  const struct graph *graph = w->graph;
  const unsigned lanes = graph->lanes, p = s->port, slots = graph->slots_log2;
  const bool has_lines = s->group.items[0]->window == WINDOW_OF_LINES;
  struct parameters all = {0, 0, "", "", "", "", "", "", "", ""};
  for (unsigned i = 0; i < a->count && !has_lines; i++) {
    const bool any = a->any[a->items[i].mask];
    for (unsigned l = 0; l < (any ? 1 : lanes); l++)
      add_point(&all, &a->items[i], p, lanes, i, l, any);
  }
  if (has_lines)
    all.words = a->items[0].words * lanes;
  write_declaration(w, "  wire [%u:0] m%u_roots;\n  wire [%u:0] m%u_masks;\n", 32 * lanes * a->root_count - 1, p,
                    lanes * a->mask_count - 1, p);
  write_declaration(w, "  wire m%u_answer, m%u_complete;\n  wire %sm%u_head;\n  wire %sm%u_answer_slot;\n", p, p,
                    write_range(slots), p, write_range(slots), p);
  write_declaration(w, "  wire %sm%u_words;\n  wire [%u:0] m%u_values;\n", write_range(all.words), p,
                    32 * all.words - 1, p);
  write_body(w, "  assign m%u_roots = {%s};\n  assign m%u_masks = {%s};\n", p, roots, p, masks);
  if (has_lines)
    write_lines(w, s, &a->items[0], access_bits);
  else
    write_points(w, s, &all, access_bits);
  write_body(w,
             "      .access_o(m%u_access), .ready_i(m%u_ready), .number_o(m%u_number), .access_slot_o(m%u_slot), "
             ".lanes_o(m%u_lanes), .address_o(m%u_address),\n"
             "      .fill_i(answer && answer_site == %u'd%u), .fill_data_i(answer_data),\n",
             p, p, p, p, p, p, w->site_bits, s->first_site);
  write_body(w,
             "      .answer_o(m%u_answer), .answer_end_o(m%u_complete), .answer_slot_o(m%u_answer_slot), "
             ".answer_words_o(m%u_words), .answer_data_o(m%u_values));\n",
             p, p, p, p, p);
  write_body(w, "  assign {m%u_final, m%u_none, m%u_none_ready, m%u_data} = 0;\n", p, p, p, p);
}

void write_window_answer(struct writer *w, const struct node *node) {
  const struct graph *graph = w->graph;
  const unsigned p = node->home->port;
  const char *name = write_name(node);
  struct accesses a;
  schedule_accesses(graph, node->home, &a);
  write_body(w, "  assign slot_%s = m%u_answer_slot;\n", name, p);
  for (unsigned i = 0; i < a.count; i++)
    for (unsigned k = 0; k < a.items[i].words; k++)
      for (unsigned l = 0; a.items[i].nodes[k] == node && l < graph_copies(graph, node); l++) {
        const unsigned word = access_window_word(graph, &a, i, k, l);
        write_body(w, "  assign write_%s[%u] = m%u_answer && m%u_words[%u];\n", name, l, p, p, word);
        write_body(w, "  assign value_%s[%u:%u] = m%u_values[%u:%u];\n", name, 32 * l + 31, 32 * l, p, 32 * word + 31,
                   32 * word);
      }
}
