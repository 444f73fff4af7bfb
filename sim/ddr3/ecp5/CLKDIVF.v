// SPDX-License-Identifier: Apache-2.0
// The clock divider of an ECP5 (FPGA-TN-02200), by two.
`default_nettype none

module CLKDIVF #(
    parameter DIV = "2.0"
) (
    input  wire CLKI,
    input  wire RST,
    input  wire ALIGNWD,
    output reg  CDIVX
);
  generate
    if (DIV != "2.0") this_model_cannot_do_that refused ();
  endgenerate
  wire unused = ALIGNWD;
  initial CDIVX = 1'b0;
  always @(posedge CLKI or posedge RST)
    if (RST) CDIVX <= 1'b0;
    else CDIVX <= !CDIVX;
endmodule

`default_nettype wire
