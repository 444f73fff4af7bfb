// SPDX-License-Identifier: Apache-2.0
// The ports that a compute unit of every kind has, besides clk and rst (rules: compute_unit.v). To be included at the
// end of the port list of a module that has GLOBAL_LOG2, BEAT_BYTES, OWNER_BITS and LABEL_BITS.
// compute_unit_connections.vh connects them.
    // the dispatch
    input wire                   start_i,
    input wire                   clear_i,
    input wire [           31:0] packet_i,          // its address; the argument block is HEDDLE_PACKET_WORDS behind it
    input wire [            2:0] sub_group_log2_i,  // log2 of the sub-group size
    input wire [           10:0] sub_groups_i,      // of a full work-group
    input wire [           31:0] local_bytes_i,     // of a work-group
    input wire [`HEDDLE_RIGHTS_BITS-1:0] rights_i,  // its domain, and the table of rights (rtl/memory/rights.v)

    // work-groups
    input  wire        group_valid_i,
    output wire        group_ready_o,
    input  wire [95:0] group_id_i,     // z, y, x
    input  wire [95:0] group_base_i,   // z, y, x: global id of the first work-item
    input  wire [32:0] group_size_i,   // z, y, x: work-items, 11 bits each
    output wire        group_done_o,
    output wire        idle_o,

    // faults
    input  wire         stop_i,
    input  wire [  3:0] stop_reason_i,
    output wire         fault_o,
    output wire         drained_o,
    output wire [255:0] fault_record_o, // its words as the control registers have them, the first one lowest

    // for the performance counters: events in this cycle
    output wire       issued_o,       // an instruction was issued; a pipeline: a sub-group began
    output wire [5:0] active_o,       // its lanes
    output wire       memory_wait_o,  // no issue, because of memory
    output wire       conflict_o,     // no issue, because of conflicts

    // requests for beats of global memory
    output wire                    request_valid_o,
    input  wire                    request_ready_i,
    output wire [             1:0] request_kind_o,     // 0 load, 1 store, 2 atomic
    output wire [             4:0] request_function_o, // of an atomic: funct5
    output wire [ GLOBAL_LOG2-1:0] request_address_o,
    output wire [8*BEAT_BYTES-1:0] request_data_o,
    output wire [  BEAT_BYTES-1:0] request_strobe_o,   // bytes stored; words of an atomic
    output wire [  OWNER_BITS-1:0] request_owner_o,
    output wire [  LABEL_BITS-1:0] request_label_o,
    input  wire                    response_valid_i,
    output wire                    response_ready_o,
    input  wire [8*BEAT_BYTES-1:0] response_data_i,
    input  wire [  LABEL_BITS-1:0] response_label_i
