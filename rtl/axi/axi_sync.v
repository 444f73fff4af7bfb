// SPDX-License-Identifier: Apache-2.0
// Makes a device and the others on its bus see the same memory: holds the device's requests until all that it has
// stored is in memory and nothing is in flight, then has the cache forget all lines, or resets the device, and lets the
// requests go on. Takes as long as what is in flight, and four cycles; a reset takes the device's own time besides.
`default_nettype none

module axi_sync (
    input wire clk,
    input wire rst,

    input  wire sync_i,   // pulse, while neither is under way
    input  wire reset_i,  // pulse, while neither is under way
    output wire done_o,   // pulse

    // the device and its channels
    output wire device_rst_o,
    output wire hold_o,
    output wire forget_o,
    input  wire ready_i,         // its reset is complete
    input  wire cache_idle_i,
    input  wire channels_idle_i
);
  localparam [2:0] IDLE = 3'd0, HOLD = 3'd1, SETTLE = 3'd2, WAIT = 3'd3, ACT = 3'd4, START = 3'd5, STARTED = 3'd6;
  reg [2:0] state;
  reg resets;
  assign hold_o = state != IDLE;
  assign forget_o = state == ACT && !resets;
  assign device_rst_o = rst || (state == ACT && resets);
  assign done_o = (state == ACT && !resets) || (state == STARTED && ready_i);
  always @(posedge clk) begin
    case (state)
      IDLE:
      if (sync_i || reset_i) begin
        resets <= reset_i;
        state  <= HOLD;
      end
      HOLD: state <= SETTLE;  // the last request has come to the cache
      SETTLE: state <= WAIT;
      // What the cache still has to write it gives to a channel first.
      WAIT: if (cache_idle_i && channels_idle_i) state <= ACT;
      ACT: state <= resets ? START : IDLE;
      START: state <= STARTED;
      default: if (ready_i) state <= IDLE;
    endcase
    if (rst) state <= IDLE;
  end
endmodule

`default_nettype wire
