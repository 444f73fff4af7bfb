// SPDX-License-Identifier: Apache-2.0
// Carries out a write of the control register RIGHTS: gives pages of global memory an entry of the table of rights, one
// page a cycle from the second cycle on, in all tables of the device.
`default_nettype none

module rights_setter (
    input wire clk,
    input wire rst,

    input  wire        write_i,
    input  wire [31:0] data_i,   // {first page, pages less one, entry}
    output reg         busy_o,   // from the cycle after write_i until all are set

    output reg        set_o,
    output reg [11:0] page_o,
    output reg [ 7:0] entry_o
);
  reg [11:0] next, left;
  always @(posedge clk) begin
    set_o  <= busy_o && !rst;
    page_o <= next;
    next   <= next + 12'd1;
    left   <= left - 12'd1;
    if (left == 12'd0) busy_o <= 1'b0;
    if (write_i) begin
      {next, left, entry_o} <= data_i;
      busy_o <= 1'b1;
    end
    if (rst) busy_o <= 1'b0;
  end
endmodule

`default_nettype wire
