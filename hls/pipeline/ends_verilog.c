// SPDX-License-Identifier: Apache-2.0
// The Verilog of where segments end, and tokens wait: memory groups, rings, barriers.

#include "contract/log2.h"
#include "hls/pipeline/calls.h"
#include "hls/pipeline/hazards.h"
#include "hls/pipeline/schedule.h"
#include "hls/pipeline/writer.h"

const char *write_last_valid(const struct segment *s) {
  return write_text("s%u_valid_%u", s->id, s->depth);
}
const char *write_last_slot(const struct segment *s) {
  return write_text("s%u_slot_%u", s->id, s->depth);
}

// A constant that depends on which access of a group it is.
static const char *by_access(const struct segment *s, const struct accesses *a, unsigned bits,
                             unsigned (*of)(const struct node *)) {
  const unsigned first = of(a->items[0].nodes[0]);
  bool same = true;
  for (unsigned i = 1; i < a->count; i++)
    same &= of(a->items[i].nodes[0]) == first;
  if (same)
    return write_text("%u'd%u", bits, first);
  char *list = write_text("%u'd%u", bits, of(a->items[a->count - 1].nodes[0]));
  for (unsigned i = a->count - 1; i-- > 0;)
    list = write_text("m%u_number == %u ? %u'd%u : %s", s->port, i, bits, of(a->items[i].nodes[0]), list);
  return write_text("(%s)", list);
}

static unsigned kind_of_access(const struct node *node) {
  return node->op == OP_STORE ? 1 : node->op == OP_ATOMIC ? 2 : 0;
}
static unsigned function_of_access(const struct node *node) {
  return node->op == OP_ATOMIC ? (unsigned)node->number : 0;
}
static unsigned size_of_access(const struct node *node) {
  return node->bytes == 1 ? 0 : node->bytes == 2 ? 1 : 2;
}

// A memory group that stores; or p itself, if none does.
static unsigned port_with_data(const struct graph *graph, unsigned p) {
  for (unsigned i = 0; i < graph->segment_count; i++) {
    const struct segment *s = graph->segments[i];
    if (s->local_array != 0)
      continue;
    if (s->end == END_STORES || (s->end == END_LOADS && s->group.items[0]->op == OP_ATOMIC))
      return s->port;
  }
  return p;
}

// The head of a memory group's instance: what its accesses are. The first is lowest.
static void write_group_parameters(struct writer *w, const struct segment *s, const struct accesses *a,
                                   unsigned access_bits) {
  const unsigned lanes = group_lanes(w->graph, s), p = s->port;
  const char *root = "", *mask = "", *offset = "", *across = "", *turn = "", *words = "", *data = "";
  for (unsigned i = a->count; i-- > 0;) {
    const struct access *access = &a->items[i];
    const char *comma = i != 0 ? ", " : "";
    root = write_text("%s8'd%u%s", root, access->root, comma);
    mask = write_text("%s8'd%u%s", mask, access->mask, comma);
    offset = write_text("%s32'h%x%s", offset, access->offset, comma);
    across = write_text("%s8'd%u%s", across, access->across, comma);
    turn = write_text("%s8'd%u%s", turn, access->turn, comma);
    words = write_text("%s8'd%u%s", words, access->words, comma);
    for (unsigned k = lanes; k-- > 0;)
      data = write_text("%s8'd%u%s", data, access->data[k], k != 0 ? ", " : comma);
  }
  write_body(w,
             "  memory_group #(.LANES(%u), .ACCESSES(%u), .ACCESS_BITS(%u), .ROOTS(%u), .MASKS(%u), .DATAS(%u),\n"
             "      .ROOT({%s}), .MASK({%s}), .OFFSET({%s}),\n      .ACROSS({%s}), .TURN({%s}), .WORDS({%s}),\n"
             "      .DATA({%s})) m%u (.clk(clk), .rst(reset), .valid_i(m%u_valid), .take_o(m%u_take),\n",
             lanes, a->count, access_bits, a->root_count, a->mask_count, a->data_count != 0 ? a->data_count : 1, root,
             mask, offset, across, turn, words, data, p, p, p);
}

// A field of the queue as words of 32 bits, one for each lane of the port. What lanes have that are no work-item's does
// not matter.
static const char *words_of_field(const char *field, unsigned width, unsigned copies, unsigned lanes) {
  const char *list = "";
  for (unsigned l = lanes; l-- > 0;) {
    const unsigned low = width * (l % copies);
    list = write_text("%s%u'd0, %s[%u:%u]%s", list, 32 - width, field, low + width - 1, low, l != 0 ? ", " : "");
  }
  return list;
}

// A mask of work-items as one of the port's lanes: those behind them have none.
static const char *lanes_of_mask(const char *mask, unsigned items, unsigned lanes) {
  return lanes == items ? mask : write_text("{%u'd0, %s}", lanes - items, mask);
}

// Whether a round may load nothing, and so be before others: where rounds overlap they keep their order. What is loaded
// in each round always is.
static bool may_overtake(const struct segment *s, const struct accesses *a) {
  bool may = false;
  for (unsigned i = 0; i < a->mask_count; i++)
    may |= a->masks[i] != s->region->mask;
  return s->region->overlaps && !s->region->any_order && may;
}

// Where accesses go, and where the token goes on behind them: to the memory port.
static void write_port_group(struct writer *w, const struct segment *s, const struct accesses *a,
                             unsigned access_bits) {
  const struct graph *graph = w->graph;
  const unsigned lanes = graph->port_lanes, p = s->port, first = s->first_site, last = first + a->count - 1;
  write_body(w, "  assign group_valid[%u] = m%u_access;\n  assign m%u_ready = group_ready[%u];\n", p, p, p, p);
  write_body(w, "  assign group_kind[%u:%u] = %s;\n", 2 * p + 1, 2 * p, by_access(s, a, 2, kind_of_access));
  write_body(w, "  assign group_function[%u:%u] = %s;\n", 5 * p + 4, 5 * p, by_access(s, a, 5, function_of_access));
  write_body(w, "  assign group_size[%u:%u] = %s;\n", 2 * p + 1, 2 * p, by_access(s, a, 2, size_of_access));
  write_body(w, "  assign group_slot[%u:%u] = m%u_slot;\n", graph->slots_log2 * (p + 1) - 1, graph->slots_log2 * p, p);
  // Bits of the sum that nobody needs: sites are few.
  write_declaration(w, "  wire [31:0] m%u_site = {%u'd0, m%u_number} + 32'd%u;\n", p, 32 - access_bits, p, first);
  write_body(w, "  assign group_site[%u:%u] = m%u_site[%u:0];\n", w->site_bits * (p + 1) - 1, w->site_bits * p, p,
             w->site_bits - 1);
  write_body(w, "  assign group_final[%u] = m%u_final;\n", p, p);
  write_body(w, "  assign group_lanes[%u:%u] = m%u_lanes;\n", lanes * (p + 1) - 1, lanes * p, p);
  write_body(w, "  assign group_address[%u:%u] = m%u_address;\n", 32 * lanes * (p + 1) - 1, 32 * lanes * p, p);
  // Loads have no data: the port then chooses between equal words, which takes no room.
  write_body(w, "  assign group_data[%u:%u] = m%u_data;\n", 32 * lanes * (p + 1) - 1, 32 * lanes * p,
             a->data_count != 0 ? p : port_with_data(graph, p));
  if (s->end == END_STORES) {
    write_body(w, "  assign m%u_none_ready = 1'b1;\n", p);
    write_register_start(w, s->next, write_text("m%u_take", p), write_text("m%u_slot", p));
    return;
  }
  if (s->is_window) {
    write_register_start(w, s->next, write_text("m%u_complete", p), write_text("m%u_answer_slot", p));
    return;
  }
  const char *complete = first == last ? write_text("answer_end && answer_site == %u'd%u", w->site_bits, first)
                         : first == 0  ? write_text("answer_end && answer_site <= %u'd%u", w->site_bits, last)
                                       : write_text("answer_end && answer_site >= %u'd%u && answer_site <= %u'd%u",
                                                    w->site_bits, first, w->site_bits, last);
  write_declaration(w, "  wire m%u_complete;\n", p);
  write_body(w, "  assign m%u_complete = %s;\n  assign m%u_none_ready = !m%u_complete;\n", p, complete, p, p);
  const char *valid = write_text("m%u_complete || m%u_none", p, p);
  const char *slot = write_text("m%u_complete ? answer_slot : m%u_slot", p, p);
  if (may_overtake(s, a)) {
    write_declaration(w, "  wire m%u_in_order;\n  wire %sm%u_slot_in_order;\n", p, write_range(graph->slots_log2), p);
    write_body(w,
               "  in_order #(.SLOT_BITS(%u)) m%u_order (.clk(clk), .rst(reset), .valid_i(%s), .slot_i(%s), "
               ".valid_o(m%u_in_order),\n      .slot_o(m%u_slot_in_order));\n",
               graph->slots_log2, p, valid, slot, p, p);
    valid = write_text("m%u_in_order", p);
    slot = write_text("m%u_slot_in_order", p);
  }
  write_register_start(w, s->next, valid, slot);
}

// To a local array, arrays_verilog.c.
static void write_array_group(struct writer *w, const struct segment *s) {
  const unsigned p = s->port, a = s->local_array - 1;
  write_declaration(w, "  wire m%u_complete;\n", p);
  write_body(w, "  assign m%u_ready = array_%u_ready[%u];\n", p, a, s->writer);
  write_body(w, "  assign m%u_complete = array_%u_done[%u];\n  assign m%u_none_ready = !m%u_complete;\n", p, a,
             s->writer, p, p);
  write_register_start(w, s->next, write_text("m%u_complete || m%u_none", p, p),
                       write_text("m%u_complete ? array_%u_done_slot : m%u_slot", p, a, p));
}

// The queue between a segment and its memory group.
struct group_queue {
  struct writer *w;
  const struct segment *s;
  const struct accesses *accesses;
  unsigned lanes;             // words of an access
  const char *word, *fields;  // what a token puts in, and the signals that it becomes behind the queue
  unsigned bits;              // of the word
};

static void add_field(struct group_queue *q, const char *field, const char *value, unsigned bits) {
  q->fields = write_text("%s, %s", q->fields, field);
  q->word = write_text("%s, %s", q->word, value);
  q->bits += bits;
}

// A value of the token goes through the queue; `kind` is 'r' for roots, 'm' for masks, 'd' for data.
static const char *queued(struct group_queue *q, const struct node *node, char kind, unsigned number) {
  const unsigned bits = graph_copies(q->w->graph, node) * node->width;
  const char *field = write_text("m%u_%c%u", q->s->port, kind, number);
  write_declaration(q->w, "  wire %s%s;\n", write_range(bits), field);
  add_field(q, field, write_signal(q->s, node, q->s->depth), bits);
  return field;
}

// A mask of the group's accesses, as a bit for each word of one.
static const char *mask_of_group(struct group_queue *q, unsigned number) {
  const struct segment *s = q->s;
  const struct node *mask = q->accesses->masks[number];
  const unsigned lanes = q->w->graph->lanes;
  if (q->accesses->any[number]) {
    // One access for the token, made by its first lane.
    const char *any = write_text("m%u_any_%u", s->port, number);
    write_declaration(q->w, "  wire %s;\n", any);
    add_field(q, any, write_text("|%s", write_all_lanes(q->w, s, mask, s->depth, lanes)), 1);
    return lanes_of_mask(any, 1, q->lanes);
  }
  if (graph_is_static(mask))
    return lanes_of_mask(write_all_lanes(q->w, s, mask, s->depth, lanes), lanes, q->lanes);
  const char *field = queued(q, mask, 'm', number);
  const bool is_of_lanes = graph_copies(q->w->graph, mask) == lanes;
  return lanes_of_mask(is_of_lanes ? field : write_text("{%u{%s}}", lanes, field), lanes, q->lanes);
}

// A root or data of the group's accesses, as a word of 32 bits for each word of one.
static const char *words_of_group(struct group_queue *q, const struct node *node, char kind, unsigned number) {
  const struct segment *s = q->s;
  if (graph_is_static(node)) {
    return node->width != 32
               ? write_text("{%u{%u'd0, %s}}", q->lanes, 32 - node->width, write_operand(q->w, s, node, s->depth, 0))
               : write_all_lanes(q->w, s, node, s->depth, q->lanes);
  }
  const unsigned copies = graph_copies(q->w->graph, node);
  const char *field = queued(q, node, kind, number);
  if (node->width != 32)
    return words_of_field(field, node->width, copies, q->lanes);
  return copies == q->lanes ? field : write_text("{%u{%s}}", q->lanes / copies, field);
}

// All roots, masks or data, the last first; NULL: there are none.
static const char *all_of_group(struct group_queue *q, char kind) {
  const struct accesses *a = q->accesses;
  const char *list = NULL;
  for (unsigned i = kind == 'r' ? a->root_count : kind == 'm' ? a->mask_count : a->data_count; i-- > 0;) {
    const char *value =
        kind == 'm' ? mask_of_group(q, i) : words_of_group(q, kind == 'r' ? a->roots[i] : a->datas[i], kind, i);
    list = list ? write_text("%s, %s", list, value) : value;
  }
  return list;
}

static void declare_group(struct writer *w, const struct segment *s, unsigned lanes, unsigned access_bits) {
  const unsigned p = s->port;
  write_declaration(w, "  wire m%u_valid, m%u_take, m%u_access, m%u_ready, m%u_final, m%u_none, m%u_none_ready;\n", p,
                    p, p, p, p, p, p);
  write_declaration(w,
                    "  wire %sm%u_slot;\n  wire %sm%u_number;\n  wire %sm%u_lanes;\n  wire %sm%u_address, m%u_data;\n",
                    write_range(w->graph->slots_log2), p, write_range(access_bits), p, write_range(lanes), p,
                    write_range(32 * lanes), p, p);
}

void write_memory_end(struct writer *w, const struct segment *s) {
  const unsigned lanes = group_lanes(w->graph, s), p = s->port, slot_bits = w->graph->slots_log2;
  struct accesses a;
  schedule_accesses(w->graph, s, &a);
  const unsigned access_bits = a.count > 2 ? heddle_log2_ceiling(a.count) : 1;
  declare_group(w, s, lanes, access_bits);
  // The queue holds the slot, and what is no constant of the dispatch.
  struct group_queue q = {.w = w,
                          .s = s,
                          .accesses = &a,
                          .lanes = lanes,
                          .word = write_last_slot(s),
                          .fields = write_text(s->is_window ? "m%u_head" : "m%u_slot", p),
                          .bits = slot_bits};
  const char *roots = all_of_group(&q, 'r'), *masks = all_of_group(&q, 'm'), *datas = all_of_group(&q, 'd');
  write_body(w, "  wire [%u:0] m%u_word;\n", q.bits - 1, p);
  write_body(
      w,
      "  token_queue #(.WIDTH(%u), .SLOT_BITS(%u)) m%u_queue (.clk(clk), .rst(reset), .valid_i(%s), .word_i({%s}),\n",
      q.bits, slot_bits, p, write_last_valid(s), q.word);
  write_body(w, "      .valid_o(m%u_valid), .word_o(m%u_word), .take_i(m%u_take));\n  assign {%s} = m%u_word;\n", p, p,
             p, q.fields, p);
  if (s->is_window) {
    write_window(w, s, &a, access_bits, roots, masks);
    write_port_group(w, s, &a, access_bits);
    return;
  }
  write_group_parameters(w, s, &a, access_bits);
  write_body(w, "      .roots_i({%s}), .masks_i({%s}), .datas_i(%s),\n", roots, masks,
             datas ? write_text("{%s}", datas) : write_text("%u'd0", 32 * lanes));
  write_body(w,
             "      .access_o(m%u_access), .ready_i(m%u_ready), .number_o(m%u_number), .final_o(m%u_final), "
             ".lanes_o(m%u_lanes),\n",
             p, p, p, p, p);
  write_body(w,
             "      .address_o(m%u_address), .data_o(m%u_data), .none_o(m%u_none), .none_ready_i(m%u_none_ready));\n",
             p, p, p, p);
  if (s->local_array != 0)
    write_array_group(w, s);
  else
    write_port_group(w, s, &a, access_bits);
}

// What a token brings to a loop, as it comes from its slot store; static values need none.
static const char *entry_value(struct writer *w, const struct region *loop, const struct node *node, const char *as,
                               unsigned width, unsigned copies) {
  const struct graph *graph = w->graph;
  if (schedule_is_fair(loop)) {
    // Stores of their own, which tokens that change places write, too.
    write_declaration(w, "  wire %sr%u_%s;\n", write_range(width * copies), loop->id, as);
    const struct segment *from = loop->first->from;
    const char *next = write_text("r%u_%s_next", loop->id, as);
    write_body(
        w,
        "  slot_store #(.WIDTH(%u), .LANES(%u), .SLOT_BITS(%u)) r%u_%s_store (.clk(clk), .write_i({%u{%s || "
        "r%u_store}}),\n"
        "      .write_slot_i(r%u_store ? r%u_store_slot : %s), .value_i(r%u_store ? %s : %s), .read_slot_i(r%u_read), "
        ".value_o(r%u_%s));\n",
        width, copies, graph->slots_log2, loop->id, as, copies, write_last_valid(from), loop->id, loop->id, loop->id,
        write_last_slot(from), loop->id, next, write_all_lanes(w, from, node, from->depth, copies), loop->id, loop->id,
        as);
    return write_text("r%u_%s", loop->id, as);
  }
  if (graph_is_static(node))
    return write_all_lanes(w, NULL, node, 0, copies);
  const unsigned own = graph_copies(graph, node);
  write_declaration(w, "  wire %sr%u_%s;\n", write_range(node->width * own), loop->id, as);
  write_read_store(w, node, write_text("r%u_%s_store", loop->id, as),
                   write_slot_of(w, loop->parent, node, write_text("r%u_read", loop->id)),
                   write_text("r%u_%s", loop->id, as));
  return own == copies ? write_text("r%u_%s", loop->id, as) : write_text("{%u{r%u_%s}}", copies, loop->id, as);
}

// The register of a carried value that stays in its segment. Where rounds have read it and not yet stored what comes
// next, it is not what a round reads.
static const char *state_register(const struct node *phi) {
  const char *value = write_signal(phi->home, phi, phi->stage);
  return rounds_under_way(phi) != 0 ? write_text("%s_kept", value) : value;
}

// What a round reads of a shift register: for each round that is under way in front of it, the word one further on.
static void write_state_read(struct writer *w, const struct node *phi) {
  const struct segment *s = phi->home;
  const unsigned most = rounds_under_way(phi), apart = rounds_apart(phi);
  const char *value = write_signal(s, phi, phi->stage), *sum = "", *choice = "";
  // In so many stages as rounds are apart there is one of them.
  for (unsigned first = phi->stage + 1; first <= phi->kept; first += apart) {
    const char *any = write_text("s%u_valid_%u", s->id, first);
    for (unsigned stage = first + 1; stage < first + apart && stage <= phi->kept; stage++)
      any = write_text("%s || s%u_valid_%u", any, s->id, stage);
    sum = write_text("%s%s{15'd0, %s}", sum, *sum ? " + " : "", any);
  }
  write_declaration(w, "  wire [15:0] %s_ahead;\n  wire %s%s;\n", value, write_range(phi->width), value);
  write_body(w, "  assign %s_ahead = %s;\n", value, sum);
  for (unsigned n = 0; n < most; n++, phi = rounds_source(phi))
    choice = write_text("%s%s_ahead == 16'd%u ? %s : ", choice, value, n, state_register(phi));
  write_body(w, "  assign %s = %s%s;\n", value, choice, state_register(phi));
}

static void write_state(struct writer *w, const struct region *loop, const struct node *phi, const char *initial) {
  const struct segment *s = phi->home;
  const struct node *source = rounds_source(phi);
  const char *kept = state_register(phi);
  write_declaration(w, "  reg %s%s;\n", write_range(phi->width), kept);
  write_body(w, "  always @(posedge clk)\n    if (r%u_first) %s <= %s;\n", loop->id, kept, initial);
  write_body(w, "    else if (s%u_valid_%u) %s <= %s;\n", s->id, phi->kept, kept,
             source ? state_register(source) : write_all_lanes(w, s, loop->next.items[phi->low], phi->kept, 1));
  if (rounds_under_way(phi) != 0)
    write_state_read(w, phi);
}

// A loop whose rounds overlap: the work-item's slot is 0, and so are those of what it brings and takes.
static void write_rounds_entry(struct writer *w, const struct region *loop) {
  const struct graph *graph = w->graph;
  const struct segment *first = loop->first, *last = loop->last;
  const unsigned id = loop->id, back = loop->back;
  const char *again = write_all_lanes(w, first, loop->again, back, 1);
  write_body(w, "\n  // ---- the rounds of the loop of line %u, which %s\n", loop->line,
             loop->any_order ? "are interleaved" : "overlap");
  write_declaration(w,
                    "  wire r%u_start, r%u_first, r%u_hold, r%u_held, r%u_leave;\n  wire %sr%u_start_slot;\n  wire "
                    "%sr%u_read = 0;\n",
                    id, id, id, id, id, write_range(graph->slots_log2), id, write_range(graph->slots_log2), id);
  write_body(w,
             "  %s #(.SLOT_BITS(%u), .INTERVAL(%u)) r%u (.clk(clk), .rst(reset), .enter_valid_i(%s), "
             ".back_valid_i(s%u_valid_%u), .back_again_i(%s),\n",
             loop->any_order ? "interleaved_rounds" : "rounds", graph->slots_log2, loop->interval, id,
             write_last_valid(first->from), first->id, back, again);
  write_body(w,
             "      .end_valid_i(%s), %s, .start_o(r%u_start), .start_slot_o(r%u_start_slot), "
             ".start_first_o(r%u_first),\n      .hold_o(r%u_hold), .held_o(r%u_held), .leave_o(r%u_leave));\n",
             write_last_valid(last),
             loop->any_order ? write_text(".end_slot_i(%s)", write_last_slot(last))
                             : write_text(".end_again_i(%s)", write_all_lanes(w, last, loop->again, last->depth, 1)),
             id, id, id, id, id, id);
  write_register_start(w, first, write_text("r%u_start", id), write_text("r%u_start_slot", id));
  // A round that follows has its lane at work.
  const char *mask = entry_value(w, loop, loop->enter, "mask", 1, 1);
  write_declaration(w, "  reg %s;\n", write_signal(first, loop->mask, 0));
  write_body(w, "  always @(posedge clk) %s <= !r%u_first || %s;\n", write_signal(first, loop->mask, 0), id, mask);
  for (unsigned i = 0; i < loop->phis.count; i++) {
    const struct node *phi = loop->phis.items[i];
    const char *as = write_text("v%u", i), *range = write_range(phi->width);
    const char *initial = entry_value(w, loop, loop->initial.items[i], as, phi->width, 1);
    if (phi->is_state) {
      write_state(w, loop, phi, initial);
      continue;
    }
    const char *value = write_signal(first, phi, 0);
    write_declaration(w, "  wire %sr%u_%s_next;\n  reg %sr%u_%s_held;\n  reg %s%s;\n", range, id, as, range, id, as,
                      range, value);
    write_body(w, "  assign r%u_%s_next = %s;\n", id, as, write_all_lanes(w, first, loop->next.items[i], back, 1));
    write_body(w, "  always @(posedge clk) begin\n    if (r%u_hold) r%u_%s_held <= r%u_%s_next;\n", id, id, as, id, as);
    // What no round starts with does not matter.
    write_body(w, "    %s <= r%u_first ? %s : r%u_held ? r%u_%s_held : r%u_%s_next;\n  end\n", value, id, initial, id,
               id, as, id, as);
  }
  write_register_start(w, last->next, write_text("r%u_leave", id), write_text("%u'd0", graph->slots_log2));
}

void write_loop_entry(struct writer *w, const struct region *loop) {
  const struct graph *graph = w->graph;
  if (loop->overlaps) {
    write_rounds_entry(w, loop);
    return;
  }
  const struct segment *first = loop->first, *last = loop->last, *from = first->from;
  const unsigned lanes = graph->lanes, id = loop->id, d = last->depth;
  write_body(w, "\n  // ---- the ring of the loop of line %u\n", loop->line);
  write_declaration(
      w,
      "  wire r%u_start, r%u_back, r%u_store, r%u_leave;\n  wire %sr%u_read, r%u_start_slot, r%u_store_slot, "
      "r%u_leave_slot;\n",
      id, id, id, id, write_range(graph->slots_log2), id, id, id, id);
  const char *again = write_all_lanes(w, last, loop->again, d, lanes);
  const char *goes = loop->go ? write_text("{%u{%s}}", lanes, write_operand(w, last, loop->go, d, 0)) : again;
  write_body(
      w,
      "  ring #(.LANES(%u), .SLOT_BITS(%u), .EXCHANGE_LOG2(%u)) r%u (.clk(clk), .rst(reset), .enter_valid_i(%s), "
      ".enter_slot_i(%s),\n",
      lanes, graph->slots_log2, schedule_is_fair(loop) ? 8 : 0, id, write_last_valid(from), write_last_slot(from));
  write_body(
      w, "      .read_slot_o(r%u_read), .end_valid_i(%s), .end_slot_i(%s), .end_again_i(%s), .start_o(r%u_start),\n",
      id, write_last_valid(last), write_last_slot(last), goes, id);
  write_body(w,
             "      .start_slot_o(r%u_start_slot), .start_back_o(r%u_back), .store_o(r%u_store), "
             ".store_slot_o(r%u_store_slot), .leave_o(r%u_leave),\n",
             id, id, id, id, id);
  write_body(w, "      .leave_slot_o(r%u_leave_slot));\n", id);
  write_register_start(w, first, write_text("r%u_start", id), write_text("r%u_start_slot", id));
  // The mask and what is carried around.
  write_declaration(w, "  wire %sr%u_mask_next;\n", write_range(lanes), id);
  write_body(w, "  assign r%u_mask_next = %s;\n", id, again);
  const char *mask = entry_value(w, loop, loop->enter, "mask", 1, lanes);
  write_declaration(w, "  reg %s%s;\n", write_range(lanes), write_signal(first, loop->mask, 0));
  write_body(w, "  always @(posedge clk) %s <= r%u_back ? r%u_mask_next : %s;\n", write_signal(first, loop->mask, 0),
             id, id, mask);
  for (unsigned i = 0; i < loop->phis.count; i++) {
    const struct node *phi = loop->phis.items[i];
    const unsigned copies = graph_copies(graph, phi);
    const char *as = write_text("v%u", i);
    write_declaration(w, "  wire %sr%u_%s_next;\n", write_range(phi->width * copies), id, as);
    write_body(w, "  assign r%u_%s_next = %s;\n", id, as, write_all_lanes(w, last, loop->next.items[i], d, copies));
    const char *initial = entry_value(w, loop, loop->initial.items[i], as, phi->width, copies);
    write_declaration(w, "  reg %s%s;\n", write_range(phi->width * copies), write_signal(first, phi, 0));
    write_body(w, "  always @(posedge clk) %s <= r%u_back ? r%u_%s_next : %s;\n", write_signal(first, phi, 0), id, id,
               as, initial);
  }
  write_register_start(w, last->next, write_text("r%u_leave", id), write_text("r%u_leave_slot", id));
}

enum { HAZARD_BITS = 30 };  // of a word's address

// When the oldest round that has gone on has made the last access that it claims.
static const char *over_of(const struct region *r) {
  const struct node *last = hazards_last(r);
  return graph_is_element(last) ? write_text("s%u_valid_%u", last->home->id, last->stage)
                                : write_text("m%u_take", last->home->port);
}

// A word's address in words of memory. Elements of an array have addresses of their own, far from those of others.
static const char *word_of(struct writer *w, const struct segment *s, const struct node *hazards, unsigned word) {
  enum { WORD_BYTES_LOG2 = 2 };
  const struct node *address = hazards->arguments[HAZARDS_PER_WORD * word + HAZARDS_ADDRESS];
  const unsigned array = hazards_array(hazards, word);
  if (array == 0)
    return write_bits(w, s, address, s->depth, 0, WORD_BYTES_LOG2, HAZARD_BITS);
  return write_text("{8'd%u, %u'd0, %s}", array, HAZARD_BITS - 8 - address->width,
                    write_operand(w, s, address, s->depth, 0));
}

void write_hazards_end(struct writer *w, const struct segment *s) {
  const struct node *node = s->group.items[0];
  const struct hazards hazards = hazards_of(w->graph, node);
  const unsigned id = s->id, slots = w->graph->slots_log2;
  const char *addresses = "", *claims = "", *checks = "", *claimed = "", *checked = "";
  for (unsigned i = 0; i < hazards.words; i++) {
    struct node *const *word = &node->arguments[HAZARDS_PER_WORD * i];
    const char *comma = i != 0 ? ", " : "";
    addresses = write_text("%s%s%s", word_of(w, s, node, i), comma, addresses);
    claims = write_text("%s%s%s", write_operand(w, s, word[HAZARDS_CLAIMS], s->depth, 0), comma, claims);
    checks = write_text("%s%s%s", write_operand(w, s, word[HAZARDS_CHECKS], s->depth, 0), comma, checks);
    claimed = write_text("1'b%d%s%s", !graph_is_number(word[HAZARDS_CLAIMS], 0), comma, claimed);
    checked = write_text("1'b%d%s%s", !graph_is_number(word[HAZARDS_CHECKS], 0), comma, checked);
  }
  write_declaration(w, "  wire h%u_valid;\n  wire %sh%u_slot;\n", id, write_range(slots), id);
  write_body(w,
             "  hazards #(.SLOT_BITS(%u), .ROUNDS_LOG2(%u), .WORDS(%u), .CLAIMED({%s}), .CHECKED({%s}), .BITS(%u)) "
             "h%u (.clk(clk), .rst(reset),\n"
             "      .valid_i(%s), .slot_i(%s), .address_i({%s}),\n"
             "      .claims_i({%s}), .checks_i({%s}), .over_i(%s), .valid_o(h%u_valid), .slot_o(h%u_slot));\n",
             slots, hazards.rounds_log2, hazards.words, claimed, checked, HAZARD_BITS, id, write_last_valid(s),
             write_last_slot(s), addresses, claims, checks, over_of(s->region), id, id);
  write_wire_start(w, s->next, write_text("h%u_valid", id), write_text("h%u_slot", id));
}

void write_barrier_end(struct writer *w, const struct segment *s) {
  const struct graph *graph = w->graph;
  const struct node *node = s->group.items[0];
  const unsigned id = s->id;
  write_declaration(w, "  wire b%u_go, b%u_first, b%u_last;\n  wire %sb%u_slot;\n", id, id, id,
                    write_range(graph->slots_log2), id);
  write_body(
      w,
      "  barrier #(.SLOT_BITS(%u)) b%u (.clk(clk), .rst(reset), .shift_i(shift), .wipe_i(wipe), "
      ".wipe_group_slot_i(wipe_group_slot), .begin_i(begin_group),\n"
      "      .begin_group_slot_i(begin_group_slot), .begin_last_i(begin_last), .arrive_i(%s), .arrive_slot_i(%s), "
      ".release_o(b%u_go),\n"
      "      .release_slot_o(b%u_slot), .release_first_o(b%u_first), .release_last_o(b%u_last));\n",
      graph->slots_log2, id, write_last_valid(s), write_last_slot(s), id, id, id, id);
  if (node->op == OP_BARRIER) {
    write_wire_start(w, s->next, write_text("b%u_go", id), write_text("b%u_slot", id));
    return;
  }
  const struct node *total = node->arguments[0];
  const char *value;
  if (graph_is_static(total)) {
    value = write_operand(w, NULL, total, 0, 0);
  } else {
    write_declaration(w, "  wire [31:0] b%u_total;\n", id);
    write_read_store(w, total, write_text("b%u_store", id), write_text("b%u_slot", id), write_text("b%u_total", id));
    value = write_text("b%u_total", id);
  }
  const char *result = write_signal(s->next, node, 0);
  write_declaration(w, "  wire [31:0] %s;\n  wire b%u_out;\n  wire %sb%u_out_slot;\n", result, id,
                    write_range(graph->slots_log2), id);
  write_body(w,
             "  %s #(.OPERATION(%u), .IDENTITY(32'h%x), .SLOT_BITS(%u)) b%u_values (.clk(clk), .rst(reset), "
             ".release_i(b%u_go), .release_slot_i(b%u_slot),\n",
             node->op == OP_CARRY ? "group_scan" : "group_total", (unsigned)node->number,
             (unsigned)call_identity((unsigned)node->number, 32), graph->slots_log2, id, id, id);
  write_body(w,
             "      .release_first_i(b%u_first), %s.total_i(%s), .release_o(b%u_out), .release_slot_o(b%u_out_slot), "
             ".%s_o(%s));\n",
             id, node->op == OP_CARRY ? "" : write_text(".release_last_i(b%u_last), ", id), value, id, id,
             node->op == OP_CARRY ? "carry" : "total", result);
  write_wire_start(w, s->next, write_text("b%u_out", id), write_text("b%u_out_slot", id));
}
