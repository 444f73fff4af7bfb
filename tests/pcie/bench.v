// SPDX-License-Identifier: Apache-2.0
// rtl/pcie for the tests of promises.py: the packets are theirs, the device is mere memory that lets the link wait, with registers of which
// COMMAND makes it busy for a while.
`default_nettype none

module bench #(
    parameter GLOBAL_LOG2 = 16,
    parameter BEAT_LOG2 = 5,
    parameter BAR_LOG2 = 17,
    parameter TIMEOUT = 1500,
    parameter BEAT_BYTES = 1 << BEAT_LOG2
) (
    input wire clk,
    input wire rst,

    input  wire [15:0] id,
    input  wire        master,
    input  wire [15:0] max_payload,
    input  wire [15:0] max_request,
    input  wire        msix_enable,
    input  wire        msix_mask,
    input  wire        rx_valid,
    output wire        rx_ready,
    input  wire        rx_last,
    input  wire [63:0] rx_data,
    input  wire [ 7:0] rx_keep,
    output wire        tx_valid,
    input  wire        tx_ready,
    output wire        tx_first,
    output wire        tx_last,
    output wire [63:0] tx_data,
    output wire [ 7:0] tx_keep,

    output reg [15:0] resets,  // of the device
    output reg        hasty    // a register was written before memory was up to date
);
  wire device_rst, control_valid, control_write, link_valid, link_store;
  wire [11:2] control_address;
  wire [31:0] control_data;
  wire [GLOBAL_LOG2-1:0] link_address;
  wire [8*BEAT_BYTES-1:0] link_data;
  wire [BEAT_BYTES-1:0] link_strobe;
  reg busy, link_answer;
  reg [31:0] register_data;
  reg [8*BEAT_BYTES-1:0] answer_data;
  reg [3:0] unsettled, answer_wait;
  reg [5:0] works;
  reg [15:0] noise;
  reg [5:0] wakes;  // cycles until the device is ready
  wire link_ready = noise[2:0] != 0 && answer_wait == 0;

  pcie_endpoint #(
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .BAR_LOG2(BAR_LOG2),
      .TIMEOUT(TIMEOUT)
  ) endpoint (
      .clk(clk),
      .rst(rst),
      .id_i(id),
      .master_i(master),
      .max_payload_i(max_payload),
      .max_request_i(max_request),
      .msix_enable_i(msix_enable),
      .msix_mask_i(msix_mask),
      .rx_valid_i(rx_valid),
      .rx_ready_o(rx_ready),
      .rx_last_i(rx_last),
      .rx_data_i(rx_data),
      .rx_keep_i(rx_keep),
      .tx_valid_o(tx_valid),
      .tx_ready_i(tx_ready),
      .tx_first_o(tx_first),
      .tx_last_o(tx_last),
      .tx_data_o(tx_data),
      .tx_keep_o(tx_keep),
      .device_rst_o(device_rst),
      .busy_i(busy),
      .ready_i(wakes == 0),
      .control_valid_o(control_valid),
      .control_write_o(control_write),
      .control_address_o(control_address),
      .control_data_o(control_data),
      .control_data_i(register_data),
      .link_valid_o(link_valid),
      .link_ready_i(link_ready),
      .link_store_o(link_store),
      .link_address_o(link_address),
      .link_data_o(link_data),
      .link_strobe_o(link_strobe),
      .link_quiet_i(unsettled == 0),
      .link_answer_i(link_answer),
      .link_answer_data_i(answer_data)
  );

  reg [8*BEAT_BYTES-1:0] memory[0:(1<<(GLOBAL_LOG2-BEAT_LOG2))-1];
  reg [31:0] registers[0:1023];
  reg was_reset;
  integer i;
  initial begin
    for (i = 0; i < 1024; i = i + 1) registers[i] = 32'd0;
    for (i = 0; i < (1 << (GLOBAL_LOG2 - BEAT_LOG2)); i = i + 1) memory[i] = 0;
  end
  always @(posedge clk) begin
    noise <= {noise[14:0], noise[15] ^ noise[13] ^ noise[12] ^ noise[10]};
    was_reset <= device_rst;
    wakes <= device_rst ? 6'd50 : wakes == 0 ? 6'd0 : wakes - 6'd1;
    if (device_rst && !was_reset) resets <= resets + 16'd1;

    // Stores are settled some cycles later, loads answered.
    if (unsettled != 0) unsettled <= unsettled - 4'd1;
    if (answer_wait != 0) answer_wait <= answer_wait - 4'd1;
    link_answer <= answer_wait == 1;
    if (link_valid && link_ready) begin
      if (link_store) begin
        for (i = 0; i < BEAT_BYTES; i = i + 1)
        if (link_strobe[i]) memory[link_address[GLOBAL_LOG2-1:BEAT_LOG2]][8*i+:8] <= link_data[8*i+:8];
        unsettled <= 4'd9;
      end else begin
        answer_data <= memory[link_address[GLOBAL_LOG2-1:BEAT_LOG2]];
        answer_wait <= {1'b1, noise[5:3]};
      end
    end

    register_data <= control_valid ? registers[control_address] : 32'hDEADBEEF;
    if (control_valid && control_write) begin
      registers[control_address] <= control_data;
      hasty <= hasty || unsettled != 0;
    end
    if (works != 0) works <= works - 6'd1;
    busy <= works > 1;
    if (control_valid && control_write && control_address == 10'h100 >> 2) begin
      works <= 6'd63;
      busy  <= 1'b1;
    end
    if (rst) begin
      noise <= 16'd1;
      resets <= 16'd0;
      hasty <= 1'b0;
      busy <= 1'b0;
      works <= 6'd0;
      unsettled <= 4'd0;
      answer_wait <= 4'd0;
      link_answer <= 1'b0;
    end
  end
endmodule

`default_nettype wire
