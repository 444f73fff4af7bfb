// SPDX-License-Identifier: Apache-2.0
// The iCEBreaker: a small device in its iCE40-UP5K, behind channel B of the board's FT2232H. Global memory is the
// FPGA's 128 KiB of single-port RAM; page zero and the firmware, which have to be there from the start, are block RAM.
`default_nettype none

module icebreaker #(
    parameter LANES = 2,  // these as in small_heddle.v
    parameter SLOTS = 4,
    parameter DIVISOR = 4,  // cycles of a bit on the serial line
    parameter IMAGE = "build/boards/icebreaker/image"  // path of what the block RAMs begin with: IMAGE.0.hex and so on
) (
    input wire clk_12mhz,

    // the names are the bridge's: what it sends comes in at txd
    input  wire ftdi_txd,
    output wire ftdi_rxd,
    output wire led_red_n,   // busy
    output wire led_green_n  // there is a clock
);
  localparam ADDRESS_BITS = 18, GLOBAL_BYTES = 'h20000;
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
  assign {led_red_n, led_green_n} = {!busy, rst};
  reg in_firmware, in_page, in_upper;
  always @(posedge clk) {in_firmware, in_page, in_upper} <= {address[17], address[16:12] == 5'd0, address[16]};
  wire [31:0] page, firmware_0, firmware_1, lower, upper;
  reg firmware_upper;
  always @(posedge clk) firmware_upper <= address[12];
  wire [31:0] firmware = firmware_upper ? firmware_1 : firmware_0;
  wire [31:0] read = in_firmware ? firmware : in_page ? page : in_upper ? upper : lower;
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
  block_words #(
      .WORDS(1024),
      .IMAGE({IMAGE, ".0.hex"})
  ) words_0 (
      .clk(clk),
      .address_i(address[11:2]),
      .write_i(write && address[17:12] == 6'd0),
      .strobe_i(strobe),
      .data_i(data),
      .data_o(page)
  );
  // Nobody writes to the firmware.
  block_words #(
      .WORDS(1024),
      .IMAGE({IMAGE, ".1.hex"})
  ) words_1 (
      .clk(clk),
      .address_i(address[11:2]),
      .write_i(1'b0),
      .strobe_i(4'd0),
      .data_i(32'd0),
      .data_o(firmware_0)
  );
  block_words #(
      .WORDS(512),
      .IMAGE({IMAGE, ".2.hex"})
  ) words_2 (
      .clk(clk),
      .address_i(address[10:2]),
      .write_i(1'b0),
      .strobe_i(4'd0),
      .data_i(32'd0),
      .data_o(firmware_1)
  );

  genvar n;
  generate
    for (n = 0; n < 4; n = n + 1) begin : single_port
      // Half-words n % 2 of the 64 KiB n / 2; masks are of nibbles.
      wire [ 1:0] mask = strobe[2*(n%2)+:2];
      wire [15:0] read_half;
      SB_SPRAM256KA ram (
          .CLOCK(clk),
          .CHIPSELECT(!address[17] && (address[16] ? n >= 2 : n < 2)),
          .WREN(write),
          .MASKWREN({{2{mask[1]}}, {2{mask[0]}}}),
          .ADDRESS(address[15:2]),
          .DATAIN(data[16*(n%2)+:16]),
          .DATAOUT(read_half),
          .STANDBY(1'b0),
          .SLEEP(1'b0),
          .POWEROFF(1'b1)
      );
      if (n / 2 == 0) begin : in_lower
        assign lower[16*(n%2)+:16] = read_half;
      end else begin : in_upper
        assign upper[16*(n%2)+:16] = read_half;
      end
    end
  endgenerate
endmodule

`default_nettype wire
