// SPDX-License-Identifier: Apache-2.0
// Stands in for rtl/common/float_add.v in the proof of the sequencer: as slow, and as little indifferent to who comes first.
`default_nettype none

module float_add (
    input  wire        clk,
    input  wire [31:0] a_i,
    input  wire [31:0] b_i,
    output reg  [31:0] y_o
);
  reg [31:0] s1, s2, s3, s4, s5;
  always @(posedge clk) {y_o, s5, s4, s3, s2, s1} <= {s5, s4, s3, s2, s1, {a_i[30:0], a_i[31]} ^ b_i};
endmodule

`default_nettype wire
