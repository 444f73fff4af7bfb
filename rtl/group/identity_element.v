// SPDX-License-Identifier: Apache-2.0
// The identity of a collective's operation, as rtl/group/collective.vh lists them; the infinities as float_order.v maps
// them. Combinational.
`include "rtl/shape.vh"
`default_nettype none

module identity_element (
    input  wire [`HEDDLE_COLLECTIVE_BITS-1:0] operation_i,  // T_* of collective.vh
    output wire [                       31:0] value_o
);
  `include "rtl/group/collective.vh"
  wire max = operation_i[T_MAX];
  assign value_o = operation_i[T_ADD] ? 32'd0 :
                   {operation_i[T_SIGNED] == max, {8{!max}}, {23{max == operation_i[T_FLOAT]}}};
  wire unused = operation_i[T_BITS];
endmodule

`default_nettype wire
