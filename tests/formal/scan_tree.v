// SPDX-License-Identifier: Apache-2.0
// Proof: what rtl/group/scan_tree.v gives is the serial scan of what it was given LEVELS cycles before, for all values and
// operations of 32 bits (scan_words.v: of 64). The tree only feeds forward, and the carry is told a cycle before, so LEVELS + 2
// cycles from an arbitrary start are all there is to see.
`default_nettype none

module scan_tree_proof #(
    parameter LANES  = 4,
    parameter LEVELS = 2
) (
    input wire clk,
    input wire early_add,

    input wire                max,
    input wire                is_signed,
    input wire [LANES*32-1:0] x
);
  reg add;
  always @(posedge clk) add <= early_add;
  wire [LANES*32-1:0] y;

  scan_tree #(
      .LANES(LANES),
      .LEVELS(LEVELS),
      .SLOT_BITS(1)
  ) dut (
      .clk(clk),
      .add_i(add),
      .max_i(max),
      .signed_i(is_signed),
      .first_i(1'b0),
      .second_i(1'b0),
      .early_slot_i(1'b0),
      .early_second_i(1'b0),
      .early_add_i(early_add),
      .x_i(x),
      .y_o(y)
  );

  wire was_add, was_max, was_signed;
  wire [LANES*32-1:0] was_x;
  delay #(
      .WIDTH (LANES * 32 + 3),
      .CYCLES(LEVELS)
  ) past (
      .clk(clk),
      .value_i({add, max, is_signed, x}),
      .value_o({was_add, was_max, was_signed, was_x})
  );

  reg [3:0] cycle = 0;
  always @(posedge clk) if (cycle <= LEVELS + 1) cycle <= cycle + 1'b1;

  // The definition: a loop over the lanes.
  reg [31:0] sum, next;
  reg less;
  reg [LANES*32-1:0] serial;
  integer i;
  always @* begin
    sum = was_x[31:0];
    serial[31:0] = sum;
    for (i = 1; i < LANES; i = i + 1) begin
      next = was_x[32*i+:32];
      less = was_signed ? $signed(sum) < $signed(next) : sum < next;
      sum = was_add ? sum + next : less == was_max ? next : sum;
      serial[32*i+:32] = sum;
    end
    if (cycle > LEVELS) assert (y == serial);
  end
endmodule

`default_nettype wire
