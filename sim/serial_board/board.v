// SPDX-License-Identifier: Apache-2.0
// A board that is only simulated: a device, its memory in block RAM, and a serial port, with pins as a real board has them.
`include "rtl/shape.vh"
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
  localparam BEAT_LOG2 = LANES > 4 ? 2 + $clog2(LANES) : 4;
  localparam LINE_LOG2 = `HEDDLE_LINE_LOG2(BEAT_LOG2);
  localparam BEAT_BYTES = 1 << BEAT_LOG2;

  wire memory_rst;
  wire unused_valid;
  wire [7:0] unused_byte;
  wire unused = &{unused_valid, unused_byte};
  wire request_valid, request_ready, request_store, response_valid, response_ready;
  wire [GLOBAL_LOG2-1:0] request_address;
  wire [8*BEAT_BYTES-1:0] request_data, response_data;
  wire [BEAT_BYTES-1:0] request_strobe;
  serial_device #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .DIVISOR(DIVISOR)
  ) serial_device (
      .clk(clk),
      .rst(rst),
      .uart_rx_i(uart_rx_i),
      .uart_tx_o(uart_tx_o),
      .busy_o(led_busy_o),
      .byte_valid_i(1'b0),
      .byte_i(8'd0),
      .byte_valid_o(unused_valid),
      .byte_ready_i(1'b0),
      .byte_o(unused_byte),
      .memory_latency_i(16'd4),
      .memory_interval_i(16'd5),
      .memory_rst_o(memory_rst),
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
      .ADDRESS_BITS(GLOBAL_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .LINE_LOG2(LINE_LOG2)
  ) block_memory (
      .clk(clk),
      .rst(memory_rst),
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
