// SPDX-License-Identifier: Apache-2.0
// Lattice's iCE40-HX8K breakout board: a small device in the FPGA, all of whose memory is block RAM, behind channel B
// of the board's FT2232H. Of the 32 block RAMs 30 are the device's memory and two hold requests.
`default_nettype none

module hx8k #(
    parameter LANES = 4,  // these as in small_heddle.v
    parameter SLOTS = 2,
    parameter GLOBAL_BYTES = 'h2400,
    parameter DIVISOR = 4,  // cycles of a bit on the serial line
    parameter IMAGE = "build/boards/hx8k/image"  // path of what the memory begins with: IMAGE.0.hex and so on
) (
    input wire clk_12mhz,

    // the names are the bridge's: what it sends comes in at txd
    input  wire       ftdi_txd,
    output wire       ftdi_rxd,
    output wire [7:0] led        // 0: busy, 7: there is a clock
);
  localparam ADDRESS_BITS = 14;
  wire clk = clk_12mhz;

  // Block RAM can be read some microseconds after the FPGA has been configured.
  reg [8:0] waiting;
  initial waiting = 9'd0;
  wire rst = !waiting[8];
  always @(posedge clk) if (rst) waiting <= waiting + 9'd1;

  wire busy, write;
  wire [ADDRESS_BITS-1:2] address;
  wire [3:0] strobe;
  wire [31:0] data;
  reg [31:0] read;
  assign led = {!rst, 6'd0, busy};
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
      .uart_rx_i(ftdi_txd),
      .uart_tx_o(ftdi_rxd),
      .busy_o(busy),
      .memory_address_o(address),
      .memory_write_o(write),
      .memory_strobe_o(strobe),
      .memory_data_o(data),
      .memory_data_i(read)
  );

  // 15 KiB: in banks of sizes that waste nothing.
  wire [31:0] read_0, read_1, read_2, read_3, read_4;
  block_words #(
      .WORDS(1024),
      .IMAGE({IMAGE, ".0.hex"})
  ) words_0 (
      .clk(clk),
      .address_i(address[11:2]),
      .write_i(write && address[13:12] == 2'd0),
      .strobe_i(strobe),
      .data_i(data),
      .data_o(read_0)
  );
  block_words #(
      .WORDS(1024),
      .IMAGE({IMAGE, ".1.hex"})
  ) words_1 (
      .clk(clk),
      .address_i(address[11:2]),
      .write_i(write && address[13:12] == 2'd1),
      .strobe_i(strobe),
      .data_i(data),
      .data_o(read_1)
  );
  block_words #(
      .WORDS(1024),
      .IMAGE({IMAGE, ".2.hex"})
  ) words_2 (
      .clk(clk),
      .address_i(address[11:2]),
      .write_i(write && address[13:12] == 2'd2),
      .strobe_i(strobe),
      .data_i(data),
      .data_o(read_2)
  );
  block_words #(
      .WORDS(512),
      .IMAGE({IMAGE, ".3.hex"})
  ) words_3 (
      .clk(clk),
      .address_i(address[10:2]),
      .write_i(write && address[13:11] == 3'd6),
      .strobe_i(strobe),
      .data_i(data),
      .data_o(read_3)
  );
  block_words #(
      .WORDS(256),
      .IMAGE({IMAGE, ".4.hex"})
  ) words_4 (
      .clk(clk),
      .address_i(address[9:2]),
      .write_i(write && address[13:10] == 4'd14),
      .strobe_i(strobe),
      .data_i(data),
      .data_o(read_4)
  );
  reg [13:11] place;
  always @(posedge clk) place <= address[13:11];
  always @*
    case (place[13:12])
      2'd0: read = read_0;
      2'd1: read = read_1;
      2'd2: read = read_2;
      default: read = place[11] ? read_4 : read_3;
    endcase
endmodule

`default_nettype wire
