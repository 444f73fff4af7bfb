// SPDX-License-Identifier: Apache-2.0
// Carries out the memory operations of a unit: loads, stores and atomics. It has the coalescer, local memory, the port
// to global memory, and the path of answers to the lanes. Operations are served in order; stores are posted. An
// operation of one pass in local memory is answered 9 cycles after its push (an sc.w 10, an amo 12). Answers wait for
// the register port in a queue. A pass that will be answered starts when the queue has room, so nothing between memory
// and queue ever stalls. A slot may have several loads and atomics in flight if all use one memory; an operation that
// uses both must be alone. Over 400 lines: the lists of ports of its four parts, which it joins by two stages.
`include "rtl/shape.vh"
`default_nettype none

module load_store #(
    parameter LANES = 8,  // power of two, 1 to 32
    parameter SLOT_BITS = 5,  // log2(SLOTS)
    parameter ADDRESS_BITS = 28,  // bits of an address in global memory
    parameter LOCAL_LOG2 = 15,  // log2 of the bytes of local memory
    parameter BEAT_LOG2 = 5,  // log2 of the bytes of a beat
    parameter QUEUE_LOG2 = 4,  // log2 of the operations that may wait
    parameter COMPACT = 0,  // as in heddle.v
    parameter RD_BITS = 5,  // of the name of an answer's destination
    parameter HAS_LOCAL = 1,  // 0: without local memory
    parameter HAS_ATOMIC = 1,  // 0: without atomics
    parameter HAS_NARROW = 1,  // 0: words only
    parameter ANSWER_QUEUE = 1,  // 0: no queue; write_ready_i is always 1
    parameter PAGES_LOG2 = 0,  // as in heddle.v
    parameter TAG_BITS = 1,  // as in coalescer.v
    parameter CROSSBARS = 1,  // 2: one for each direction, so that stores and answers go in the same cycle
    parameter BEAT_BYTES = 1 << BEAT_LOG2,
    parameter LABEL_BITS = 1 + SLOT_BITS + RD_BITS + LANES + 1 + 2 + LANES * BEAT_LOG2  // of a label
) (
    input wire clk,
    input wire rst,
    input wire clear_i, // nothing is in flight; an operation that was refused is forgotten

    // pulse: a new sub-group in slot_i, without reservations
    input wire begin_i,

    // an operation; never pushed while full_o, nor the cycle after one of the same slot
    input  wire                          push_i,
    input  wire                          store_i,
    input  wire                          atomic_i,    // else a load, when neither
    input  wire [                   4:0] function_i,  // of an atomic: funct5
    input  wire                          unsigned_i,
    input  wire [           RD_BITS-1:0] rd_i,
    input  wire [         SLOT_BITS-1:0] slot_i,
    input  wire [                   1:0] size_i,      // 0 byte, 1 half-word, 2 word
    input  wire [             LANES-1:0] lanes_i,
    input  wire [             LANES-1:0] local_i,     // per lane: local memory, else global
    input  wire [LANES*ADDRESS_BITS-1:0] address_i,
    input  wire [          LANES*32-1:0] data_i,
    input  wire [          TAG_BITS-1:0] tag_i,       // kept in case that the operation is refused
    output wire                          full_o,
    output wire                          idle_o,      // no operation waits or is in flight
    output wire                          conflict_o,  // a pass is served that is not the first of its operation

    // an operation that has no right to a page, as in coalescer.v: nothing more leaves
    input wire [`HEDDLE_RIGHTS_BITS-1:0] rights_i,
    output wire refused_o,
    output wire [TAG_BITS-1:0] refused_tag_o,
    output wire [SLOT_BITS-1:0] refused_slot_o,
    output wire [RD_BITS-1:0] refused_rd_o,
    output wire [LANES-1:0] refused_lanes_o,
    output reg [31:0] refused_address_o,  // of the lowest of them
    output wire quiet_o,  // nothing is in flight, but an operation may wait that is refused

    // a shuffle in stage rd, e1 or e2; in e2 it uses the crossbar. Without a shuffle word and from are 0
    input  wire                   rd_shuffle_i,
    input  wire                   e1_shuffle_i,
    input  wire [   LANES*32-1:0] e2_word_i,
    input  wire [LANES*LANES-1:0] e2_from_i,     // for each lane the lane whose word it gets, one-hot
    output wire [   LANES*32-1:0] e2_shuffled_o,

    // answers to the registers; valid until taken
    output wire                 write_valid_o,
    input  wire                 write_ready_i,
    output wire [  RD_BITS-1:0] write_rd_o,
    output wire [SLOT_BITS-1:0] write_slot_o,
    output wire [    LANES-1:0] write_lanes_o,
    output wire [ LANES*32-1:0] write_value_o,
    output wire                 write_drop_o,   // rd is x0
    output wire                 write_last_o,   // the operation is complete with this

    // global memory; loads and atomics are answered, in the order of their requests
    output wire                    request_valid_o,
    input  wire                    request_ready_i,
    output wire [             1:0] request_kind_o,      // 0 load, 1 store, 2 atomic
    output wire [             4:0] request_function_o,
    output wire [ADDRESS_BITS-1:0] request_address_o,
    output wire [8*BEAT_BYTES-1:0] request_data_o,
    output wire [  BEAT_BYTES-1:0] request_strobe_o,    // bytes stored; words of a load or atomic
    output wire [   SLOT_BITS-1:0] request_owner_o,
    output wire [  LABEL_BITS-1:0] request_label_o,     // returned with the answer
    input  wire                    response_valid_i,
    output wire                    response_ready_o,
    input  wire [8*BEAT_BYTES-1:0] response_data_i,
    input  wire [  LABEL_BITS-1:0] response_label_i
);
  localparam BEAT_WORDS = BEAT_BYTES / 4;
  localparam BANK_INDEX_BITS = LOCAL_LOG2 - BEAT_LOG2;
  localparam ANSWERS_LOG2 = 4;
  localparam [ANSWERS_LOG2-1:0] ANSWERS = 15;  // most answers in the queue and on their way to it
  `include "rtl/memory/request.vh"

  // Lanes of each sub-group that have done an lr.w without an sc.w since, by memory. Only their sc.w may succeed: the
  // reservations in the memories tell sub-groups apart, not lanes.
  reg [2*LANES-1:0] reserved[0:(1<<SLOT_BITS)-1];
  wire is_lr = HAS_ATOMIC != 0 && atomic_i && function_i == LR;
  wire is_sc = HAS_ATOMIC != 0 && atomic_i && function_i == SC;
  wire [LANES-1:0] reserved_local, reserved_global;
  assign {reserved_local, reserved_global} = reserved[slot_i];
  reg reserve, reserve_none;  // the cycle after the push
  reg [SLOT_BITS-1:0] reserve_slot;
  reg [  2*LANES-1:0] reserve_lanes;
  always @(posedge clk) begin
    reserve <= begin_i || (push_i && (is_lr || is_sc));
    reserve_none <= begin_i || is_sc;
    reserve_slot <= slot_i;
    reserve_lanes <= {lanes_i & local_i, lanes_i & ~local_i};
    if (reserve) reserved[reserve_slot] <= reserve_none ? {(2 * LANES) {1'b0}} : reserve_lanes;
  end
  wire [LANES-1:0] strobe = is_sc ? (reserved_local & local_i) | (reserved_global & ~local_i) : {LANES{1'b1}};

  wire valid, ready, pass_local, pass_amo, last, pass_unsigned, coalescer_idle;
  wire [1:0] pass_kind, pass_size;
  // Features that parameters leave out are constants here, so that their logic is removed.
  wire is_local = HAS_LOCAL != 0 && pass_local;
  wire is_amo = HAS_ATOMIC != 0 && pass_amo;
  wire is_unsigned = HAS_NARROW == 0 || pass_unsigned;
  wire [1:0] kind = HAS_ATOMIC != 0 ? pass_kind : {1'b0, pass_kind[0]};
  wire [1:0] size = HAS_NARROW != 0 ? pass_size : 2'd2;
  wire [RD_BITS-1:0] rd;
  wire [ADDRESS_BITS-1:BEAT_LOG2] beat;
  wire [BEAT_WORDS*BANK_INDEX_BITS-1:0] bank_index;
  wire [LANES*BEAT_LOG2-1:0] offset;
  wire [LANES-1:0] lanes;
  wire drained;
  wire [LANES*BEAT_WORDS-1:0] lane_word;
  wire [LANES*32-1:0] lane_data;
  wire [8*BEAT_BYTES-1:0] crossed_out, crossed_back;
  wire crossbar_taken;
  reg r_valid, crosses;  // stage r or a shuffle needs the crossbar
  coalescer #(
      .LANES(LANES),
      .SLOT_BITS(SLOT_BITS),
      .ADDRESS_BITS(ADDRESS_BITS),
      .LOCAL_LOG2(LOCAL_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .QUEUE_LOG2(QUEUE_LOG2),
      .LABEL_BITS(1 + RD_BITS),
      .COMPACT(COMPACT),
      .PAGES_LOG2(PAGES_LOG2),
      .TAG_BITS(TAG_BITS)
  ) coalescer (
      .clk(clk),
      .rst(rst || clear_i),
      .push_i(push_i),
      .kind_i(atomic_i ? ATOMIC : store_i ? STORE : LOAD),
      .function_i(function_i),
      .slot_i(slot_i),
      .size_i(HAS_NARROW != 0 ? size_i : 2'd2),
      .label_i({unsigned_i, rd_i}),
      .tag_i(tag_i),
      .lanes_i(lanes_i),
      .strobe_i(strobe),
      .local_i(HAS_LOCAL != 0 ? local_i : {LANES{1'b0}}),
      .address_i(address_i),
      .data_i(data_i),
      .full_o(full_o),
      .idle_o(coalescer_idle),
      .drained_i(drained),
      .crossbar_taken_i(crossbar_taken),
      .lane_word_o(lane_word),
      .lane_data_o(lane_data),
      .beat_data_i(crossed_out),
      .further_o(conflict_o),
      .rights_i(rights_i),
      .refused_o(refused_o),
      .refused_tag_o(refused_tag_o),
      .pass_valid_o(valid),
      .pass_ready_i(ready),
      .pass_local_o(pass_local),
      .pass_kind_o(pass_kind),
      .pass_function_o(request_function_o),
      .pass_amo_o(pass_amo),
      .pass_size_o(pass_size),
      .pass_label_o({pass_unsigned, rd}),
      .pass_beat_o(beat),
      .pass_bank_index_o(bank_index),
      .pass_data_o(request_data_o),
      .pass_strobe_o(request_strobe_o),
      .pass_slot_o(request_owner_o),
      .pass_lanes_o(lanes),
      .pass_offset_o(offset),
      .pass_last_o(last)
  );
  wire store = kind[0];  // kinds are 0 to 2

  // What an answer needs is in the label of its request. Two counts: outstanding, the requests that global memory has
  // not answered; answers, those that have left either memory and not been taken by the registers. outstanding is a
  // cycle late, because it is known late whether a request or an answer is transferred.
  wire [LABEL_BITS-1:0] label = {last, request_owner_o, rd, lanes, is_unsigned, size, offset};
  reg [9:0] outstanding;
  reg all_answered;  // outstanding is 0
  reg was_requested, was_answered;  // in the cycle before
  reg [ANSWERS_LOG2-1:0] answers;
  // Registered, because they drive long paths.
  reg global_room, answer_room;  // answer_room: for an answer of each memory and of an amo that has started
  wire local_ready;
  assign request_label_o = label;
  assign request_valid_o = valid && !is_local && (store || global_room);
  assign request_kind_o = kind;
  assign request_address_o = {beat, {BEAT_LOG2{1'b0}}};
  assign ready = is_local ? local_ready : request_ready_i && (store || global_room);
  wire from_local = valid && is_local && local_ready && !store;
  wire from_global = response_valid_i && response_ready_o;
  wire taken = write_valid_o && write_ready_i;
  wire merge;  // two answers are joined
  wire [ANSWERS_LOG2-1:0] answers_next = answers + {3'd0, from_local} + {3'd0, from_global} - {3'd0, taken} -
                                         {3'd0, merge};
  always @(posedge clk) begin
    was_requested <= !rst && request_valid_o && request_ready_i && !store;
    was_answered <= !rst && from_global;
    outstanding <= rst ? 10'd0 : outstanding + {{9{was_answered && !was_requested}}, was_answered != was_requested};
    all_answered <= rst || (was_answered == was_requested ? all_answered : was_answered && outstanding == 10'd1);
    answers <= rst ? {ANSWERS_LOG2{1'b0}} : answers_next;
    global_room <= rst || !(&outstanding[9:2]);  // up to three more are requested before this takes effect
    answer_room <= rst || answers_next < ANSWERS - 4'd2 || ANSWER_QUEUE == 0;
  end

  // Local memory: its answer comes a fixed number of cycles after the access.
  reg l1_valid, l2_valid;
  reg [LABEL_BITS-1:0] l1_label, l2_label;
  wire [8*BEAT_BYTES-1:0] local_data;
  // A pipeline may load from local memory in every cycle, for ever if its sub-groups wait there for one that waits for
  // global memory: so that its answer comes, local memory makes a pause when it has waited for some cycles. A unit
  // issues less.
  reg [3:0] held_up;
  wire pause = ANSWER_QUEUE == 0 && HAS_LOCAL != 0 && held_up[3];
  always @(posedge clk)
    if (rst || !response_valid_i || response_ready_o) held_up <= 4'd0;
    else if (!held_up[3]) held_up <= held_up + 4'd1;
  local_memory #(
      .BYTES_LOG2(LOCAL_LOG2),
      .BEAT_LOG2 (BEAT_LOG2),
      .OWNER_BITS(SLOT_BITS)
  ) local_memory (
      .clk(clk),
      .rst(rst),
      .valid_i(valid && is_local),
      .ready_o(local_ready),
      .answer_room_i(answer_room),
      .answer_now_i(!rd_shuffle_i && !pause),
      .kind_i(kind),
      .function_i(request_function_o),
      .amo_i(is_amo),
      .owner_i(request_owner_o),
      .beat_i(beat[LOCAL_LOG2-1:BEAT_LOG2]),
      .bank_index_i(bank_index),
      .data_i(request_data_o),
      .strobe_i(request_strobe_o),
      .data_o(local_data)
  );

  // Answers: local memory has priority, because it cannot wait. They go through the crossbar (r), are aligned (x), and
  // enter the queue. While others wait in the queue, passes of one operation that follow each other are joined, so that
  // they need the register port once.
  reg r_same, x_valid;  // r_same: of the same operation as the answer in x
  reg [LABEL_BITS-1:0] r_label;
  reg [8*BEAT_BYTES-1:0] r_beat;
  reg [LANES*BEAT_WORDS-1:0] r_word;  // of each lane: its word in the beat, one-hot
  reg [SLOT_BITS+RD_BITS+LANES:0] x_label;  // {last, slot, rd, lanes}
  reg [LANES*32-1:0] x_word;
  reg [LANES*2-1:0] x_offset;
  reg [1:0] x_size;
  reg x_signed;
  assign response_ready_o = !l2_valid && answer_room && !e1_shuffle_i;
  wire [LABEL_BITS-1:0] answer_label = l2_valid ? l2_label : response_label_i;
  wire [1:0] r_size = r_label[LANES*BEAT_LOG2+:2];
  wire [LANES-1:0] r_lanes = r_label[LANES*BEAT_LOG2+3+:LANES];
  assign merge = ANSWER_QUEUE != 0 && x_valid && r_valid && r_same && write_valid_o;
  integer i, w;
  always @(posedge clk) begin
    l1_valid <= from_local;
    l1_label <= label;
    l2_valid <= l1_valid;
    l2_label <= l1_label;
    r_valid <= l2_valid || from_global;
    crosses <= l2_valid || from_global || e1_shuffle_i;
    r_label <= answer_label;
    r_same <= r_valid && !r_label[LABEL_BITS-1] &&
              answer_label[LABEL_BITS-2-:SLOT_BITS+RD_BITS] == r_label[LABEL_BITS-2-:SLOT_BITS+RD_BITS];
    r_beat <= l2_valid ? local_data : response_data_i;
    for (i = 0; i < LANES; i = i + 1)
    for (w = 0; w < BEAT_WORDS; w = w + 1)
    r_word[i*BEAT_WORDS+w] <= answer_label[i*BEAT_LOG2+2+:BEAT_LOG2-2] == w[BEAT_LOG2-3:0];
    // Zeros without an answer, so that other users of the crossbar can be ORed in.
    if (!l2_valid && !from_global) begin
      r_beat <= {8 * BEAT_BYTES{1'b0}};
      r_word <= {LANES * BEAT_WORDS{1'b0}};
    end
    x_valid <= r_valid;
    x_label <= r_label[LABEL_BITS-1:LANES*BEAT_LOG2+3];
    if (merge) x_label[LANES-1:0] <= x_label[LANES-1:0] | r_lanes;
    for (i = 0; i < LANES; i = i + 1)
    if (!merge || r_lanes[i]) begin
      x_word[i*32+:32] <= crossed_back[i*32+:32];
      x_offset[i*2+:2] <= r_label[i*BEAT_LOG2+:2] & {!r_size[1], r_size == 2'd0};
    end
    x_size   <= r_size;
    x_signed <= !r_label[LANES*BEAT_LOG2+2];
    if (rst) {l1_valid, l2_valid, r_valid, crosses, x_valid} <= 5'd0;
  end
  wire [LANES*32-1:0] x_value;
  load_align #(
      .LANES(LANES)
  ) align (
      .word_i  (x_word),
      .offset_i(x_offset),
      .size_i  (x_size),
      .signed_i(x_signed),
      .value_o (x_value)
  );

  // The queue.
  genvar n;
  generate
    if (ANSWER_QUEUE != 0) begin : queued
      reg queued_valid;
      reg [SLOT_BITS+RD_BITS+LANES+1:0] waiting[0:(1<<ANSWERS_LOG2)-1];
      reg [ANSWERS_LOG2-1:0] first, behind;
      wire [ANSWERS_LOG2-1:0] second = first + 1'b1;
      always @(posedge clk) begin
        waiting[behind] <= {x_label[LANES+:RD_BITS] == {RD_BITS{1'b0}}, x_label};
        if (x_valid && !merge) behind <= behind + 1'b1;
        if (taken) first <= second;
        queued_valid <= (x_valid && !merge) || (taken ? second != behind : queued_valid);
        if (rst) begin
          first <= 0;
          behind <= 0;
          queued_valid <= 1'b0;
        end
      end
      assign write_valid_o = queued_valid;
      assign {write_drop_o, write_last_o, write_slot_o, write_rd_o, write_lanes_o} = waiting[first];
      // Each lane has a RAM and a read pointer of its own near it (keep: else Yosys merges the pointers).
      for (n = 0; n < LANES; n = n + 1) begin : lane
        (* keep *) reg [ANSWERS_LOG2-1:0] own;
        reg [31:0] words[0:(1<<ANSWERS_LOG2)-1];
        always @(posedge clk) begin
          words[behind] <= x_value[n*32+:32];
          if (taken) own <= own + 1'b1;
          if (rst) own <= 0;
        end
        assign write_value_o[n*32+:32] = words[own];
      end
    end else begin : direct
      assign write_valid_o = x_valid;
      assign {write_last_o, write_slot_o, write_rd_o, write_lanes_o} = x_label;
      assign write_drop_o = x_label[LANES+:RD_BITS] == {RD_BITS{1'b0}};
      assign write_value_o = x_value;
    end
  endgenerate

  // With one crossbar every pass needs it once: a store on its way to memory, a load on its way back. Answers have
  // priority, so there is no deadlock: the register port takes answers whatever stores wait for. A shuffle in e2 needs
  // r to be empty: when it is in rd, local memory gives no answer; when it is in e1, none of global memory is taken. A
  // unit issues less than a pass a cycle, so it hardly ever waits. A pipeline would wait; it has a crossbar for each
  // direction.
  localparam BETWEEN = BEAT_WORDS * BEAT_WORDS;
  reg [8*BEAT_BYTES-1:0] out_word, back_word;
  reg [BETWEEN-1:0] out_from, back_from;  // for each output word the input word, one-hot
  always @* begin
    back_word = r_beat;
    back_from = 0;
    out_word  = 0;
    out_from  = 0;
    for (i = 0; i < LANES; i = i + 1) begin
      back_word[i*32+:32] = back_word[i*32+:32] | e2_word_i[i*32+:32];
      out_word[i*32+:32]  = lane_data[i*32+:32] & {32{!crossbar_taken}};
      for (w = 0; w < LANES; w = w + 1) back_from[i*BEAT_WORDS+w] = e2_from_i[i*LANES+w];
      for (w = 0; w < BEAT_WORDS; w = w + 1) begin
        back_from[i*BEAT_WORDS+w] = back_from[i*BEAT_WORDS+w] | r_word[i*BEAT_WORDS+w];
        out_from[w*BEAT_WORDS+i]  = lane_word[i*BEAT_WORDS+w] && !crossbar_taken;
      end
    end
  end
  generate
    if (CROSSBARS == 1) begin : shared
      assign crossbar_taken = crosses;
      crossbar #(
          .WORDS(BEAT_WORDS)
      ) crossbar (
          .word_i(back_word | out_word),
          .from_i(back_from | out_from),
          .word_o(crossed_back)
      );
      assign crossed_out = crossed_back;
    end else begin : each_way
      assign crossbar_taken = 1'b0;
      crossbar #(
          .WORDS(BEAT_WORDS)
      ) crossbar_out (
          .word_i(out_word),
          .from_i(out_from),
          .word_o(crossed_out)
      );
      crossbar #(
          .WORDS(BEAT_WORDS)
      ) crossbar_back (
          .word_i(back_word),
          .from_i(back_from),
          .word_o(crossed_back)
      );
      wire unused = &{1'b0, crosses};
    end
  endgenerate

  assign e2_shuffled_o = crossed_back[LANES*32-1:0];

  assign drained = all_answered && !was_requested && answers == 0;
  assign idle_o = coalescer_idle && drained;

  // A refused operation.
  assign quiet_o = drained && (coalescer_idle || refused_o);
  assign refused_slot_o = request_owner_o;
  assign refused_rd_o = rd;
  assign refused_lanes_o = lanes;
  always @* begin
    refused_address_o = {{(32 - ADDRESS_BITS) {1'b0}}, beat, {BEAT_LOG2{1'b0}}};
    for (i = LANES - 1; i >= 0; i = i - 1)
    if (lanes[i]) refused_address_o[BEAT_LOG2-1:0] = offset[i*BEAT_LOG2+:BEAT_LOG2];
  end
endmodule

`default_nettype wire
