// SPDX-License-Identifier: Apache-2.0
// The command processor: a compute unit of one lane that runs the firmware as its only work-item. It reaches global
// memory through a port like that of other units, and control registers behind the end of global memory. An access of a
// control register takes as long as a hit in local memory. It waits until memory has taken all earlier requests and
// answered the loads, so the dispatcher and the host never learn of data before they are written.
`include "rtl/shape.vh"
`default_nettype none

module command_processor #(
    parameter GLOBAL_LOG2 = 28,  // log2 of the bytes of global memory
    parameter BEAT_LOG2 = 5,  // log2 of the bytes of a beat
    parameter LABEL_BITS = 18,  // of a request, HEDDLE_PROCESSOR_LABEL_BITS at least
    parameter BEAT_BYTES = 1 << BEAT_LOG2
) (
    input wire clk,
    input wire rst,

    input  wire        start_i,         // pulse: the firmware starts; if it runs, it is restarted
    input  wire        memory_error_i,  // pulse: memory failed, and the firmware may have read wrong data: it faults
    output wire        reset_o,         // between start_i and the start of the firmware
    output wire        runs_o,          // from start_i until it ends or faults
    output wire        fault_o,         // it has faulted; until start_i
    output wire [ 3:0] fault_reason_o,
    output wire [31:0] fault_pc_o,
    input  wire [63:0] clock_i,

    // control registers; the access takes effect when it is taken, and read data come the cycle after
    output wire        control_valid_o,
    input  wire        control_ready_i,
    output wire        control_write_o,
    output wire [11:2] control_address_o,
    output wire [31:0] control_data_o,
    input  wire [31:0] control_data_i,

    // global memory: requests for beats
    output wire                    request_valid_o,
    input  wire                    request_ready_i,
    input  wire                    request_quiet_i,    // the cache has taken all requests
    output wire                    request_store_o,
    output wire [ GLOBAL_LOG2-1:0] request_address_o,
    output wire [8*BEAT_BYTES-1:0] request_data_o,
    output wire [  BEAT_BYTES-1:0] request_strobe_o,
    output wire [  LABEL_BITS-1:0] request_label_o,
    input  wire                    response_valid_i,
    output wire                    response_ready_o,
    input  wire [8*BEAT_BYTES-1:0] response_data_i,
    input  wire [  LABEL_BITS-1:0] response_label_i
);
  `include "rtl/common/reason.vh"
  // Its memory (DEVICE.md, "Command processor").
  localparam [31:2] ENTRY = 30'h400;
  localparam [GLOBAL_LOG2:0] PRIVATE_BASE = 'h3000;
  localparam PRIVATE_LOG2 = 10, SLOTS = 4;
  localparam BEAT_WORDS = BEAT_BYTES / 4;

  // States. A restart stops the unit, clears it for two cycles, starts it, offers it the work-item; then it runs.
  localparam [2:0] OFF = 3'd0, STOP = 3'd1, CLEAR = 3'd2, START = 3'd3, OFFER = 3'd4, RUN = 3'd5, FAULTED = 3'd6,
                   CLEARED = 3'd7;
  reg [2:0] state;
  reg failed;  // stopped because memory failed
  wire unit_fault, drained, group_ready, group_done;
  assign runs_o  = state != OFF && state != FAULTED;
  assign fault_o = state == FAULTED;
  assign reset_o = state == STOP || state == CLEAR || state == CLEARED || state == START;
  always @(posedge clk) begin
    case (state)
      STOP: if (drained) state <= CLEAR;
      CLEAR: state <= CLEARED;
      CLEARED: state <= START;
      START: state <= OFFER;
      OFFER: if (group_ready) state <= RUN;
      RUN:
      if (unit_fault && drained) state <= FAULTED;
      else if (group_done) state <= OFF;
      default: state <= state;
    endcase
    failed <= state == RUN && (failed || memory_error_i);
    if (start_i) state <= state == OFF ? START : state == FAULTED ? CLEAR : STOP;
    if (rst) state <= OFF;
    if (rst) failed <= 1'b0;
  end

  wire valid, ready, answers;
  wire [1:0] kind;
  wire [GLOBAL_LOG2:0] address;
  wire [8*BEAT_BYTES-1:0] data;
  wire [BEAT_BYTES-1:0] strobe;
  wire answer_ready;
  // Not used.
  wire unit_idle, issued, memory_wait, conflict;
  wire [255:0] fault_record;
  wire [5:0] active;
  wire [4:0] funct5;
  wire [1:0] owner;
  wire unused_of_unit = &{1'b0, unit_idle, issued, memory_wait, conflict, active, funct5, owner};
  wire unused_of_fault = &{1'b0, fault_record};
  assign fault_reason_o = fault_record[3:0];
  assign fault_pc_o = fault_record[32+:32];
  compute_unit #(
      .KIND(`HEDDLE_KIND_IS_PROGRAMMABLE),
      .LANES(1),
      .SLOTS(SLOTS),
      .GLOBAL_LOG2(GLOBAL_LOG2 + 1),
      .FIRST_LOG2(12),
      .CONTROL(1),
      .LOCAL_LOG2(10),
      .BEAT_LOG2(BEAT_LOG2),
      .OWNER_BITS(2),
      .LABEL_BITS(LABEL_BITS),
      .FETCH_CACHE_LOG2(12),
      .MUL(0),
      .DIV(0),
      .FPU(0),
      .BITMANIP(0),
      .ATOMIC(0)
  ) compute_unit (
      .clk(clk),
      .rst(rst),
      .start_i(state == START),
      .clear_i(state == CLEAR),
      .entry_i(ENTRY),
      .packet_i(32'd0),
      .sub_group_log2_i(3'd0),
      .sub_groups_i(11'd1),
      .local_bytes_i(32'd0),
      .rights_i({`HEDDLE_RIGHTS_BITS{1'b0}}),
      .private_base_i(PRIVATE_BASE),
      .private_log2_i(PRIVATE_LOG2),
      .clock_i(clock_i),
      .group_valid_i(state == OFFER),
      .group_ready_o(group_ready),
      .group_id_i(96'd0),
      .group_base_i(96'd0),
      .group_size_i({11'd1, 11'd1, 11'd1}),
      .group_done_o(group_done),
      .idle_o(unit_idle),
      .stop_i(state == STOP || failed),
      .stop_reason_i(failed ? MEMORY_ERROR : STOPPED_BY_HOST),
      .fault_o(unit_fault),
      .drained_o(drained),
      .fault_record_o(fault_record),
      .issued_o(issued),
      .active_o(active),
      .memory_wait_o(memory_wait),
      .conflict_o(conflict),
      .request_valid_o(valid),
      .request_ready_i(ready),
      .request_kind_o(kind),
      .request_function_o(funct5),
      .request_address_o(address),
      .request_data_o(data),
      .request_strobe_o(strobe),
      .request_owner_o(owner),
      .request_label_o(request_label_o),
      .response_valid_i(answers),
      .response_ready_o(answer_ready),
      .response_data_i(control_answers ? {BEAT_WORDS{control_word}} : response_data_i),
      .response_label_i(control_answers ? control_label : response_label_i)
  );

  // Loads that memory has not answered. An access of a control register must not overtake them.
  reg [5:0] loads;
  wire load = request_valid_o && request_ready_i && !request_store_o;
  wire loaded = response_valid_i && response_ready_o;
  always @(posedge clk) loads <= rst ? 6'd0 : loads + {5'd0, load} - {5'd0, loaded};

  // Control registers are behind global memory. The strobes say which word of the beat is meant; there is one. Read
  // data wait here until the unit takes them.
  wire control = address[GLOBAL_LOG2];
  reg control_read, control_answers;
  reg [LABEL_BITS-1:0] control_label;
  reg [31:0] control_word;
  reg [31:0] word;
  reg [4:0] word_number;
  integer n;
  always @* begin
    word = 32'd0;
    word_number = 5'd0;
    for (n = 0; n < BEAT_WORDS; n = n + 1)
    if (strobe[4*n]) begin
      word = word | data[32*n+:32];
      word_number = word_number | n[4:0];
    end
  end
  wire control_free = !control_read && !control_answers;
  assign control_valid_o = valid && control && loads == 0 && request_quiet_i && control_free;
  assign control_write_o = kind[0];
  assign control_address_o = address[11:2] | {5'd0, word_number};
  assign control_data_o = word;
  always @(posedge clk) begin
    control_read <= control_valid_o && control_ready_i && !control_write_o;
    if (control_read) control_word <= control_data_i;
    if (control_valid_o) control_label <= request_label_o;
    control_answers <= control_read || (control_answers && !answer_ready);
    if (rst) {control_read, control_answers} <= 2'b00;
  end

  assign request_valid_o = valid && !control && control_free;
  assign request_store_o = kind[0];
  assign request_address_o = address[GLOBAL_LOG2-1:0];
  assign request_data_o = data;
  assign request_strobe_o = strobe;
  assign ready = control ? control_valid_o && control_ready_i : request_ready_i && control_free;
  assign answers = response_valid_i || control_answers;
  assign response_ready_o = answer_ready && !control_answers;
  wire unused = &{1'b0, kind};
endmodule

`default_nettype wire
