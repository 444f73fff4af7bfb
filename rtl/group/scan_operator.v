// SPDX-License-Identifier: Apache-2.0
// One binary operation of the collectives: addition, minimum or maximum of int or uint. Combinational: one carry chain and a mux.
// Of 64 bits it takes two words, one after the other: of a sum the lower first, of a minimum or maximum the upper. What the first
// leaves for the second is state_o.
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
    output wire [ 1:0] state_o    // {carry or less, equal}
);
  // a + b, or a - b with its sign in bit 32; the bottom bit only carries in the +1 of the subtraction, or the first word's carry.
  wire [33:0] sum = {signed_i & a_i[31], a_i, 1'b1} +
                    {(signed_i & b_i[31]) ^ !add_i, b_i ^ {32{!add_i}}, !add_i || (second_i && state_i[1])};
  wire a_less = second_i ? state_i[1] || (state_i[0] && sum[33]) : sum[33];
  assign y_o = add_i ? sum[32:1] : (a_less ^ max_i) ? a_i : b_i;
  assign state_o = {sum[33], sum[32:1] == 32'd0};  // not a == b, which would be twice as large
  wire unused = sum[0];
endmodule

`default_nettype wire
