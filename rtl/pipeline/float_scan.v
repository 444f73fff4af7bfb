// SPDX-License-Identifier: Apache-2.0
// Inclusive sums of floats across the lanes of a token, in the order that rtl/group/README.md has: first a NaN becomes
// the canonical one, as when -0 is added, then Sklansky's tree. Lanes that take no part bring -0. One a cycle; 6 *
// LEVELS + 1 cycles.
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
          wire [31:0] x = x_i[i*32+:32];
          reg  [31:0] y;
          always @(posedge clk) y <= x[30:23] == 8'd255 && x[22:0] != 23'd0 ? 32'h7FC00000 : x;
          assign value[i*32+:32] = y;
        end else if (((i >> (k - 1)) & 1) != 0) begin : combine
          localparam FROM = ((i >> (k - 1)) << (k - 1)) - 1;
          float_add add (
              .clk(clk),
              .a_i(level[k-1].value[FROM*32+:32]),
              .b_i(level[k-1].value[i*32+:32]),
              .y_o(value[i*32+:32])
          );
        end else begin : pass
          value_delay #(
              .WIDTH (32),
              .CYCLES(6)
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
