// SPDX-License-Identifier: Apache-2.0
// A LUT of an ECP5's slice as half of a carry chain: half of what Yosys's CCU2C is.
`default_nettype none

module routed_carry #(
    parameter [15:0] INIT = 16'd0,
    parameter INJECT = "NO"  // "YES": no carry comes in, and none begins here
) (
    input  wire A,
    input  wire B,
    input  wire C,
    input  wire D,
    input  wire FCI,
    output wire F,
    output wire FCO
);
  wire propagates = INIT[{D, C, B, A}];
  wire generates = INIT[{2'b00, B, A}];
  assign F   = propagates ^ (INJECT == "NO" && FCI);
  assign FCO = propagates ? FCI : INJECT == "NO" && generates;
endmodule

`default_nettype wire
