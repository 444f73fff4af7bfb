// SPDX-License-Identifier: Apache-2.0
// The ULX3S: a device behind its USB serial port, or behind USB of its own at US2, with the board's 32 MiB of SDRAM.
// Port names are those of the board's own constraints. The SDRAM's clock is an eighth of a cycle late, so that what
// changes at its pins does so behind its edge, and what it answers, 8 to 9 ns behind that edge at our pins and until 5
// ns behind the next, stands when our registers read it.
`include "rtl/shape.vh"
`default_nettype none

module ulx3s #(
    `include "rtl/boards/device_parameters.vh"
    parameter CLOCK_KHZ = 75000,  // of board_pll, which is made for it
    parameter DIVISOR = 25,  // cycles of a bit on the serial line
    parameter USB = 0  // 1: the host is at US2, and nobody at the serial port
) (
    input  wire        clk_25mhz,
    output wire        ftdi_rxd,        // named from where the FTDI chip stands
    input  wire        ftdi_txd,
    output wire        wifi_gpio0,      // 1 keeps the ESP32 from resetting the board
    output wire [ 7:0] led,             // 0: busy; 7: runs
    output wire        sdram_clk,
    output wire        sdram_cke,
    output wire        sdram_csn,
    output wire        sdram_rasn,
    output wire        sdram_casn,
    output wire        sdram_wen,
    output wire [ 1:0] sdram_ba,
    output wire [12:0] sdram_a,
    output wire [ 1:0] sdram_dqm,
    inout  wire [15:0] sdram_d,
    inout  wire        usb_fpga_bd_dp,
    inout  wire        usb_fpga_bd_dn,
    inout  wire        usb_fpga_pu_dp,  // at D+ through a resistor
    inout  wire        usb_fpga_pu_dn
);
  localparam GLOBAL_LOG2 = 25;
  localparam BEAT_LOG2 = `HEDDLE_BEAT_LOG2(LANES);
  localparam BEAT_BYTES = 1 << BEAT_LOG2;
  localparam LINE_LOG2 = `HEDDLE_LINE_LOG2(BEAT_LOG2);

  // What the capability block says of memory, in cycles: tests/rtl/sdram.c measures it.
  localparam [15:0] LATENCY = 13 + BEAT_BYTES / 2, INTERVAL = 35;

  wire clk, late_clk, locked, busy;
  board_pll board_pll (
      .clkin  (clk_25mhz),
      .clkout0(clk),
      .clkout1(late_clk),
      .locked (locked)
  );
  reg [7:0] up;  // the clock has been steady for so long
  always @(posedge clk) up <= {up[6:0], locked};
  reg rst;
  always @(posedge clk) rst <= !(&up);

  assign wifi_gpio0 = 1'b1;
  assign led = {!rst, 6'd0, busy};

  wire received, sends, sent;
  wire [7:0] byte_received, byte_sent;
  wire usb_dp_in, usb_dm_in, usb_dp, usb_dm, usb_drives, usb_pulls_up;
  generate
    if (USB != 0) begin : with_usb
      wire clk48, clk12, usb_locked;
      usb_clocks usb_clocks (
          .clk_25mhz(clk_25mhz),
          .clk48_o  (clk48),
          .clk12_o  (clk12),
          .locked_o (usb_locked)
      );
      usb_port usb_port (
          .clk48(clk48),
          .clk12(clk12),
          .locked_i(usb_locked),
          .start_i(1'b1),
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
    end else begin : without_usb
      assign {usb_dp, usb_dm, usb_drives, usb_pulls_up} = 4'd0;
      assign {received, byte_received, sent} = 10'd0;
      wire unused = &{usb_dp_in, usb_dm_in, sends, byte_sent};
    end
  endgenerate
  wire [1:0] unused_pull_ups;
  BB usb_pads[3:0] (
      .I({1'b1, 1'b1, usb_dm, usb_dp}),
      .T({1'b1, !usb_pulls_up, !usb_drives, !usb_drives}),
      .O({unused_pull_ups, usb_dm_in, usb_dp_in}),
      .B({usb_fpga_pu_dn, usb_fpga_pu_dp, usb_fpga_bd_dn, usb_fpga_bd_dp})
  );

  `include "rtl/memory/channel_wires.vh"
  wire memory_rst;
  serial_device #(
      `include "rtl/boards/device_parameters_passed.vh"
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .CLOCK_KHZ(CLOCK_KHZ),
      .DIVISOR(USB != 0 ? 0 : DIVISOR)
  ) serial_device (
      .clk(clk),
      .rst(rst),
      .uart_rx_i(ftdi_txd),
      .uart_tx_o(ftdi_rxd),
      .busy_o(busy),
      .byte_valid_i(received),
      .byte_i(byte_received),
      .byte_valid_o(sends),
      .byte_ready_i(sent),
      .byte_o(byte_sent),
      .memory_latency_i(LATENCY),
      .memory_interval_i(INTERVAL),
      .memory_rst_o(memory_rst),
      `include "rtl/memory/channel_of_device.vh"
  );

  wire [2:0] command;
  wire [1:0] bank, dqm;
  wire [12:0] address;
  wire drive;
  wire [15:0] data, data_out, data_pins, data_in;
  sdram #(
      .CLOCK_KHZ(CLOCK_KHZ),
      .BEAT_LOG2(BEAT_LOG2),
      .LINE_LOG2(LINE_LOG2)
  ) sdram (
      .clk(clk),
      .rst(memory_rst),
      `include "rtl/memory/channel_of_memory.vh"
      .command_o(command),
      .bank_o(bank),
      .address_o(address),
      .dqm_o(dqm),
      .drive_o(drive),
      .data_o(data),
      .data_i(data_in)
  );

  // Registers in pads begin with 0, which would be a command: the chip hears nothing until they do not.
  reg selected;
  always @(posedge clk) selected <= !rst;
  assign {sdram_cke, sdram_csn} = {1'b1, !selected};
  ODDRX1F sdram_clock (
      .D0(1'b1),
      .D1(1'b0),
      .SCLK(late_clk),
      .RST(1'b0),
      .Q(sdram_clk)
  );
  output_register #(
      .WIDTH(36)
  ) sdram_outputs (
      .clk(clk),
      .data_i({command, bank, address, dqm, data}),
      .pins_o({sdram_rasn, sdram_casn, sdram_wen, sdram_ba, sdram_a, sdram_dqm, data_out})
  );
  reg [15:0] released;  // a register for each pin, so that it may lie beside it
  always @(posedge clk) released <= {16{!drive}};
  BB data_pads[15:0] (
      .I(data_out),
      .T(released),
      .O(data_pins),
      .B(sdram_d)
  );
  input_register #(
      .WIDTH(16)
  ) sdram_inputs (
      .clk(clk),
      .pins_i(data_pins),
      .data_o(data_in)
  );
endmodule

`default_nettype wire
