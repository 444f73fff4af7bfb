// SPDX-License-Identifier: Apache-2.0
// What takes a clock to both sides of an ECP5 (FPGA-TN-02200).
`default_nettype none

module ECLKBRIDGECS (
    input  wire CLK0,
    input  wire CLK1,
    input  wire SEL,
    output wire ECSOUT
);
  assign ECSOUT = SEL ? CLK1 : CLK0;
endmodule

`default_nettype wire
