// SPDX-License-Identifier: Apache-2.0
// A window of 40 bits moves up by 0 to 15 places: products by a power of two, one a cycle. The top 25 bits and whether a
// one is below them, a cycle later; they still have to be joined (float_fused.v, float_multiply.v).
`default_nettype none

module multiplied_shift (
    input  wire        clk,
    input  wire [39:0] window_i,
    input  wire [15:0] power_i,   // one bit of it
    output wire [24:0] up_o,
    output wire        low_o
);
  wire [3:0] w = window_i[3:0];
  wire last = power_i[15:12] == 4'd0;
  reg [17:0] first;
  reg [32:0] second;
  reg [3:0] third;  // of the last four bits, those that come as far as the 25
  reg rest;
  always @(posedge clk) begin
    first <= window_i[39:22] * {2'd0, power_i};
    second <= {15'd0, window_i[21:4]} * {17'd0, power_i};
    third <= {
      w[3] && power_i[15],
      (w[3] && power_i[14]) || (w[2] && power_i[15]),
      (w[3] && power_i[13]) || (w[2] && power_i[14]) || (w[1] && power_i[15]),
      (w[3] && power_i[12]) || (w[2] && power_i[13]) || (w[1] && power_i[14]) || (w[0] && power_i[15])
    };
    rest <= (w[3] && last) || (w[2] && (last || power_i[12])) || (w[1] && (last || power_i[13:12] != 2'd0)) ||
            (w[0] && !power_i[15]);
  end
  assign up_o  = {first[17:15], first[14:0] | second[32:18], second[17:15], second[14:11] | third};
  assign low_o = second[10:0] != 11'd0 || rest;
endmodule

`default_nettype wire
