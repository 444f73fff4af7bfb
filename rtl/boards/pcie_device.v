// SPDX-License-Identifier: Apache-2.0
// The device, its host link over PCIe, and block RAM for memory: what acorn.py puts behind LitePCIe's PHY.
`include "rtl/shape.vh"
`default_nettype none

module pcie_device #(
    parameter LANES = 8,  // these as in heddle.v
    parameter SLOTS = 16,
    parameter GLOBAL_LOG2 = 19,
    parameter CLOCK_KHZ = 100000,
    parameter BEAT_LOG2 = `HEDDLE_BEAT_LOG2(LANES),  // derived: log2 of the bytes of a beat
    parameter BEAT_BYTES = 1 << BEAT_LOG2
) (
    input wire clk,
    input wire rst,

    // as pcie_endpoint.v has them
    input  wire [15:0] id_i,
    input  wire        master_i,
    input  wire [15:0] max_payload_i,
    input  wire [15:0] max_request_i,
    input  wire        msix_enable_i,
    input  wire        rx_valid_i,
    output wire        rx_ready_o,
    input  wire        rx_last_i,
    input  wire [63:0] rx_data_i,
    input  wire [ 7:0] rx_keep_i,
    output wire        tx_valid_o,
    input  wire        tx_ready_i,
    output wire        tx_first_o,
    output wire        tx_last_o,
    output wire [63:0] tx_data_o,
    output wire [ 7:0] tx_keep_o
);
  `include "rtl/memory/channel_wires.vh"
  wire ready;
  wire device_rst, busy, control_valid, control_write, link_valid, link_ready, link_store, link_quiet, link_answer;
  wire [11:2] control_address;
  wire [31:0] control_data, control_answer;
  wire [GLOBAL_LOG2-1:0] link_address;
  wire [8*BEAT_BYTES-1:0] link_data, link_answer_data;
  wire [BEAT_BYTES-1:0] link_strobe;

  pcie_endpoint #(
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .BEAT_LOG2  (BEAT_LOG2)
  ) pcie_endpoint (
      .clk(clk),
      .rst(rst),
      .id_i(id_i),
      .master_i(master_i),
      .max_payload_i(max_payload_i),
      .max_request_i(max_request_i),
      .msix_enable_i(msix_enable_i),
      .msix_mask_i(1'b0),  // LitePCIe's PHY does not say
      .rx_valid_i(rx_valid_i),
      .rx_ready_o(rx_ready_o),
      .rx_last_i(rx_last_i),
      .rx_data_i(rx_data_i),
      .rx_keep_i(rx_keep_i),
      .tx_valid_o(tx_valid_o),
      .tx_ready_i(tx_ready_i),
      .tx_first_o(tx_first_o),
      .tx_last_o(tx_last_o),
      .tx_data_o(tx_data_o),
      .tx_keep_o(tx_keep_o),
      .device_rst_o(device_rst),
      .busy_i(busy),
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
      .LANES(LANES),
      .SLOTS(SLOTS),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .CLOCK_KHZ(CLOCK_KHZ)
  ) heddle (
      .clk(clk),
      .rst(device_rst),
      .control_valid_i(control_valid),
      .control_write_i(control_write),
      .control_address_i(control_address),
      .control_data_i(control_data),
      .control_data_o(control_answer),
      .busy_o(busy),
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
      .memory_latency_i(16'd0),
      .memory_interval_i(16'd0),
      .memory_error_i(1'b0),
      .memory_busy_i(1'b0),
      `include "rtl/memory/channel_of_device.vh"
  );

  block_memory #(
      .ADDRESS_BITS(GLOBAL_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .LINE_LOG2(`HEDDLE_LINE_LOG2(BEAT_LOG2))
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
