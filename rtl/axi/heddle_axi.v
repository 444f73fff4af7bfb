// SPDX-License-Identifier: Apache-2.0
// The device on a bus: an AXI4 master for each channel of memory, an AXI4-Lite slave for control, and an interrupt. The
// host's memory is the device's: what is in buffers never goes through the slave. Ports of several channels stand side
// by side, channel 0 lowest. rst is the bus's reset.
`include "rtl/shape.vh"
`default_nettype none

module heddle_axi #(
    parameter LANES = 8,  // these as in heddle.v
    parameter SLOTS = 32,
    parameter UNITS = `HEDDLE_UNITS,
    parameter BANKS = 1,
    parameter GLOBAL_LOG2 = 28,
    parameter LOCAL_LOG2 = 15,
    parameter FETCH_CACHE_LOG2 = 13,
    parameter CACHE_LOG2 = 16,
    parameter MUL = 1,
    parameter DIV = 1,
    parameter FPU = 1,
    parameter BITMANIP = 1,
    parameter ATOMIC = 1,
    parameter PROCESSOR = 0,
    parameter COMPACT = 0,
    parameter PAGES_LOG2 = 0,
    parameter CLOCK_KHZ = 100000,
    parameter MEMORY_LATENCY = 0,  // cycles from a line's request to its first beat; 0: not known
    parameter MEMORY_INTERVAL = 0,  // cycles from line to line; 0: not known
    parameter BEAT_LOG2 = `HEDDLE_BEAT_LOG2(LANES),  // derived: log2 of the bytes of a beat
    parameter AXI_ADDRESS_BITS = 32,  // these as in axi_memory.v
    parameter [63:0] BASE = 0,
    parameter DATA_LOG2 = BEAT_LOG2,
    parameter READS_LOG2 = 4,
    parameter WRITES_LOG2 = 4,
    parameter ID_BITS = READS_LOG2,
    parameter DATA_BYTES = 1 << DATA_LOG2  // derived
) (
    input  wire clk,
    input  wire rst,
    output wire interrupt_o, // the device has become idle (DEVICE.md, "A device on a bus")

    // control: AXI4-Lite
    input  wire [11:0] s_axi_awaddr,
    input  wire [ 2:0] s_axi_awprot,
    input  wire        s_axi_awvalid,
    output wire        s_axi_awready,
    input  wire [31:0] s_axi_wdata,
    input  wire [ 3:0] s_axi_wstrb,
    input  wire        s_axi_wvalid,
    output wire        s_axi_wready,
    output wire [ 1:0] s_axi_bresp,
    output wire        s_axi_bvalid,
    input  wire        s_axi_bready,
    input  wire [11:0] s_axi_araddr,
    input  wire [ 2:0] s_axi_arprot,
    input  wire        s_axi_arvalid,
    output wire        s_axi_arready,
    output wire [31:0] s_axi_rdata,
    output wire [ 1:0] s_axi_rresp,
    output wire        s_axi_rvalid,
    input  wire        s_axi_rready,

    // memory: AXI4, a port for each channel
    output wire [         BANKS*ID_BITS-1:0] m_axi_awid,
    output wire [BANKS*AXI_ADDRESS_BITS-1:0] m_axi_awaddr,
    output wire [               BANKS*8-1:0] m_axi_awlen,
    output wire [               BANKS*3-1:0] m_axi_awsize,
    output wire [               BANKS*2-1:0] m_axi_awburst,
    output wire [                 BANKS-1:0] m_axi_awlock,
    output wire [               BANKS*4-1:0] m_axi_awcache,
    output wire [               BANKS*3-1:0] m_axi_awprot,
    output wire [               BANKS*4-1:0] m_axi_awqos,
    output wire [                 BANKS-1:0] m_axi_awvalid,
    input  wire [                 BANKS-1:0] m_axi_awready,
    output wire [    BANKS*8*DATA_BYTES-1:0] m_axi_wdata,
    output wire [      BANKS*DATA_BYTES-1:0] m_axi_wstrb,
    output wire [                 BANKS-1:0] m_axi_wlast,
    output wire [                 BANKS-1:0] m_axi_wvalid,
    input  wire [                 BANKS-1:0] m_axi_wready,
    input  wire [         BANKS*ID_BITS-1:0] m_axi_bid,
    input  wire [               BANKS*2-1:0] m_axi_bresp,
    input  wire [                 BANKS-1:0] m_axi_bvalid,
    output wire [                 BANKS-1:0] m_axi_bready,
    output wire [         BANKS*ID_BITS-1:0] m_axi_arid,
    output wire [BANKS*AXI_ADDRESS_BITS-1:0] m_axi_araddr,
    output wire [               BANKS*8-1:0] m_axi_arlen,
    output wire [               BANKS*3-1:0] m_axi_arsize,
    output wire [               BANKS*2-1:0] m_axi_arburst,
    output wire [                 BANKS-1:0] m_axi_arlock,
    output wire [               BANKS*4-1:0] m_axi_arcache,
    output wire [               BANKS*3-1:0] m_axi_arprot,
    output wire [               BANKS*4-1:0] m_axi_arqos,
    output wire [                 BANKS-1:0] m_axi_arvalid,
    input  wire [                 BANKS-1:0] m_axi_arready,
    input  wire [         BANKS*ID_BITS-1:0] m_axi_rid,
    input  wire [    BANKS*8*DATA_BYTES-1:0] m_axi_rdata,
    input  wire [               BANKS*2-1:0] m_axi_rresp,
    input  wire [                 BANKS-1:0] m_axi_rlast,
    input  wire [                 BANKS-1:0] m_axi_rvalid,
    output wire [                 BANKS-1:0] m_axi_rready
);
  localparam BEAT_BYTES = 1 << BEAT_LOG2;

  wire control_valid, control_write, busy, ready, sync, sync_reset, sync_done, device_rst, hold, forget, cache_idle;
  wire [11:2] control_address;
  wire [31:0] control_data, control_answer;
  wire [BANKS-1:0] channel_idle, memory_error;
  axi_control #(
      .BASE(BASE)
  ) axi_control (
      .clk(clk),
      .rst(rst),
      .s_axi_awaddr(s_axi_awaddr),
      .s_axi_awprot(s_axi_awprot),
      .s_axi_awvalid(s_axi_awvalid),
      .s_axi_awready(s_axi_awready),
      .s_axi_wdata(s_axi_wdata),
      .s_axi_wstrb(s_axi_wstrb),
      .s_axi_wvalid(s_axi_wvalid),
      .s_axi_wready(s_axi_wready),
      .s_axi_bresp(s_axi_bresp),
      .s_axi_bvalid(s_axi_bvalid),
      .s_axi_bready(s_axi_bready),
      .s_axi_araddr(s_axi_araddr),
      .s_axi_arprot(s_axi_arprot),
      .s_axi_arvalid(s_axi_arvalid),
      .s_axi_arready(s_axi_arready),
      .s_axi_rdata(s_axi_rdata),
      .s_axi_rresp(s_axi_rresp),
      .s_axi_rvalid(s_axi_rvalid),
      .s_axi_rready(s_axi_rready),
      .interrupt_o(interrupt_o),
      .control_valid_o(control_valid),
      .control_write_o(control_write),
      .control_address_o(control_address),
      .control_data_o(control_data),
      .control_data_i(control_answer),
      .ready_i(ready),
      .busy_i(busy || channel_idle != {BANKS{1'b1}}),
      .sync_o(sync),
      .reset_o(sync_reset),
      .sync_done_i(sync_done)
  );
  axi_sync axi_sync (
      .clk(clk),
      .rst(rst),
      .sync_i(sync),
      .reset_i(sync_reset),
      .done_o(sync_done),
      .device_rst_o(device_rst),
      .hold_o(hold),
      .forget_o(forget),
      .ready_i(ready),
      .cache_idle_i(cache_idle),
      .channels_idle_i(channel_idle == {BANKS{1'b1}})
  );

  // The device. Its host link is not needed: the host reads and writes memory itself.
  wire [BANKS-1:0] request_valid, request_ready, request_store, response_valid, response_ready;
  wire [BANKS*GLOBAL_LOG2-1:0] request_address;
  wire [BANKS*8*BEAT_BYTES-1:0] request_data, response_data;
  wire [BANKS*BEAT_BYTES-1:0] request_strobe;
  wire link_ready_unused, link_quiet_unused, link_answer_unused;
  wire [8*BEAT_BYTES-1:0] link_answer_data_unused;
  wire unused = &{1'b0, link_ready_unused, link_quiet_unused, link_answer_unused, link_answer_data_unused};
  localparam [15:0] LATENCY = MEMORY_LATENCY, INTERVAL = MEMORY_INTERVAL;
  heddle #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .UNITS(UNITS),
      .BANKS(BANKS),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .LOCAL_LOG2(LOCAL_LOG2),
      .FETCH_CACHE_LOG2(FETCH_CACHE_LOG2),
      .CACHE_LOG2(CACHE_LOG2),
      .MUL(MUL),
      .DIV(DIV),
      .FPU(FPU),
      .BITMANIP(BITMANIP),
      .ATOMIC(ATOMIC),
      .PROCESSOR(PROCESSOR),
      .COMPACT(COMPACT),
      .PAGES_LOG2(PAGES_LOG2),
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
      .link_valid_i(1'b0),
      .link_ready_o(link_ready_unused),
      .link_store_i(1'b0),
      .link_address_i({GLOBAL_LOG2{1'b0}}),
      .link_data_i({8 * BEAT_BYTES{1'b0}}),
      .link_strobe_i({BEAT_BYTES{1'b0}}),
      .link_quiet_o(link_quiet_unused),
      .link_answer_o(link_answer_unused),
      .link_answer_data_o(link_answer_data_unused),
      .forget_i(forget),
      .hold_i(hold),
      .cache_idle_o(cache_idle),
      .memory_latency_i(LATENCY),
      .memory_interval_i(INTERVAL),
      .memory_error_i(memory_error),
      .memory_busy_i(!cache_idle || channel_idle != {BANKS{1'b1}}),
      .request_valid_o(request_valid),
      .request_ready_i(request_ready),
      .request_store_o(request_store),
      .request_address_o(request_address),
      .request_data_o(request_data),
      .request_strobe_o(request_strobe),
      .response_valid_i(response_valid),
      .response_ready_o(response_ready),
      .response_data_i(response_data)
  );

  genvar c;
  generate
    for (c = 0; c < BANKS; c = c + 1) begin : channel
      axi_memory #(
          .ADDRESS_BITS(GLOBAL_LOG2),
          .AXI_ADDRESS_BITS(AXI_ADDRESS_BITS),
          .BASE(BASE),
          .BEAT_LOG2(BEAT_LOG2),
          .LINE_LOG2(`HEDDLE_LINE_LOG2(BEAT_LOG2)),
          .DATA_LOG2(DATA_LOG2),
          .READS_LOG2(READS_LOG2),
          .WRITES_LOG2(WRITES_LOG2),
          .ID_BITS(ID_BITS)
      ) axi_memory (
          .clk(clk),
          .rst(rst),
          .idle_o(channel_idle[c]),
          .request_valid_i(request_valid[c]),
          .request_ready_o(request_ready[c]),
          .request_store_i(request_store[c]),
          .request_address_i(request_address[c*GLOBAL_LOG2+:GLOBAL_LOG2]),
          .request_data_i(request_data[c*8*BEAT_BYTES+:8*BEAT_BYTES]),
          .request_strobe_i(request_strobe[c*BEAT_BYTES+:BEAT_BYTES]),
          .response_valid_o(response_valid[c]),
          .response_ready_i(response_ready[c]),
          .response_data_o(response_data[c*8*BEAT_BYTES+:8*BEAT_BYTES]),
          .memory_error_o(memory_error[c]),
          .m_axi_awid(m_axi_awid[c*ID_BITS+:ID_BITS]),
          .m_axi_awaddr(m_axi_awaddr[c*AXI_ADDRESS_BITS+:AXI_ADDRESS_BITS]),
          .m_axi_awlen(m_axi_awlen[c*8+:8]),
          .m_axi_awsize(m_axi_awsize[c*3+:3]),
          .m_axi_awburst(m_axi_awburst[c*2+:2]),
          .m_axi_awlock(m_axi_awlock[c]),
          .m_axi_awcache(m_axi_awcache[c*4+:4]),
          .m_axi_awprot(m_axi_awprot[c*3+:3]),
          .m_axi_awqos(m_axi_awqos[c*4+:4]),
          .m_axi_awvalid(m_axi_awvalid[c]),
          .m_axi_awready(m_axi_awready[c]),
          .m_axi_wdata(m_axi_wdata[c*8*DATA_BYTES+:8*DATA_BYTES]),
          .m_axi_wstrb(m_axi_wstrb[c*DATA_BYTES+:DATA_BYTES]),
          .m_axi_wlast(m_axi_wlast[c]),
          .m_axi_wvalid(m_axi_wvalid[c]),
          .m_axi_wready(m_axi_wready[c]),
          .m_axi_bid(m_axi_bid[c*ID_BITS+:ID_BITS]),
          .m_axi_bresp(m_axi_bresp[c*2+:2]),
          .m_axi_bvalid(m_axi_bvalid[c]),
          .m_axi_bready(m_axi_bready[c]),
          .m_axi_arid(m_axi_arid[c*ID_BITS+:ID_BITS]),
          .m_axi_araddr(m_axi_araddr[c*AXI_ADDRESS_BITS+:AXI_ADDRESS_BITS]),
          .m_axi_arlen(m_axi_arlen[c*8+:8]),
          .m_axi_arsize(m_axi_arsize[c*3+:3]),
          .m_axi_arburst(m_axi_arburst[c*2+:2]),
          .m_axi_arlock(m_axi_arlock[c]),
          .m_axi_arcache(m_axi_arcache[c*4+:4]),
          .m_axi_arprot(m_axi_arprot[c*3+:3]),
          .m_axi_arqos(m_axi_arqos[c*4+:4]),
          .m_axi_arvalid(m_axi_arvalid[c]),
          .m_axi_arready(m_axi_arready[c]),
          .m_axi_rid(m_axi_rid[c*ID_BITS+:ID_BITS]),
          .m_axi_rdata(m_axi_rdata[c*8*DATA_BYTES+:8*DATA_BYTES]),
          .m_axi_rresp(m_axi_rresp[c*2+:2]),
          .m_axi_rlast(m_axi_rlast[c]),
          .m_axi_rvalid(m_axi_rvalid[c]),
          .m_axi_rready(m_axi_rready[c])
      );
    end
  endgenerate
endmodule

`default_nettype wire
