// SPDX-License-Identifier: Apache-2.0
// Carries a value through CYCLES registers, without reset. CYCLES 0 is a wire.
`default_nettype none

module delay #(
    parameter WIDTH  = 32,
    parameter CYCLES = 1    // 0 or more
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] value_i,
    output wire [WIDTH-1:0] value_o
);
  generate
    if (CYCLES == 0) begin : wired
      assign value_o = value_i;
      wire unused = clk;
    end else begin : registered
      reg [WIDTH*CYCLES-1:0] stages;
      if (CYCLES == 1) begin : one
        always @(posedge clk) stages <= value_i;
      end else begin : more
        always @(posedge clk) stages <= {stages[WIDTH*(CYCLES-1)-1:0], value_i};
      end
      assign value_o = stages[WIDTH*CYCLES-1-:WIDTH];
    end
  endgenerate
endmodule

`default_nettype wire
