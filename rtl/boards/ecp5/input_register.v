// SPDX-License-Identifier: Apache-2.0
// Registers in the pads of an ECP5, for inputs.
`default_nettype none

module input_register #(
    parameter WIDTH = 1
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] pins_i,
    output wire [WIDTH-1:0] data_o
);
  IFS1P3DX pads[WIDTH-1:0] (
      .CD(1'b0),
      .D(pins_i),
      .SP(1'b1),
      .SCLK(clk),
      .Q(data_o)
  );
endmodule

`default_nettype wire
