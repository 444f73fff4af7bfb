// SPDX-License-Identifier: Apache-2.0
// What boards with a small device have in common: the device, and the host's way to it over a serial line. Clock and
// memory are the board's. The link is byte_link.v's parts; requests wait here while the device has a command to take,
// since what it says of itself is old until then.
`default_nettype none

module small_device #(
    parameter LANES = 4,  // these as in small_heddle.v
    parameter SLOTS = 2,
    parameter ADDRESS_BITS = 14,
    parameter GLOBAL_BYTES = 'h2400,
    parameter FIRMWARE_AT = 'h2400,
    parameter DIVISOR = 4  // cycles of a bit on the serial line
) (
    input  wire clk,
    input  wire rst,
    input  wire uart_rx_i,
    output wire uart_tx_o,
    output wire busy_o,

    // the memory, as in small_heddle.v
    output wire [ADDRESS_BITS-1:2] memory_address_o,
    output wire                    memory_write_o,
    output wire [             3:0] memory_strobe_o,
    output wire [            31:0] memory_data_o,
    input  wire [            31:0] memory_data_i
);
  localparam BUFFER_LOG2 = 10, PAYLOAD_BYTES = 512;
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

  wire request_valid, request_ready, answer_start, answer_busy, payload_valid, payload_ready;
  wire [7:0] request, payload;
  wire [63:0] header;
  wire [ 9:0] length;
  wire device_rst, control_valid, control_write, link_valid, link_ready, link_store, link_quiet, link_answer;
  wire [11:2] control_address;
  wire [31:0] control_data, control_answer, link_data, link_answer_data;
  wire [ADDRESS_BITS-1:0] link_address;
  wire [3:0] link_strobe;
  frame_receiver #(
      .BUFFER_LOG2  (BUFFER_LOG2),
      .PAYLOAD_BYTES(PAYLOAD_BYTES)
  ) frame_receiver (
      .clk(clk),
      .rst(rst),
      .valid_i(received),
      .data_i(byte_received),
      .valid_o(request_valid),
      .ready_i(request_ready && link_quiet),
      .data_o(request)
  );
  // The firmware has written the capability block by then.
  localparam [11:0] WAKE = 12'd2048;
  reg [11:0] wakes;
  reg ready;
  always @(posedge clk) begin
    wakes <= device_rst ? WAKE : wakes - {11'd0, wakes != 0};
    ready <= wakes == 0 && !device_rst;
  end

  bridge #(
      .GLOBAL_LOG2(ADDRESS_BITS),
      .BEAT_LOG2(2),
      .BUFFER_LOG2(BUFFER_LOG2),
      .PAYLOAD_BYTES(PAYLOAD_BYTES)
  ) bridge (
      .clk(clk),
      .rst(rst),
      .byte_valid_i(request_valid && link_quiet),
      .byte_ready_o(request_ready),
      .byte_i(request),
      .answer_start_o(answer_start),
      .answer_busy_i(answer_busy),
      .answer_header_o(header),
      .answer_length_o(length),
      .payload_valid_o(payload_valid),
      .payload_ready_i(payload_ready),
      .payload_o(payload),
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
  frame_sender frame_sender (
      .clk(clk),
      .rst(rst),
      .start_i(answer_start),
      .busy_o(answer_busy),
      .header_i(header),
      .length_i(length),
      .payload_valid_i(payload_valid),
      .payload_ready_o(payload_ready),
      .payload_i(payload),
      .valid_o(sends),
      .ready_i(sent),
      .data_o(byte_sent)
  );

  small_heddle #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .ADDRESS_BITS(ADDRESS_BITS),
      .GLOBAL_BYTES(GLOBAL_BYTES),
      .FIRMWARE_AT(FIRMWARE_AT)
  ) small_heddle (
      .clk(clk),
      .rst(device_rst),
      .control_valid_i(control_valid),
      .control_write_i(control_write),
      .control_address_i(control_address),
      .control_data_i(control_data),
      .control_data_o(control_answer),
      .busy_o(busy_o),
      .link_valid_i(link_valid),
      .link_ready_o(link_ready),
      .link_store_i(link_store),
      .link_address_i(link_address),
      .link_data_i(link_data),
      .link_strobe_i(link_strobe),
      .link_quiet_o(link_quiet),
      .link_answer_o(link_answer),
      .link_answer_data_o(link_answer_data),
      .memory_address_o(memory_address_o),
      .memory_write_o(memory_write_o),
      .memory_strobe_o(memory_strobe_o),
      .memory_data_o(memory_data_o),
      .memory_data_i(memory_data_i)
  );
endmodule

`default_nettype wire
