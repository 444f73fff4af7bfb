// SPDX-License-Identifier: Apache-2.0
// Between floats and the int that is ordered as they are, -0 before +0: what is negative has its other bits inverted.
// Its own inverse. Combinational.
`default_nettype none

module float_order (
    input  wire        float_i,  // else the word stays as it is
    input  wire [31:0] word_i,
    output wire [31:0] word_o
);
  assign word_o = {word_i[31], word_i[30:0] ^ {31{float_i && word_i[31]}}};
endmodule

`default_nettype wire
