// SPDX-License-Identifier: Apache-2.0
// Stands in for rtl/lane/register_file.v: x1, x2 and x3 are lane_bench's a, b and c of the cycle in which they are read.
// Reads take 2 cycles.
`default_nettype none

module register_file #(
    parameter ADDRESS_BITS = 10,
    parameter THIRD = 1
) (
    input  wire                    clk,
    input  wire [ADDRESS_BITS-1:0] read1_i,
    input  wire [ADDRESS_BITS-1:0] read2_i,
    input  wire [ADDRESS_BITS-1:0] read3_i,
    output reg  [            31:0] value1_o,
    output reg  [            31:0] value2_o,
    output reg  [            31:0] value3_o,
    input  wire                    one_i,
    input  wire                    write_i,
    input  wire [ADDRESS_BITS-1:0] address_i,
    input  wire [            31:0] value_i,
    input  wire [            31:0] value3_i
);
  function [31:0] given(input [ADDRESS_BITS-1:0] address);
    case (address[4:0])
      5'd1: given = lane_bench.a_i[address[ADDRESS_BITS-1:5]*32+:32];
      5'd2: given = lane_bench.b_i[address[ADDRESS_BITS-1:5]*32+:32];
      5'd3: given = lane_bench.c_i[address[ADDRESS_BITS-1:5]*32+:32];
      default: given = 32'hDEADBEEF;  // x0 is gated by its readers
    endcase
  endfunction
  reg [31:0] raw1, raw2, raw3;
  always @(posedge clk) begin
    {raw1, raw2, raw3} <= {given(read1_i), given(read2_i), THIRD != 0 ? given(read3_i) : 32'd0};
    {value1_o, value2_o, value3_o} <= {one_i ? 32'h3F800000 : raw1, raw2, raw3};
  end
  wire unused = &{1'b0, write_i, address_i, value_i, value3_i};
endmodule

`default_nettype wire
