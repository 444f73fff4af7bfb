// SPDX-License-Identifier: Apache-2.0
// A device's memory in DDR3 as boards have it, with the model of the PHY and its chip.
`include "rtl/shape.vh"
`default_nettype none

module ddr3_bench #(
    parameter BEAT_LOG2  = 4,
    parameter BEAT_BYTES = 1 << BEAT_LOG2
) (
    input wire clk,
    input wire core_rst,
    input wire rst,

    input wire request_valid_i,
    output wire request_ready_o,
    input wire request_store_i,
    input wire [26 : 0] request_address_i,
    input wire [8 * BEAT_BYTES - 1 : 0] request_data_i,
    input wire [BEAT_BYTES - 1 : 0] request_strobe_i,
    output wire response_valid_o,
    input wire response_ready_i,
    output wire [8 * BEAT_BYTES - 1 : 0] response_data_o,

    output wire ready_o,
    output wire failed_o,
    output wire [9 : 0] chosen_o
);
  wire cmd_valid, cmd_ready, cmd_we, wdata_ready, rdata_valid;
  wire [22 : 0] cmd_addr;
  wire [127 : 0] wdata, rdata;
  wire [15 : 0] wdata_we;
  ddr3 #(
      .BEAT_LOG2(BEAT_LOG2),
      .LINE_LOG2(`HEDDLE_LINE_LOG2(BEAT_LOG2))
  ) ddr3 (
      .clk(clk),
      .rst(rst),
      .core_rst(core_rst),
      .request_valid_i(request_valid_i),
      .request_ready_o(request_ready_o),
      .request_store_i(request_store_i),
      .request_address_i(request_address_i),
      .request_data_i(request_data_i),
      .request_strobe_i(request_strobe_i),
      .response_valid_o(response_valid_o),
      .response_ready_i(response_ready_i),
      .response_data_o(response_data_o),
      .ready_i(ready_o),
      .failed_i(failed_o),
      .cmd_valid_o(cmd_valid),
      .cmd_ready_i(cmd_ready),
      .cmd_we_o(cmd_we),
      .cmd_addr_o(cmd_addr),
      .wdata_o(wdata),
      .wdata_we_o(wdata_we),
      .wdata_ready_i(wdata_ready),
      .rdata_valid_i(rdata_valid),
      .rdata_i(rdata)
  );
  ddr3_core ddr3_core (
      .clk(clk),
      .rst(core_rst),
      .clk2x(1'b0),
      .clk_init(1'b0),
      .rst_init(1'b1),
      .stop_o(),
      .reset_o(),
      .ready_o(ready_o),
      .failed_o(failed_o),
      .chosen_o(chosen_o),
      .cmd_valid_i(cmd_valid),
      .cmd_ready_o(cmd_ready),
      .cmd_we_i(cmd_we),
      .cmd_addr_i(cmd_addr),
      .wdata_i(wdata),
      .wdata_we_i(wdata_we),
      .wdata_ready_o(wdata_ready),
      .rdata_valid_o(rdata_valid),
      .rdata_o(rdata),
      .ddram_a(),
      .ddram_ba(),
      .ddram_dm(),
      .ddram_dq(),
      .ddram_dqs_p(),
      .ddram_ras_n(),
      .ddram_cas_n(),
      .ddram_we_n(),
      .ddram_cs_n(),
      .ddram_cke(),
      .ddram_odt(),
      .ddram_reset_n(),
      .ddram_clk_p()
  );
endmodule

`default_nettype wire
