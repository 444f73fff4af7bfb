// SPDX-License-Identifier: Apache-2.0
// Model of the iCE40 UltraPlus' single-port RAM (Lattice FPGA-TN-02022): 16,384 words of 16 bits, a write mask for each nibble. What is read comes
// behind the clock's edge; without CHIPSELECT the output stays as it was. The modes that save power are not modelled.
`default_nettype none

module SB_SPRAM256KA (
    input  wire        CLOCK,
    input  wire        CHIPSELECT,
    input  wire        WREN,
    input  wire [ 3:0] MASKWREN,
    input  wire [13:0] ADDRESS,
    input  wire [15:0] DATAIN,
    output reg  [15:0] DATAOUT,
    input  wire        STANDBY,
    input  wire        SLEEP,
    input  wire        POWEROFF
);
  reg [15:0] words[0:16383];
  integer i;
  always @(posedge CLOCK)
    if (CHIPSELECT && POWEROFF && !STANDBY && !SLEEP) begin
      if (!WREN) DATAOUT <= words[ADDRESS];
      else for (i = 0; i < 4; i = i + 1) if (MASKWREN[i]) words[ADDRESS][4*i+:4] <= DATAIN[4*i+:4];
    end
endmodule

`default_nettype wire
