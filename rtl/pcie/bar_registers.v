// SPDX-License-Identifier: Apache-2.0
// BAR 0 ("PCIe" in DEVICE.md): what the host writes goes to registers, the table of MSI-X or IN at once; what it reads
// comes from them or OUT, a cycle after the address. Packets that are poisoned or end beyond BAR 0 write nothing.
`default_nettype none

module bar_registers #(
    parameter BAR_LOG2 = 16,  // log2 of the bytes of BAR 0, 16 or more
    parameter WINDOW_LOG2 = 12  // log2 of the bytes of IN, and of OUT, 11 to 14
) (
    input wire clk,
    input wire rst,

    // packets, from tlp_receiver.v
    input wire        header_i,
    input wire [ 2:0] fmt_i,
    input wire [ 4:0] type_i,
    input wire        poisoned_i,
    input wire [63:0] address_i,
    input wire        word_valid_i,
    input wire [31:0] word_i,
    input wire [ 3:0] word_strobe_i,

    // IN
    output wire                   in_write_o,
    output wire [WINDOW_LOG2-1:2] in_index_o,

    // the table of MSI-X
    output wire        table_write_o,
    output wire [ 3:2] table_index_o,  // for what is read, too
    output wire [ 3:2] table_read_o,
    input  wire [31:0] table_i,
    input  wire        pending_i,

    // the host's registers, and the card's
    output reg  [31:0] open_o,
    output reg  [31:0] tail_o,
    output reg  [ 1:0] interrupts_o,
    input  wire [31:0] opened_i,
    input  wire [31:0] head_i,
    input  wire        busy_i,

    // what is read
    input  wire [           15:2] read_address_i,
    output wire [WINDOW_LOG2-1:2] out_index_o,
    input  wire [           31:0] out_data_i,
    output wire [           31:0] read_data_o
);
  localparam [31:0] MAGIC = 32'h45504448, VERSION = 32'd1, DMA = 32'd1;
  localparam [15:2] OPENED = 14'h014 >> 2, HEAD = 14'h018 >> 2, STATUS = 14'h01C >> 2;
  localparam [15:2] OPEN = 14'h040 >> 2, TAIL = 14'h044 >> 2, INTERRUPTS = 14'h048 >> 2;

  reg [15:2] at;
  reg writes;
  wire register = writes && word_valid_i && at[15:12] == 4'h0;
  assign table_write_o = writes && word_valid_i && at[15:4] == 12'h100;
  assign table_index_o = at[3:2];
  assign in_write_o = writes && word_valid_i && at[15:14] == 2'b10 && (at[13:2] >> (WINDOW_LOG2 - 2)) == 0;
  assign in_index_o = at[WINDOW_LOG2-1:2];

  function [31:0] merged(input [31:0] old, input [31:0] fresh, input [3:0] strobe);
    merged = {
      strobe[3] ? fresh[31:24] : old[31:24],
      strobe[2] ? fresh[23:16] : old[23:16],
      strobe[1] ? fresh[15:8] : old[15:8],
      strobe[0] ? fresh[7:0] : old[7:0]
    };
  endfunction

  always @(posedge clk) begin
    if (header_i) begin
      at <= address_i[15:2];
      writes <= fmt_i[2:1] == 2'b01 && type_i == 5'b00000 && !poisoned_i && (address_i[BAR_LOG2-1:0] >> 16) == 0;
    end
    if (word_valid_i) at <= at + 14'd1;
    if (register && at == OPEN) open_o <= merged(open_o, word_i, word_strobe_i);
    if (register && at == TAIL) tail_o <= merged(tail_o, word_i, word_strobe_i);
    if (register && at == INTERRUPTS && word_strobe_i[0]) interrupts_o <= word_i[1:0];
    if (rst) begin
      writes <= 1'b0;
      open_o <= 32'd0;
      tail_o <= 32'd0;
      interrupts_o <= 2'b00;
    end
  end

  reg [31:0] word;
  reg from_out;
  assign out_index_o  = read_address_i[WINDOW_LOG2-1:2];
  assign table_read_o = read_address_i[3:2];
  assign read_data_o  = from_out ? out_data_i : word;
  always @(posedge clk) begin
    from_out <= read_address_i[15:14] == 2'b11 && (read_address_i[13:2] >> (WINDOW_LOG2 - 2)) == 0;
    word <= 32'd0;
    case (read_address_i)
      14'd0: word <= MAGIC;
      14'd1: word <= VERSION;
      14'd2: word <= DMA;
      14'd3, 14'd4: word <= 32'd1 << WINDOW_LOG2;
      OPENED: word <= opened_i;
      HEAD: word <= head_i;
      STATUS: word <= {31'd0, busy_i};
      OPEN: word <= open_o;
      TAIL: word <= tail_o;
      INTERRUPTS: word <= {30'd0, interrupts_o};
      14'h1800 >> 2: word <= {31'd0, pending_i};
      default: if (read_address_i[15:4] == 12'h100) word <= table_i;
    endcase
  end
  wire unused = &{1'b0, fmt_i[0], address_i[63:16], address_i[1:0]};
endmodule

`default_nettype wire
