// SPDX-License-Identifier: Apache-2.0
// Inclusive scan across the lanes of a token, Sklansky's tree with a register a level. One a cycle; LEVELS cycles, with
// LANES 1 combinational. Lanes that take no part must bring the operation's identity. The last lane has the reduction.
`default_nettype none

module lane_scan #(
    parameter LANES = 4,  // power of two
    parameter LEVELS = 2,  // log2(LANES): the latency
    parameter OPERATION = 0,  // of lane_operator.v
    parameter WIDTH = 32
) (
    input  wire                   clk,
    input  wire [LANES*WIDTH-1:0] x_i,
    output wire [LANES*WIDTH-1:0] y_o
);
  genvar k, i;
  generate
    for (k = 0; k <= LEVELS; k = k + 1) begin : level
      wire [LANES*WIDTH-1:0] value;
      if (k == 0) begin : leaves
        assign value = x_i;
      end else begin : nodes
        for (i = 0; i < LANES; i = i + 1) begin : lane
          reg [WIDTH-1:0] node;
          assign value[i*WIDTH+:WIDTH] = node;
          if (((i >> (k - 1)) & 1) != 0) begin : combine
            localparam FROM = ((i >> (k - 1)) << (k - 1)) - 1;
            wire [WIDTH-1:0] combined;
            lane_operator #(
                .OPERATION(OPERATION),
                .WIDTH(WIDTH)
            ) operator (
                .a_i(level[k-1].value[FROM*WIDTH+:WIDTH]),
                .b_i(level[k-1].value[i*WIDTH+:WIDTH]),
                .y_o(combined)
            );
            always @(posedge clk) node <= combined;
          end else begin : pass
            always @(posedge clk) node <= level[k-1].value[i*WIDTH+:WIDTH];
          end
        end
      end
    end
  endgenerate
  assign y_o = level[LEVELS].value;
  wire unused = &{1'b0, clk};
endmodule

`default_nettype wire
