// SPDX-License-Identifier: Apache-2.0
// A host link over PCIe ("PCIe" in DEVICE.md): between the packets of a PCIe core and the link and control ports of the
// device. The packets are as LitePCIe's PHYs give and take them (phy_layout of 64 bits, endianness "big"), which is how
// Xilinx's 7 series block does (PG054, AXI4-Stream of 64 bits): the core answers configuration requests and gives those
// that hit BAR 0.
`default_nettype none

module pcie_endpoint #(
    parameter GLOBAL_LOG2 = 28,  // log2 of the bytes of global memory
    parameter BEAT_LOG2 = 5,  // log2 of the bytes of a beat, 4 to 7
    parameter BAR_LOG2 = 16,  // log2 of the bytes of the core's BAR 0, 16 or more; what is beyond 64 KiB is not there
    parameter TIMEOUT = 1 << 20,  // cycles until an answer of the host's memory counts as lost
    parameter BEAT_BYTES = 1 << BEAT_LOG2
) (
    input wire clk,
    input wire rst,

    // what the core has learnt from the host
    input wire [15:0] id_i,           // bus, device and function
    input wire        master_i,       // bus master enable
    input wire [15:0] max_payload_i,  // bytes: a power of two from 128 to 4096
    input wire [15:0] max_request_i,
    input wire        msix_enable_i,
    input wire        msix_mask_i,

    // packets from the host
    input  wire        rx_valid_i,
    output wire        rx_ready_o,
    input  wire        rx_last_i,
    input  wire [63:0] rx_data_i,
    input  wire [ 7:0] rx_keep_i,

    // packets to the host
    output wire        tx_valid_o,
    input  wire        tx_ready_i,
    output wire        tx_first_o,
    output wire        tx_last_o,
    output wire [63:0] tx_data_o,
    output wire [ 7:0] tx_keep_o,

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
  localparam WINDOW_LOG2 = 12;

  // Packets that come.
  wire header, word_valid, poisoned, queue_full;
  wire [ 2:0] fmt;
  wire [ 4:0] packet_type;
  wire [10:0] length;
  wire [31:0] first, second, word;
  wire [63:0] address;
  wire [ 3:0] word_strobe;
  tlp_receiver tlp_receiver (
      .clk(clk),
      .rst(rst),
      .valid_i(rx_valid_i),
      .ready_o(rx_ready_o),
      .last_i(rx_last_i),
      .data_i(rx_data_i),
      .keep_i(rx_keep_i),
      .stop_i(queue_full),
      .header_o(header),
      .fmt_o(fmt),
      .type_o(packet_type),
      .poisoned_o(poisoned),
      .length_o(length),
      .first_o(first),
      .second_o(second),
      .address_o(address),
      .word_valid_o(word_valid),
      .word_o(word),
      .word_strobe_o(word_strobe)
  );

  // BAR 0.
  wire bar_write, gather_write, table_write, pending, interrupt;
  wire [WINDOW_LOG2-1:2] bar_index, bar_out_index;
  wire [3:2] table_index, table_read;
  wire [31:0] table_word, open, tail, opened, head, out_word, bar_word;
  wire [ 1:0] interrupts;
  wire [15:2] read_address;
  bar_registers #(
      .BAR_LOG2(BAR_LOG2),
      .WINDOW_LOG2(WINDOW_LOG2)
  ) bar_registers (
      .clk(clk),
      .rst(rst),
      .header_i(header),
      .fmt_i(fmt),
      .type_i(packet_type),
      .poisoned_i(poisoned),
      .address_i(address),
      .word_valid_i(word_valid),
      .word_i(word),
      .word_strobe_i(word_strobe),
      .in_write_o(bar_write),
      .in_index_o(bar_index),
      .table_write_o(table_write),
      .table_index_o(table_index),
      .table_read_o(table_read),
      .table_i(table_word),
      .pending_i(pending),
      .open_o(open),
      .tail_o(tail),
      .interrupts_o(interrupts),
      .opened_i(opened),
      .head_i(head),
      .busy_i(busy_i),
      .read_address_i(read_address),
      .out_index_o(bar_out_index),
      .out_data_i(out_word),
      .read_data_o(bar_word)
  );

  wire queue_valid, queue_ready, locked, memory_read;
  wire [2:0] status, traffic_class, attributes;
  wire [15:0] requester;
  wire [ 7:0] tag;
  wire [15:2] asked;
  wire [ 9:0] asked_length;
  wire [3:0] first_strobe, last_strobe;
  request_queue #(
      .BAR_LOG2(BAR_LOG2)
  ) request_queue (
      .clk(clk),
      .rst(rst),
      .header_i(header),
      .fmt_i(fmt),
      .type_i(packet_type),
      .first_i(first),
      .second_i(second),
      .address_i(address),
      .full_o(queue_full),
      .valid_o(queue_valid),
      .ready_i(queue_ready),
      .locked_o(locked),
      .memory_o(memory_read),
      .status_o(status),
      .class_o(traffic_class),
      .attributes_o(attributes),
      .requester_o(requester),
      .tag_o(tag),
      .address_o(asked),
      .length_o(asked_length),
      .first_strobe_o(first_strobe),
      .last_strobe_o(last_strobe)
  );

  // Packets that go: answers, interrupts, writes and reads of the host's memory.
  localparam ANSWERS = 0, INTERRUPT = 1, WRITES = 2, READS = 3;
  wire [3:0] send_valid, send_ready, send_last, send_data, selected;
  wire [127:0] send_word;
  assign send_data[READS] = 1'b0;
  tlp_sender #(
      .SENDERS(4)
  ) tlp_sender (
      .clk(clk),
      .rst(rst),
      .valid_i(send_valid),
      .ready_o(send_ready),
      .last_i(send_last),
      .is_data_i(send_data),
      .word_i(send_word),
      .selected_o(selected),
      .valid_o(tx_valid_o),
      .ready_i(tx_ready_i),
      .first_o(tx_first_o),
      .last_o(tx_last_o),
      .data_o(tx_data_o),
      .keep_o(tx_keep_o)
  );
  completer completer (
      .clk(clk),
      .rst(rst),
      .id_i(id_i),
      .valid_i(queue_valid),
      .ready_o(queue_ready),
      .locked_i(locked),
      .memory_i(memory_read),
      .status_i(status),
      .class_i(traffic_class),
      .attributes_i(attributes),
      .requester_i(requester),
      .tag_i(tag),
      .address_i(asked),
      .length_i(asked_length),
      .first_strobe_i(first_strobe),
      .last_strobe_i(last_strobe),
      .address_o(read_address),
      .data_i(bar_word),
      .valid_o(send_valid[ANSWERS]),
      .ready_i(send_ready[ANSWERS]),
      .last_o(send_last[ANSWERS]),
      .is_data_o(send_data[ANSWERS]),
      .word_o(send_word[32*ANSWERS+:32])
  );
  msix msix (
      .clk(clk),
      .rst(rst),
      .id_i(id_i),
      .enable_i(msix_enable_i && master_i),
      .mask_i(msix_mask_i),
      .event_i(interrupt),
      .write_i(table_write),
      .index_i(table_index),
      .word_i(word),
      .strobe_i(word_strobe),
      .read_index_i(table_read),
      .read_o(table_word),
      .pending_o(pending),
      .valid_o(send_valid[INTERRUPT]),
      .ready_i(send_ready[INTERRUPT]),
      .last_o(send_last[INTERRUPT]),
      .is_data_o(send_data[INTERRUPT]),
      .word_o(send_word[32*INTERRUPT+:32])
  );

  // The host's memory. A piece has as many words as its bytes touch.
  wire gather, gathered, failed, scatter, scattered;
  wire [63:0] host_address;
  wire [12:0] host_bytes;
  wire [12:0] host_words = (host_bytes + {11'd0, host_address[1:0]} + 13'd3) >> 2;
  wire [11:2] gather_index, scatter_index;
  dma_reader #(
      .TIMEOUT(TIMEOUT)
  ) dma_reader (
      .clk(clk),
      .rst(rst),
      .id_i(id_i),
      .max_request_i(max_request_i),
      .start_i(gather),
      .address_i(host_address[63:2]),
      .words_i(host_words[10:0]),
      .done_o(gathered),
      .failed_o(failed),
      .valid_o(send_valid[READS]),
      .ready_i(send_ready[READS]),
      .last_o(send_last[READS]),
      .word_o(send_word[32*READS+:32]),
      .header_i(header),
      .fmt_i(fmt),
      .type_i(packet_type),
      .poisoned_i(poisoned),
      .length_i(length),
      .second_i(second),
      .third_i(address[31:0]),
      .word_valid_i(word_valid),
      .in_write_o(gather_write),
      .in_index_o(gather_index)
  );
  dma_writer dma_writer (
      .clk(clk),
      .rst(rst),
      .id_i(id_i),
      .max_payload_i(max_payload_i),
      .start_i(scatter),
      .address_i(host_address),
      .bytes_i(host_bytes),
      .done_o(scattered),
      .out_index_o(scatter_index),
      .out_data_i(out_word),
      .valid_o(send_valid[WRITES]),
      .ready_i(send_ready[WRITES]),
      .last_o(send_last[WRITES]),
      .is_data_o(send_data[WRITES]),
      .word_o(send_word[32*WRITES+:32])
  );

  wire [WINDOW_LOG2:2] in_index, out_index;
  wire [31:0] in_word, moved_word;
  wire out_write, head_moved;
  shared_memory #(
      .WORDS_LOG2(WINDOW_LOG2 - 1)
  ) in_memory (
      .clk(clk),
      .write_i(bar_write || gather_write),
      .write_index_i(bar_write ? {1'b0, bar_index} : {1'b1, gather_index}),
      .data_i(word),
      .strobe_i(bar_write ? word_strobe : 4'b1111),
      .read_index_i(in_index),
      .data_o(in_word)
  );
  // Read by who is sending a packet; its header takes longer than the first word.
  shared_memory #(
      .WORDS_LOG2(WINDOW_LOG2 - 1)
  ) out_memory (
      .clk(clk),
      .write_i(out_write),
      .write_index_i(out_index),
      .data_i(moved_word),
      .strobe_i(4'b1111),
      .read_index_i(selected[WRITES] ? {1'b1, scatter_index} : {1'b0, bar_out_index}),
      .data_o(out_word)
  );
  mover #(
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .BEAT_LOG2  (BEAT_LOG2),
      .WINDOW_LOG2(WINDOW_LOG2)
  ) mover (
      .clk(clk),
      .rst(rst),
      .master_i(master_i),
      .open_i(open),
      .tail_i(tail),
      .opened_o(opened),
      .head_o(head),
      .head_moved_o(head_moved),
      .in_index_o(in_index),
      .in_data_i(in_word),
      .out_write_o(out_write),
      .out_index_o(out_index),
      .out_data_o(moved_word),
      .gather_o(gather),
      .scatter_o(scatter),
      .host_address_o(host_address),
      .host_bytes_o(host_bytes),
      .gathered_i(gathered),
      .failed_i(failed),
      .scattered_i(scattered),
      .device_rst_o(device_rst_o),
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

  reg was_busy;
  always @(posedge clk) was_busy <= busy_i && !rst;
  assign interrupt = (interrupts[0] && head_moved) || (interrupts[1] && was_busy && !busy_i);
  wire unused = &{1'b0, host_words[12:11], selected[READS], selected[INTERRUPT], selected[ANSWERS]};
endmodule

`default_nettype wire
