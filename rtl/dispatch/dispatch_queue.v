// SPDX-License-Identifier: Apache-2.0
// The dispatch queue: one dispatch runs, one may wait. A dispatch is read and runs. It ends SETTLE cycles after its
// last work-group: until then its last stores may be on their way to external memory, and performance counters still
// change. Where external memory tells when it has them, the dispatch waits for that. The dispatch that waits is read in
// the next cycle. After a fault no dispatch begins before the fault is answered.
`default_nettype none

module dispatch_queue (
    input wire clk,
    input wire rst,

    // commands (DEVICE.md, COMMAND): pulses
    input wire        start_i,
    input wire        go_on_i,    // answers a fault
    input wire        forget_i,
    input wire [31:7] dispatch_i, // address of the dispatch that start_i names

    output wire        busy_o,      // a dispatch runs, or its counters still change
    output reg         waits_o,     // a dispatch waits
    output reg         fault_o,     // the last dispatch faulted, and the fault is not answered yet
    output reg  [31:0] ended_o,     // how many dispatches have ended
    output wire        counting_o,  // events belong to the last dispatch: it runs, or its last requests do
    output wire        runs_o,      // a dispatch runs; an error of memory can still be its fault

    // the dispatch reader
    output reg         read_o,
    output reg  [31:7] address_o,
    input  wire        read_done_i,

    // the walker
    output wire begin_o,  // pulse: a dispatch begins; its cycles count from here
    output wire start_o,  // pulse: the dispatch has been read
    input  wire busy_i,   // from the cycle after start_o
    input  wire fault_i,

    input wire stored_i  // all that was stored is in external memory
);
  localparam [4:0] SETTLE = 5'd31, SUMS = 5'd21;  // cycles; SUMS are those of performance_counters.v
  localparam [4:0] LATE = 5'd8;  // of SETTLE: the last ones wait for external memory. An error still counts
  localparam [1:0] NONE = 2'd0, READ = 2'd1, RUN = 2'd2, SETTLE_STATE = 2'd3;
  reg [1:0] state;
  reg [4:0] settle_cycles;
  reg [31:7] waiting;

  wire starts_now = start_i && state == NONE && !waits_o && !fault_o;
  wire starts_waiting = waits_o && state == NONE && (!fault_o || go_on_i) && !forget_i;
  assign busy_o = state != NONE || (waits_o && !fault_o);
  assign begin_o = starts_now || starts_waiting;
  assign start_o = state == READ && read_done_i;
  assign runs_o = state != NONE && (state != SETTLE_STATE || settle_cycles > 5'd2);
  assign counting_o = state != NONE && (state != SETTLE_STATE || settle_cycles > SUMS);
  always @(posedge clk) begin
    read_o <= begin_o;
    if (begin_o) address_o <= starts_waiting ? waiting : dispatch_i;
    if (start_i && !starts_now && !waits_o) begin
      waits_o <= 1'b1;
      waiting <= dispatch_i;
    end
    if (starts_waiting || forget_i) waits_o <= 1'b0;
    case (state)
      NONE: if (begin_o) state <= READ;
      READ: if (read_done_i) state <= RUN;
      RUN: begin
        settle_cycles <= SETTLE;
        if (!busy_i) state <= SETTLE_STATE;
      end
      default: begin
        if (settle_cycles != LATE || stored_i) settle_cycles <= settle_cycles - 5'd1;
        if (settle_cycles == 5'd1) begin
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
