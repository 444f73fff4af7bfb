// SPDX-License-Identifier: Apache-2.0
// A sum of floats across the lanes of a sub-group, which their own adders make in LEVELS + 1 passes of one instruction:
// in pass p a lane has the sum of the lanes of its block of 2^p up to itself. Here is what stands between one pass and
// the next: the addend, which is the sum of the block before in the lanes of a block's upper half, and -0 in the
// others. Combinational, stage wb.
`default_nettype none

module float_sum #(
    parameter LANES = 8,  // power of two, 1 to 32
    parameter LEVELS = 3,  // log2(LANES)
    parameter PASSES = LEVELS > 0 ? LEVELS : 1
) (
    input wire [  PASSES-1:0] wb_pass_i,  // one-hot; 0 when there is no further pass: then the addends are 0
    input wire [LANES*32-1:0] wb_sum_i,   // what the lanes have

    output reg [LANES*32-1:0] wb_addend_o
);
  integer i, p;
  always @* begin
    wb_addend_o = {LANES * 32{1'b0}};
    for (i = 0; i < LANES; i = i + 1)
    for (p = 0; p < LEVELS; p = p + 1)
    if (wb_pass_i[p]) begin
      if (((i >> p) & 1) == 0) wb_addend_o[i*32+31] = 1'b1;
      else wb_addend_o[i*32+:32] = wb_sum_i[(((i>>p)<<p)-(i==0?0 : 1))*32+:32];
    end
  end
endmodule

`default_nettype wire
