// SPDX-License-Identifier: Apache-2.0
// The pins of a USB device at full speed (rtl/usb) and the byte link behind it: what the device would be is the test's.
`default_nettype none

module usb_link_bench #(
    parameter GLOBAL_LOG2 = 20,
    parameter BEAT_LOG2   = 5,
    parameter BEAT_BYTES  = 1 << BEAT_LOG2
) (
    input  wire clk,
    input  wire clk48,
    input  wire rst,
    input  wire dp_i,
    input  wire dm_i,
    output wire dp_o,
    output wire dm_o,
    output wire drive_o,
    output wire pullup_o,

    output wire                    device_rst_o,
    input  wire                    busy_i,
    output wire                    control_valid_o,
    output wire                    control_write_o,
    output wire [            11:2] control_address_o,
    output wire [            31:0] control_data_o,
    input  wire [            31:0] control_data_i,
    output wire                    link_valid_o,
    input  wire                    link_ready_i,
    output wire                    link_store_o,
    output wire [ GLOBAL_LOG2-1:0] link_address_o,
    output wire [8*BEAT_BYTES-1:0] link_data_o,
    output wire [  BEAT_BYTES-1:0] link_strobe_o,
    input  wire                    link_quiet_i,
    input  wire                    link_answer_i,
    input  wire [8*BEAT_BYTES-1:0] link_answer_data_i
);
  wire received, sends, sent;
  wire [7:0] byte_received, byte_sent;
  usb_full_speed usb_full_speed (
      .clk_i(clk),
      .clk48_i(clk48),
      .rst_i(rst),
      .dp_i(dp_i),
      .dm_i(dm_i),
      .dp_o(dp_o),
      .dm_o(dm_o),
      .drive_o(drive_o),
      .pullup_o(pullup_o),
      .byte_valid_o(received),
      .byte_o(byte_received),
      .byte_valid_i(sends),
      .byte_ready_o(sent),
      .byte_i(byte_sent)
  );
  link_bench #(
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .DIVISOR(0)
  ) link_bench (
      .clk(clk),
      .rst(rst),
      .line_i(1'b1),
      .line_o(),
      .byte_valid_i(received),
      .byte_i(byte_received),
      .byte_valid_o(sends),
      .byte_ready_i(sent),
      .byte_o(byte_sent),
      .device_rst_o(device_rst_o),
      .busy_i(busy_i),
      .control_valid_o(control_valid_o),
      .control_write_o(control_write_o),
      .control_address_o(control_address_o),
      .control_data_o(control_data_o),
      .control_data_i(control_data_i),
      .link_valid_o(link_valid_o),
      .link_ready_i(link_ready_i),
      .link_store_o(link_store_o),
      .link_address_o(link_address_o),
      .link_data_o(link_data_o),
      .link_strobe_o(link_strobe_o),
      .link_quiet_i(link_quiet_i),
      .link_answer_i(link_answer_i),
      .link_answer_data_i(link_answer_data_i)
  );
endmodule

`default_nettype wire
