// SPDX-License-Identifier: Apache-2.0
// A LUT of an ECP5's slice as distributed RAM: 16 bits, one port to write and one to read. Its inputs are the address in another order
// than that in which it is written.
`default_nettype none

module routed_ram #(
    parameter [15:0] INIT = 16'd0
) (
    input  wire A,
    input  wire B,
    input  wire C,
    input  wire D,
    input  wire WD,
    input  wire WAD0,
    input  wire WAD1,
    input  wire WAD2,
    input  wire WAD3,
    input  wire WRE,
    input  wire WCK,
    output wire F
);
  reg bits[0:15];
  integer i;
  initial for (i = 0; i < 16; i = i + 1) bits[i] = INIT[{i[0], i[2], i[1], i[3]}];  // by D, C, B, A, as a LUT's
  always @(posedge WCK) if (WRE) bits[{WAD3, WAD2, WAD1, WAD0}] <= WD;
  assign F = bits[{A, C, B, D}];
endmodule

`default_nettype wire
