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
  // Each byte's are counted, {none of its bits is one, zeros below the lowest that is}; the lowest byte with a one has
  // the count.
  function [3:0] of_byte(input [7:0] bits);
    of_byte = {
      bits == 8'd0,
      bits[3:0] == 4'd0,
      !(bits[0] || bits[1] || (!bits[2] && !bits[3] && (bits[4] || bits[5]))),
      !(bits[0] || (!bits[1] && (bits[2] || (!bits[3] && (bits[4] || (!bits[5] && bits[6]))))))
    };
  endfunction
  reg [3:0] count[0:3];
  integer i;
  always @(posedge clk) for (i = 0; i < 4; i = i + 1) count[i] <= of_byte(zeros_of_i[8*i+:8]);
  assign zeros_o = !count[0][3] ? {3'd0, count[0][2:0]} : !count[1][3] ? {3'd1, count[1][2:0]} :
                   !count[2][3] ? {3'd2, count[2][2:0]} : !count[3][3] ? {3'd3, count[3][2:0]} : 6'd32;

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
