// SPDX-License-Identifier: Apache-2.0
// axi_control.v and axi_sync.v with a device that is mere registers: a word is what was written to it, an access at a
// time is seen, and the test says when the device is busy and what is in flight.
`default_nettype none

module control_bench (
    input  wire        clk,
    input  wire        rst,
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
    output wire        interrupt,
    input  wire        ready,
    input  wire        busy,
    input  wire        cache_idle,
    input  wire        channels_idle,
    output wire        device_rst,
    output wire        hold,
    output wire        forget,
    output reg  [31:0] reads,          // accesses that the device saw
    output reg  [31:0] writes
);
  wire control_valid, control_write, sync, reset, done;
  wire [11:2] control_address;
  wire [31:0] control_data;
  reg [31:0] control_answer;
  reg [31:0] words[0:1023];
  always @(posedge clk) begin
    control_answer <= 32'hXXXXXXXX;  // it stands for one cycle
    if (control_valid && !control_write) begin
      control_answer <= words[control_address];
      reads <= reads + 1;
    end
    if (control_valid && control_write) begin
      words[control_address] <= control_data;
      writes <= writes + 1;
    end
    if (rst) {reads, writes} <= 64'd0;
  end
  axi_control #(
      .BASE(64'h1234500000)
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
      .interrupt_o(interrupt),
      .control_valid_o(control_valid),
      .control_write_o(control_write),
      .control_address_o(control_address),
      .control_data_o(control_data),
      .control_data_i(control_answer),
      .ready_i(ready),
      .busy_i(busy),
      .sync_o(sync),
      .reset_o(reset),
      .sync_done_i(done)
  );
  axi_sync axi_sync (
      .clk(clk),
      .rst(rst),
      .sync_i(sync),
      .reset_i(reset),
      .done_o(done),
      .device_rst_o(device_rst),
      .hold_o(hold),
      .forget_o(forget),
      .ready_i(ready),
      .cache_idle_i(cache_idle),
      .channels_idle_i(channels_idle)
  );
endmodule

`default_nettype wire
