// SPDX-License-Identifier: Apache-2.0
// A serial port and the byte link behind it, alone: what the device would be is the test's. With DIVISOR 0 there is no
// serial port, and bytes go in and out as they are.
`default_nettype none

module link_bench #(
    parameter GLOBAL_LOG2 = 20,
    parameter BEAT_LOG2 = 5,
    parameter DIVISOR = 4,
    parameter BEAT_BYTES = 1 << BEAT_LOG2
) (
    input  wire clk,
    input  wire rst,
    input  wire line_i,
    output wire line_o,

    // with DIVISOR 0
    input  wire       byte_valid_i,
    input  wire [7:0] byte_i,
    output wire       byte_valid_o,
    input  wire       byte_ready_i,
    output wire [7:0] byte_o,

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
  reg [9:0] wakes;  // cycles until the device is ready
  always @(posedge clk) wakes <= device_rst_o ? 10'd1000 : wakes == 0 ? 10'd0 : wakes - 10'd1;

  wire received, sends, sent;
  wire [7:0] byte_received, byte_sent;
  assign byte_valid_o = sends;
  assign byte_o = byte_sent;
  generate
    if (DIVISOR == 0) begin : gen_bytes
      assign received = byte_valid_i;
      assign byte_received = byte_i;
      assign sent = byte_ready_i;
      assign line_o = line_i;
    end else begin : gen_serial
      uart_receiver #(
          .DIVISOR(DIVISOR)
      ) uart_receiver (
          .clk(clk),
          .rst(rst),
          .line_i(line_i),
          .valid_o(received),
          .data_o(byte_received)
      );
      uart_transmitter #(
          .DIVISOR(DIVISOR)
      ) uart_transmitter (
          .clk(clk),
          .rst(rst),
          .valid_i(sends),
          .ready_o(sent),
          .data_i(byte_sent),
          .line_o(line_o)
      );
    end
  endgenerate
  byte_link #(
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .BEAT_LOG2  (BEAT_LOG2)
  ) byte_link (
      .clk(clk),
      .rst(rst),
      .byte_valid_i(received),
      .byte_i(byte_received),
      .byte_valid_o(sends),
      .byte_ready_i(sent),
      .byte_o(byte_sent),
      .device_rst_o(device_rst_o),
      .busy_i(busy_i),
      .ready_i(wakes == 0),
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
