// SPDX-License-Identifier: Apache-2.0
// Bytes of a host at D+ and D- in step with the device's clock: rtl/usb's device at full speed, and a queue each way
// between its clock and that. D+ is pulled up, so that the host sees the board, once start_i is 1, in any clock.
`default_nettype none

module usb_port (
    input wire clk48,
    input wire clk12,  // from the same PLL, with edges in step
    input wire locked_i,
    input wire start_i,

    // pads
    input  wire dp_i,
    input  wire dm_i,
    output wire dp_o,
    output wire dm_o,
    output wire drive_o,
    output wire pullup_o,

    // the device's clock. What comes is taken at once: a byte of USB takes eight cycles of 12 MHz on the wire, and clk
    // is the faster one
    input  wire       clk,
    input  wire       rst,
    output wire       byte_valid_o,
    output wire [7:0] byte_o,
    input  wire       byte_valid_i,
    output wire       byte_ready_o,
    input  wire [7:0] byte_i
);
  reg [7:0] up;  // the clock has been steady, and the board ready, for so long
  always @(posedge clk12) up <= {up[6:0], locked_i && start_i};
  reg usb_rst;
  always @(posedge clk12) usb_rst <= !(&up);

  wire from_host_valid, to_host_valid, to_host_ready, has_room;
  wire [7:0] from_host, to_host;
  wire unused = has_room;
  usb_full_speed usb_full_speed (
      .clk_i(clk12),
      .clk48_i(clk48),
      .rst_i(usb_rst),
      .dp_i(dp_i),
      .dm_i(dm_i),
      .dp_o(dp_o),
      .dm_o(dm_o),
      .drive_o(drive_o),
      .pullup_o(pullup_o),
      .byte_valid_o(from_host_valid),
      .byte_o(from_host),
      .byte_valid_i(to_host_valid),
      .byte_ready_o(to_host_ready),
      .byte_i(to_host)
  );
  byte_crossing from_host_crossing (
      .from_clk(clk12),
      .from_rst(usb_rst),
      .from_valid_i(from_host_valid),
      .from_ready_o(has_room),
      .from_byte_i(from_host),
      .to_clk(clk),
      .to_rst(rst),
      .to_valid_o(byte_valid_o),
      .to_ready_i(1'b1),
      .to_byte_o(byte_o)
  );
  byte_crossing to_host_crossing (
      .from_clk(clk),
      .from_rst(rst),
      .from_valid_i(byte_valid_i),
      .from_ready_o(byte_ready_o),
      .from_byte_i(byte_i),
      .to_clk(clk12),
      .to_rst(usb_rst),
      .to_valid_o(to_host_valid),
      .to_ready_i(to_host_ready),
      .to_byte_o(to_host)
  );
endmodule

`default_nettype wire
