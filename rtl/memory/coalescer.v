// SPDX-License-Identifier: Apache-2.0
// Makes as few passes as possible of the memory operations of sub-groups, and moves the lanes' words to their offsets
// in a beat. Operations wait in a queue, first in first out; a pass a cycle; 4 cycles from push to the first pass. A
// pass of global memory is one beat. In local memory every word of a beat is a bank with an index of its own, so lanes
// go together unless they need different indices of one bank. If the lanes of a load or atomic use both memories, each
// pass waits for the answers of the one before, so that the pass marked last is the last to answer.
//
// With PAGES_LOG2 a pass of global memory needs a right (rights.v), which is looked up beside the stages. A pass without
// it does not leave, nor does any behind it: refused_o is set until rst.
`include "rtl/shape.vh"
`default_nettype none

module coalescer #(
    parameter LANES = 8,  // power of two, 1 to 32
    parameter SLOT_BITS = 5,  // log2(SLOTS)
    parameter ADDRESS_BITS = 28,  // bits of an address in global memory
    parameter LOCAL_LOG2 = 15,  // log2 of the bytes of local memory
    parameter BEAT_LOG2 = 5,  // log2 of the bytes of a beat
    parameter QUEUE_LOG2 = 4,  // log2 of the operations that may wait; with PAGES_LOG2 3 at least
    parameter LABEL_BITS = 8,  // given with each pass, unread
    parameter COMPACT = 0,  // as in heddle.v
    parameter PAGES_LOG2 = 0,  // as in heddle.v
    parameter TAG_BITS = 1,  // kept of each operation, for the case that it is refused
    parameter BEAT_BYTES = 1 << BEAT_LOG2,
    parameter BEAT_WORDS = BEAT_BYTES / 4,
    parameter BANK_INDEX_BITS = LOCAL_LOG2 - BEAT_LOG2
) (
    input wire clk,
    input wire rst,

    // an operation; never pushed while full_o
    input  wire                          push_i,
    input  wire [                   1:0] kind_i,      // 0 load, 1 store, 2 atomic
    input  wire [                   4:0] function_i,  // of an atomic: funct5
    input  wire [         SLOT_BITS-1:0] slot_i,
    input  wire [                   1:0] size_i,      // 0 byte, 1 half-word, 2 word
    input  wire [        LABEL_BITS-1:0] label_i,
    input  wire [          TAG_BITS-1:0] tag_i,
    input  wire [             LANES-1:0] lanes_i,
    input  wire [             LANES-1:0] strobe_i,    // lanes that may touch memory; others are only answered
    input  wire [             LANES-1:0] local_i,     // per lane: local memory, else global
    input  wire [LANES*ADDRESS_BITS-1:0] address_i,
    input  wire [          LANES*32-1:0] data_i,
    output reg                           full_o,
    output wire                          idle_o,

    input  wire drained_i,  // no answer to a load or atomic is outstanding
    output wire further_o,  // a pass of an operation, but not its first

    input wire [`HEDDLE_RIGHTS_BITS-1:0] rights_i,  // as in rights.v
    output reg refused_o,  // the pass at the outputs below is refused
    output wire [TAG_BITS-1:0] refused_tag_o,  // of its operation

    // the crossbar: lanes' words to their offsets in a beat
    input  wire                        crossbar_taken_i,  // in use by answers or a shuffle
    output reg  [LANES*BEAT_WORDS-1:0] lane_word_o,       // of each lane that is served: its word in the beat, one-hot
    output reg  [        LANES*32-1:0] lane_data_o,
    input  wire [    8*BEAT_BYTES-1:0] beat_data_i,

    // passes
    output wire pass_valid_o,
    input wire pass_ready_i,
    output wire pass_local_o,
    output wire [1:0] pass_kind_o,
    output wire [4:0] pass_function_o,
    output wire pass_amo_o,  // an atomic that is not lr.w or sc.w
    output wire [1:0] pass_size_o,
    output wire [LABEL_BITS-1:0] pass_label_o,
    output wire [ADDRESS_BITS-1:BEAT_LOG2] pass_beat_o,  // its number; global memory, lr.w, sc.w: of all lanes
    output wire [BEAT_WORDS*BANK_INDEX_BITS-1:0] pass_bank_index_o,  // local memory: of each bank
    output wire [8*BEAT_BYTES-1:0] pass_data_o,
    output wire [BEAT_BYTES-1:0] pass_strobe_o,
    output wire [SLOT_BITS-1:0] pass_slot_o,
    output wire [LANES-1:0] pass_lanes_o,  // served
    output wire [LANES*BEAT_LOG2-1:0] pass_offset_o,  // of each lane in its beat
    output wire pass_last_o
);
  localparam BEAT_INDEX_BITS = ADDRESS_BITS - BEAT_LOG2;
  localparam BANK_BITS = BEAT_LOG2 - 2;
  `include "rtl/memory/request.vh"
  localparam COMMON_BITS = 4 + 5 + SLOT_BITS + 2 + LABEL_BITS + 3 * LANES;
  localparam PAIRS = LANES > 1 ? LANES * (LANES - 1) / 2 : 1;
  localparam ENTRY_BITS = COMMON_BITS + LANES * ADDRESS_BITS + PAIRS;
  integer i, j, w;

  // The queue. Stored words are needed later than the rest, so they are in block RAM. Three facts are computed before
  // the queue, because its output is late: whether lanes j < i have the same beat of the same memory, [i * (i - 1) / 2
  // + j]; whether the operation only reads; whether it is lr.w or sc.w.
  wire is_atomic = kind_i == ATOMIC;
  wire reads = kind_i == LOAD || (is_atomic && function_i == 5'd2);
  wire reserves = is_atomic && function_i[4:1] == 4'd1;
  reg [ENTRY_BITS-1:0] entries[0:(1<<QUEUE_LOG2)-1];
  // A byte or half-word is copied to every position that it may have in its word.
  reg [LANES*32-1:0] aligned_data;
  reg [7:0] odd;  // byte 1, and byte 3 of what is not a word
  always @* begin
    odd = 8'd0;
    for (i = 0; i < LANES; i = i + 1) begin
      odd = size_i == 2'd0 ? data_i[i*32+:8] : data_i[i*32+8+:8];
      aligned_data[i*32+:32] = {
        size_i[1] ? data_i[i*32+24+:8] : odd, size_i[1] ? data_i[i*32+16+:8] : data_i[i*32+:8], odd, data_i[i*32+:8]
      };
    end
  end
  // With rights, words and tags stay for as many operations again: until no pass of theirs can be refused any more.
  localparam RIGHTS = PAGES_LOG2 != 0, WORDS_LOG2 = RIGHTS ? QUEUE_LOG2 + 1 : QUEUE_LOG2;
  localparam KEPT_BITS = LANES * 32 + (RIGHTS ? TAG_BITS : 0);
  wire [LANES*32+TAG_BITS-1:0] tagged_data = {tag_i, aligned_data};
  (* ram_style = "block", no_rw_check *) reg [KEPT_BITS-1:0] words[0:(1<<WORDS_LOG2)-1];
  reg [QUEUE_LOG2:0] written, read;
  wire refused;  // the pass at the outputs
  wire [QUEUE_LOG2:0] refused_number;  // of its operation
  reg filled;  // an operation waits; registered, like full_o
  wire [QUEUE_LOG2:0] count = written - read;
  wire [1:0] next_kind, next_size;
  wire [4:0] next_function;
  wire [SLOT_BITS-1:0] next_slot;
  wire [LABEL_BITS-1:0] next_label;
  wire next_reads, next_reserves;
  wire [LANES-1:0] next_lanes, next_strobe, next_local;
  wire [LANES*ADDRESS_BITS-1:0] next_address;
  wire [PAIRS-1:0] next_same_beat;
  assign {next_reads, next_reserves, next_kind, next_function, next_slot, next_size, next_label, next_lanes,
          next_strobe, next_local, next_address, next_same_beat} = entries[read[QUEUE_LOG2-1:0]];

  // Relations of lanes j < i of the next operation, [j * LANES + i]; computed once, when it becomes the head.
  //   before: while j is pending, i leads no beat.  joins: i can share the beat that j leads.  after: i must go in a
  //   later pass.
  //   apart: both must be served, and not in the same pass.
  // A pass is one beat in global memory, and for lr.w and sc.w, whose reservation is of one beat. Else every bank has a
  // leader.
  reg [LANES*LANES-1:0] next_before, next_joins, next_after, next_apart;
  reg [PAIRS-1:0] same_beats;
  reg same_memory, same_beat, same_word, same_bytes, banked;
  always @* begin
    next_before = 0;
    next_joins = 0;
    next_after = 0;
    next_apart = 0;
    same_beats = 0;
    {same_memory, same_beat, same_word, same_bytes, banked} = 0;
    for (i = 1; i < LANES; i = i + 1)
    for (j = 0; j < i; j = j + 1) begin
      same_memory = next_local[j] == next_local[i];
      same_beats[i*(i-1)/2+j] = local_i[j] == local_i[i] &&
                                address_i[j*ADDRESS_BITS+BEAT_LOG2+:BEAT_INDEX_BITS] ==
                                address_i[i*ADDRESS_BITS+BEAT_LOG2+:BEAT_INDEX_BITS];
      same_beat = next_same_beat[i*(i-1)/2+j];
      same_word = next_address[j*ADDRESS_BITS+2+:BANK_BITS] == next_address[i*ADDRESS_BITS+2+:BANK_BITS];
      same_bytes = next_size[1] || (next_address[j*ADDRESS_BITS+1] == next_address[i*ADDRESS_BITS+1] &&
                                    (next_size[0] || next_address[j*ADDRESS_BITS] == next_address[i*ADDRESS_BITS]));
      banked = next_local[i] && !next_reserves;
      next_before[j*LANES+i] = !banked || !same_memory || same_word;
      next_joins[j*LANES+i] = same_beat && (!banked || same_word);
      next_after[j*LANES+i] = same_beat && same_word && same_bytes && !next_reads;
      next_apart[j*LANES+i] = next_lanes[j] && next_lanes[i] &&
                              ((next_before[j*LANES+i] && !next_joins[j*LANES+i]) || next_after[j*LANES+i]);
    end
  end

  // The operation being served, and its lanes still to be.
  reg [1:0] head_kind, head_size;
  reg [4:0] head_function;
  reg [SLOT_BITS-1:0] head_slot;
  reg [LABEL_BITS-1:0] head_label;
  reg [LANES-1:0] head_strobe, head_local;
  reg [LANES*ADDRESS_BITS-1:0] head_address;
  reg [KEPT_BITS-1:0] head_kept;
  wire [LANES*32-1:0] head_data = head_kept[LANES*32-1:0];
  reg [QUEUE_LOG2:0] head_number;
  wire [WORDS_LOG2-1:0] kept_at = refused ? refused_number[WORDS_LOG2-1:0] : read[WORDS_LOG2-1:0];
  reg [LANES*LANES-1:0] head_before, head_joins, head_after;
  reg [LANES*LANES-1:0] head_apart;  // for lanes that are both pending
  reg [LANES-1:0] pending;
  reg busy;  // a lane is pending
  reg head_begun, head_mixed, head_waits;

  // The lanes that are served: leaders of beats and lanes that join them, without those that must follow a lower lane.
  reg [LANES-1:0] lead, held, served;
  always @* begin
    held = 0;
    lead = pending;
    for (i = 1; i < LANES; i = i + 1)
    for (j = 0; j < i; j = j + 1) begin
      if (pending[j] && head_before[j*LANES+i]) lead[i] = 1'b0;
      if (pending[j] && head_after[j*LANES+i]) held[i] = 1'b1;
    end
    served = lead;
    for (i = 1; i < LANES; i = i + 1)
    for (j = 0; j < i; j = j + 1) if (lead[j] && head_joins[j*LANES+i]) served[i] = 1'b1;
    served = served & pending & ~held;
  end
  wire [LANES-1:0] left = pending & ~served;
  wire serve_local = |(lead & head_local);

  // All pending lanes go in this pass if no two of them must be apart; this is known long before `left`. Then the next
  // operation becomes the head. Hundreds of flip-flops depend on it, so it depends on registers alone; an idle head
  // takes what is at the output of the queue, valid or not.
  wire all_fit = head_apart == 0;

  reg a_valid, a_scatters;
  reg [1:0] a_kind;
  reg nothing_in_flight;  // no pass or answer is in flight
  wire room;  // for one more pass
  wire may_serve = !head_waits || nothing_in_flight;
  wire advance = room && !(a_scatters && crossbar_taken_i);
  wire serve = busy && may_serve && advance;
  wire next = !busy || all_fit;  // the next operation follows this pass
  wire replace = !busy || (may_serve && all_fit && advance);
  wire pop = filled && replace;
  assign further_o = serve && head_begun;

  always @(posedge clk) begin
    // Written in every cycle, because push_i is late; without push_i it is overwritten.
    if (!full_o) begin
      entries[written[QUEUE_LOG2-1:0]] <= {
        reads, reserves, kind_i, function_i, slot_i, size_i, label_i, lanes_i, strobe_i, local_i, address_i, same_beats
      };
      words[written[WORDS_LOG2-1:0]] <= tagged_data[KEPT_BITS-1:0];
    end
    if (push_i) written <= written + 1'b1;
    filled <= push_i || (pop ? count[QUEUE_LOG2:1] != 0 : filled);
    full_o <= !pop && (full_o || (push_i && (&count[QUEUE_LOG2-1:0])));
    nothing_in_flight <= drained_i && !serve && !a_valid && !waits;
    if (serve) begin
      head_begun <= 1'b1;
      head_waits <= head_mixed;
    end
    if (!busy || serve) begin
      pending <= next ? next_lanes : left;
      head_apart <= next_apart;
      for (i = 1; i < LANES; i = i + 1)
      for (j = 0; j < i; j = j + 1) if (!next) head_apart[j*LANES+i] <= head_apart[j*LANES+i] && left[j] && left[i];
    end
    if (replace) begin
      busy <= filled;
      {head_kind, head_function, head_slot, head_size, head_label} <= {
        next_kind, next_function, next_slot, next_size, next_label
      };
      {head_strobe, head_local, head_address} <= {next_strobe, next_local, next_address};
      head_number <= read;
      {head_before, head_joins, head_after} <= {next_before, next_joins, next_after};
      {head_begun, head_waits} <= 2'b00;
      head_mixed <= next_kind != STORE && |(next_lanes & next_local) && |(next_lanes & ~next_local);
    end
    if (replace || refused) head_kept <= words[kept_at];
    if (pop) read <= read + 1'b1;
    if (rst) begin
      written <= 0;
      read <= 0;
      {filled, full_o, busy} <= 3'b000;
    end
  end

  // Which bytes of its word a lane writes.
  reg [LANES*4-1:0] lane_strobe;
  reg [1:0] byte_offset;
  always @* begin
    byte_offset = 2'd0;
    for (i = 0; i < LANES; i = i + 1) begin
      byte_offset = head_address[i*ADDRESS_BITS+:2];
      lane_strobe[i*4+:4] = (head_size[1] ? 4'b1111 : head_size[0] ? {{2{byte_offset[1]}}, {2{!byte_offset[1]}}} :
                             4'b0001 << byte_offset) &
                            {4{head_strobe[i]}};
    end
  end

  // The page of the pass: a pass of global memory is that of the lowest lane that is pending. The table answers in stage
  // a.
  wire may_load, may_store;
  generate
    if (RIGHTS) begin : checked
      reg [ADDRESS_BITS-1:0] lowest_address;
      integer l;
      always @* begin
        lowest_address = head_address[ADDRESS_BITS-1:0];
        for (l = LANES - 1; l >= 0; l = l - 1)
        if (pending[l]) lowest_address = head_address[l*ADDRESS_BITS+:ADDRESS_BITS];
      end
      rights #(
          .ADDRESS_BITS(ADDRESS_BITS),
          .PAGES_LOG2  (PAGES_LOG2)
      ) rights (
          .clk(clk),
          .rights_i(rights_i),
          .look_i(advance),
          .address_i(lowest_address),
          .load_o(may_load),
          .store_o(may_store)
      );
      assign refused_tag_o = head_kept[LANES*32+:TAG_BITS];
    end else begin : unchecked
      assign {may_load, may_store} = 2'b11;
      assign refused_tag_o = {TAG_BITS{1'b0}};
      wire unused = &{1'b0, rights_i, tagged_data, refused_number};
    end
  endgenerate

  // Stage a: the lanes that are served, and their words.
  reg a_local, a_last;
  reg [QUEUE_LOG2:0] a_number;
  reg [1:0] a_size;
  reg [4:0] a_function;
  reg [LABEL_BITS-1:0] a_label;
  reg [SLOT_BITS-1:0] a_slot;
  reg [LANES-1:0] a_lanes;
  reg [LANES*BEAT_LOG2-1:0] a_offset;
  reg [LANES*BEAT_INDEX_BITS-1:0] a_beat;
  reg [LANES*4-1:0] a_strobe;
  always @(posedge clk) begin
    if (advance) begin
      a_valid <= serve;
      a_scatters <= serve && head_kind != LOAD;
      a_local <= serve_local;
      a_number <= head_number;
      {a_kind, a_function, a_size, a_label, a_slot} <= {head_kind, head_function, head_size, head_label, head_slot};
      a_lanes <= served;
      a_last <= all_fit;
      a_strobe <= lane_strobe;
      for (i = 0; i < LANES; i = i + 1) begin
        for (w = 0; w < BEAT_WORDS; w = w + 1)
        lane_word_o[i*BEAT_WORDS+w] <= served[i] && head_address[i*ADDRESS_BITS+2+:BANK_BITS] == w[BANK_BITS-1:0];
        a_offset[i*BEAT_LOG2+:BEAT_LOG2] <= head_address[i*ADDRESS_BITS+:BEAT_LOG2];
        a_beat[i*BEAT_INDEX_BITS+:BEAT_INDEX_BITS] <= head_address[i*ADDRESS_BITS+BEAT_LOG2+:BEAT_INDEX_BITS];
      end
    end
    // Bytes that a lane does not write are 0.
    for (i = 0; i < LANES * 4; i = i + 1)
    if (advance && !lane_strobe[i]) lane_data_o[i*8+:8] <= 8'd0;
    else if (advance) lane_data_o[i*8+:8] <= head_data[i*8+:8];
    if (rst) {a_valid, a_scatters} <= 2'b00;
  end

  // Data go through the crossbar of load_store.v; strobes and indices have their own AND-OR here. No priority is
  // needed: lanes that share a word write different bytes of it, and lanes that share a bank have the same index.
  reg [BEAT_BYTES-1:0] beat_strobe;
  reg [BEAT_INDEX_BITS-1:0] beat;
  reg [BEAT_WORDS*BANK_INDEX_BITS-1:0] bank_index;
  reg is_word;
  always @* begin
    beat = 0;
    beat_strobe = 0;
    bank_index = 0;
    is_word = 1'b0;
    for (i = 0; i < LANES; i = i + 1) begin
      beat = beat | (a_beat[i*BEAT_INDEX_BITS+:BEAT_INDEX_BITS] & {BEAT_INDEX_BITS{a_lanes[i]}});
      for (w = 0; w < BEAT_WORDS; w = w + 1) begin
        is_word = lane_word_o[i*BEAT_WORDS+w];
        beat_strobe[w*4+:4] = beat_strobe[w*4+:4] | (a_strobe[i*4+:4] & {4{is_word}});
        bank_index[w*BANK_INDEX_BITS+:BANK_INDEX_BITS] =
            bank_index[w*BANK_INDEX_BITS+:BANK_INDEX_BITS] |
            (a_beat[i*BEAT_INDEX_BITS+:BANK_INDEX_BITS] & {BANK_INDEX_BITS{is_word}});
      end
    end
  end

  wire a_reads = a_kind == LOAD || (a_kind == ATOMIC && a_function == LR);
  wire a_refused = RIGHTS && !a_local && !(a_reads ? may_load : may_store);

  // The pass, and room for one more while it waits.
  wire waits, pass_refused;
  assign refused = waits && pass_refused;
  assign pass_valid_o = waits && !pass_refused;
  always @(posedge clk) refused_o <= refused && !rst;
  localparam PASS_BITS = 1 + QUEUE_LOG2 + 1 + 1 + 2 + 5 + 1 + 2 + LABEL_BITS + BEAT_INDEX_BITS +
                         BEAT_WORDS * BANK_INDEX_BITS +
                         8 * BEAT_BYTES + BEAT_BYTES + SLOT_BITS + LANES + LANES * BEAT_LOG2 + 1;
  skid #(
      .WIDTH(PASS_BITS),
      .SPARE(!COMPACT)
  ) skid (
      .clk(clk),
      .rst(rst),
      .valid_i(a_valid && !(a_scatters && crossbar_taken_i)),
      .ready_o(room),
      .data_i({
        a_refused,
        a_number,
        a_local,
        a_kind,
        a_function,
        a_kind == ATOMIC && a_function[4:1] != 4'd1,
        a_size,
        a_label,
        beat,
        bank_index,
        beat_data_i,
        beat_strobe,
        a_slot,
        a_lanes,
        a_offset,
        a_last
      }),
      .valid_o(waits),
      .ready_i(pass_ready_i && !pass_refused),
      .data_o({
        pass_refused,
        refused_number,
        pass_local_o,
        pass_kind_o,
        pass_function_o,
        pass_amo_o,
        pass_size_o,
        pass_label_o,
        pass_beat_o,
        pass_bank_index_o,
        pass_data_o,
        pass_strobe_o,
        pass_slot_o,
        pass_lanes_o,
        pass_offset_o,
        pass_last_o
      })
  );

  assign idle_o = !filled && !busy && !a_valid && !waits;
endmodule

`default_nettype wire
