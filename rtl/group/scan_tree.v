// SPDX-License-Identifier: Apache-2.0
// Inclusive scan across the lanes of one sub-group: y[i] = x[0] op x[1] op ... op x[i]. Sklansky's tree, a register per level.
// One operation a cycle; LATENCY = log2(LANES) cycles (LANES 1: combinational). Inactive lanes must bring the identity.
`default_nettype none

module scan_tree #(
    parameter LANES  = 8,  // power of two, 1 to 32
    parameter LEVELS = 3   // log2(LANES)
) (
    input wire clk,

    input  wire                add_i,     // op is addition, else minimum or maximum
    input  wire                max_i,     // op is maximum (when not add_i)
    input  wire                signed_i,  // compare as int, else as uint
    input  wire [LANES*32-1:0] x_i,
    output wire [LANES*32-1:0] y_o
);
  genvar l, i;
  generate
    for (l = 0; l <= LEVELS; l = l + 1) begin : level
      wire [LANES*32-1:0] value;
      wire add, max, is_signed;
      if (l == 0) begin : leaves
        assign value = x_i;
        assign {add, max, is_signed} = {add_i, max_i, signed_i};
      end else begin : nodes
        reg [2:0] operation;
        always @(posedge clk) operation <= {level[l-1].add, level[l-1].max, level[l-1].is_signed};
        assign {add, max, is_signed} = operation;
        for (i = 0; i < LANES; i = i + 1) begin : lane
          reg [31:0] node;
          assign value[i*32+:32] = node;
          // In level l (from 1) a lane whose bit l-1 is set takes in the last lane of the block before its own.
          if (((i >> (l - 1)) & 1) != 0) begin : combine
            localparam FROM = ((i >> (l - 1)) << (l - 1)) - 1;
            wire [31:0] combined;
            scan_operator operator (
                .add_i(level[l-1].add),
                .max_i(level[l-1].max),
                .signed_i(level[l-1].is_signed),
                .a_i(level[l-1].value[FROM*32+:32]),
                .b_i(level[l-1].value[i*32+:32]),
                .y_o(combined)
            );
            always @(posedge clk) node <= combined;
          end else begin : pass
            always @(posedge clk) node <= level[l-1].value[i*32+:32];
          end
        end
      end
    end
  endgenerate

  assign y_o = level[LEVELS].value;
  wire unused = &{1'b0, clk, level[LEVELS].add, level[LEVELS].max, level[LEVELS].is_signed};
endmodule

`default_nettype wire
