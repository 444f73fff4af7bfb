// SPDX-License-Identifier: Apache-2.0
// Carries out the memory operations of a unit, loads, stores and atomics: coalescer, local memory, the way to global memory,
// and the answers back to the lanes. Operations are served in order; stores are posted. An operation of one pass in local
// memory answers 9 cycles after its push (an sc.w 10, an amo 12). Answers wait for the register port in a queue, and a pass that will be
// answered starts when the queue has room for it: so nothing between memory and the queue ever has to stand still.
// A slot may have several loads and atomics under way, if all are of one memory; one that mixes both memories must be alone.
`default_nettype none

module load_store #(
    parameter LANES = 8,  // power of two, 1 to 32
    parameter SLOT_BITS = 5,  // log2(SLOTS)
    parameter PLACE_BITS = 28,  // bits of an address in global memory
    parameter LOCAL_LOG2 = 15,  // log2 of the bytes of local memory
    parameter ROW_LOG2 = 5,  // log2 of the bytes of a row
    parameter QUEUE_LOG2 = 4,  // log2 of the operations that may wait
    parameter COMPACT = 0,  // as in heddle.v
    parameter RD_BITS = 5,  // of what names the destination of an answer
    parameter HAS_LOCAL = 1,  // 0: without local memory
    parameter HAS_ATOMIC = 1,  // 0: without atomics
    parameter HAS_NARROW = 1,  // 0: words only
    parameter ANSWER_QUEUE = 1,  // 0: answers are taken at once, write_ready_i is always 1
    parameter CROSSBARS = 1,  // 2: one for each way, so that stores and answers go in the same cycle
    parameter ROW_BYTES = 1 << ROW_LOG2,
    parameter NOTE_BITS = 1 + SLOT_BITS + RD_BITS + LANES + 1 + 2 + LANES * ROW_LOG2  // of a label
) (
    input wire clk,
    input wire rst,

    // a new sub-group in slot_i: it has reserved nothing
    input wire begin_i,

    // an operation; never pushed while full_o, nor the cycle after one of the same slot
    input  wire                        push_i,
    input  wire                        store_i,
    input  wire                        atomic_i,    // else a load, when neither
    input  wire [                 4:0] function_i,  // of an atomic: funct5
    input  wire                        unsigned_i,
    input  wire [         RD_BITS-1:0] rd_i,
    input  wire [       SLOT_BITS-1:0] slot_i,
    input  wire [                 1:0] size_i,      // 0 byte, 1 half-word, 2 word
    input  wire [           LANES-1:0] lanes_i,
    input  wire [           LANES-1:0] local_i,     // per lane: local memory, else global
    input  wire [LANES*PLACE_BITS-1:0] place_i,
    input  wire [        LANES*32-1:0] data_i,
    output wire                        full_o,
    output wire                        idle_o,      // nothing waits and nothing is under way
    output wire                        conflict_o,  // a pass is made that is not its operation's first

    // a shuffle on its way through stages rd, e1 and e2; in e2 the crossbar is its own. Word and from are 0 without one
    input  wire                   rd_shuffle_i,
    input  wire                   e1_shuffle_i,
    input  wire [   LANES*32-1:0] e2_word_i,
    input  wire [LANES*LANES-1:0] e2_from_i,     // of each lane, the lane whose word it gets, one-hot
    output wire [   LANES*32-1:0] e2_shuffled_o,

    // values to the registers; stays until taken
    output wire                 write_valid_o,
    input  wire                 write_ready_i,
    output wire [  RD_BITS-1:0] write_rd_o,
    output wire [SLOT_BITS-1:0] write_slot_o,
    output wire [    LANES-1:0] write_lanes_o,
    output wire [ LANES*32-1:0] write_value_o,
    output wire                 write_drop_o,   // rd is x0
    output wire                 write_last_o,   // the operation is complete with this

    // global memory; loads and atomics are answered, in the order of their requests
    output wire                   request_valid_o,
    input  wire                   request_ready_i,
    output wire [            1:0] request_kind_o,      // 0 load, 1 store, 2 atomic
    output wire [            4:0] request_function_o,
    output wire [ PLACE_BITS-1:0] request_address_o,
    output wire [8*ROW_BYTES-1:0] request_data_o,
    output wire [  ROW_BYTES-1:0] request_strobe_o,    // bytes written, or wanted
    output wire [  SLOT_BITS-1:0] request_owner_o,
    output wire [  NOTE_BITS-1:0] request_label_o,     // comes back with the answer
    input  wire                   response_valid_i,
    output wire                   response_ready_o,
    input  wire [8*ROW_BYTES-1:0] response_data_i,
    input  wire [  NOTE_BITS-1:0] response_label_i
);
  localparam ROW_WORDS = ROW_BYTES / 4;
  localparam BANK_ROW_BITS = LOCAL_LOG2 - ROW_LOG2;
  localparam ANSWERS_LOG2 = 4;
  localparam [ANSWERS_LOG2-1:0] ANSWERS = 15;  // at most, in the queue or on their way to it
  `include "rtl/memory/request.vh"

  // Which lanes of a sub-group have done an lr.w without an sc.w since, and of which memory: only those may sc.w. The
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
  // What the parameters leave out is a constant here, and what it needs goes with it.
  wire is_local = HAS_LOCAL != 0 && pass_local;
  wire is_amo = HAS_ATOMIC != 0 && pass_amo;
  wire is_unsigned = HAS_NARROW == 0 || pass_unsigned;
  wire [1:0] kind = HAS_ATOMIC != 0 ? pass_kind : {1'b0, pass_kind[0]};
  wire [1:0] size = HAS_NARROW != 0 ? pass_size : 2'd2;
  wire [RD_BITS-1:0] rd;
  wire [PLACE_BITS-1:ROW_LOG2] row;
  wire [ROW_WORDS*BANK_ROW_BITS-1:0] bank_row;
  wire [LANES*ROW_LOG2-1:0] offset;
  wire [LANES-1:0] lanes;
  wire drained;
  wire [LANES*ROW_WORDS-1:0] lane_word;
  wire [LANES*32-1:0] lane_data;
  wire [8*ROW_BYTES-1:0] crossed_out, crossed_back;
  wire crossbar_taken;
  reg r_valid, crosses;  // what stands in r, or a shuffle, needs the crossbar
  coalescer #(
      .LANES(LANES),
      .SLOT_BITS(SLOT_BITS),
      .PLACE_BITS(PLACE_BITS),
      .LOCAL_LOG2(LOCAL_LOG2),
      .ROW_LOG2(ROW_LOG2),
      .QUEUE_LOG2(QUEUE_LOG2),
      .NOTE_BITS(1 + RD_BITS),
      .COMPACT(COMPACT)
  ) coalescer (
      .clk(clk),
      .rst(rst),
      .push_i(push_i),
      .kind_i(atomic_i ? ATOMIC : store_i ? STORE : LOAD),
      .function_i(function_i),
      .slot_i(slot_i),
      .size_i(HAS_NARROW != 0 ? size_i : 2'd2),
      .note_i({unsigned_i, rd_i}),
      .lanes_i(lanes_i),
      .strobe_i(strobe),
      .local_i(HAS_LOCAL != 0 ? local_i : {LANES{1'b0}}),
      .place_i(place_i),
      .data_i(data_i),
      .full_o(full_o),
      .idle_o(coalescer_idle),
      .drained_i(drained),
      .crossbar_taken_i(crossbar_taken),
      .lane_word_o(lane_word),
      .lane_data_o(lane_data),
      .row_data_i(crossed_out),
      .further_o(conflict_o),
      .pass_valid_o(valid),
      .pass_ready_i(ready),
      .pass_local_o(pass_local),
      .pass_kind_o(pass_kind),
      .pass_function_o(request_function_o),
      .pass_amo_o(pass_amo),
      .pass_size_o(pass_size),
      .pass_note_o({pass_unsigned, rd}),
      .pass_row_o(row),
      .pass_bank_row_o(bank_row),
      .pass_data_o(request_data_o),
      .pass_strobe_o(request_strobe_o),
      .pass_slot_o(request_owner_o),
      .pass_lanes_o(lanes),
      .pass_offset_o(offset),
      .pass_last_o(last)
  );
  wire store = kind[0];  // kinds are 0 to 2

  // What an answer needs to know goes with its request as a label. Answers that are awaited from global memory are counted,
  // and those that have left local memory or come from global memory, until the registers take them. Of the many that may be
  // awaited a request and an answer are counted the cycle after: whether they come is known late.
  wire [NOTE_BITS-1:0] note = {last, request_owner_o, rd, lanes, is_unsigned, size, offset};
  reg [9:0] awaited;
  reg none_awaited;  // it is zero
  reg asked, got;  // in the cycle before
  reg [ANSWERS_LOG2-1:0] answers;
  // Whether there is room is known when the cycle begins: who asks has far to go.
  reg global_room, answer_room;  // answer_room: for one of either memory and an amo that has started
  wire local_ready;
  assign request_label_o = note;
  assign request_valid_o = valid && !is_local && (store || global_room);
  assign request_kind_o = kind;
  assign request_address_o = {row, {ROW_LOG2{1'b0}}};
  assign ready = is_local ? local_ready : request_ready_i && (store || global_room);
  wire from_local = valid && is_local && local_ready && !store;
  wire from_global = response_valid_i && response_ready_o;
  wire taken = write_valid_o && write_ready_i;
  wire merge;  // two answers become one
  wire [ANSWERS_LOG2-1:0] answers_next = answers + {3'd0, from_local} + {3'd0, from_global} - {3'd0, taken} -
                                         {3'd0, merge};
  always @(posedge clk) begin
    asked <= !rst && request_valid_o && request_ready_i && !store;
    got <= !rst && from_global;
    awaited <= rst ? 10'd0 : awaited + {{9{got && !asked}}, got != asked};
    none_awaited <= rst || (got == asked ? none_awaited : got && awaited == 10'd1);
    answers <= rst ? {ANSWERS_LOG2{1'b0}} : answers_next;
    global_room <= rst || !(&awaited[9:2]);  // three may be asked for before it is heeded
    answer_room <= rst || answers_next < ANSWERS - 4'd2 || ANSWER_QUEUE == 0;
  end

  // Local memory: its answer follows the access at a fixed distance.
  reg l1_valid, l2_valid;
  reg [NOTE_BITS-1:0] l1_note, l2_note;
  wire [8*ROW_BYTES-1:0] local_data;
  local_memory #(
      .BYTES_LOG2(LOCAL_LOG2),
      .ROW_LOG2  (ROW_LOG2),
      .OWNER_BITS(SLOT_BITS)
  ) local_memory (
      .clk(clk),
      .rst(rst),
      .valid_i(valid && is_local),
      .ready_o(local_ready),
      .answer_room_i(answer_room),
      .answer_now_i(!rd_shuffle_i),
      .kind_i(kind),
      .function_i(request_function_o),
      .amo_i(is_amo),
      .owner_i(request_owner_o),
      .row_i(row[LOCAL_LOG2-1:ROW_LOG2]),
      .bank_row_i(bank_row),
      .data_i(request_data_o),
      .strobe_i(request_strobe_o),
      .data_o(local_data)
  );

  // Answers: local memory first, it cannot wait; then through the crossbar; then aligned, and into the queue. Passes of one
  // operation that follow each other go there together while others wait before them, so that they need the register port once.
  reg r_same, x_valid;  // r_same: of the operation that stands in x
  reg [NOTE_BITS-1:0] r_note;
  reg [8*ROW_BYTES-1:0] r_row;
  reg [LANES*ROW_WORDS-1:0] r_word;  // of each lane, one-hot
  reg [SLOT_BITS+RD_BITS+LANES:0] x_note;  // {last, slot, rd, lanes}
  reg [LANES*32-1:0] x_word;
  reg [LANES*2-1:0] x_place;
  reg [1:0] x_size;
  reg x_signed;
  assign response_ready_o = !l2_valid && answer_room && !e1_shuffle_i;
  wire [NOTE_BITS-1:0] answer_note = l2_valid ? l2_note : response_label_i;
  wire [1:0] r_size = r_note[LANES*ROW_LOG2+:2];
  wire [LANES-1:0] r_lanes = r_note[LANES*ROW_LOG2+3+:LANES];
  assign merge = ANSWER_QUEUE != 0 && x_valid && r_valid && r_same && write_valid_o;
  integer i, w;
  always @(posedge clk) begin
    l1_valid <= from_local;
    l1_note <= note;
    l2_valid <= l1_valid;
    l2_note <= l1_note;
    r_valid <= l2_valid || from_global;
    crosses <= l2_valid || from_global || e1_shuffle_i;
    r_note <= answer_note;
    r_same <= r_valid && !r_note[NOTE_BITS-1] &&
              answer_note[NOTE_BITS-2-:SLOT_BITS+RD_BITS] == r_note[NOTE_BITS-2-:SLOT_BITS+RD_BITS];
    r_row <= l2_valid ? local_data : response_data_i;
    for (i = 0; i < LANES; i = i + 1)
    for (w = 0; w < ROW_WORDS; w = w + 1)
    r_word[i*ROW_WORDS+w] <= answer_note[i*ROW_LOG2+2+:ROW_LOG2-2] == w[ROW_LOG2-3:0];
    // Without an answer all zeros: the others that use the crossbar need only be ORed in.
    if (!l2_valid && !from_global) begin
      r_row  <= {8 * ROW_BYTES{1'b0}};
      r_word <= {LANES * ROW_WORDS{1'b0}};
    end
    x_valid <= r_valid;
    x_note  <= r_note[NOTE_BITS-1:LANES*ROW_LOG2+3];
    if (merge) x_note[LANES-1:0] <= x_note[LANES-1:0] | r_lanes;
    for (i = 0; i < LANES; i = i + 1)
    if (!merge || r_lanes[i]) begin
      x_word[i*32+:32] <= crossed_back[i*32+:32];
      x_place[i*2+:2]  <= r_note[i*ROW_LOG2+:2] & {!r_size[1], r_size == 2'd0};
    end
    x_size   <= r_size;
    x_signed <= !r_note[LANES*ROW_LOG2+2];
    if (rst) {l1_valid, l2_valid, r_valid, crosses, x_valid} <= 5'd0;
  end
  wire [LANES*32-1:0] x_value;
  load_align #(
      .LANES(LANES)
  ) align (
      .word_i  (x_word),
      .place_i (x_place),
      .size_i  (x_size),
      .signed_i(x_signed),
      .value_o (x_value)
  );

  // The queue.
  genvar n;
  generate
    if (ANSWER_QUEUE != 0) begin : queued
      reg held;
      reg [SLOT_BITS+RD_BITS+LANES+1:0] waiting[0:(1<<ANSWERS_LOG2)-1];
      reg [ANSWERS_LOG2-1:0] first, behind;
      wire [ANSWERS_LOG2-1:0] second = first + 1'b1;
      always @(posedge clk) begin
        waiting[behind] <= {x_note[LANES+:RD_BITS] == {RD_BITS{1'b0}}, x_note};
        if (x_valid && !merge) behind <= behind + 1'b1;
        if (taken) first <= second;
        held <= (x_valid && !merge) || (taken ? second != behind : held);
        if (rst) begin
          first  <= 0;
          behind <= 0;
          held   <= 1'b0;
        end
      end
      assign write_valid_o = held;
      assign {write_drop_o, write_last_o, write_slot_o, write_rd_o, write_lanes_o} = waiting[first];
      // Each lane's words lie near it, and have a pointer of their own there (keep: else Yosys makes all of them one).
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
      assign {write_last_o, write_slot_o, write_rd_o, write_lanes_o} = x_note;
      assign write_drop_o = x_note[LANES+:RD_BITS] == {RD_BITS{1'b0}};
      assign write_value_o = x_value;
    end
  endgenerate

  // With one crossbar every pass needs it once, a store on its way to memory and a load on its way back. Answers go first: the
  // register port takes them in the end, whatever stores wait for. A shuffle is announced: what would be in r when it is in e2 is not
  // let go from local memory when it is in rd, and from global memory when it is in e1. A unit issues less than a pass a cycle and
  // hardly ever waits; a pipeline would, so it has one crossbar for each way.
  localparam BETWEEN = ROW_WORDS * ROW_WORDS;
  reg [8*ROW_BYTES-1:0] out_word, back_word;
  reg [BETWEEN-1:0] out_from, back_from;  // of each word that goes on, whether it is that word, one-hot
  always @* begin
    back_word = r_row;
    back_from = 0;
    out_word  = 0;
    out_from  = 0;
    for (i = 0; i < LANES; i = i + 1) begin
      back_word[i*32+:32] = back_word[i*32+:32] | e2_word_i[i*32+:32];
      out_word[i*32+:32]  = lane_data[i*32+:32] & {32{!crossbar_taken}};
      for (w = 0; w < LANES; w = w + 1) back_from[i*ROW_WORDS+w] = e2_from_i[i*LANES+w];
      for (w = 0; w < ROW_WORDS; w = w + 1) begin
        back_from[i*ROW_WORDS+w] = back_from[i*ROW_WORDS+w] | r_word[i*ROW_WORDS+w];
        out_from[w*ROW_WORDS+i]  = lane_word[i*ROW_WORDS+w] && !crossbar_taken;
      end
    end
  end
  generate
    if (CROSSBARS == 1) begin : shared
      assign crossbar_taken = crosses;
      crossbar #(
          .WORDS(ROW_WORDS)
      ) crossbar (
          .word_i(back_word | out_word),
          .from_i(back_from | out_from),
          .word_o(crossed_back)
      );
      assign crossed_out = crossed_back;
    end else begin : each_way
      assign crossbar_taken = 1'b0;
      crossbar #(
          .WORDS(ROW_WORDS)
      ) crossbar_out (
          .word_i(out_word),
          .from_i(out_from),
          .word_o(crossed_out)
      );
      crossbar #(
          .WORDS(ROW_WORDS)
      ) crossbar_back (
          .word_i(back_word),
          .from_i(back_from),
          .word_o(crossed_back)
      );
      wire unused = &{1'b0, crosses};
    end
  endgenerate

  assign e2_shuffled_o = crossed_back[LANES*32-1:0];

  assign drained = none_awaited && !asked && answers == 0;
  assign idle_o = coalescer_idle && drained;
endmodule

`default_nettype wire
