// SPDX-License-Identifier: Apache-2.0
// After external memory has failed, makes the device cache forget all lines, since one of them may be wrong: as soon as the units are idle it
// keeps new requests from the cache, and when nothing is under way there the cache is invalidated.
`default_nettype none

module error_drop (
    input wire clk,
    input wire rst,

    input  wire error_i,       // pulse
    input  wire units_idle_i,  // no unit has anything under way
    input  wire cache_idle_i,  // nothing is under way in the cache
    output wire hold_o,        // requests of all others must wait
    output wire invalidate_o
);
  reg dropping;
  assign hold_o = dropping && units_idle_i;
  assign invalidate_o = hold_o && cache_idle_i;
  always @(posedge clk) dropping <= !rst && (error_i || (dropping && !invalidate_o));
endmodule

`default_nettype wire
