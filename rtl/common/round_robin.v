// SPDX-License-Identifier: Apache-2.0
// Chooses one of those that ask, fairly: who has just been served comes last. Combinational; the turn moves with
// taken_i.
`default_nettype none

module round_robin #(
    parameter WIDTH = 2
) (
    input wire clk,
    input wire rst,

    input  wire [WIDTH-1:0] request_i,
    output wire [WIDTH-1:0] grant_o,    // one-hot, or none when nobody asks
    input  wire             taken_i     // the one that is granted is served in this cycle
);
  localparam [WIDTH-1:0] ONE = 1;
  reg  [WIDTH-1:0] behind;  // those behind the one served last: they go first
  wire [WIDTH-1:0] first = request_i & behind;
  wire [WIDTH-1:0] candidates = first != 0 ? first : request_i;
  localparam NUMBER_BITS = WIDTH > 1 ? $clog2(WIDTH) : 1;
  wire [NUMBER_BITS-1:0] unused_number;
  wire unused = &{1'b0, unused_number};
  lowest_bit #(
      .WIDTH(WIDTH),
      .INDEX_BITS(NUMBER_BITS)
  ) lowest_bit (
      .word_i (candidates),
      .bit_o  (grant_o),
      .index_o(unused_number)
  );
  always @(posedge clk)
    if (rst) behind <= {WIDTH{1'b0}};
    else if (taken_i && grant_o != 0) behind <= ~(grant_o | (grant_o - ONE));
endmodule

`default_nettype wire
