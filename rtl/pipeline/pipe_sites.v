// SPDX-License-Identifier: Apache-2.0
// Several places of a kernel that read one pipe, or write it, take turns at it. Combinational.
`default_nettype none

module pipe_sites #(
    parameter SITES = 1,
    parameter BITS = 32,  // of a packet
    parameter [SITES-1:0] POLLS = 0  // places that have their answer at once, whether the pipe is ready or not
) (
    input wire clk,
    input wire rst,

    input  wire [     SITES-1:0] valid_i,
    input  wire [SITES*BITS-1:0] packet_i,  // of those that write
    output wire [     SITES-1:0] ready_o,

    // the pipe
    output wire            valid_o,
    output reg  [BITS-1:0] packet_o,
    input  wire            ready_i
);
  wire [SITES-1:0] chosen;
  wire answered = ready_i || (chosen & POLLS) != 0;
  round_robin #(
      .WIDTH(SITES)
  ) round_robin (
      .clk(clk),
      .rst(rst),
      .request_i(valid_i),
      .grant_o(chosen),
      .taken_i(answered)
  );
  integer s;
  always @* begin
    packet_o = {BITS{1'b0}};
    for (s = 0; s < SITES; s = s + 1) packet_o = packet_o | ({BITS{chosen[s]}} & packet_i[s*BITS+:BITS]);
  end
  assign valid_o = valid_i != 0;
  assign ready_o = chosen & {SITES{answered}};
endmodule

`default_nettype wire
