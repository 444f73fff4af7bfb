// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/pipeline/lane_lines.v answers each word that a lane of a token wants once, with the word of its address,
// whatever lines are there, have to be asked for or come late; and marks the last answer of a token. What it asks of
// memory are whole lines, an access behind the other. The rules of its users: a token's slot is its own until its last
// answer; memory answers accesses in order. 17 cycles, 2 lanes of 2 words, lines of 4 words, 4 of them in memory.
`default_nettype none

module lane_lines_proof #(
    parameter ONE = 0  // 1: one slot and one lane are used
) (
    input wire       clk,
    input wire       valid,
    input wire       slot,
    input wire [1:0] active,
    input wire [7:0] words,   // addresses of the lanes, without the bits that are 0
    input wire       ready,
    input wire       fill
);
  localparam GLOBAL_LOG2 = 6, FIRST_LOG2 = 4;
  wire rst = $initstate;
  wire take, access, number, access_slot, answer, answer_end, answer_slot;
  wire [  1:0] lanes;
  wire [  3:0] answer_words;
  wire [ 63:0] address;
  wire [127:0] answer_data;
  wire [ 63:0] fill_data;
  lane_lines #(
      .LANES(2),
      .SLOT_BITS(1),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .FIRST_LOG2(FIRST_LOG2),
      .WORDS(2),
      .LINE_LOG2(4)
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

  // Memory has in each word its own address. Accesses that have been made and not answered, the next one lowest.
  reg [11:0] accesses;
  reg [2:0] count;
  reg second_half;  // of a line is what is asked for next
  wire [2:0] left_accesses = count - {2'd0, fill};
  wire [11:0] other_accesses = fill ? accesses >> 3 : accesses;
  wire [11:0] next_access = {9'd0, address[5:3]} << 3 * left_accesses;
  assign fill_data = {26'd0, accesses[2:0], 1'b1, 2'd0, 26'd0, accesses[2:0], 1'b0, 2'd0};
  always @(posedge clk) begin
    accesses <= access && ready ? other_accesses | next_access : other_accesses;
    count <= left_accesses + {2'd0, access && ready};
    second_half <= second_half ^ (access && ready);
    if (rst) {accesses, count, second_half} <= 0;
  end

  // Any one token: its words that have no answer yet, the lanes' first ones lowest.
  (* anyconst *)reg  own;
  (* anyseq *)wire choose;
  reg chosen, waits;
  reg [3:0] left;
  reg [7:0] wanted;
  reg [1:0] busy;  // slots that have a token
  wire enter = take && choose && !chosen && slot == own;
  wire answered = answer && waits && answer_slot == own;
  always @(posedge clk) begin
    if (enter) wanted <= words;
    left   <= enter ? {active, active} : answered ? left & ~answer_words : left;
    chosen <= !rst && (chosen || enter);
    waits  <= !rst && (enter || (waits && !answer_end) || (waits && answer_slot != own));
    busy   <= rst ? 2'd0 : (busy | ({1'b0, take} << slot)) & ~({1'b0, answer && answer_end} << answer_slot);
  end

  // As `initial` in lane_lines.v says, which -mem2reg does not keep.
  (* hierconn *)wire [3:0] \dut.lane[0].entries[0] ;
  (* hierconn *)wire [3:0] \dut.lane[0].entries[1] ;
  (* hierconn *)wire [3:0] \dut.lane[1].entries[0] ;
  (* hierconn *)wire [3:0] \dut.lane[1].entries[1] ;
  always @* begin
    if (rst)
      assume ({\dut.lane[0].entries[0] , \dut.lane[0].entries[1] } == 0 &&
              {\dut.lane[1].entries[0] , \dut.lane[1].entries[1] } == 0);
    if (rst || start) assume (!valid && !fill);
    if (fill) assume (count != 0);
    if (ready) assume (count != 4);
    if (valid && ONE != 0) assume (!slot && active == 2'd2);
    if (valid) assume (!busy[slot] && words[3:2] != 0 && words[7:6] != 0 && words[3:0] != 4'd15 && words[7:4] != 4'd15);
  end

  genvar n;
  generate
    for (n = 0; n < 4; n = n + 1) begin : word
      localparam [4:0] BEHIND = n / 2;
      wire [4:0] at = {1'b0, wanted[n%2*4+:4]} + BEHIND;
      always @* if (!rst && answered && answer_words[n]) assert (answer_data[n*32+:32] == {25'd0, at, 2'd0});
    end
  endgenerate
  always @*
    if (!rst) begin
      if (access) begin
        assert (lanes == 2'd3 && address[2:0] == 3'd0 && address[63:32] == address[31:0] + 32'd4);
        assert (address[3] == second_half);
      end
      if (answered) begin
        assert ((answer_words & ~left) == 0 && (answer_words != 0 || left == 0));
        assert (answer_end == (answer_words == left));
      end
      if (answer) assert (busy[answer_slot]);
      if (ONE == 0) cover (answered && answer_words == 4'd15 && wanted[3:0] == 4'd9 && wanted[7:4] == 4'd4);
      cover (answered && answer_end && answer_words == 4'd8);
    end
endmodule

`default_nettype wire
