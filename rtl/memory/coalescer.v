// SPDX-License-Identifier: Apache-2.0
// Turns the memory operations of sub-groups into as few passes as their lanes need, and puts the lanes' words in their places
// in a row. Operations wait in a queue, first in first out; a pass a cycle; 4 cycles from push to the first pass.
// A pass of global memory is one row. In local memory every word of a row is a bank with a row of its own, so that lanes go
// together unless they need different rows of one bank. A load or atomic whose lanes mix the two memories waits for the
// answers of each pass before the next, so that the pass marked last is the last to answer.
`default_nettype none

module coalescer #(
    parameter LANES = 8,  // power of two, 1 to 32
    parameter SLOT_BITS = 5,  // log2(SLOTS)
    parameter PLACE_BITS = 28,  // bits of an address in global memory
    parameter LOCAL_LOG2 = 15,  // log2 of the bytes of local memory
    parameter ROW_LOG2 = 5,  // log2 of the bytes of a row
    parameter QUEUE_LOG2 = 4,  // log2 of the operations that may wait
    parameter NOTE_BITS = 8,  // what comes back with a pass as it is
    parameter COMPACT = 0,  // as in heddle.v
    parameter ROW_BYTES = 1 << ROW_LOG2,
    parameter ROW_WORDS = ROW_BYTES / 4,
    parameter BANK_ROW_BITS = LOCAL_LOG2 - ROW_LOG2
) (
    input wire clk,
    input wire rst,

    // an operation; never pushed while full_o
    input  wire                        push_i,
    input  wire [                 1:0] kind_i,      // 0 load, 1 store, 2 atomic
    input  wire [                 4:0] function_i,  // of an atomic: funct5
    input  wire [       SLOT_BITS-1:0] slot_i,
    input  wire [                 1:0] size_i,      // 0 byte, 1 half-word, 2 word
    input  wire [       NOTE_BITS-1:0] note_i,
    input  wire [           LANES-1:0] lanes_i,
    input  wire [           LANES-1:0] strobe_i,    // lanes that may touch memory; others are only answered
    input  wire [           LANES-1:0] local_i,     // per lane: local memory, else global
    input  wire [LANES*PLACE_BITS-1:0] place_i,
    input  wire [        LANES*32-1:0] data_i,
    output reg                         full_o,
    output wire                        idle_o,

    input  wire drained_i,  // no answer to a load or atomic is outstanding
    output wire further_o,  // a pass of an operation, but not its first

    // lanes' words on their way to their places in a row
    input  wire                       crossbar_taken_i,  // not now
    output reg  [LANES*ROW_WORDS-1:0] lane_word_o,       // of each lane that is served, one-hot
    output reg  [       LANES*32-1:0] lane_data_o,
    input  wire [    8*ROW_BYTES-1:0] row_data_i,

    // passes
    output wire                               pass_valid_o,
    input  wire                               pass_ready_i,
    output wire                               pass_local_o,
    output wire [                        1:0] pass_kind_o,
    output wire [                        4:0] pass_function_o,
    output wire                               pass_amo_o,       // an atomic that is not lr.w or sc.w
    output wire [                        1:0] pass_size_o,
    output wire [              NOTE_BITS-1:0] pass_note_o,
    output wire [      PLACE_BITS-1:ROW_LOG2] pass_row_o,       // global memory, lr.w, sc.w: of all lanes
    output wire [ROW_WORDS*BANK_ROW_BITS-1:0] pass_bank_row_o,  // local memory: of each bank
    output wire [            8*ROW_BYTES-1:0] pass_data_o,
    output wire [              ROW_BYTES-1:0] pass_strobe_o,
    output wire [              SLOT_BITS-1:0] pass_slot_o,
    output wire [                  LANES-1:0] pass_lanes_o,     // served
    output wire [         LANES*ROW_LOG2-1:0] pass_offset_o,    // of each lane in its row
    output wire                               pass_last_o
);
  localparam ROW_BITS = PLACE_BITS - ROW_LOG2;
  localparam BANK_BITS = ROW_LOG2 - 2;
  `include "rtl/memory/request.vh"
  localparam COMMON_BITS = 4 + 5 + SLOT_BITS + 2 + NOTE_BITS + 3 * LANES;
  localparam PAIRS = LANES > 1 ? LANES * (LANES - 1) / 2 : 1;
  localparam ENTRY_BITS = COMMON_BITS + LANES * PLACE_BITS + PAIRS;
  integer i, j, w;

  // The queue. The words that lanes store are wanted later than the rest, so they need no memory that answers in the same cycle.
  // Whether lanes j < i have the same row of the same memory, [i * (i - 1) / 2 + j], whether memory is only read, and whether it is of an
  // lr.w or sc.w, go in with them: what comes out is late.
  wire is_atomic = kind_i == ATOMIC;
  wire reads = kind_i == LOAD || (is_atomic && function_i == 5'd2);
  wire reserves = is_atomic && function_i[4:1] == 4'd1;
  reg [ENTRY_BITS-1:0] entries[0:(1<<QUEUE_LOG2)-1];
  // A byte or half-word goes in wherever it may belong in its word.
  reg [LANES*32-1:0] laid;
  reg [7:0] odd;  // byte 1, and byte 3 of what is not a word
  always @* begin
    odd = 8'd0;
    for (i = 0; i < LANES; i = i + 1) begin
      odd = size_i == 2'd0 ? data_i[i*32+:8] : data_i[i*32+8+:8];
      laid[i*32+:32] = {
        size_i[1] ? data_i[i*32+24+:8] : odd, size_i[1] ? data_i[i*32+16+:8] : data_i[i*32+:8], odd, data_i[i*32+:8]
      };
    end
  end
  (* ram_style = "block", no_rw_check *) reg [LANES*32-1:0] words[0:(1<<QUEUE_LOG2)-1];
  reg [QUEUE_LOG2:0] written, read;
  reg filled;  // an operation waits; like full_o known when the cycle begins
  wire [QUEUE_LOG2:0] count = written - read;
  wire [1:0] next_kind, next_size;
  wire [4:0] next_function;
  wire [SLOT_BITS-1:0] next_slot;
  wire [NOTE_BITS-1:0] next_note;
  wire next_reads, next_reserves;
  wire [LANES-1:0] next_lanes, next_strobe, next_local;
  wire [LANES*PLACE_BITS-1:0] next_place;
  wire [PAIRS-1:0] next_same_row;
  assign {next_reads, next_reserves, next_kind, next_function, next_slot, next_size, next_note, next_lanes, next_strobe,
          next_local, next_place, next_same_row} = entries[read[QUEUE_LOG2-1:0]];

  // How lanes j < i of the next operation stand to each other, [j * LANES + i]; found once, when it becomes the head.
  //   before: while j waits, i leads no row.  joins: i can share a row that j leads.  after: i must go in a later pass.
  //   apart: the two cannot go in one pass, and both must go.
  // Passes of one row: global memory, and lr.w and sc.w, whose reservation is of one row. Else every bank has its leader.
  reg [LANES*LANES-1:0] next_before, next_joins, next_after, next_apart;
  reg [PAIRS-1:0] same_rows;
  reg same_memory, same_row, same_word, same_bytes, banked;
  always @* begin
    next_before = 0;
    next_joins = 0;
    next_after = 0;
    next_apart = 0;
    same_rows = 0;
    {same_memory, same_row, same_word, same_bytes, banked} = 0;
    for (i = 1; i < LANES; i = i + 1)
    for (j = 0; j < i; j = j + 1) begin
      same_memory = next_local[j] == next_local[i];
      same_rows[i*(i-1)/2+j] = local_i[j] == local_i[i] &&
                               place_i[j*PLACE_BITS+ROW_LOG2+:ROW_BITS] == place_i[i*PLACE_BITS+ROW_LOG2+:ROW_BITS];
      same_row = next_same_row[i*(i-1)/2+j];
      same_word = next_place[j*PLACE_BITS+2+:BANK_BITS] == next_place[i*PLACE_BITS+2+:BANK_BITS];
      same_bytes = next_size[1] || (next_place[j*PLACE_BITS+1] == next_place[i*PLACE_BITS+1] &&
                                    (next_size[0] || next_place[j*PLACE_BITS] == next_place[i*PLACE_BITS]));
      banked = next_local[i] && !next_reserves;
      next_before[j*LANES+i] = !banked || !same_memory || same_word;
      next_joins[j*LANES+i] = same_row && (!banked || same_word);
      next_after[j*LANES+i] = same_row && same_word && same_bytes && !next_reads;
      next_apart[j*LANES+i] = next_lanes[j] && next_lanes[i] &&
                              ((next_before[j*LANES+i] && !next_joins[j*LANES+i]) || next_after[j*LANES+i]);
    end
  end

  // The operation being served, and its lanes still to be.
  reg [1:0] head_kind, head_size;
  reg [4:0] head_function;
  reg [SLOT_BITS-1:0] head_slot;
  reg [NOTE_BITS-1:0] head_note;
  reg [LANES-1:0] head_strobe, head_local;
  reg [LANES*PLACE_BITS-1:0] head_place;
  reg [LANES*32-1:0] head_data;
  reg [LANES*LANES-1:0] head_before, head_joins, head_after;
  reg [LANES*LANES-1:0] head_apart;  // of lanes that are pending both
  reg [LANES-1:0] pending;
  reg busy;  // some lane is pending
  reg head_begun, head_mixed, head_waits;

  // Who is served: leaders of rows, those who join them, but nobody whom a lower lane must precede.
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

  // All that are left go in this pass if no two of them must be apart: known long before `left`. Then the next operation takes
  // the place of this one. Hundreds of flip-flops wait to hear that, so nothing in it comes from outside in the same cycle,
  // and an idle head takes whatever stands at the queue's end.
  wire all_fit = head_apart == 0;

  reg a_valid, a_scatters;
  reg [1:0] a_kind;
  reg quiet;  // nothing is under way
  wire room;  // for a pass
  wire may_serve = !head_waits || quiet;
  wire advance = room && !(a_scatters && crossbar_taken_i);
  wire serve = busy && may_serve && advance;
  wire next = !busy || all_fit;  // comes after this pass
  wire replace = !busy || (may_serve && all_fit && advance);
  wire pop = filled && replace;
  assign further_o = serve && head_begun;

  always @(posedge clk) begin
    // What is not pushed is written over: push_i comes late.
    if (!full_o) begin
      entries[written[QUEUE_LOG2-1:0]] <= {
        reads, reserves, kind_i, function_i, slot_i, size_i, note_i, lanes_i, strobe_i, local_i, place_i, same_rows
      };
      words[written[QUEUE_LOG2-1:0]] <= laid;
    end
    if (push_i) written <= written + 1'b1;
    filled <= push_i || (pop ? count[QUEUE_LOG2:1] != 0 : filled);
    full_o <= !pop && (full_o || (push_i && (&count[QUEUE_LOG2-1:0])));
    quiet  <= drained_i && !serve && !a_valid && !pass_valid_o;
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
      {head_kind, head_function, head_slot, head_size, head_note} <= {
        next_kind, next_function, next_slot, next_size, next_note
      };
      {head_strobe, head_local, head_place} <= {next_strobe, next_local, next_place};
      head_data <= words[read[QUEUE_LOG2-1:0]];
      {head_before, head_joins, head_after} <= {next_before, next_joins, next_after};
      {head_begun, head_waits} <= 2'b00;
      head_mixed <= next_kind != STORE && |(next_lanes & next_local) && |(next_lanes & ~next_local);
    end
    if (pop) read <= read + 1'b1;
    if (rst) begin
      written <= 0;
      read <= 0;
      {filled, full_o, busy} <= 3'b000;
    end
  end

  // Which bytes of its word a lane writes.
  reg [LANES*4-1:0] lane_strobe;
  reg [1:0] place;
  always @* begin
    place = 2'd0;
    for (i = 0; i < LANES; i = i + 1) begin
      place = head_place[i*PLACE_BITS+:2];
      lane_strobe[i*4+:4] = (head_size[1] ? 4'b1111 : head_size[0] ? {{2{place[1]}}, {2{!place[1]}}} :
                             4'b0001 << place) &
                            {4{head_strobe[i]}};
    end
  end

  // Stage a: who is served, and their words.
  reg a_local, a_last;
  reg [1:0] a_size;
  reg [4:0] a_function;
  reg [NOTE_BITS-1:0] a_note;
  reg [SLOT_BITS-1:0] a_slot;
  reg [LANES-1:0] a_lanes;
  reg [LANES*ROW_LOG2-1:0] a_offset;
  reg [LANES*ROW_BITS-1:0] a_row;
  reg [LANES*4-1:0] a_strobe;
  always @(posedge clk) begin
    if (advance) begin
      a_valid <= serve;
      a_scatters <= serve && head_kind != LOAD;
      a_local <= serve_local;
      {a_kind, a_function, a_size, a_note, a_slot} <= {head_kind, head_function, head_size, head_note, head_slot};
      a_lanes <= served;
      a_last <= all_fit;
      a_strobe <= lane_strobe;
      for (i = 0; i < LANES; i = i + 1) begin
        for (w = 0; w < ROW_WORDS; w = w + 1)
        lane_word_o[i*ROW_WORDS+w] <= served[i] && head_place[i*PLACE_BITS+2+:BANK_BITS] == w[BANK_BITS-1:0];
        a_offset[i*ROW_LOG2+:ROW_LOG2] <= head_place[i*PLACE_BITS+:ROW_LOG2];
        a_row[i*ROW_BITS+:ROW_BITS] <= head_place[i*PLACE_BITS+ROW_LOG2+:ROW_BITS];
      end
    end
    // Bytes that a lane does not write are 0.
    for (i = 0; i < LANES * 4; i = i + 1)
    if (advance && !lane_strobe[i]) lane_data_o[i*8+:8] <= 8'd0;
    else if (advance) lane_data_o[i*8+:8] <= head_data[i*8+:8];
    if (rst) {a_valid, a_scatters} <= 2'b00;
  end

  // The data go through the crossbar that load_store shares with the answers; strobes and rows have their own. Lanes that go
  // together to one word write different bytes of it, and all lanes of a bank have its row: so nothing has to be chosen.
  reg [ROW_BYTES-1:0] row_strobe;
  reg [ROW_BITS-1:0] row;
  reg [ROW_WORDS*BANK_ROW_BITS-1:0] bank_row;
  reg here;
  always @* begin
    row = 0;
    row_strobe = 0;
    bank_row = 0;
    here = 1'b0;
    for (i = 0; i < LANES; i = i + 1) begin
      row = row | (a_row[i*ROW_BITS+:ROW_BITS] & {ROW_BITS{a_lanes[i]}});
      for (w = 0; w < ROW_WORDS; w = w + 1) begin
        here = lane_word_o[i*ROW_WORDS+w];
        row_strobe[w*4+:4] = row_strobe[w*4+:4] | (a_strobe[i*4+:4] & {4{here}});
        bank_row[w*BANK_ROW_BITS+:BANK_ROW_BITS] = bank_row[w*BANK_ROW_BITS+:BANK_ROW_BITS] |
                                                   (a_row[i*ROW_BITS+:BANK_ROW_BITS] & {BANK_ROW_BITS{here}});
      end
    end
  end

  // The pass, and a place for one more while it waits.
  localparam PASS_BITS = 1 + 2 + 5 + 1 + 2 + NOTE_BITS + ROW_BITS + ROW_WORDS * BANK_ROW_BITS + 8 * ROW_BYTES +
                         ROW_BYTES + SLOT_BITS + LANES + LANES * ROW_LOG2 + 1;
  skid #(
      .WIDTH(PASS_BITS),
      .SPARE(!COMPACT)
  ) skid (
      .clk(clk),
      .rst(rst),
      .valid_i(a_valid && !(a_scatters && crossbar_taken_i)),
      .ready_o(room),
      .data_i({
        a_local,
        a_kind,
        a_function,
        a_kind == ATOMIC && a_function[4:1] != 4'd1,
        a_size,
        a_note,
        row,
        bank_row,
        row_data_i,
        row_strobe,
        a_slot,
        a_lanes,
        a_offset,
        a_last
      }),
      .valid_o(pass_valid_o),
      .ready_i(pass_ready_i),
      .data_o({
        pass_local_o,
        pass_kind_o,
        pass_function_o,
        pass_amo_o,
        pass_size_o,
        pass_note_o,
        pass_row_o,
        pass_bank_row_o,
        pass_data_o,
        pass_strobe_o,
        pass_slot_o,
        pass_lanes_o,
        pass_offset_o,
        pass_last_o
      })
  );

  assign idle_o = !filled && !busy && !a_valid && !pass_valid_o;
endmodule

`default_nettype wire
