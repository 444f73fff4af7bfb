// SPDX-License-Identifier: Apache-2.0
// A design that has every kind of cell that nextpnr-ecp5 makes of Heddle but the PLL, for tests/boards/routed.c.
`default_nettype none

module routed_cells (
    input  wire       clk,
    input  wire [7:0] in,
    input  wire       select,
    output reg  [7:0] out,
    output wire       registered,      // in the pad, as is both_registered
    output wire       late_clk,
    inout  wire [1:0] both,
    inout  wire       both_registered
);
  reg [7:0] block[0:1023], read_block;
  reg [3:0] distributed[0:15], read_distributed;
  reg [9:0] address;
  reg [17:0] a, b;
  reg [35:0] product;
  reg [11:0] count;
  reg restarts, selected, enabled, drives;
  wire registered_in, registered_out, released, both_in_register;
  wire [1:0] both_in;
  integer i;
  initial begin
    {restarts, selected, enabled, drives} = 4'b0010;
    {address, a, b, product} = 0;
    {read_block, read_distributed, out} = 0;
    count = 12'h5a5;
    for (i = 0; i < 1024; i = i + 1) block[i] = 8'd0;
    for (i = 0; i < 16; i = i + 1) distributed[i] = 4'd0;
  end

  always @(posedge clk) begin
    restarts <= in[0] && in[1];
    selected <= select;
    address  <= address + {2'd0, in};
    if (select) block[address] <= in;
    read_block <= block[address];
    if (in[2]) distributed[address[3:0]] <= in[3:0];
    read_distributed <= distributed[address[7:4]];
    a <= {a[9:0], in};
    b <= {b[9:0], in} ^ 18'h15;
    product <= a * b;
    if (restarts) count <= 12'h5a5;
    else if (in[7]) count <= count - {2'd0, address};
    if (selected) enabled <= both_in[0] && !restarts;
    drives <= in[6];
    out <= read_block ^ {4'd0, read_distributed} ^ product[8:1] ^ product[35:28] ^ count[7:0] ^ count[11:4] ^
        {6'd0, registered_in, enabled};
  end

  BB pads[2:0] (
      .I({registered_out, out[3], count[2]}),
      .T({released, !selected, !in[5]}),
      .O({both_in_register, both_in[1], both_in[0]}),
      .B({both_registered, both[1], both[0]})
  );
  wire unused = both_in[1];
  input_register into (
      .clk(clk),
      .pins_i(both_in_register),
      .data_o(registered_in)
  );
  output_register #(
      .WIDTH(3)
  ) out_of (
      .clk(clk),
      .data_i({!drives, count[1], product[0]}),
      .pins_o({released, registered_out, registered})
  );
  ODDRX1F clock (
      .D0(1'b1),
      .D1(1'b0),
      .SCLK(clk),
      .RST(1'b0),
      .Q(late_clk)
  );
endmodule

`default_nettype wire
