// SPDX-License-Identifier: Apache-2.0
// Proof: a 64-bit operation of rtl/group/scan_tree.v, given in two words at least five cycles apart with anything between
// them but a first word of the same slot, gives the words of the serial scan, for all values and operations. What a slot
// has kept at the start counts for nothing, so the first cycles from an arbitrary start are all there is to see.
`include "rtl/shape.vh"
`default_nettype none

module scan_words_proof #(
    parameter LANES  = 4,
    parameter LEVELS = 2
) (
    input wire clk,
    input wire early_add,

    input wire max,
    input wire is_signed,
    input wire first,
    input wire early_second,

    input wire                early_slot,
    input wire [LANES*32-1:0] x
);
  // The slot of what is given now.
  reg slot_soon, slot_next, slot, second = 0, add;
  always @(posedge clk) {second, add} <= {early_second, early_add};

  always @(posedge clk) {slot, slot_next, slot_soon} <= {slot_next, slot_soon, early_slot};

  wire [LANES*32-1:0] y;
  scan_tree #(
      .LANES(LANES),
      .LEVELS(LEVELS),
      .SLOT_BITS(1)
  ) dut (
      .clk(clk),
      .operation_i({2'b00, add, max, is_signed}),
      .first_i(first),
      .second_i(second),
      .early_slot_i(early_slot),
      .early_second_i(early_second),
      .early_add_i(early_add),
      .x_i(x),
      .y_o(y)
  );

  // The last first word of slot 0, and how long ago it was.
  reg kept = 0, kept_add, kept_max, kept_signed;
  reg [2:0] age;
  reg [LANES*32-1:0] kept_x;
  reg [1:0] cycle = 0;
  wire known = cycle == 2'd3;  // slot is
  always @(posedge clk) begin
    if (!known) cycle <= cycle + 1'b1;
    if (age != 3'd5) age <= age + 1'b1;
    if (known && first && !slot) begin
      kept <= 1'b1;
      age <= 3'd1;
      {kept_add, kept_max, kept_signed, kept_x} <= {add, max, is_signed, x};
    end
  end
  always @* begin
    assume (!(first && second));
    assume (!(add && max));
    if (known && first) assume (!(add && is_signed));
    if (known && second && !slot && kept) assume (age == 3'd5 && add == kept_add && max == kept_max && !is_signed);
  end

  // What was given together LEVELS cycles before, as values of 64 bits.
  wire was_valid, was_add, was_max, was_signed;
  wire [LANES*32-1:0] was_first, was_second;
  delay #(
      .WIDTH (LANES * 64 + 4),
      .CYCLES(LEVELS)
  ) past (
      .clk(clk),
      .value_i({known && second && !slot && kept, kept_add, kept_max, kept_signed, kept_x, x}),
      .value_o({was_valid, was_add, was_max, was_signed, was_first, was_second})
  );
  reg [3:0] given = 0;  // that many cycles of the past are known
  always @(posedge clk) if (given < LEVELS) given <= given + 1'b1;

  reg [63:0] sum, next;
  reg less;
  reg [LANES*32-1:0] serial;
  integer i;
  always @* begin
    sum = 64'd0;
    for (i = 0; i < LANES; i = i + 1) begin
      next = was_add ? {was_second[32*i+:32], was_first[32*i+:32]} : {was_first[32*i+:32], was_second[32*i+:32]};
      less = was_signed ? $signed(sum) < $signed(next) : sum < next;
      sum = i == 0 ? next : was_add ? sum + next : less == was_max ? next : sum;
      serial[32*i+:32] = was_add ? sum[63:32] : sum[31:0];
    end
    if (given == LEVELS && was_valid) assert (y == serial);
  end
endmodule

`default_nettype wire
