// SPDX-License-Identifier: Apache-2.0
// Finds the lanes that run next: of a sub-group's live lanes the ones at the smallest PC, runnable lanes before parked
// ones. Each lane brings a key {dead, parked, PC}; the result is the smallest key and the set of lanes that share it.
// One sub-group a cycle; LATENCY = log2(LANES) cycles (LANES 1: combinational).
`default_nettype none

module converge #(
    parameter LANES = 8,  // power of two, 1 to 32
    parameter LEVELS = 3,  // log2(LANES)
    parameter KEY_BITS = 32  // bits of a key
) (
    input wire clk,

    input  wire [LANES*KEY_BITS-1:0] key_i,
    output wire [      KEY_BITS-1:0] key_o,
    output wire [         LANES-1:0] lanes_o
);
  // Level l holds LANES >> l nodes, each a key and the lanes that have it.
  genvar l, n;
  generate
    for (l = 0; l <= LEVELS; l = l + 1) begin : level
      localparam NODES = LANES >> l;
      wire [NODES*KEY_BITS-1:0] key;
      wire [   NODES*LANES-1:0] lanes;
      if (l == 0) begin : leaves
        assign key = key_i;
        for (n = 0; n < LANES; n = n + 1) begin : leaf
          assign lanes[n*LANES+:LANES] = {{(LANES - 1) {1'b0}}, 1'b1} << n;
        end
      end else begin : nodes
        for (n = 0; n < NODES; n = n + 1) begin : node
          wire [KEY_BITS-1:0] a = level[l-1].key[(2*n)*KEY_BITS+:KEY_BITS];
          wire [KEY_BITS-1:0] b = level[l-1].key[(2*n+1)*KEY_BITS+:KEY_BITS];
          wire [LANES-1:0] a_lanes = level[l-1].lanes[(2*n)*LANES+:LANES];
          wire [LANES-1:0] b_lanes = level[l-1].lanes[(2*n+1)*LANES+:LANES];
          wire a_first = a < b;
          wire same = a == b;
          reg [KEY_BITS-1:0] node_key;
          reg [LANES-1:0] node_lanes;
          always @(posedge clk) begin
            node_key   <= a_first ? a : b;
            node_lanes <= (a_lanes & {LANES{a_first | same}}) | (b_lanes & {LANES{!a_first}});
          end
          assign key[n*KEY_BITS+:KEY_BITS] = node_key;
          assign lanes[n*LANES+:LANES] = node_lanes;
        end
      end
    end
  endgenerate

  assign key_o   = level[LEVELS].key;
  assign lanes_o = level[LEVELS].lanes;
  generate
    if (LEVELS == 0) begin : no_register
      wire unused = clk;
    end
  endgenerate
endmodule

`default_nettype wire
