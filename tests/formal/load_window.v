// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/pipeline/load_window.v answers each active point of a token once, with the word of its address, whatever
// lines are on the chip, have to be asked for or are replaced meanwhile; and marks the last answer of a token. What it
// asks of memory are whole lines. The rules of its users: a token's slot is its own until its last answer; memory
// answers accesses in order. 17 cycles, 2 points, 4 lines of 2 words, of 8 in memory.
`default_nettype none

module load_window_proof (
    input wire       clk,
    input wire       valid,
    input wire       slot,
    input wire [1:0] active,
    input wire [7:0] words,   // addresses of the points, without the bits that are 0
    input wire       ready,
    input wire       fill
);
  localparam GLOBAL_LOG2 = 6, FIRST_LOG2 = 4;
  wire rst = $initstate;
  wire take, access, number, access_slot, answer, answer_end, answer_slot;
  wire [1:0] lanes, answer_words;
  wire [63:0] address, answer_data;
  wire [63:0] fill_data;
  load_window #(
      .LANES(2),
      .SLOT_BITS(1),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .FIRST_LOG2(FIRST_LOG2),
      .POINTS(2),
      .WORDS(2),
      .LANE(16'h0100),
      .POINT(16'h0100),
      .LINES_LOG2(2),
      .PASSES_LOG2(4),
      .WINDOW_LOG2(1)
  ) dut (
      .clk(clk),
      .rst(rst),
      .start_i(start),
      .valid_i(valid),
      .take_o(take),
      .slot_i(slot),
      .active_i(active),
      .address_i({26'd0, words[7:4], 2'd0, 26'd0, words[3:0], 2'd0}),
      .access_o(access),
      .ready_i(ready),
      .number_o(number),
      .access_slot_o(access_slot),
      .lanes_o(lanes),
      .address_o(address),
      .fill_i(fill),
      .fill_data_i(fill_data),
      .answer_o(answer),
      .answer_end_o(answer_end),
      .answer_slot_o(answer_slot),
      .answer_words_o(answer_words),
      .answer_data_o(answer_data)
  );

  // A dispatch starts behind the reset, before its first token.
  reg  started;
  wire start = !rst && !started;
  always @(posedge clk) started <= !rst;

  // Memory has in each word its own address. Lines that are asked for and have not come, the next one lowest.
  reg  [11:0] lines;
  reg  [ 2:0] count;
  wire [ 2:0] left_lines = count - {2'd0, fill};
  wire [11:0] other_lines = fill ? lines >> 3 : lines;
  wire [11:0] next_line = {9'd0, address[5:3]} << 3 * left_lines;
  assign fill_data = {26'd0, lines[2:0], 1'b1, 2'd0, 26'd0, lines[2:0], 1'b0, 2'd0};
  always @(posedge clk) begin
    lines <= access && ready ? other_lines | next_line : other_lines;
    count <= left_lines + {2'd0, access && ready};
    if (rst) {lines, count} <= 0;
  end

  // Any one token: its points that have no answer yet.
  (* anyconst *)reg  own;
  (* anyseq *)wire choose;
  reg chosen, waits;
  reg [1:0] left;
  reg [7:0] wanted;
  reg [1:0] busy;  // slots that have a token
  wire enter = take && choose && !chosen && slot == own;
  wire answered = answer && waits && answer_slot == own;
  always @(posedge clk) begin
    if (enter) wanted <= words;
    left   <= enter ? active : answered ? left & ~answer_words : left;
    chosen <= !rst && (chosen || enter);
    waits  <= !rst && (enter || (waits && !answer_end) || (waits && answer_slot != own));
    busy   <= rst ? 2'd0 : (busy | ({1'b0, take} << slot)) & ~({1'b0, answer && answer_end} << answer_slot);
  end

  // As `initial` in window_lines.v says, which -mem2reg does not keep.
  (* hierconn *)wire [2:0] \dut.parity[0].window_lines.entries[0] ;
  (* hierconn *)wire [2:0] \dut.parity[0].window_lines.entries[1] ;
  (* hierconn *)wire [2:0] \dut.parity[1].window_lines.entries[0] ;
  (* hierconn *)wire [2:0] \dut.parity[1].window_lines.entries[1] ;
  always @* begin
    if (rst)
      assume ({\dut.parity[0].window_lines.entries[0] , \dut.parity[0].window_lines.entries[1] } == 0 &&
              {\dut.parity[1].window_lines.entries[0] , \dut.parity[1].window_lines.entries[1] } == 0);
    if (rst || start) assume (!valid && !fill);
    if (fill) assume (count != 0);
    if (ready) assume (count != 4);
    if (valid) assume (active != 0 && !busy[slot] && words[3:2] != 0 && words[7:6] != 0);
  end

  always @*
    if (!rst) begin
      if (access) assert (lanes == 2'd3 && address[2:0] == 3'd0 && address[63:32] == address[31:0] + 32'd4);
      if (answered) begin
        assert (answer_words != 0 && (answer_words & ~left) == 0);
        assert (answer_end == (answer_words == left));
        if (answer_words[0]) assert (answer_data[31:0] == {26'd0, wanted[3:0], 2'd0});
        if (answer_words[1]) assert (answer_data[63:32] == {26'd0, wanted[7:4], 2'd0});
      end
      if (answer) assert (busy[answer_slot]);
      cover (answered && answer_words == 2'd3 && wanted[0] && wanted[7:4] == wanted[3:0] + 4'd1);
      cover (answered && answer_end && answer_words == 2'd2);
    end
endmodule

`default_nettype wire
