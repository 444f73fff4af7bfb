// SPDX-License-Identifier: Apache-2.0
// Beats to external memory by AXI4 write bursts of one ID, so that memory answers them in their order. Data is offered
// after its address has been accepted: two cycles after the address was offered at the earliest. A burst a cycle, or a
// transfer a cycle where a beat has several.
`default_nettype none

module axi_writer #(
    parameter ADDRESS_BITS = 28,  // of a byte's address
    parameter BEAT_LOG2 = 5,  // log2 of the bytes of a beat
    parameter DATA_LOG2 = 5,  // log2 of the bytes of a transfer, BEAT_LOG2 at most
    parameter QUEUE_LOG2 = 3,  // log2 of the beats that wait for their turn, 2 at least
    parameter BEAT_BYTES = 1 << BEAT_LOG2,  // derived
    parameter DATA_BYTES = 1 << DATA_LOG2  // derived
) (
    input wire clk,
    input wire rst,

    // beats
    input  wire                    store_valid_i,
    output wire                    store_ready_o,
    input  wire [ADDRESS_BITS-1:0] store_address_i,
    input  wire [8*BEAT_BYTES-1:0] store_data_i,
    input  wire [  BEAT_BYTES-1:0] store_strobe_i,

    // AXI4
    output reg                     awvalid_o,
    input  wire                    awready_i,
    output reg  [ADDRESS_BITS-1:0] awaddr_o,
    output reg                     wvalid_o,
    input  wire                    wready_i,
    output wire [8*DATA_BYTES-1:0] wdata_o,
    output wire [  DATA_BYTES-1:0] wstrb_o,
    output wire                    wlast_o
);
  localparam PARTS = 1 << (BEAT_LOG2 - DATA_LOG2), QUEUE = 1 << QUEUE_LOG2;
  localparam [BEAT_LOG2-DATA_LOG2:0] LAST = PARTS - 1;

  // Beats in the queue, and those of them whose addresses have been accepted.
  reg [9*BEAT_BYTES-1:0] beats[0:QUEUE-1];
  reg [QUEUE_LOG2-1:0] first, next;
  reg [QUEUE_LOG2:0] free, accepted;
  reg [BEAT_LOG2-DATA_LOG2:0] left;  // transfers behind this one
  assign store_ready_o = (!awvalid_o || awready_i) && free != 0;
  wire enters = store_valid_i && store_ready_o;
  wire accepts = awvalid_o && awready_i;
  wire begins = (!wvalid_o || (wready_i && wlast_o)) && accepted != 0;
  reg [8*BEAT_BYTES-1:0] data;
  reg [BEAT_BYTES-1:0] strobe;
  assign wlast_o = left == 0;
  assign wdata_o = data[8*DATA_BYTES-1:0];
  assign wstrb_o = strobe[DATA_BYTES-1:0];
  always @(posedge clk) begin
    if (!awvalid_o || awready_i) begin
      awvalid_o <= enters;
      awaddr_o  <= store_address_i;
    end
    if (enters) begin
      beats[next] <= {store_strobe_i, store_data_i};
      next <= next + 1'b1;
    end
    free <= free + {{QUEUE_LOG2{1'b0}}, begins} - {{QUEUE_LOG2{1'b0}}, enters};
    accepted <= accepted + {{QUEUE_LOG2{1'b0}}, accepts} - {{QUEUE_LOG2{1'b0}}, begins};
    if (wvalid_o && wready_i) begin
      wvalid_o <= !wlast_o;
      left <= left - 1'b1;
      data <= data >> (8 * DATA_BYTES);
      strobe <= strobe >> DATA_BYTES;
    end
    if (begins) begin
      wvalid_o <= 1'b1;
      left <= LAST;
      {strobe, data} <= beats[first];
      first <= first + 1'b1;
    end
    if (rst) begin
      awvalid_o <= 1'b0;
      wvalid_o <= 1'b0;
      first <= {QUEUE_LOG2{1'b0}};
      next <= {QUEUE_LOG2{1'b0}};
      free <= QUEUE[QUEUE_LOG2:0];
      accepted <= {(QUEUE_LOG2 + 1) {1'b0}};
    end
  end
endmodule

`default_nettype wire
