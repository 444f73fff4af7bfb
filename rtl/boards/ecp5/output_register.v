// SPDX-License-Identifier: Apache-2.0
// Registers in the pads of an ECP5, for outputs: what comes in leaves after the next edge, all bits at the same time.
`default_nettype none

module output_register #(
    parameter WIDTH = 1
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] data_i,
    output wire [WIDTH-1:0] pins_o
);
  OFS1P3DX pads[WIDTH-1:0] (
      .CD(1'b0),
      .D(data_i),
      .SP(1'b1),
      .SCLK(clk),
      .Q(pins_o)
  );
endmodule

`default_nettype wire
