// SPDX-License-Identifier: Apache-2.0
// Sipeed's Tang Nano 20K: a small device in its GW2AR-18, all of whose memory is block RAM, behind the serial port of
// the board's BL616. The SDRAM in the FPGA's package is not used: the small device wants a word the cycle after it asks.
`default_nettype none

module tangnano20k #(
    parameter LANES = 4,  // these as in small_heddle.v
    parameter SLOTS = 2,
    parameter DIVISOR = 9,  // cycles of a bit on the serial line
    parameter IMAGE = "build/boards/tangnano20k/image"  // path of what the memory begins with: IMAGE.0.hex and so on
) (
    input wire clk_27mhz,

    // the names are the FPGA's: what the bridge sends comes in at uart_rx
    input  wire       uart_rx,
    output wire       uart_tx,
    output wire [1:0] led_n     // 0: busy, 1: there is a clock; lit at 0
);
  localparam ADDRESS_BITS = 17, GLOBAL_BYTES = 'h14000, WORDS = 'h16000 / 4;
  wire clk = clk_27mhz;

  // As on an iCE40, some microseconds for block RAM.
  reg [8:0] waiting;
  initial waiting = 9'd0;
  wire rst = !waiting[8];
  always @(posedge clk) if (rst) waiting <= waiting + 9'd1;

  wire busy, write;
  wire [ADDRESS_BITS-1:2] address;
  wire [3:0] strobe;
  wire [31:0] data;
  assign led_n = {rst, !busy};
  wire [31:0] read;
  small_device #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .ADDRESS_BITS(ADDRESS_BITS),
      .GLOBAL_BYTES(GLOBAL_BYTES),
      .FIRMWARE_AT(GLOBAL_BYTES),
      .DIVISOR(DIVISOR)
  ) small_device (
      .clk(clk),
      .rst(rst),
      .uart_rx_i(uart_rx),
      .uart_tx_o(uart_tx),
      .busy_o(busy),
      .memory_address_o(address),
      .memory_write_o(write),
      .memory_strobe_o(strobe),
      .memory_data_o(data),
      .memory_data_i(read)
  );

  // Page zero, global memory, firmware: 88 KiB. 8 KiB take four block RAMs, which waste nothing.
  block_words #(
      .WORDS(WORDS),
      .IMAGE({IMAGE, ".0.hex"})
  ) words_0 (
      .clk(clk),
      .address_i(address[2+:$clog2(WORDS)]),
      .write_i(write),
      .strobe_i(strobe),
      .data_i(data),
      .data_o(read)
  );
endmodule

`default_nettype wire
