// SPDX-License-Identifier: Apache-2.0
// Counts what happens during a dispatch: eight figures of 64 bits in a small RAM, and those of the dispatch before. What happens collects
// in short counters, which one adder empties into the RAM in turn, a word a cycle: a figure is at most 21 cycles late.
`default_nettype none

module figures #(
    parameter COUNT_BITS  = 1,  // of what happens in a cycle
    parameter AMOUNT_BITS = 6   // of figure 2
) (
    input wire clk,
    input wire rst,
    input wire start_i, // from zero again; those so far become those of the dispatch before

    // what happened in this cycle
    input wire [8*COUNT_BITS-1:0] counts_i,  // by figure
    input wire [ AMOUNT_BITS-1:0] amount_i,  // of figure 2

    // {of the dispatch before, figure, high word}; the word in the same cycle
    input  wire [ 4:0] address_i,
    output wire [31:0] word_o
);
  // Between two visits lie 16 cycles, a few more after a start.
  localparam SHORT = 5 + COUNT_BITS, LONG = 5 + AMOUNT_BITS;
  localparam [3:0] AMOUNT = 4'd2;
  integer i;

  // What happens is found out late in a cycle, far away.
  reg starts;
  reg [8*COUNT_BITS-1:0] happened;
  reg [AMOUNT_BITS-1:0] happened_amount;
  always @(posedge clk) begin
    starts <= start_i && !rst;
    happened <= counts_i;
    happened_amount <= amount_i;
  end

  // Choose a word and what collected for its figure; read; add; write.
  reg half;  // of the RAM, that is written
  reg [3:0] step;
  reg [4:0] read_at, add_at;
  reg [4:0] zeros;  // words still to be taken as zero; 17: to begin with the next low word
  reg read_zero, add_carry;
  reg [LONG-1:0] read_more;
  reg [31:0] sum;
  reg [31:0] words[0:31];
  assign word_o = words[{half^address_i[4], address_i[3:0]}];

  reg [SHORT-1:0] counts[0:7];
  reg [LONG-1:0] amount;
  wire visit = !step[0] && zeros != 5'd17;
  wire [LONG-1:0] collected = {1'b0, step[3:1]} == AMOUNT ? amount : {{(LONG - SHORT) {1'b0}}, counts[step[3:1]]};
  wire [31:0] word = words[read_at] & {32{!read_zero}};
  wire [32:0] total = {1'b0, word} + {{(33 - LONG) {1'b0}}, read_more} + {32'd0, read_at[0] && add_carry};
  always @(posedge clk) begin
    step <= step + 4'd1;
    for (i = 0; i < 8; i = i + 1)
    counts[i] <= (starts || (visit && {29'd0, step[3:1]} == i) ? {SHORT{1'b0}} : counts[i]) +
                   {{(SHORT - COUNT_BITS) {1'b0}}, happened[i*COUNT_BITS+:COUNT_BITS]};
    amount <= (starts || (visit && {1'b0, step[3:1]} == AMOUNT) ? {LONG{1'b0}} : amount) +
              {{(LONG - AMOUNT_BITS) {1'b0}}, happened_amount};

    half <= half ^ starts;
    read_at <= {half, step};
    read_more <= visit ? collected : {LONG{1'b0}};
    if (starts) zeros <= 5'd17;
    else if (zeros == 5'd17 ? step[0] : zeros != 0) zeros <= zeros - 5'd1;
    read_zero <= zeros != 0 && zeros != 5'd17;

    add_at <= read_at;
    {add_carry, sum} <= total;
    words[add_at] <= sum;
    if (rst) begin
      step  <= 4'd0;
      half  <= 1'b0;
      zeros <= 5'd17;
    end
  end
endmodule

`default_nettype wire
