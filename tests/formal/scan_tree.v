// SPDX-License-Identifier: Apache-2.0
// Proof: what rtl/group/scan_tree.v gives is the serial scan of what it was given LEVELS cycles before, for all values and
// operations of 32 bits (scan_words.v: of 64). The tree only feeds forward, and the carry is told a cycle before, so LEVELS + 2
// cycles from an arbitrary start are all there is to see.
`include "rtl/shape.vh"
`default_nettype none

module scan_tree_proof #(
    parameter LANES  = 4,
    parameter LEVELS = 2
) (
    input wire clk,
    input wire [`HEDDLE_COLLECTIVE_BITS-1:0] early_operation,
    input wire [LANES*32-1:0] x
);
  `include "rtl/group/collective.vh"
  reg [`HEDDLE_COLLECTIVE_BITS-1:0] operation;
  always @(posedge clk) operation <= early_operation;
  // Those of collective.vh's table.
  always @* begin
    if (operation[T_BITS])
      assume (!operation[T_SIGNED] && (operation[T_ADD] || !operation[T_MAX]));
      else if (operation[T_ADD]) assume (!operation[T_MAX]);
  end
  wire [LANES*32-1:0] y;

  scan_tree #(
      .LANES(LANES),
      .LEVELS(LEVELS),
      .SLOT_BITS(1)
  ) dut (
      .clk(clk),
      .operation_i(operation),
      .first_i(1'b0),
      .second_i(1'b0),
      .early_slot_i(1'b0),
      .early_second_i(1'b0),
      .early_add_i(early_operation[T_ADD]),
      .x_i(x),
      .y_o(y)
  );

  wire [`HEDDLE_COLLECTIVE_BITS-1:0] was;
  wire [LANES*32-1:0] was_x;
  delay #(
      .WIDTH (LANES * 32 + `HEDDLE_COLLECTIVE_BITS),
      .CYCLES(LEVELS)
  ) past (
      .clk(clk),
      .value_i({operation, x}),
      .value_o({was, was_x})
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
      less = was[T_SIGNED] ? $signed(sum) < $signed(next) : sum < next;
      case ({
        was[T_BITS], was[T_ADD], was[T_MAX]
      })
        3'b000:  sum = less ? sum : next;
        3'b001:  sum = less ? next : sum;
        3'b010:  sum = sum + next;
        3'b100:  sum = sum & next;
        3'b110:  sum = sum | next;
        default: sum = sum ^ next;
      endcase
      serial[32*i+:32] = sum;
    end
    if (cycle > LEVELS) assert (y == serial);
  end
endmodule

`default_nettype wire
