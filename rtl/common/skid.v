// SPDX-License-Identifier: Apache-2.0
// A register on a way with valid and ready, one cycle long, one word a cycle. With SPARE ready_o is a register too, so
// no path goes through in either direction: a word that comes while the register cannot move waits in a second one.
// Without, ready comes through in the same cycle.
`default_nettype none

module skid #(
    parameter WIDTH = 8,
    parameter SPARE = 1   // 1: with the second register
) (
    input wire clk,
    input wire rst,

    input  wire             valid_i,
    output wire             ready_o,
    input  wire [WIDTH-1:0] data_i,

    output reg              valid_o,
    input  wire             ready_i,
    output reg  [WIDTH-1:0] data_o
);
  wire moves = ready_i || !valid_o;
  generate
    if (SPARE != 0) begin : with_spare
      reg spare_valid;
      reg [WIDTH-1:0] spare;
      assign ready_o = !spare_valid;
      always @(posedge clk) begin
        if (moves) begin
          valid_o <= valid_i || spare_valid;
          data_o  <= spare_valid ? spare : data_i;
        end
        if (!spare_valid) spare <= data_i;
        spare_valid <= !moves && (valid_i || spare_valid);
        if (rst) {valid_o, spare_valid} <= 2'b00;
      end
    end else begin : without_spare
      assign ready_o = moves;
      always @(posedge clk) begin
        if (moves) begin
          valid_o <= valid_i;
          data_o  <= data_i;
        end
        if (rst) valid_o <= 1'b0;
      end
    end
  endgenerate
endmodule

`default_nettype wire
