// SPDX-License-Identifier: Apache-2.0
// The loads of a memory group whose lanes each walk through memory of their own: WORDS neighbours a lane. Of each slot
// every lane keeps the line that it read last, so that a token whose lanes go on in their lines asks for nothing. A line
// that is not there is asked of the memory port whole, one access after the other, and no other lane's between them. A token
// a cycle, whatever others wait for; one whose words go on in a next line comes a second time. 8 cycles from a token at
// the head of the queue to its words where nothing is missing. Only for what no store of the dispatch changes.
`default_nettype none

module lane_lines #(
    parameter LANES = 4,  // power of two, 2 at least: words of an access of the memory port
    parameter SLOT_BITS = 6,  // log2 of the slots
    parameter NUMBER_BITS = 1,  // of the number of an access
    parameter GLOBAL_LOG2 = 25,
    parameter FIRST_LOG2 = 12,
    parameter WORDS = 1,  // of each lane, LANES at most
    parameter LINE_LOG2 = 6  // log2 of the bytes of a line: two accesses at least
) (
    input wire clk,
    input wire rst,
    input wire start_i, // a dispatch starts: nothing that is there is of it

    // the token at the head of the queue
    input  wire                 valid_i,
    output wire                 take_o,
    input  wire [SLOT_BITS-1:0] slot_i,
    input  wire [    LANES-1:0] active_i,
    input  wire [ LANES*32-1:0] address_i, // of the first word of each lane

    // an access of the memory port
    output wire                   access_o,
    input  wire                   ready_i,
    output wire [NUMBER_BITS-1:0] number_o,
    output wire [  SLOT_BITS-1:0] access_slot_o,
    output wire [      LANES-1:0] lanes_o,
    output wire [   LANES*32-1:0] address_o,

    // its answer, whole
    input wire                fill_i,
    input wire [LANES*32-1:0] fill_data_i,

    // words of a token: all lanes' first ones lowest
    output reg                      answer_o,
    output reg                      answer_end_o,    // its last
    output reg [     SLOT_BITS-1:0] answer_slot_o,
    output reg [   WORDS*LANES-1:0] answer_words_o,
    output reg [WORDS*LANES*32-1:0] answer_data_o
);
  localparam LANES_LOG2 = $clog2(LANES), INDEX_BITS = LINE_LOG2 - 2, CHUNK_BITS = INDEX_BITS - LANES_LOG2;
  localparam LINE_BITS = GLOBAL_LOG2 - LINE_LOG2;
  localparam [INDEX_BITS:0] BEHIND = WORDS - 1;
  localparam [CHUNK_BITS-1:0] LAST_CHUNK = {CHUNK_BITS{1'b1}};
  genvar b, l, w;
  integer i;

  // ---- A token, or first one that comes a second time for the words that are in its lanes' next lines.
  wire again;
  wire [SLOT_BITS-1:0] again_slot;
  wire [LANES-1:0] again_active;
  wire [LANES*32-1:0] again_address;  // in the next line
  reg c_valid, c_second;
  reg [SLOT_BITS-1:0] c_slot;
  reg [LANES-1:0] c_active;
  reg [LANES*32-1:0] c_address;
  reg halt;
  wire bad;
  assign take_o = valid_i && !again && !halt && !bad;
  wire [SLOT_BITS-1:0] a_slot = again ? again_slot : slot_i;
  always @(posedge clk) begin
    c_valid <= (again || take_o) && !rst;
    c_second <= again;
    c_slot <= a_slot;
    {c_active, c_address} <= again ? {again_active, again_address} : {active_i, address_i};
  end

  // ---- Which line each lane has. An entry has the number of the dispatch; each start makes those of one slot empty, in
  // turn, so that none is of an earlier dispatch with the same number.
  localparam ENTRY_BITS = 1 + SLOT_BITS + LINE_BITS;
  reg [SLOT_BITS-1:0] dispatch;
  initial dispatch = 0;
  always @(posedge clk) if (start_i) dispatch <= dispatch + 1'b1;
  wire [SLOT_BITS-1:0] emptied = dispatch + 1'b1;
  wire [LANES-1:0] miss, outside, at_end;
  wire [LANES*LINE_BITS-1:0] c_line;
  wire [LANES*INDEX_BITS-1:0] c_index;
  wire put = c_valid && !bad;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : lane
      wire [31:0] address = c_address[l*32+:32];
      wire [LINE_BITS-1:0] line = address[GLOBAL_LOG2-1:LINE_LOG2];
      wire [INDEX_BITS:0] last_word = {1'b0, address[LINE_LOG2-1:2]} + BEHIND;
      assign c_line[l*LINE_BITS+:LINE_BITS] = line;
      assign c_index[l*INDEX_BITS+:INDEX_BITS] = address[LINE_LOG2-1:2];
      assign outside[l] = c_active[l] && (address[1:0] != 2'd0 || address[31:GLOBAL_LOG2] != 0 ||
                                          address[GLOBAL_LOG2-1:FIRST_LOG2] == 0);
      // No line follows in memory.
      assign at_end[l] = c_active[l] && !c_second && last_word[INDEX_BITS] && &line;
      wire unused = &{1'b0, last_word};
      (* ram_style = "block", no_rw_check *) reg [ENTRY_BITS-1:0] entries[0:(1<<SLOT_BITS)-1];
      initial for (i = 0; i < 1 << SLOT_BITS; i = i + 1) entries[i] = {ENTRY_BITS{1'b0}};
      reg [ENTRY_BITS-1:0] entry;
      assign miss[l] = c_active[l] && entry != {1'b1, dispatch, line};
      always @(posedge clk) begin
        if (start_i || (put && miss[l]))
          entries[start_i?emptied : c_slot] <= start_i ? {ENTRY_BITS{1'b0}} : {1'b1, dispatch, line};
        entry <= entries[a_slot];
      end
    end
  endgenerate

  // ---- What is no address in global memory: the memory port finds the fault, once all before has been asked.
  wire [LANES-1:0] bad_lanes = outside | at_end;
  assign bad = c_valid && bad_lanes != 0;
  reg asked;
  reg [SLOT_BITS-1:0] bad_slot;
  reg [LANES-1:0] bad_lane;
  reg [31:0] bad_address, first_bad;
  always @* begin
    first_bad = 32'd0;
    for (i = LANES - 1; i >= 0; i = i - 1) begin
      if (outside[i]) first_bad = c_address[i*32+:32];
      else if (at_end[i]) first_bad = 32'd1 << GLOBAL_LOG2;
    end
  end
  always @(posedge clk) begin
    if (bad) halt <= 1'b1;
    if (!halt) {bad_slot, bad_lane, bad_address} <= {c_slot, bad_lanes & (~bad_lanes + 1'b1), first_bad};
    if (rst) halt <= 1'b0;
  end

  // ---- Lines that are asked for, lane by lane, and the accesses of each.
  localparam ASK_BITS = SLOT_BITS + LANES + LANES * LINE_BITS;
  wire ask_valid, ask_take;
  wire [SLOT_BITS-1:0] ask_slot;
  wire [LANES-1:0] ask_miss;
  wire [LANES*LINE_BITS-1:0] ask_lines;
  token_queue #(
      .WIDTH(ASK_BITS),
      .SLOT_BITS(SLOT_BITS)
  ) asks (
      .clk(clk),
      .rst(rst),
      .valid_i(put && miss != 0),
      .word_i({c_slot, miss, c_line}),
      .valid_o(ask_valid),
      .word_o({ask_slot, ask_miss, ask_lines}),
      .take_i(ask_take)
  );
  reg [LANES-1:0] ask_done;
  reg [CHUNK_BITS-1:0] ask_chunk;
  wire [LANES-1:0] ask_left = ask_miss & ~ask_done;
  wire [LANES-1:0] ask_lane = ask_left & (~ask_left + 1'b1);
  reg [LINE_BITS-1:0] ask_line;
  always @* begin
    ask_line = {LINE_BITS{1'b0}};
    for (i = 0; i < LANES; i = i + 1)
    ask_line = ask_line | (ask_lines[i*LINE_BITS+:LINE_BITS] & {LINE_BITS{ask_lane[i]}});
  end
  wire ask_step = ask_valid && ready_i;
  wire ask_line_end = ask_chunk == LAST_CHUNK;
  assign ask_take = ask_step && ask_line_end && ask_left == ask_lane;
  wire ask_fault = halt && !ask_valid && !asked;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : asked_word
      localparam [LANES_LOG2-1:0] WORD = l;
      wire [GLOBAL_LOG2-1:0] word_address = {ask_line, ask_chunk, WORD, 2'd0};
      assign address_o[l*32+:32] = ask_valid ? {{32 - GLOBAL_LOG2{1'b0}}, word_address} : bad_address;
    end
  endgenerate
  assign access_o = ask_valid || ask_fault;
  assign number_o = {NUMBER_BITS{1'b0}};
  assign access_slot_o = ask_valid ? ask_slot : bad_slot;
  assign lanes_o = ask_valid ? {LANES{1'b1}} : bad_lane;
  always @(posedge clk) begin
    if (ask_step) begin
      ask_chunk <= ask_chunk + 1'b1;
      if (ask_line_end) ask_done <= ask_take ? {LANES{1'b0}} : ask_done | ask_lane;
    end
    if (ask_fault && ready_i) asked <= 1'b1;
    if (rst) begin
      ask_chunk <= 0;
      ask_done <= 0;
      asked <= 1'b0;
    end
  end

  // ---- What has come of them, in the same order.
  wire wait_valid, wait_second;  // valid whenever something comes
  wire [SLOT_BITS-1:0] wait_slot;
  wire [LANES-1:0] wait_miss;
  reg [LANES-1:0] fill_done;
  reg [CHUNK_BITS-1:0] fill_chunk;
  wire [LANES-1:0] fill_left = wait_miss & ~fill_done;
  wire [LANES-1:0] fill_lane = fill_left & (~fill_left + 1'b1);
  wire fill_line_end = fill_i && fill_chunk == LAST_CHUNK;
  wire complete = fill_line_end && fill_left == fill_lane;
  token_queue #(
      .WIDTH(1 + SLOT_BITS + LANES),
      .SLOT_BITS(SLOT_BITS)
  ) waits (
      .clk(clk),
      .rst(rst),
      .valid_i(put && miss != 0),
      .word_i({c_second, c_slot, miss}),
      .valid_o(wait_valid),
      .word_o({wait_second, wait_slot, wait_miss}),
      .take_i(complete)
  );
  always @(posedge clk) begin
    if (fill_i) begin
      fill_chunk <= fill_chunk + 1'b1;
      if (fill_line_end) fill_done <= complete ? {LANES{1'b0}} : fill_done | fill_lane;
    end
    if (rst) begin
      fill_chunk <= 0;
      fill_done  <= 0;
    end
  end

  // ---- Tokens whose lines are there: those that have waited go first.
  wire ready_valid, ready_second, hit_valid, hit_second;
  wire [SLOT_BITS-1:0] ready_slot, hit_slot;
  token_queue #(
      .WIDTH(1 + SLOT_BITS),
      .SLOT_BITS(SLOT_BITS)
  ) readies (
      .clk(clk),
      .rst(rst),
      .valid_i(complete),
      .word_i({wait_second, wait_slot}),
      .valid_o(ready_valid),
      .word_o({ready_second, ready_slot}),
      .take_i(ready_valid)
  );
  token_queue #(
      .WIDTH(1 + SLOT_BITS),
      .SLOT_BITS(SLOT_BITS)
  ) hits (
      .clk(clk),
      .rst(rst),
      .valid_i(put && miss == 0),
      .word_i({c_second, c_slot}),
      .valid_o(hit_valid),
      .word_o({hit_second, hit_slot}),
      .take_i(hit_valid && !ready_valid)
  );
  wire [SLOT_BITS-1:0] read_slot = ready_valid ? ready_slot : hit_slot;

  // What a token wants, by slot.
  localparam INFO_BITS = LANES * (1 + INDEX_BITS + LINE_BITS);
  wire [LANES-1:0] r1_active;
  wire [LANES*INDEX_BITS-1:0] r1_index;
  wire [LANES*LINE_BITS-1:0] r1_line;
  word_memory #(
      .WIDTH(INFO_BITS),
      .WORDS(1 << SLOT_BITS),
      .INDEX_BITS(SLOT_BITS)
  ) wanted (
      .clk(clk),
      .read_index_i(read_slot),
      .word_o({r1_active, r1_index, r1_line}),
      .write_i(put),
      .write_index_i(c_slot),
      .word_i({c_active, c_index, c_line})
  );
  reg r1_valid, r1_second, r2_valid, r2_second;
  reg [SLOT_BITS-1:0] r1_slot, r2_slot;
  reg [LANES-1:0] r2_active;
  reg [LANES*INDEX_BITS-1:0] r2_index;
  reg [LANES*LINE_BITS-1:0] r2_line;
  always @(posedge clk) begin
    r1_valid <= (ready_valid || hit_valid) && !rst;
    {r1_second, r1_slot} <= {ready_valid ? ready_second : hit_second, read_slot};
    r2_valid <= r1_valid && !rst;
    {r2_second, r2_slot, r2_active, r2_index, r2_line} <= {r1_second, r1_slot, r1_active, r1_index, r1_line};
    answer_o <= r2_valid && !rst;
    answer_end_o <= r2_valid && !again && !rst;
    answer_slot_o <= r2_slot;
  end

  // ---- The words of lines, of each lane and slot, in as many banks as an access has words.
  assign again = r2_valid && again_active != 0;
  assign again_slot = r2_slot;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : lines
      wire [  LANES*32-1:0] words;
      wire [INDEX_BITS-1:0] first = r1_index[l*INDEX_BITS+:INDEX_BITS];
      for (b = 0; b < LANES; b = b + 1) begin : bank
        localparam [LANES_LOG2-1:0] NUMBER = b;
        // Banks below that of the first word have words of the next chunk, or of the first one of the next line.
        /* verilator lint_off CMPCONST */
        // Of the last bank it is never true.
        wire next = NUMBER < first[LANES_LOG2-1:0];
        /* verilator lint_on CMPCONST */
        wire [CHUNK_BITS-1:0] chunk = first[INDEX_BITS-1:LANES_LOG2] + {{CHUNK_BITS - 1{1'b0}}, next};
        word_memory #(
            .WIDTH(32),
            .WORDS(1 << (SLOT_BITS + CHUNK_BITS)),
            .INDEX_BITS(SLOT_BITS + CHUNK_BITS)
        ) values (
            .clk(clk),
            .read_index_i({r1_slot, chunk}),
            .word_o(words[b*32+:32]),
            .write_i(fill_i && fill_lane[l]),
            .write_index_i({wait_slot, fill_chunk}),
            .word_i(fill_data_i[b*32+:32])
        );
      end
      wire [INDEX_BITS-1:0] index = r2_index[l*INDEX_BITS+:INDEX_BITS];
      wire [  INDEX_BITS:0] last_word = {1'b0, index} + BEHIND;
      wire [ LINE_BITS-1:0] next_line = r2_line[l*LINE_BITS+:LINE_BITS] + 1'b1;
      assign again_active[l] = r2_active[l] && !r2_second && last_word[INDEX_BITS];
      assign again_address[l*32+:32] = {{32 - GLOBAL_LOG2{1'b0}}, next_line, index, 2'd0};
      for (w = 0; w < WORDS; w = w + 1) begin : word
        localparam [INDEX_BITS:0] NUMBER = w;
        wire [INDEX_BITS:0] at = {1'b0, index} + NUMBER;
        always @(posedge clk) begin
          answer_words_o[w*LANES+l] <= r2_active[l] && at[INDEX_BITS] == r2_second;
          answer_data_o[(w*LANES+l)*32+:32] <= words[at[LANES_LOG2-1:0]*32+:32];
        end
        wire unused = &{1'b0, at};
      end
      wire unused = &{1'b0, last_word};
    end
  endgenerate
  wire unused = &{1'b0, wait_valid};
endmodule

`default_nettype wire
