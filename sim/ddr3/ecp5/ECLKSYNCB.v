// SPDX-License-Identifier: Apache-2.0
// What halts an edge clock of an ECP5 (FPGA-TN-02200): between two of its rising edges.
`default_nettype none

module ECLKSYNCB (
    input  wire ECLKI,
    input  wire STOP,
    output wire ECLKO
);
  reg halted;
  initial halted = 1'b0;
  always @(negedge ECLKI) halted <= STOP;
  assign ECLKO = ECLKI && !halted;
endmodule

`default_nettype wire
