// SPDX-License-Identifier: Apache-2.0
// Inclusive sums of floats across the lanes of a token, in the order that rtl/group/README.md has: first each value + -0, which makes a
// NaN the canonical one, then Sklansky's tree. Lanes that take no part bring -0. One a cycle; 7 * (LEVELS + 1) cycles.
`default_nettype none

module float_scan #(
    parameter LANES  = 4,  // power of two
    parameter LEVELS = 2   // log2(LANES)
) (
    input  wire                clk,
    input  wire [LANES*32-1:0] x_i,
    output wire [LANES*32-1:0] y_o
);
  genvar k, i;
  generate
    for (k = 0; k <= LEVELS; k = k + 1) begin : level
      wire [LANES*32-1:0] value;
      for (i = 0; i < LANES; i = i + 1) begin : lane
        if (k == 0) begin : canonical
          float_operator #(
              .OPERATION(0)
          ) add (
              .clk(clk),
              .a_i(x_i[i*32+:32]),
              .b_i(32'h80000000),
              .c_i(32'd0),
              .y_o(value[i*32+:32])
          );
        end else if (((i >> (k - 1)) & 1) != 0) begin : combine
          localparam FROM = ((i >> (k - 1)) << (k - 1)) - 1;
          float_operator #(
              .OPERATION(0)
          ) add (
              .clk(clk),
              .a_i(level[k-1].value[FROM*32+:32]),
              .b_i(level[k-1].value[i*32+:32]),
              .c_i(32'd0),
              .y_o(value[i*32+:32])
          );
        end else begin : pass
          value_delay #(
              .WIDTH (32),
              .CYCLES(7)
          ) pass (
              .clk(clk),
              .value_i(level[k-1].value[i*32+:32]),
              .value_o(value[i*32+:32])
          );
        end
      end
    end
  endgenerate
  assign y_o = level[LEVELS].value;
endmodule

`default_nettype wire
