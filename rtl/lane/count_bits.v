// SPDX-License-Identifier: Apache-2.0
// Counts bits of a word: the zeros below its lowest one (32 if there is none), and the ones. One word a
// cycle, the counts a cycle later.
`default_nettype none

module count_bits (
    input  wire        clk,
    input  wire [31:0] zeros_of_i,
    input  wire [31:0] ones_of_i,
    output wire [ 5:0] zeros_o,
    output wire [ 5:0] ones_o
);
  // The lowest byte with a one is found, then counted.
  wire [2:0] some = {zeros_of_i[23:16] != 8'd0, zeros_of_i[15:8] != 8'd0, zeros_of_i[7:0] != 8'd0};
  wire low_16 = some[1] || some[0];
  wire low_8 = low_16 ? some[0] : some[2];
  reg [7:0] byte_of;
  reg below_16, below_8;
  always @(posedge clk) begin
    byte_of <= low_16 ? (low_8 ? zeros_of_i[7:0] : zeros_of_i[15:8]) : low_8 ? zeros_of_i[23:16] : zeros_of_i[31:24];
    {below_16, below_8} <= {low_16, low_8};
  end
  wire low_4 = byte_of[3:0] != 4'd0;
  wire [2:0] nibble = low_4 ? byte_of[2:0] : byte_of[6:4];
  wire low_2 = nibble[1:0] != 2'd0;
  wire even = low_2 ? nibble[0] : nibble[2];
  assign zeros_o = byte_of == 8'd0 ? 6'd32 : {1'b0, !below_16, !below_8, !low_4, !low_2, !even};

  // Three bits make a number of two; those are added.
  function [1:0] of_3(input [2:0] bits);
    of_3 = {(bits[0] & bits[1]) | (bits[0] & bits[2]) | (bits[1] & bits[2]), ^bits};
  endfunction
  function [2:0] of_7(input [6:0] bits);
    of_7 = {1'b0, of_3(bits[2:0])} + {1'b0, of_3(bits[5:3])} + {2'b00, bits[6]};
  endfunction
  function [3:0] of_15(input [14:0] bits);
    of_15 = {1'b0, of_7(bits[6:0])} + {1'b0, of_7(bits[13:7])} + {3'b000, bits[14]};
  endfunction
  reg [3:0] low_15, high_15;
  reg [1:0] rest;
  always @(posedge clk) {low_15, high_15, rest} <= {of_15(ones_of_i[14:0]), of_15(ones_of_i[29:15]), ones_of_i[31:30]};
  wire [4:0] of_31 = {1'b0, low_15} + {1'b0, high_15} + {4'd0, rest[0]};
  assign ones_o = {1'b0, of_31} + {5'd0, rest[1]};
endmodule

`default_nettype wire
