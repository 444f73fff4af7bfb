// SPDX-License-Identifier: Apache-2.0
// A host link over any stream of bytes (DEVICE.md, "The byte link"): between a UART or a USB endpoint and the link and
// control ports of the device. Bytes from the host cannot wait; the host never has more of them under way than the
// buffer holds.
`default_nettype none

module byte_link #(
    parameter GLOBAL_LOG2 = 28,  // log2 of the bytes of global memory
    parameter BEAT_LOG2 = 5,  // log2 of the bytes of a beat, 4 to 7
    parameter BUFFER_LOG2 = 12,  // log2 of the bytes that requests may take until they are carried out, 10 to 15
    parameter PAYLOAD_BYTES = 512,  // most that a frame carries, up to 512
    parameter BEAT_BYTES = 1 << BEAT_LOG2
) (
    input wire clk,
    input wire rst,

    // from the host, to the host
    input  wire       byte_valid_i,
    input  wire [7:0] byte_i,
    output wire       byte_valid_o,
    input  wire       byte_ready_i,
    output wire [7:0] byte_o,

    // the device (heddle.v), which starts afresh when a host opens the link
    output wire                    device_rst_o,
    input  wire                    busy_i,
    input  wire                    ready_i,            // after a reset it may be asked something
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
  wire request_valid, request_ready, answer_start, answer_busy, payload_valid, payload_ready;
  wire [7:0] request, payload;
  wire [63:0] header;
  wire [ 9:0] length;
  frame_receiver #(
      .BUFFER_LOG2  (BUFFER_LOG2),
      .PAYLOAD_BYTES(PAYLOAD_BYTES)
  ) frame_receiver (
      .clk(clk),
      .rst(rst),
      .valid_i(byte_valid_i),
      .data_i(byte_i),
      .valid_o(request_valid),
      .ready_i(request_ready),
      .data_o(request)
  );
  bridge #(
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .BUFFER_LOG2(BUFFER_LOG2),
      .PAYLOAD_BYTES(PAYLOAD_BYTES)
  ) bridge (
      .clk(clk),
      .rst(rst),
      .byte_valid_i(request_valid),
      .byte_ready_o(request_ready),
      .byte_i(request),
      .answer_start_o(answer_start),
      .answer_busy_i(answer_busy),
      .answer_header_o(header),
      .answer_length_o(length),
      .payload_valid_o(payload_valid),
      .payload_ready_i(payload_ready),
      .payload_o(payload),
      .device_rst_o(device_rst_o),
      .busy_i(busy_i),
      .ready_i(ready_i),
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
      .valid_o(byte_valid_o),
      .ready_i(byte_ready_i),
      .data_o(byte_o)
  );
endmodule

`default_nettype wire
