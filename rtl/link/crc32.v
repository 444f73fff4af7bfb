// SPDX-License-Identifier: Apache-2.0
// One byte further in a CRC-32 (IEEE 802.3: reflected, polynomial 0x04C11DB7). It begins with all ones; what is sent is
// the complement, lowest byte first. Combinational.
`default_nettype none

module crc32 (
    input  wire [31:0] crc_i,
    input  wire [ 7:0] data_i,
    output wire [31:0] crc_o
);
  // Yosys makes XORs of a few bits each of it.
  function [31:0] step(input [31:0] crc, input [7:0] data);
    integer i;
    begin
      step = crc ^ {24'd0, data};
      for (i = 0; i < 8; i = i + 1) step = {1'b0, step[31:1]} ^ (step[0] ? 32'hEDB88320 : 32'd0);
    end
  endfunction
  assign crc_o = step(crc_i, data_i);
endmodule

`default_nettype wire
