// SPDX-License-Identifier: Apache-2.0
// What boards with a serial port have in common: the device, and the host's way to it. Memory and clock are the
// board's. Without a serial port (DIVISOR 0) the board brings and takes the bytes.
`include "rtl/shape.vh"
`default_nettype none

module serial_device #(
    `include "rtl/boards/device_parameters.vh"
    parameter GLOBAL_LOG2 = 20,
    parameter CLOCK_KHZ = 100000,
    parameter DIVISOR = 4,  // cycles of a bit on the serial line; 0: there is none
    parameter BEAT_LOG2 = `HEDDLE_BEAT_LOG2(LANES),  // derived: log2 of the bytes of a beat
    parameter BEAT_BYTES = 1 << BEAT_LOG2
) (
    input  wire clk,
    input  wire rst,
    input  wire uart_rx_i,
    output wire uart_tx_o,
    output wire busy_o,

    // bytes, if there is no serial port
    input  wire       byte_valid_i,
    input  wire [7:0] byte_i,
    output wire       byte_valid_o,
    input  wire       byte_ready_i,
    output wire [7:0] byte_o,

    // external memory, as heddle.v has it
    input  wire [15:0] memory_latency_i,
    input  wire [15:0] memory_interval_i,
    output wire        memory_rst_o,
    `include "rtl/memory/channel_ports.vh"
);
  wire received, sends, sent;
  wire [7:0] byte_received, byte_sent;
  generate
    if (DIVISOR != 0) begin : with_serial_port
      uart_receiver #(
          .DIVISOR(DIVISOR)
      ) uart_receiver (
          .clk(clk),
          .rst(rst),
          .line_i(uart_rx_i),
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
          .line_o(uart_tx_o)
      );
      wire unused = &{byte_valid_i, byte_i, byte_ready_i};
    end else begin : without_serial_port
      assign received = byte_valid_i;
      assign byte_received = byte_i;
      assign sent = byte_ready_i;
      assign uart_tx_o = 1'b1;
      wire unused = uart_rx_i;
    end
  endgenerate
  assign byte_valid_o = sends;
  assign byte_o = byte_sent;

  wire ready;
  wire device_rst, control_valid, control_write, link_valid, link_ready, link_store, link_quiet, link_answer;
  wire [11:2] control_address;
  wire [31:0] control_data, control_answer;
  wire [GLOBAL_LOG2-1:0] link_address;
  wire [8*BEAT_BYTES-1:0] link_data, link_answer_data;
  wire [BEAT_BYTES-1:0] link_strobe;
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
      .device_rst_o(device_rst),
      .busy_i(busy_o),
      .ready_i(ready),
      .control_valid_o(control_valid),
      .control_write_o(control_write),
      .control_address_o(control_address),
      .control_data_o(control_data),
      .control_data_i(control_answer),
      .link_valid_o(link_valid),
      .link_ready_i(link_ready),
      .link_store_o(link_store),
      .link_address_o(link_address),
      .link_data_o(link_data),
      .link_strobe_o(link_strobe),
      .link_quiet_i(link_quiet),
      .link_answer_i(link_answer),
      .link_answer_data_i(link_answer_data)
  );

  wire cache_idle_unused;
  heddle #(
      `include "rtl/boards/device_parameters_passed.vh"
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .CLOCK_KHZ  (CLOCK_KHZ)
  ) heddle (
      .clk(clk),
      .rst(device_rst),
      .control_valid_i(control_valid),
      .control_write_i(control_write),
      .control_address_i(control_address),
      .control_data_i(control_data),
      .control_data_o(control_answer),
      .busy_o(busy_o),
      .ready_o(ready),
      .link_valid_i(link_valid),
      .link_ready_o(link_ready),
      .link_store_i(link_store),
      .link_address_i(link_address),
      .link_data_i(link_data),
      .link_strobe_i(link_strobe),
      .link_quiet_o(link_quiet),
      .link_answer_o(link_answer),
      .link_answer_data_o(link_answer_data),
      .forget_i(1'b0),
      .hold_i(1'b0),
      .cache_idle_o(cache_idle_unused),
      .memory_latency_i(memory_latency_i),
      .memory_interval_i(memory_interval_i),
      .memory_error_i(1'b0),
      .memory_busy_i(1'b0),
      `include "rtl/memory/channel_passed.vh"
  );
  assign memory_rst_o = device_rst;
endmodule

`default_nettype wire
