// SPDX-License-Identifier: Apache-2.0
// A board that is only simulated: a device, its memory in block RAM, and a serial port, with pins as a real board has them.
`default_nettype none

module board #(
    parameter LANES = 4,
    parameter SLOTS = 8,
    parameter GLOBAL_LOG2 = 20,  // log2 of the bytes of memory
    parameter DIVISOR = 4  // cycles of a bit on the serial line
) (
    input  wire clk,
    input  wire rst,
    input  wire uart_rx_i,
    output wire uart_tx_o,
    output wire led_busy_o
);
  localparam ROW_LOG2 = LANES > 4 ? 2 + $clog2(LANES) : 4;
  localparam LINE_LOG2 = 6;
  localparam ROW_BYTES = 1 << ROW_LOG2;

  wire received, sends, sent;
  wire [7:0] byte_received, byte_sent;
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

  wire device_rst, control_valid, control_write, link_valid, link_ready, link_store, link_quiet, link_answer;
  wire [11:2] control_address;
  wire [31:0] control_data, control_answer;
  wire [GLOBAL_LOG2-1:0] link_address;
  wire [8*ROW_BYTES-1:0] link_data, link_answer_data;
  wire [ROW_BYTES-1:0] link_strobe;
  byte_link #(
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .ROW_LOG2(ROW_LOG2)
  ) byte_link (
      .clk(clk),
      .rst(rst),
      .byte_valid_i(received),
      .byte_i(byte_received),
      .byte_valid_o(sends),
      .byte_ready_i(sent),
      .byte_o(byte_sent),
      .device_rst_o(device_rst),
      .busy_i(led_busy_o),
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

  wire request_valid, request_ready, request_store, response_valid, response_ready;
  wire [GLOBAL_LOG2-1:0] request_address;
  wire [8*ROW_BYTES-1:0] request_data, response_data;
  wire [ROW_BYTES-1:0] request_strobe;
  heddle #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .LOCAL_LOG2(13),
      .FETCH_CACHE_LOG2(11),
      .CACHE_LOG2(13),
      .FPU(0),
      .PROCESSOR(0)
  ) heddle (
      .clk(clk),
      .rst(device_rst),
      .control_valid_i(control_valid),
      .control_write_i(control_write),
      .control_address_i(control_address),
      .control_data_i(control_data),
      .control_data_o(control_answer),
      .busy_o(led_busy_o),
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
      .memory_latency_i(16'd2),
      .memory_interval_i(16'd5),
      .request_valid_o(request_valid),
      .request_ready_i(request_ready),
      .request_store_o(request_store),
      .request_address_o(request_address),
      .request_data_o(request_data),
      .request_strobe_o(request_strobe),
      .response_valid_i(response_valid),
      .response_ready_o(response_ready),
      .response_data_i(response_data)
  );
  block_memory #(
      .PLACE_BITS(GLOBAL_LOG2),
      .ROW_LOG2  (ROW_LOG2),
      .LINE_LOG2 (LINE_LOG2)
  ) block_memory (
      .clk(clk),
      .rst(device_rst),
      .request_valid_i(request_valid),
      .request_ready_o(request_ready),
      .request_store_i(request_store),
      .request_address_i(request_address),
      .request_data_i(request_data),
      .request_strobe_i(request_strobe),
      .response_valid_o(response_valid),
      .response_ready_i(response_ready),
      .response_data_o(response_data)
  );
endmodule

`default_nettype wire
