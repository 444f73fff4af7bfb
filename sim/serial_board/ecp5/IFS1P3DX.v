// SPDX-License-Identifier: Apache-2.0
// A register in an input pad of an ECP5, as FPGA-TN-02032 (sysI/O) describes it, without its clear.
`default_nettype none

module IFS1P3DX (
    input  wire CD,
    input  wire D,
    input  wire SP,
    input  wire SCLK,
    output reg  Q
);
  wire unused = CD;
  always @(posedge SCLK) if (SP) Q <= D;
endmodule

`default_nettype wire
