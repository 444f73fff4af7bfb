// SPDX-License-Identifier: Apache-2.0
// The performance counters: eight of 64 bits in a small RAM, for the current or last dispatch and for the one before.
// Events are summed in short registers. One adder adds these to the RAM one after the other, a word a cycle. So a
// counter is at most 21 cycles late.
`default_nettype none

module performance_counters #(
    parameter COUNT_BITS  = 1,  // of the events of one kind in a cycle
    parameter AMOUNT_BITS = 6   // of what counter 2 adds in a cycle
) (
    input wire clk,
    input wire rst,
    input wire start_i, // pulse: a new dispatch, whose counters begin at 0; the others become the previous ones

    // events in this cycle
    input wire [8*COUNT_BITS-1:0] events_i,  // by counter
    input wire [ AMOUNT_BITS-1:0] amount_i,  // what counter 2 adds

    // {of the dispatch before, counter, high word}; the word is given in the same cycle
    input  wire [ 4:0] address_i,
    output wire [31:0] word_o
);
  // A sum is added to the RAM every 16 cycles; after a start it takes a few more.
  localparam EVENT_SUM_BITS = 5 + COUNT_BITS, AMOUNT_SUM_BITS = 5 + AMOUNT_BITS;
  localparam [3:0] AMOUNT = 4'd2;
  integer i;

  // Registered: events come late in a cycle, from the whole chip.
  reg start;
  reg [8*COUNT_BITS-1:0] events;
  reg [AMOUNT_BITS-1:0] event_amount;
  always @(posedge clk) begin
    start <= start_i && !rst;
    events <= events_i;
    event_amount <= amount_i;
  end

  // A pipeline: choose a word and the sum of its counter; read; add; write.
  reg half;  // the half of the RAM that is written
  reg [3:0] step;
  reg [4:0] read_at, add_at;
  reg [4:0] zeros;  // words that still count as 0; 17: that begins with the next low word
  reg read_zero, add_carry;
  reg [AMOUNT_SUM_BITS-1:0] read_addend;
  reg [31:0] sum;
  reg [31:0] words[0:31];
  assign word_o = words[{half^address_i[4], address_i[3:0]}];

  reg [EVENT_SUM_BITS-1:0] event_sums[0:7];
  reg [AMOUNT_SUM_BITS-1:0] amount_sum;
  wire visit = !step[0] && zeros != 5'd17;
  wire [AMOUNT_SUM_BITS-1:0] visited_sum = {1'b0, step[3:1]} == AMOUNT ? amount_sum :
                                           {{(AMOUNT_SUM_BITS - EVENT_SUM_BITS) {1'b0}}, event_sums[step[3:1]]};
  wire [31:0] word = words[read_at] & {32{!read_zero}};
  wire [32:0] total = {1'b0, word} + {{(33 - AMOUNT_SUM_BITS) {1'b0}}, read_addend} + {32'd0, read_at[0] && add_carry};
  always @(posedge clk) begin
    step <= step + 4'd1;
    for (i = 0; i < 8; i = i + 1)
    event_sums[i] <= (start || (visit && {29'd0, step[3:1]} == i) ? {EVENT_SUM_BITS{1'b0}} : event_sums[i]) +
                   {{(EVENT_SUM_BITS - COUNT_BITS) {1'b0}}, events[i*COUNT_BITS+:COUNT_BITS]};
    amount_sum <= (start || (visit && {1'b0, step[3:1]} == AMOUNT) ? {AMOUNT_SUM_BITS{1'b0}} : amount_sum) +
              {{(AMOUNT_SUM_BITS - AMOUNT_BITS) {1'b0}}, event_amount};

    half <= half ^ start;
    read_at <= {half, step};
    read_addend <= visit ? visited_sum : {AMOUNT_SUM_BITS{1'b0}};
    if (start) zeros <= 5'd17;
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
