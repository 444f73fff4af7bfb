// SPDX-License-Identifier: Apache-2.0
// The loads of a memory group whose tokens want words that others have had before: neighbours of a filter, what is the
// same for all lanes. Lines of WINDOW words stay on the chip for a dispatch, 2^LINES_LOG2 of them. A pass a cycle
// (window_points.v): it serves all addresses of a token that are in WINDOW words, wherever these begin, so a token takes
// a pass for each such window. Lines that are not there (window_lines.v) are asked of the memory port; passes that lack
// nothing go on meanwhile as far as the first one that does, and words come in the order of the passes. 11 cycles from a
// token at the head of the queue to its words where nothing is missing. Only for what no store of the dispatch changes.
`default_nettype none

module load_window #(
    parameter LANES = 4,  // power of two, 2 to 32: words of an access of the memory port
    parameter SLOT_BITS = 6,  // log2 of the slots
    parameter NUMBER_BITS = 1,  // of the number of an access
    parameter GLOBAL_LOG2 = 25,
    parameter FIRST_LOG2 = 12,
    parameter POINTS = 1,  // addresses of a token; a lane's, or the token's
    parameter WORDS = 1,  // that are loaded
    // Of each point, the first lowest: the words behind its own that belong to it, whether it is the token's, the lane it
    // is of, the number of its access.
    parameter [POINTS*8-1:0] SPAN = 0,
    parameter [POINTS-1:0] OF_TOKEN = 0,
    parameter [POINTS*8-1:0] LANE = 0,
    parameter [POINTS*8-1:0] NUMBER = 0,
    // Of each word: its point, and how many words it is behind that.
    parameter [WORDS*8-1:0] POINT = 0,
    parameter [WORDS*8-1:0] BEHIND = 0,
    parameter LINES_LOG2 = 9,
    parameter PASSES_LOG2 = 7,  // of passes that may wait for memory, 4 at least; twice as many lines have room
    parameter WINDOW_LOG2 = LANES <= 4 ? 3 : LANES <= 8 ? 4 : LANES <= 16 ? 5 : 6,
    parameter WINDOW = 1 << WINDOW_LOG2  // derived
) (
    input wire clk,
    input wire rst,
    input wire start_i, // a dispatch starts: nothing that is there is of it

    // the token at the head of the queue
    input  wire                 valid_i,
    output wire                 take_o,
    input  wire [SLOT_BITS-1:0] slot_i,
    input  wire [   POINTS-1:0] active_i,
    input  wire [POINTS*32-1:0] address_i,

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

    // words of a token
    output reg                 answer_o,
    output reg                 answer_end_o,    // its last
    output reg [SLOT_BITS-1:0] answer_slot_o,
    output reg [    WORDS-1:0] answer_words_o,
    output reg [ WORDS*32-1:0] answer_data_o
);
  localparam LINE_LOG2 = WINDOW_LOG2 + 2;  // of its bytes
  localparam CHUNKS = WINDOW / LANES;  // accesses of a line
  localparam CHUNK_BITS = CHUNKS > 1 ? $clog2(CHUNKS) : 1;
  localparam [CHUNK_BITS-1:0] LAST_CHUNK = CHUNKS[CHUNK_BITS-1:0] - 1'b1;
  localparam LINE_BITS = GLOBAL_LOG2 - LINE_LOG2;
  // Lines of even and of odd number have places of their own, so that a window is in one of each.
  localparam HALF_BITS = LINE_BITS - 1, ROW_BITS = LINES_LOG2 - 1;
  localparam [PASSES_LOG2:0] MOST_PASSES = (1 << PASSES_LOG2) - 8;
  genvar b, w, n;
  integer i;

  // ---- passes, and which lines each of them lacks
  reg go;  // there is room for what comes of the pass in each stage
  wire f3_valid, f3_next, f3_last;
  wire [SLOT_BITS-1:0] f3_slot;
  wire [POINTS-1:0] f3_fits;
  wire [LINE_BITS-1:0] f3_line;
  wire [WINDOW_LOG2-1:0] f3_start;
  wire [POINTS*WINDOW_LOG2-1:0] f3_bank;
  wire bad;
  wire [SLOT_BITS-1:0] f2_slot;
  wire [31:0] f2_base;
  wire [POINTS-1:0] f2_first;
  window_points #(
      .SLOT_BITS(SLOT_BITS),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .FIRST_LOG2(FIRST_LOG2),
      .POINTS(POINTS),
      .SPAN(SPAN),
      .WINDOW_LOG2(WINDOW_LOG2)
  ) points (
      .clk(clk),
      .rst(rst),
      .go_i(go),
      .valid_i(valid_i),
      .take_o(take_o),
      .slot_i(slot_i),
      .active_i(active_i),
      .address_i(address_i),
      .valid_o(f3_valid),
      .slot_o(f3_slot),
      .fits_o(f3_fits),
      .bank_o(f3_bank),
      .line_o(f3_line),
      .start_o(f3_start),
      .next_o(f3_next),
      .last_o(f3_last),
      .bad_o(bad),
      .bad_slot_o(f2_slot),
      .bad_address_o(f2_base),
      .bad_point_o(f2_first)
  );
  reg f4_valid, f4_next, f4_last;
  reg f4_odd;  // the first line is one of odd number
  reg [SLOT_BITS-1:0] f4_slot;
  reg [POINTS-1:0] f4_fits;
  reg [WINDOW_LOG2-1:0] f4_start;
  reg [POINTS*WINDOW_LOG2-1:0] f4_bank;
  wire [HALF_BITS-1:0] f3_half = f3_line[LINE_BITS-1:1];
  wire [HALF_BITS-1:0] f3_even = f3_half + {{HALF_BITS - 1{1'b0}}, f3_line[0]};
  wire [1:0] f4_miss;
  wire [2*HALF_BITS-1:0] f4_half;
  wire [2*ROW_BITS-1:0] f4_row;
  generate
    for (n = 0; n < 2; n = n + 1) begin : parity
      localparam ODD = n != 0;
      window_lines #(
          .NUMBER_BITS(HALF_BITS),
          .ROW_BITS(ROW_BITS)
      ) window_lines (
          .clk(clk),
          .rst(rst),
          .start_i(start_i),
          .go_i(go),
          .number_i(ODD ? f3_half : f3_even),
          .wanted_i(f4_valid && (f4_odd == ODD ? |f4_fits : f4_next)),
          .miss_o(f4_miss[n]),
          .number_o(f4_half[n*HALF_BITS+:HALF_BITS]),
          .row_o(f4_row[n*ROW_BITS+:ROW_BITS])
      );
    end
  endgenerate
  always @(posedge clk) begin
    if (go) begin
      f4_valid <= f3_valid;
      {f4_slot, f4_fits, f4_bank, f4_start} <= {f3_slot, f3_fits, f3_bank, f3_start};
      {f4_next, f4_last, f4_odd} <= {f3_next, f3_last, f3_line[0]};
    end
    if (rst) f4_valid <= 1'b0;
  end

  // A point that is no address in global memory: the memory port finds the fault, once all before it has been asked.
  reg halt, asked;
  reg [SLOT_BITS-1:0] bad_slot;
  reg [31:0] bad_address;
  reg [POINTS-1:0] bad_point;
  always @(posedge clk) begin
    if (go && bad) halt <= 1'b1;
    if (!halt) {bad_slot, bad_address, bad_point} <= {f2_slot, f2_base, f2_first};
    if (rst) halt <= 1'b0;
  end

  // ---- lines that are asked for: the even one first
  localparam ASK_BITS = SLOT_BITS + 2 * HALF_BITS + 2;
  wire ask_valid, ask_take;
  wire [ASK_BITS-1:0] ask;
  token_queue #(
      .WIDTH(ASK_BITS),
      .SLOT_BITS(PASSES_LOG2)
  ) asks (
      .clk(clk),
      .rst(rst),
      .valid_i(go && |f4_miss),
      .word_i({f4_slot, f4_half, f4_miss}),
      .valid_o(ask_valid),
      .word_o(ask),
      .take_i(ask_take)
  );
  reg ask_second;  // the even line has been asked
  reg [CHUNK_BITS-1:0] ask_chunk;
  wire ask_odd = ask_second || !ask[0];
  wire [HALF_BITS-1:0] ask_half = ask[2+(ask_odd?HALF_BITS : 0)+:HALF_BITS];
  wire ask_step = ask_valid && ready_i;
  wire ask_line_end = ask_chunk == LAST_CHUNK;
  assign ask_take = ask_step && ask_line_end && (ask_odd || !ask[1]);
  wire ask_fault = halt && !ask_valid && !asked;
  wire [SLOT_BITS-1:0] ask_slot = ask[ASK_BITS-1-:SLOT_BITS];
  reg bad_of_token;
  reg [LANES-1:0] bad_lanes;
  reg [NUMBER_BITS-1:0] bad_number;
  always @* begin
    {bad_of_token, bad_lanes, bad_number} = 0;
    for (i = 0; i < POINTS; i = i + 1)
    if (bad_point[i]) begin
      bad_of_token = OF_TOKEN[i];
      bad_number = NUMBER[i*8+:NUMBER_BITS];
      bad_lanes = OF_TOKEN[i] ? ~({LANES{1'b1}} << SPAN[i*8+:8] << 1) : {{LANES - 1{1'b0}}, 1'b1} << LANE[i*8+:8];
    end
  end
  generate
    for (n = 0; n < LANES; n = n + 1) begin : lane
      localparam [31:0] WORD = 4 * n;
      wire [31:0] line_address = {{32 - HALF_BITS - 1 - LINE_LOG2{1'b0}}, ask_half, ask_odd, {LINE_LOG2{1'b0}}} |
                                 ({{32 - CHUNK_BITS{1'b0}}, ask_chunk & LAST_CHUNK} * (4 * LANES)) | WORD;
      assign address_o[n*32+:32] = ask_valid ? line_address : bad_address + (bad_of_token ? WORD : 32'd0);
    end
  endgenerate
  assign access_o = ask_valid || ask_fault;
  assign number_o = ask_valid ? {NUMBER_BITS{1'b0}} : bad_number;
  assign access_slot_o = ask_valid ? ask_slot : bad_slot;
  assign lanes_o = ask_valid ? {LANES{1'b1}} : bad_lanes;
  always @(posedge clk) begin
    if (ask_step) begin
      ask_chunk  <= ask_line_end ? {CHUNK_BITS{1'b0}} : ask_chunk + 1'b1;
      ask_second <= ask_line_end ? !ask_take : ask_second;
    end
    if (ask_fault && ready_i) asked <= 1'b1;
    if (rst) begin
      ask_chunk <= 0;
      {ask_second, asked} <= 2'd0;
    end
  end

  // ---- what has come of them, whole lines
  wire fill_valid, fill_take;
  wire [WINDOW*32-1:0] fill;
  reg [CHUNK_BITS-1:0] fill_chunk;
  reg [WINDOW*32-1:0] filled;  // the last accesses' words, the latest on top
  /* verilator lint_off UNUSEDSIGNAL */
  // The oldest words leave.
  wire [(WINDOW+LANES)*32-1:0] with_this = {fill_data_i, filled};
  /* verilator lint_on UNUSEDSIGNAL */
  wire fill_line_end = fill_i && fill_chunk == LAST_CHUNK;
  always @(posedge clk) begin
    if (fill_i) begin
      filled <= with_this[LANES*32+:WINDOW*32];
      fill_chunk <= fill_line_end ? {CHUNK_BITS{1'b0}} : fill_chunk + 1'b1;
    end
    if (rst) fill_chunk <= 0;
  end
  token_queue #(
      .WIDTH(WINDOW * 32),
      .SLOT_BITS(PASSES_LOG2 + 1)
  ) fills (
      .clk(clk),
      .rst(rst),
      .valid_i(fill_line_end),
      .word_i(with_this[LANES*32+:WINDOW*32]),
      .valid_o(fill_valid),
      .word_o(fill),
      .take_i(fill_take)
  );

  // ---- passes: each stores the lines that it asked for, then reads
  localparam BANKED = POINTS * WINDOW_LOG2;
  localparam PASS_BITS = SLOT_BITS + POINTS + BANKED + WINDOW_LOG2 + 1 + 1 + 2 * ROW_BITS + 2;
  wire c_valid, c_take;
  wire [SLOT_BITS-1:0] c_slot;
  wire [POINTS-1:0] c_fits;
  wire [BANKED-1:0] c_bank;
  wire [WINDOW_LOG2-1:0] c_start;
  wire c_odd, c_last;
  wire [2*ROW_BITS-1:0] c_row;
  wire [1:0] c_miss;
  token_queue #(
      .WIDTH(PASS_BITS),
      .SLOT_BITS(PASSES_LOG2)
  ) passes (
      .clk(clk),
      .rst(rst),
      .valid_i(go && f4_valid),
      .word_i({f4_slot, f4_fits, f4_bank, f4_start, f4_odd, f4_last, f4_row, f4_miss}),
      .valid_o(c_valid),
      .word_o({c_slot, c_fits, c_bank, c_start, c_odd, c_last, c_row, c_miss}),
      .take_i(c_take)
  );
  reg [PASSES_LOG2:0] count;
  wire put = go && f4_valid;
  always @(posedge clk) begin
    count <= count + {{PASSES_LOG2{1'b0}}, put} - {{PASSES_LOG2{1'b0}}, c_take};
    go <= !rst && !halt && !(go && bad) && count < MOST_PASSES;
    if (rst) count <= 0;
  end
  reg c_second;  // the even line has been stored
  reg r_valid, r_odd, r_last;
  reg [SLOT_BITS-1:0] r_slot;
  reg [POINTS-1:0] r_fits;
  reg [BANKED-1:0] r_bank;
  reg [WINDOW_LOG2-1:0] r_start;
  reg [2*ROW_BITS-1:0] r_row;
  wire store_odd = c_second || !c_miss[0];
  wire [ROW_BITS-1:0] store_row = store_odd ? c_row[ROW_BITS+:ROW_BITS] : c_row[0+:ROW_BITS];
  // Not into a line that the pass before reads in this cycle.
  wire is_read = r_valid && store_row == (store_odd ? r_row[ROW_BITS+:ROW_BITS] : r_row[0+:ROW_BITS]);
  wire store = c_valid && |c_miss && fill_valid && !is_read;
  assign fill_take = store;
  assign c_take = c_valid && (c_miss == 2'd0 || (store && (store_odd || !c_miss[1])));
  always @(posedge clk) begin
    if (store) c_second <= !c_take;
    r_valid <= c_take;
    {r_slot, r_fits, r_bank, r_start, r_odd, r_last, r_row} <= {c_slot, c_fits, c_bank, c_start, c_odd, c_last, c_row};
    if (rst) begin
      {c_second, r_valid} <= 2'd0;
    end
  end

  // ---- the words of lines, a bank for each place in a line
  wire [WINDOW*32-1:0] words;
  generate
    for (b = 0; b < WINDOW; b = b + 1) begin : bank
      localparam [WINDOW_LOG2-1:0] PLACE = b;
      (* ram_style = "block", no_rw_check *) reg [31:0] lines[0:(1<<LINES_LOG2)-1];
      reg [31:0] word;
      /* verilator lint_off CMPCONST */
      // Of the last place it is never true.
      wire odd = r_odd ^ (PLACE < r_start);  // of the first line from its start on, of the next before it
      /* verilator lint_on CMPCONST */
      always @(posedge clk) begin
        if (store) lines[{store_row, store_odd}] <= fill[b*32+:32];
        word <= lines[{odd?r_row[ROW_BITS+:ROW_BITS] : r_row[0+:ROW_BITS], odd}];
      end
      assign words[b*32+:32] = word;
    end
  endgenerate
  reg d_valid, d_last;
  reg [SLOT_BITS-1:0] d_slot;
  reg [POINTS-1:0] d_fits;
  reg [BANKED-1:0] d_bank;
  always @(posedge clk) begin
    d_valid <= r_valid && !rst;
    {d_slot, d_fits, d_bank, d_last} <= {r_slot, r_fits, r_bank, r_last};
    answer_o <= d_valid && !rst;
    answer_end_o <= d_valid && d_last && !rst;
    answer_slot_o <= d_slot;
  end
  generate
    for (w = 0; w < WORDS; w = w + 1) begin : word
      localparam integer OF = {24'd0, POINT[w*8+:8]};
      localparam [WINDOW_LOG2-1:0] SHIFT = BEHIND[w*8+:WINDOW_LOG2];
      wire [WINDOW_LOG2-1:0] from = d_bank[OF*WINDOW_LOG2+:WINDOW_LOG2] + SHIFT;
      always @(posedge clk) begin
        answer_words_o[w] <= d_fits[OF];
        answer_data_o[w*32+:32] <= words[from*32+:32];
      end
    end
  endgenerate
endmodule

`default_nettype wire
