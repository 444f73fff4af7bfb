// SPDX-License-Identifier: Apache-2.0
// Two bits a cycle at an output pad of an ECP5. It is used for clocks, whose bits stand still: Q is what its clock chooses.
`default_nettype none

module ODDRX1F (
    input  wire D0,
    input  wire D1,
    input  wire SCLK,
    input  wire RST,
    output wire Q
);
  wire unused = RST;
  assign Q = SCLK ? D0 : D1;
endmodule

`default_nettype wire
