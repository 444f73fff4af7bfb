// SPDX-License-Identifier: Apache-2.0
// The compute units of a device, of all kinds. Each gets the constants of the dispatch, a port of its own to global
// memory, and, if the dispatch names its kind, work-groups. The rules of all ports are those of compute_unit.v.
`include "rtl/shape.vh"
`default_nettype none

module compute_units #(
    parameter UNITS = 1,  // of all kinds
    parameter KINDS = 1,  // these as in heddle.v
    parameter [KINDS*`HEDDLE_KIND_BITS-1:0] TABLE = 0,  // its KIND_TABLE, with entry 0
    parameter LOCAL_LOG2 = 15,
    parameter GLOBAL_LOG2 = 28,
    parameter FIRST_LOG2 = 12,  // log2 of the first address of global memory
    parameter BEAT_LOG2 = 5,
    parameter OWNER_BITS = 5,  // as in compute_unit.v
    parameter LABEL_BITS = 63,
    parameter FETCH_CACHE_LOG2 = 13,
    parameter MUL = 1,
    parameter DIV = 1,
    parameter FPU = 1,
    parameter BITMANIP = 1,
    parameter ATOMIC = 1,
    parameter COMPACT = 0,
    parameter PAGES_LOG2 = 0,
    parameter BEAT_BYTES = 1 << BEAT_LOG2  // derived
) (
    input wire clk,
    input wire rst,

    // the dispatch
    input wire [6:0] kind_i,  // the kind that it names
    input wire [15:0] unit_mask_i,  // the units of that kind that it may run on; 0: all
    output wire [UNITS-1:0] may_run_o,  // those that are there, of all units; the cycle after
    input wire start_i,
    input wire clear_i,
    input wire [31:2] entry_i,
    input wire [31:0] packet_i,
    input wire [2:0] sub_group_log2_i,
    input wire [10:0] sub_groups_i,
    input wire [31:0] local_bytes_i,
    input wire [`HEDDLE_RIGHTS_BITS-1:0] rights_i,
    input wire [GLOBAL_LOG2-1:0] private_base_i,
    input wire [4:0] private_log2_i,
    input wire [63:0] clock_i,

    // work-groups
    input wire [UNITS-1:0] group_valid_i,
    output wire [UNITS-1:0] group_ready_o,
    input wire [95:0] group_id_i,
    input wire [95:0] group_base_i,
    input wire [32:0] group_size_i,
    output wire [UNITS-1:0] group_done_o,
    output wire [UNITS-1:0] idle_o,

    // faults
    input wire stop_i,
    input wire [3:0] stop_reason_i,
    output wire [UNITS-1:0] fault_o,
    output wire [UNITS-1:0] drained_o,
    output wire [UNITS*256-1:0] fault_records_o,

    // for the performance counters: events in this cycle
    output wire [  UNITS-1:0] issued_o,
    output wire [UNITS*6-1:0] active_o,
    output wire [  UNITS-1:0] memory_wait_o,
    output wire [  UNITS-1:0] conflict_o,

    // requests for beats of global memory
    output wire [UNITS-1:0] request_valid_o,
    input wire [UNITS-1:0] request_ready_i,
    output wire [UNITS*2-1:0] request_kind_o,
    output wire [UNITS*5-1:0] request_function_o,
    output wire [UNITS*GLOBAL_LOG2-1:0] request_address_o,
    output wire [UNITS*8*BEAT_BYTES-1:0] request_data_o,
    output wire [UNITS*BEAT_BYTES-1:0] request_strobe_o,
    output wire [UNITS*OWNER_BITS-1:0] request_owner_o,
    output wire [UNITS*LABEL_BITS-1:0] request_label_o,
    input wire [UNITS-1:0] response_valid_i,
    output wire [UNITS-1:0] response_ready_o,
    input wire [UNITS*8*BEAT_BYTES-1:0] response_data_i,
    input wire [UNITS*LABEL_BITS-1:0] response_label_i
);
  `include "rtl/kinds.vh"
  localparam RECORD_BITS = 256;
  genvar u;
  generate
    for (u = 0; u < UNITS; u = u + 1) begin : compute
      localparam OF_KIND = kind_of(u), IN_KIND = u - first_unit(OF_KIND);
      localparam [31:0] KIND_NUMBER = OF_KIND;
      reg may_run;
      always @(posedge clk) begin
        may_run <= (KINDS == 1 || {25'd0, kind_i} == KIND_NUMBER) && (unit_mask_i == 16'd0 || unit_mask_i[IN_KIND]);
      end
      assign may_run_o[u] = may_run;
      // The private memory of a unit is behind that of the units of its kind before it. Registered: the dispatch is
      // stable long before it starts a unit.
      localparam OF_KIND_LANES = kind_word(OF_KIND, LANES_WORD), OF_KIND_SLOTS = kind_word(OF_KIND, SLOTS_WORD);
      localparam [31:0] WINDOWS = IN_KIND * OF_KIND_LANES * OF_KIND_SLOTS;
      wire [31:0] windows = WINDOWS << private_log2_i;
      wire windows_unused = &{1'b0, windows};
      reg [GLOBAL_LOG2-1:0] windows_base;
      always @(posedge clk) windows_base <= private_base_i + windows[GLOBAL_LOG2-1:0];
      compute_unit #(
          .KIND  (kind_word(OF_KIND, TYPE_WORD)),
          .NUMBER(OF_KIND),
          .LANES (OF_KIND_LANES),
          .SLOTS (OF_KIND_SLOTS),
          `include "rtl/compute_unit_parameters_passed.vh"
      ) compute_unit (
          .clk(clk),
          .rst(rst),
          .start_i(start_i && may_run),
          .clear_i(clear_i),
          .entry_i(entry_i),
          .packet_i(packet_i),
          .sub_group_log2_i(sub_group_log2_i),
          .sub_groups_i(sub_groups_i),
          .local_bytes_i(local_bytes_i),
          .rights_i(rights_i),
          .private_base_i(windows_base),
          .private_log2_i(private_log2_i),
          .clock_i(clock_i),
          .group_valid_i(group_valid_i[u]),
          .group_ready_o(group_ready_o[u]),
          .group_id_i(group_id_i),
          .group_base_i(group_base_i),
          .group_size_i(group_size_i),
          .group_done_o(group_done_o[u]),
          .idle_o(idle_o[u]),
          .stop_i(stop_i && may_run),
          .stop_reason_i(stop_reason_i),
          .fault_o(fault_o[u]),
          .drained_o(drained_o[u]),
          .fault_record_o(fault_records_o[u*RECORD_BITS+:RECORD_BITS]),
          .issued_o(issued_o[u]),
          .active_o(active_o[u*6+:6]),
          .memory_wait_o(memory_wait_o[u]),
          .conflict_o(conflict_o[u]),
          .request_valid_o(request_valid_o[u]),
          .request_ready_i(request_ready_i[u]),
          .request_kind_o(request_kind_o[u*2+:2]),
          .request_function_o(request_function_o[u*5+:5]),
          .request_address_o(request_address_o[u*GLOBAL_LOG2+:GLOBAL_LOG2]),
          .request_data_o(request_data_o[u*8*BEAT_BYTES+:8*BEAT_BYTES]),
          .request_strobe_o(request_strobe_o[u*BEAT_BYTES+:BEAT_BYTES]),
          .request_owner_o(request_owner_o[u*OWNER_BITS+:OWNER_BITS]),
          .request_label_o(request_label_o[u*LABEL_BITS+:LABEL_BITS]),
          .response_valid_i(response_valid_i[u]),
          .response_ready_o(response_ready_o[u]),
          .response_data_i(response_data_i[u*8*BEAT_BYTES+:8*BEAT_BYTES]),
          .response_label_i(response_label_i[u*LABEL_BITS+:LABEL_BITS])
      );
    end
  endgenerate
endmodule

`default_nettype wire
