// SPDX-License-Identifier: Apache-2.0
// One binary operation of the collectives: addition, minimum or maximum of int or uint. Combinational: one carry chain and a mux.
// Of 64 bits it takes two words, one after the other: of a sum the lower first, of a minimum or maximum the upper. What the first
// leaves for the second is left_o; state_i is {carry or less, all equal}.
`default_nettype none

module scan_operator (
    input  wire        add_i,     // addition, else minimum or maximum
    input  wire        max_i,     // maximum (when not add_i)
    input  wire        signed_i,  // compare as int, else as uint; 0 with add_i for the lower word of a sum
    input  wire        second_i,  // the second word
    input  wire [ 1:0] state_i,   // what the first word left, when second_i
    input  wire [31:0] a_i,
    input  wire [31:0] b_i,
    output wire [31:0] y_o,
    output wire [ 8:0] left_o     // of the first word: carry or less, and for each 4 bits whether they are equal
);
  // a + b, or a - b with its sign in bit 32; the bottom bit only carries in the +1 of the subtraction, or the first word's carry.
  wire [33:0] sum = {signed_i & a_i[31], a_i, 1'b1} +
                    {(signed_i & b_i[31]) ^ !add_i, b_i ^ {32{!add_i}}, !add_i || (second_i && state_i[1])};
  wire a_less = second_i ? state_i[1] || (state_i[0] && sum[33]) : sum[33];
  assign y_o = add_i ? sum[32:1] : (a_less ^ max_i) ? a_i : b_i;
  // The difference is compared with 0, not a with b, which would be twice as large.
  assign left_o[8] = sum[33];
  genvar n;
  generate
    for (n = 0; n < 8; n = n + 1) begin : nibble
      assign left_o[n] = sum[4*n+1+:4] == 4'd0;
    end
  endgenerate
  wire unused = sum[0];
endmodule

`default_nettype wire
