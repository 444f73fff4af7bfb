// SPDX-License-Identifier: Apache-2.0
// The identity of a collective's operation: add 0; min the type's maximum; max the type's minimum; of floats, the infinities as
// float_order.v maps them. Combinational.
`default_nettype none

module identity_element (
    input  wire        add_i,
    input  wire        max_i,
    input  wire        signed_i,
    input  wire        float_i,   // and signed_i
    output wire [31:0] value_o
);
  assign value_o = add_i ? 32'd0 : {signed_i == max_i, {8{!max_i}}, {23{max_i == float_i}}};
endmodule

`default_nettype wire
