// SPDX-License-Identifier: Apache-2.0
// The SDRAM controller with the registers that a board has at its pins, as rtl/boards/ulx3s.v has them, and dq as three ports.
`include "rtl/shape.vh"
`default_nettype none

module sdram_bench #(
    parameter CLOCK_KHZ   = 75000,
    parameter CAS_LATENCY = 3,
    parameter BEAT_LOG2   = 4,
    parameter BEAT_BYTES  = 1 << BEAT_LOG2
) (
    input wire clk,
    input wire rst,

    input  wire                    request_valid_i,
    output wire                    request_ready_o,
    input  wire                    request_store_i,
    input  wire [            24:0] request_address_i,
    input  wire [8*BEAT_BYTES-1:0] request_data_i,
    input  wire [  BEAT_BYTES-1:0] request_strobe_i,
    output wire                    response_valid_o,
    input  wire                    response_ready_i,
    output wire [8*BEAT_BYTES-1:0] response_data_o,

    output wire [ 2:0] command_o,
    output wire [ 1:0] bank_o,
    output wire [12:0] address_o,
    output wire [ 1:0] dqm_o,
    output wire [15:0] data_o,
    output reg         drive_o,
    input  wire [15:0] data_i
);
  wire [2:0] command;
  wire [1:0] bank, dqm;
  wire [12:0] address;
  wire drive;
  wire [15:0] data_out, data_in;
  sdram #(
      .CLOCK_KHZ  (CLOCK_KHZ),
      .CAS_LATENCY(CAS_LATENCY),
      .BEAT_LOG2  (BEAT_LOG2),
      .LINE_LOG2  (`HEDDLE_LINE_LOG2(BEAT_LOG2))
  ) sdram (
      .clk(clk),
      .rst(rst),
      .request_valid_i(request_valid_i),
      .request_ready_o(request_ready_o),
      .request_store_i(request_store_i),
      .request_address_i(request_address_i),
      .request_data_i(request_data_i),
      .request_strobe_i(request_strobe_i),
      .response_valid_o(response_valid_o),
      .response_ready_i(response_ready_i),
      .response_data_o(response_data_o),
      .command_o(command),
      .bank_o(bank),
      .address_o(address),
      .dqm_o(dqm),
      .drive_o(drive),
      .data_o(data_out),
      .data_i(data_in)
  );
  output_register #(
      .WIDTH(36)
  ) outputs (
      .clk(clk),
      .data_i({command, bank, address, dqm, data_out}),
      .pins_o({command_o, bank_o, address_o, dqm_o, data_o})
  );
  always @(posedge clk) drive_o <= drive;
  input_register #(
      .WIDTH(16)
  ) inputs (
      .clk(clk),
      .pins_i(data_i),
      .data_o(data_in)
  );
endmodule

`default_nettype wire
