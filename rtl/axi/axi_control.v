// SPDX-License-Identifier: Apache-2.0
// The control registers of a device as an AXI4-Lite slave, and those that a device on a bus has besides (DEVICE.md, "A
// device on a bus"): SYNC, RESET and the interrupt. One access at a time, reads and writes in turn where both wait; an
// answer comes four cycles after its address and data, or later: while the device starts, and for SYNC and RESET until
// they are done.
`include "rtl/shape.vh"
`default_nettype none

module axi_control #(
    parameter [63:0] BASE = 0  // on the bus, of byte 0 of global memory
) (
    input wire clk,
    input wire rst,

    // AXI4-Lite
    input  wire [11:0] s_axi_awaddr,
    input  wire [ 2:0] s_axi_awprot,
    input  wire        s_axi_awvalid,
    output wire        s_axi_awready,
    input  wire [31:0] s_axi_wdata,
    input  wire [ 3:0] s_axi_wstrb,
    input  wire        s_axi_wvalid,
    output wire        s_axi_wready,
    output reg  [ 1:0] s_axi_bresp,
    output reg         s_axi_bvalid,
    input  wire        s_axi_bready,
    input  wire [11:0] s_axi_araddr,
    input  wire [ 2:0] s_axi_arprot,
    input  wire        s_axi_arvalid,
    output wire        s_axi_arready,
    output reg  [31:0] s_axi_rdata,
    output wire [ 1:0] s_axi_rresp,
    output reg         s_axi_rvalid,
    input  wire        s_axi_rready,
    output reg         interrupt_o,

    // the device's control port
    output wire        control_valid_o,
    output wire        control_write_o,
    output wire [11:2] control_address_o,
    output wire [31:0] control_data_o,
    input  wire [31:0] control_data_i,
    input  wire        ready_i,
    input  wire        busy_i,             // the device works, or what it wrote is not in memory yet

    // to axi_sync.v
    output wire sync_o,      // pulse
    output wire reset_o,     // pulse
    input  wire sync_done_i  // pulse
);
  localparam [1:0] OKAY = 2'b00, SLVERR = 2'b10;
  localparam [2:0] IDLE = 3'd0, ACCESS = 3'd1, RESULT = 3'd2, SYNC = 3'd3, ANSWER = 3'd4;

  // What stands at the bus.
  reg aw_held, w_held, ar_held;
  reg [11:2] aw_address, ar_address;
  reg [31:0] w_data;
  reg [3:0] w_strobe;
  reg [2:0] state;
  reg writes;  // the access is a write; if none is carried out, the last one was
  wire answers = state == ANSWER;
  assign s_axi_awready = !aw_held;
  assign s_axi_wready  = !w_held;
  assign s_axi_arready = !ar_held;
  assign s_axi_rresp   = OKAY;
  wire unused = &{1'b0, s_axi_awaddr[1:0], s_axi_araddr[1:0], s_axi_awprot, s_axi_arprot};

  // Which register.
  wire [11:2] address = writes ? aw_address : ar_address;
  wire [31:0] offset = {20'd0, address, 2'd0};
  wire whole = w_strobe == 4'hF;  // registers are written as words
  wire own = address[11];
  wire access = state == ACCESS && ready_i;
  wire writes_own = access && writes && own && whole;
  assign control_valid_o = access && !own && (!writes || whole);
  assign control_write_o = writes;
  assign control_address_o = address;
  assign control_data_o = w_data;
  assign sync_o = writes_own && offset == `HEDDLE_REG_SYNC;
  assign reset_o = writes_own && offset == `HEDDLE_REG_RESET;

  // The interrupt: the device has become idle.
  reg was_busy, pending, enabled;
  always @(posedge clk) begin
    was_busy <= busy_i;
    if (writes_own && offset == `HEDDLE_REG_INTERRUPT && w_data[0]) pending <= 1'b0;
    if (was_busy && !busy_i) pending <= 1'b1;
    if (writes_own && offset == `HEDDLE_REG_INTERRUPT_ENABLE) enabled <= w_data[0];
    interrupt_o <= pending && enabled;
    if (rst) {was_busy, pending, enabled, interrupt_o} <= 4'd0;
  end
  reg [31:0] own_value;
  always @*
    case (offset)
      `HEDDLE_REG_INTERRUPT_ENABLE: own_value = {31'd0, enabled};
      `HEDDLE_REG_INTERRUPT: own_value = {31'd0, pending};
      `HEDDLE_REG_BUS_STATE: own_value = {31'd0, busy_i};
      `HEDDLE_REG_BUS_BASE: own_value = BASE[31:0];
      `HEDDLE_REG_BUS_BASE + 4: own_value = BASE[63:32];
      default: own_value = 32'd0;
    endcase

  wire can_write = aw_held && w_held && !s_axi_bvalid, can_read = ar_held && !s_axi_rvalid;
  always @(posedge clk) begin
    if (!aw_held) {aw_held, aw_address} <= {s_axi_awvalid, s_axi_awaddr[11:2]};
    if (!w_held) {w_held, w_data, w_strobe} <= {s_axi_wvalid, s_axi_wdata, s_axi_wstrb};
    if (!ar_held) {ar_held, ar_address} <= {s_axi_arvalid, s_axi_araddr[11:2]};
    if (s_axi_bready) s_axi_bvalid <= 1'b0;
    if (s_axi_rready) s_axi_rvalid <= 1'b0;
    case (state)
      IDLE: begin
        writes <= can_write && (!can_read || !writes);
        if (can_write || can_read) state <= ACCESS;
      end
      ACCESS: if (ready_i) state <= sync_o || reset_o ? SYNC : RESULT;
      RESULT: state <= ANSWER;
      SYNC: if (sync_done_i) state <= ANSWER;
      default: state <= IDLE;
    endcase
    // The device's value stands for a cycle, in RESULT.
    if (state == RESULT) s_axi_rdata <= own ? own_value : control_data_i;
    if (answers && writes) begin
      {aw_held, w_held, s_axi_bvalid} <= 3'b001;
      s_axi_bresp <= whole ? OKAY : SLVERR;
    end
    if (answers && !writes) {ar_held, s_axi_rvalid} <= 2'b01;
    if (rst) begin
      {aw_held, w_held, ar_held, s_axi_bvalid, s_axi_rvalid, writes} <= 6'd0;
      state <= IDLE;
    end
  end
endmodule

`default_nettype wire
