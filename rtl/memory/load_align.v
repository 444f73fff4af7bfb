// SPDX-License-Identifier: Apache-2.0
// Gives each lane its value from a row: the word at its offset, the byte or half-word in it, extended. Combinational.
`default_nettype none

module load_align #(
    parameter LANES = 8,  // power of two, 1 to 32
    parameter ROW_LOG2 = 5  // log2 of the bytes of a row
) (
    input  wire [ (8<<ROW_LOG2)-1:0] row_i,
    input  wire [LANES*ROW_LOG2-1:0] offset_i,
    input  wire [               1:0] size_i,      // 0 byte, 1 half-word, 2 word
    input  wire                      unsigned_i,
    output reg  [      LANES*32-1:0] value_o
);
  integer i;
  reg [31:0] word;
  reg [15:0] half;
  reg [7:0] octet;
  always @* begin
    for (i = 0; i < LANES; i = i + 1) begin
      word = row_i[{offset_i[i*ROW_LOG2+2+:ROW_LOG2-2], 5'd0}+:32];
      half = offset_i[i*ROW_LOG2+1] ? word[31:16] : word[15:0];
      octet = offset_i[i*ROW_LOG2] ? half[15:8] : half[7:0];
      value_o[i*32+:32] = size_i[1] ? word :
                          size_i[0] ? {{16{half[15] & !unsigned_i}}, half} : {{24{octet[7] & !unsigned_i}}, octet};
    end
  end
endmodule

`default_nettype wire
