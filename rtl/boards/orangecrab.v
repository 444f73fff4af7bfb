// SPDX-License-Identifier: Apache-2.0
// The OrangeCrab r0.2.1: a device behind the board's USB, with 128 MiB of DDR3L. Port names are those of the board's
// own constraints. The host sees the board when its memory has started, 1.2 ms after power, or has failed to: then the
// LED is red, and the capability block says so. Holding the button for a third of a second reloads the FPGA, which gets
// into the bootloader if it is still held.
`include "rtl/shape.vh"
`default_nettype none

module orangecrab #(
    `include "rtl/boards/device_parameters.vh"
    parameter CLOCK_KHZ = 48000  // of board_pll and ddr3_core, which are made for it
) (
    input  wire        clk48,
    input  wire        usr_btn,        // 0 while it is pressed
    output wire        rst_n,          // 0 reloads the FPGA
    output wire        rgb_led0_r,     // 0 lights them: memory failed
    output wire        rgb_led0_g,     // runs
    output wire        rgb_led0_b,     // busy
    inout  wire        usb_d_p,
    inout  wire        usb_d_n,
    inout  wire        usb_pullup,     // at D+ through a resistor
    output wire [15:0] ddram_a,
    output wire [ 2:0] ddram_ba,
    output wire        ddram_ras_n,
    output wire        ddram_cas_n,
    output wire        ddram_we_n,
    output wire        ddram_cs_n,
    output wire [ 1:0] ddram_dm,
    inout  wire [15:0] ddram_dq,
    inout  wire [ 1:0] ddram_dqs_p,
    output wire        ddram_clk_p,
    output wire        ddram_cke,
    output wire        ddram_odt,
    output wire        ddram_reset_n,
    output wire [ 5:0] ddram_vccio,    // pads that stiffen the bank's supply
    output wire [ 1:0] ddram_gnd
);
  localparam GLOBAL_LOG2 = 27;
  localparam BEAT_LOG2 = `HEDDLE_BEAT_LOG2(LANES);
  localparam BEAT_BYTES = 1 << BEAT_LOG2;
  localparam LINE_LOG2 = `HEDDLE_LINE_LOG2(BEAT_LOG2);

  // What the capability block says of memory, in cycles: tests/rtl/ddr3.c measures it. All ones: it failed.
  localparam [15:0] LATENCY = 22 + (BEAT_BYTES / 16 - 1) * 2, INTERVAL = 8;

  // clk is half of clk2x, which the PHY halts as it finds its delays; then what is in step with clk is reset.
  wire clk, clk2x, bridged, clk2x_pll, clk48_usb, clk12, clk24, locked, halt, halt_reset;
  board_pll board_pll (
      .clkin  (clk48),
      .clkout0(clk2x_pll),
      .clkout1(clk48_usb),
      .clkout2(clk12),
      .clkout3(clk24),
      .locked (locked)
  );
  ECLKBRIDGECS clk2x_bridge (
      .CLK0  (clk2x_pll),
      .CLK1  (),  // nothing: a constant has no way to it
      .SEL   (1'b0),
      .ECSOUT(bridged)
  );
  ECLKSYNCB clk2x_halt (
      .ECLKI(bridged),
      .STOP (halt),
      .ECLKO(clk2x)
  );
  CLKDIVF #(
      .DIV("2.0")
  ) clk_divider (
      .CLKI(clk2x),
      .RST(halt_reset),
      .ALIGNWD(1'b0),
      .CDIVX(clk)
  );
  wire halted = halt_reset || !locked;
  reg [7:0] up, init_up;  // the clock has been steady for so long
  always @(posedge clk or posedge halted)
    if (halted) up <= 8'd0;
    else up <= {up[6:0], 1'b1};
  always @(posedge clk24) init_up <= {init_up[6:0], locked};
  reg core_rst, init_rst, rst;
  always @(posedge clk) core_rst <= !(&up);
  always @(posedge clk24) init_rst <= !(&init_up);

  wire memory_ready, memory_failed, busy;
  reg started;
  always @(posedge clk) started <= !core_rst && (memory_ready || memory_failed);
  always @(posedge clk) rst <= !started;
  assign {rgb_led0_r, rgb_led0_g, rgb_led0_b} = {!(started && memory_failed), !(started && !memory_failed), !busy};
  assign {ddram_vccio, ddram_gnd} = {6'h3F, 2'd0};

  reg [23:0] pressed;
  always @(posedge clk24) pressed <= usr_btn || init_rst ? 24'd0 : pressed + {23'd0, !pressed[23]};
  assign rst_n = !pressed[23];

  wire received, sends, sent;
  wire [7:0] byte_received, byte_sent;
  wire usb_dp_in, usb_dm_in, usb_dp, usb_dm, usb_drives, usb_pulls_up, unused_pull_up;
  usb_port usb_port (
      .clk48(clk48_usb),
      .clk12(clk12),
      .locked_i(locked),
      .start_i(started),
      .dp_i(usb_dp_in),
      .dm_i(usb_dm_in),
      .dp_o(usb_dp),
      .dm_o(usb_dm),
      .drive_o(usb_drives),
      .pullup_o(usb_pulls_up),
      .clk(clk),
      .rst(rst),
      .byte_valid_o(received),
      .byte_o(byte_received),
      .byte_valid_i(sends),
      .byte_ready_o(sent),
      .byte_i(byte_sent)
  );
  BB usb_pads[2:0] (
      .I({1'b1, usb_dm, usb_dp}),
      .T({!usb_pulls_up, !usb_drives, !usb_drives}),
      .O({unused_pull_up, usb_dm_in, usb_dp_in}),
      .B({usb_pullup, usb_d_n, usb_d_p})
  );

  `include "rtl/memory/channel_wires.vh"
  wire memory_rst, unused_tx;
  serial_device #(
      `include "rtl/boards/device_parameters_passed.vh"
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .CLOCK_KHZ(CLOCK_KHZ),
      .DIVISOR(0)
  ) serial_device (
      .clk(clk),
      .rst(rst),
      .uart_rx_i(1'b1),
      .uart_tx_o(unused_tx),
      .busy_o(busy),
      .byte_valid_i(received),
      .byte_i(byte_received),
      .byte_valid_o(sends),
      .byte_ready_i(sent),
      .byte_o(byte_sent),
      .memory_latency_i(memory_failed ? 16'hFFFF : LATENCY),
      .memory_interval_i(INTERVAL),
      .memory_rst_o(memory_rst),
      `include "rtl/memory/channel_of_device.vh"
  );

  wire cmd_valid, cmd_ready, cmd_we, wdata_ready, rdata_valid;
  wire [GLOBAL_LOG2-5:0] cmd_addr;
  wire [127:0] wdata, rdata;
  wire [15:0] wdata_we;
  wire [9:0] chosen;
  wire unused = &{chosen, unused_tx, unused_pull_up};
  ddr3 #(
      .ADDRESS_BITS(GLOBAL_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .LINE_LOG2(LINE_LOG2)
  ) ddr3 (
      .clk(clk),
      .rst(memory_rst),
      .core_rst(core_rst),
      `include "rtl/memory/channel_of_memory.vh"
      .ready_i(memory_ready),
      .failed_i(memory_failed),
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
      .clk2x(clk2x),
      .clk_init(clk24),
      .rst_init(init_rst),
      .stop_o(halt),
      .reset_o(halt_reset),
      .ready_o(memory_ready),
      .failed_o(memory_failed),
      .chosen_o(chosen),
      .cmd_valid_i(cmd_valid),
      .cmd_ready_o(cmd_ready),
      .cmd_we_i(cmd_we),
      .cmd_addr_i(cmd_addr),
      .wdata_i(wdata),
      .wdata_we_i(wdata_we),
      .wdata_ready_o(wdata_ready),
      .rdata_valid_o(rdata_valid),
      .rdata_o(rdata),
      .ddram_a(ddram_a),
      .ddram_ba(ddram_ba),
      .ddram_dm(ddram_dm),
      .ddram_dq(ddram_dq),
      .ddram_dqs_p(ddram_dqs_p),
      .ddram_ras_n(ddram_ras_n),
      .ddram_cas_n(ddram_cas_n),
      .ddram_we_n(ddram_we_n),
      .ddram_cs_n(ddram_cs_n),
      .ddram_cke(ddram_cke),
      .ddram_odt(ddram_odt),
      .ddram_reset_n(ddram_reset_n),
      .ddram_clk_p(ddram_clk_p)
  );
endmodule

`default_nettype wire
