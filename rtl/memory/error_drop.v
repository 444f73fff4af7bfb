// SPDX-License-Identifier: Apache-2.0
// Invalidates the device cache after external memory has failed, because one of the lines may be wrong. When the units
// are idle it holds back new requests, from the next cycle on; when no request is in flight in the cache, it invalidates
// the cache.
`default_nettype none

module error_drop (
    input wire clk,
    input wire rst,

    input  wire error_i,       // pulse
    input  wire units_idle_i,  // no unit has a request in flight
    input  wire cache_idle_i,  // no request is in flight in the cache
    output reg  hold_o,        // new requests must wait: a register, because every request depends on it
    output wire invalidate_o
);
  reg dropping;
  // A request of the cycle before is in the cache already, which is not idle then.
  assign invalidate_o = hold_o && cache_idle_i;
  always @(posedge clk) begin
    dropping <= !rst && (error_i || (dropping && !invalidate_o));
    hold_o   <= !rst && dropping && units_idle_i && !invalidate_o;
  end
endmodule

`default_nettype wire
