// SPDX-License-Identifier: Apache-2.0
// What sim/rtl/observer.h reads every cycle: which instruction of a unit takes effect, what its slots wait for, and when dispatches run.
// These modules are bound into the RTL, whose own files know nothing of them and are synthesised without. Each shows signals in the cycle
// in which they stand. Read before the rising edge; nothing here has a state of its own.
`include "rtl/shape.vh"
`default_nettype none

module unit_observer #(
    parameter LANES = 8,  // these as in rtl/unit/unit.v
    parameter SLOTS = 32,
    parameter SLOT_BITS = 5,
    parameter LEVELS = 3,
    parameter TAIL = 4
) (
    // stage f1: an instruction enters
    input wire f1_valid_i,
    input wire [`HEDDLE_BUNDLE_BITS(LANES, SLOT_BITS)-1:0] f1_bundle_i,

    // it leaves the pipeline, to come again: at de (not in the instruction cache), at rd (it needs a load), at e1 (for the divider), at e3
    // (memory)
    input wire de_misses_i,
    input wire rd_stays_i,
    input wire e1_leaves_i,
    input wire e3_retry_i,

    // stage e3
    input wire [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] e3_instruction_i,
    input wire e3_commit_i,  // it takes effect
    input wire e3_again_i,  // a sum of floats, and not its last pass
    input wire e3_faults_i,
    input wire e3_loads_i,  // it is a load or atomic, which takes effect

    // the last answer to a load
    input wire                 answered_i,
    input wire [SLOT_BITS-1:0] answered_slot_i,

    // memory operations: one enters the queue, at an entry; from another the next one leaves it, to be served
    input wire                 push_i,
    input wire [          3:0] written_i,
    input wire [SLOT_BITS-1:0] push_slot_i,
    input wire [          3:0] read_i,
    input wire                 further_i,    // a pass that is not its first
    input wire                 in_local_i,   // of local memory
    input wire                 pass_i,       // a pass of global memory begins
    input wire                 fetches_i,    // what the unit asks of the device cache is instructions

    // what slots wait for
    input wire             memory_wait_i,  // some slot for memory, as the performance counters have it
    input wire [SLOTS-1:0] memory_i,
    input wire [SLOTS-1:0] fetch_i,
    input wire [SLOTS-1:0] divider_i,
    input wire [SLOTS-1:0] collective_i,

    // a sub-group comes to a slot; the last of its work-items has returned
    input wire                 launch_i,
    input wire [SLOT_BITS-1:0] launch_slot_i,
    input wire                 dead_i,
    input wire [SLOT_BITS-1:0] dead_slot_i,

    // a work-group comes to a group slot; one has ended
    input wire                 group_i,
    input wire [SLOT_BITS-1:0] group_slot_i,
    input wire [         95:0] group_id_i,
    input wire                 done_i,
    input wire [SLOT_BITS-1:0] done_slot_i
);
  `include "rtl/unit/control.vh"
  `include "rtl/unit/bundle.vh"
  `include "rtl/unit/instruction.vh"
  localparam WIDE = 32 - SLOT_BITS, WORDS = SLOTS > 64 ? 128 : 64;
  wire e3_launch = e3_instruction_i[I_BUNDLE+B_LAUNCH];
  wire [31:0] seen_flags  /*verilator public_flat_rd*/ = {
    10'd0,
    fetches_i,
    pass_i,
    answered_i,
    e3_loads_i,
    e3_faults_i,
    e3_retry_i,
    e1_leaves_i,
    rd_stays_i,
    de_misses_i,
    f1_bundle_i[B_LAUNCH],
    done_i,
    group_i,
    e3_commit_i && !e3_launch && !e3_again_i && e3_instruction_i[I_CONTROL+C_CONVERGES] &&
        e3_instruction_i[I_BUNDLE+B_CONVERGED] &&
        (!e3_instruction_i[I_CONTROL+C_WORK_GROUP] || !e3_instruction_i[I_CONTROL+C_COLLECTIVE] ||
         e3_instruction_i[I_BUNDLE+B_SECOND]),
    dead_i,
    launch_i,
    memory_wait_i,
    in_local_i,
    further_i,
    push_i,
    f1_valid_i,
    e3_commit_i && (e3_launch || e3_again_i),
    e3_commit_i && !e3_launch && !e3_again_i
  };
  // {stages from e3 to wb, sub-group, group slot, slot}
  wire [31:0] seen_f1_slot  /*verilator public_flat_rd*/ = {
    8'(TAIL), 8'(f1_bundle_i[B_SUB_GROUP+:SLOT_BITS]), 8'(f1_bundle_i[B_GROUP_SLOT+:SLOT_BITS]), 8'(f1_bundle_i[B_SLOT+:SLOT_BITS])
  };
  wire [31:0] seen_f1_pc  /*verilator public_flat_rd*/ = {f1_bundle_i[B_PC+:PC], 2'b00};
  // {launch, slot}
  wire [31:0] seen_e3_slot  /*verilator public_flat_rd*/ = {
    e3_launch, {(WIDE - 1) {1'b0}}, e3_instruction_i[I_BUNDLE+B_SLOT+:SLOT_BITS]
  };
  wire [31:0] seen_e3_lanes  /*verilator public_flat_rd*/ = 32'(e3_instruction_i[I_BUNDLE+B_LANES+:LANES]);
  wire [31:0] seen_e3_size  /*verilator public_flat_rd*/ = 32'(e3_instruction_i[I_BUNDLE+B_SIZE+:SIZE_BITS]);
  // {slot, entry that is written, entry that is read}
  wire [31:0] seen_queue  /*verilator public_flat_rd*/ = {8'd0, 8'(push_slot_i), 4'd0, written_i, 4'd0, read_i};
  // {slot that is answered, slot of a launch, slot that ends}
  wire [31:0] seen_ends  /*verilator public_flat_rd*/ = {8'(answered_slot_i), 8'(launch_slot_i), 16'(dead_slot_i)};
  // {group slot that is taken, that ends}
  wire [31:0] seen_groups  /*verilator public_flat_rd*/ = {16'(group_slot_i), 16'(done_slot_i)};
  wire [31:0] seen_group_x  /*verilator public_flat_rd*/ = group_id_i[31:0];
  wire [31:0] seen_group_y  /*verilator public_flat_rd*/ = group_id_i[63:32];
  wire [31:0] seen_group_z  /*verilator public_flat_rd*/ = group_id_i[95:64];
  wire [WORDS-1:0] seen_memory  /*verilator public_flat_rd*/ = WORDS'(memory_i);
  wire [WORDS-1:0] seen_fetch  /*verilator public_flat_rd*/ = WORDS'(fetch_i);
  wire [WORDS-1:0] seen_divider  /*verilator public_flat_rd*/ = WORDS'(divider_i);
  wire [WORDS-1:0] seen_collective  /*verilator public_flat_rd*/ = WORDS'(collective_i);
endmodule

bind unit unit_observer #(
    .LANES(LANES),
    .SLOTS(SLOTS),
    .SLOT_BITS(SLOT_BITS),
    .LEVELS(LEVELS),
    .TAIL(TAIL)
) observer (
    .f1_valid_i(issue.f1_valid),
    .f1_bundle_i(issue.f1_bundle),
    .de_misses_i(issue.waking.de_miss_i),
    .rd_stays_i(issue.in_flight.rd_stay),
    .e1_leaves_i(datapath.e1_valid && datapath.e1_retry),
    .e3_retry_i(e3_retry),
    .e3_instruction_i(e3_instruction),
    .e3_commit_i(e3_commit),
    .e3_again_i(e3_again),
    .e3_faults_i(e3_faults),
    .e3_loads_i(issue.in_flight.e3_push_i),
    .answered_i(answered),
    .answered_slot_i(answered_slot),
    .push_i(datapath.access.load_store.coalescer.push_i),
    .written_i(datapath.access.load_store.coalescer.written[3:0]),
    .push_slot_i(datapath.access.load_store.coalescer.slot_i),
    .read_i(datapath.access.load_store.coalescer.read[3:0]),
    .further_i(conflict),
    .in_local_i(datapath.access.load_store.coalescer.serve_local),
    .pass_i(datapath.access.load_store.coalescer.serve && !datapath.access.load_store.coalescer.serve_local),
    .fetches_i(fetch_valid),
    .memory_wait_i(memory_wait),
    .memory_i(issue.loads_awaited | issue.waking.wait_memory),
    .fetch_i(issue.waking.wait_fetch),
    .divider_i(issue.waking.wait_divide),
    .collective_i(residents.work_groups.sequencer.waiting),
    .launch_i(launch_taken),
    .launch_slot_i(launch_slot),
    .dead_i(wb_valid && wb_dead),
    .dead_slot_i(wb_instruction[I_BUNDLE+B_SLOT+:SLOT_BITS]),
    .group_i(group_valid_i && group_ready_o),
    .group_slot_i(residents.work_groups.launch.lowest_group_slot),
    .group_id_i(group_id_i),
    .done_i(residents.work_groups.done_valid),
    .done_slot_i(residents.work_groups.done_group_slot)
);

module dispatch_observer (
    input wire begin_i,  // pulse: a dispatch begins
    input wire runs_i,  // in the cycles that are counted as its own
    input wire counting_i,  // its last requests may still be under way
    input wire stops_i,  // a unit has a fault, or the walker stops all units
    input wire [31:2] entry_i,
    input wire [6:0] kind_i
);
  wire [31:0] seen_state  /*verilator public_flat_rd*/ = {17'd0, kind_i, 4'd0, stops_i, counting_i, runs_i, begin_i};
  wire [31:0] seen_entry  /*verilator public_flat_rd*/ = {entry_i, 2'b00};
endmodule

bind dispatcher dispatch_observer observer (
    .begin_i(begin_o),
    .runs_i(walker.state != walker.IDLE || walker.reading),
    .counting_i(counting_o),
    .stops_i(unit_fault || unit_stop),
    .entry_i(entry_o),
    .kind_i(kind_o)
);

// Events of the memory side, a bit for each unit or bank.
module memory_observer #(
    parameter UNITS = 1,
    parameter BANKS = 1
) (
    input wire [UNITS-1:0] cache_request_i,
    input wire [BANKS-1:0] cache_miss_i,
    input wire [BANKS-1:0] external_request_i
);
  wire [63:0] seen_requests  /*verilator public_flat_rd*/ = 64'(cache_request_i);
  // {lines and beats of external memory, misses}
  wire [31:0] seen_memory  /*verilator public_flat_rd*/ = {16'(external_request_i), 16'(cache_miss_i)};
endmodule

bind control memory_observer #(
    .UNITS(UNITS),
    .BANKS(BANKS)
) observer (
    .cache_request_i(cache_request_i),
    .cache_miss_i(cache_miss_i),
    .external_request_i(external_request_i)
);

// Requests of a bank of the device cache: it takes one; one leaves the tags; that misses, and a line is requested. The
// lowest bits of a label are the unit whose request is taken.
module bank_observer (
    input wire taken_i,
    input wire leaves_i,
    input wire misses_i,
    input wire [7:0] unit_i
);
  wire [31:0] seen_bank  /*verilator public_flat_rd*/ = {16'd0, unit_i, 5'd0, misses_i, leaves_i, taken_i};
endmodule

bind cache bank_observer observer (
    .taken_i(request_valid_i && request_ready_o),
    .leaves_i(lookup.d_valid && lookup.d_leaves),
    .misses_i(missed_o),
    .unit_i(8'(request_label_i))
);

// Requests that units give the cache, a bit for each unit of any kind, above them the system port's; and how many units
// that makes.
module cache_observer #(
    parameter UNITS = 1
) (
    input wire [UNITS-1:0] given_i
);
  wire [31:0] seen_given  /*verilator public_flat_rd*/ = {8'(UNITS), 24'(given_i)};
endmodule

bind cache_banks cache_observer #(
    .UNITS(UNITS)
) observer (
    .given_i(request_valid_i & request_ready_o)
);

`default_nettype wire
