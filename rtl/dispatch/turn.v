// SPDX-License-Identifier: Apache-2.0
// Whose turn it is: one dispatch runs, one may wait. A dispatch is read, runs, and is over when its figures stand, SETTLE cycles after its
// last work-group: its last stores may still be on their way to external memory, and the counters' sums to their RAM. In the next cycle
// the one that waits is read. After a fault whatever starts waits until the fault is answered.
`default_nettype none

module turn (
    input wire clk,
    input wire rst,

    // what the walker is told (DEVICE.md, COMMAND): pulses
    input wire        start_i,
    input wire        go_on_i,    // answers a fault
    input wire        forget_i,
    input wire [31:7] dispatch_i, // to start

    output wire        busy_o,    // one runs, or its figures still change
    output reg         waits_o,   // one waits
    output reg         fault_o,   // the last one faulted, and that has not been answered
    output reg  [31:0] ended_o,   // how many have
    output wire        counts_o,  // what happens is the last dispatch's
    output wire        runs_o,    // one does; what goes wrong can still be its fault

    // the reader
    output reg         read_o,
    output reg  [31:7] address_o,
    input  wire        read_done_i,

    // the walker
    output wire begin_o,  // pulse: a dispatch's time begins
    output wire start_o,  // pulse: it has been read
    input  wire busy_i,   // from the cycle after start_o
    input  wire fault_i
);
  localparam [4:0] SETTLE = 5'd31, SUMS = 5'd21;  // the second is figures.v's
  localparam [1:0] NONE = 2'd0, READ = 2'd1, RUN = 2'd2, SETTLES = 2'd3;
  reg [1:0] state;
  reg [4:0] settling;
  reg [31:7] waiting;

  wire now = start_i && state == NONE && !waits_o && !fault_o;
  wire goes = waits_o && state == NONE && (!fault_o || go_on_i) && !forget_i;
  assign busy_o   = state != NONE || (waits_o && !fault_o);
  assign begin_o  = now || goes;
  assign start_o  = state == READ && read_done_i;
  assign runs_o   = state != NONE && (state != SETTLES || settling > 5'd2);
  assign counts_o = state != NONE && (state != SETTLES || settling > SUMS);
  always @(posedge clk) begin
    read_o <= begin_o;
    if (begin_o) address_o <= goes ? waiting : dispatch_i;
    if (start_i && !now && !waits_o) begin
      waits_o <= 1'b1;
      waiting <= dispatch_i;
    end
    if (goes || forget_i) waits_o <= 1'b0;
    case (state)
      NONE: if (begin_o) state <= READ;
      READ: if (read_done_i) state <= RUN;
      RUN: begin
        settling <= SETTLE;
        if (!busy_i) state <= SETTLES;
      end
      default: begin
        settling <= settling - 5'd1;
        if (settling == 5'd1) begin
          state   <= NONE;
          ended_o <= ended_o + 32'd1;
          fault_o <= fault_i;
        end
      end
    endcase
    if (go_on_i && state == NONE) fault_o <= 1'b0;
    if (rst) begin
      state   <= NONE;
      read_o  <= 1'b0;
      waits_o <= 1'b0;
      fault_o <= 1'b0;
      ended_o <= 32'd0;
    end
  end
endmodule

`default_nettype wire
