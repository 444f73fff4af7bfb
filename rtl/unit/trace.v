// SPDX-License-Identifier: Apache-2.0
// What sim/rtl/tracer.h reads every cycle: the instruction that retires at e3, then what reaches the registers. A slot
// has one instruction in flight, so a write belongs to the last instruction of its slot. In simulation only, and only
// with HEDDLE_TRACE. Shows a signal in the cycle in which it stands in the unit.
`include "rtl/shape.vh"
`default_nettype none

module trace #(
    parameter LANES = 8,
    parameter SLOT_BITS = 5
) (
    input wire clk,

    input wire halted_i,

    // stages e2 and e3 (instruction.vh)
    input wire [LANES*32-1:0] e2_sum_i,
    input wire [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] e3_instruction_i,
    input wire [95:0] e3_group_i,  // id of its work-group: z, y, x
    input wire e3_commit_i,  // it takes effect
    input wire e3_memory_i,  // it is a memory operation
    input wire e3_again_i,  // a sum of floats, and not its last pass
    input wire [LANES*32-1:0] e3_stored_i,

    // stage wb
    input wire [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] wb_instruction_i,
    input wire wb_write_i,
    input wire wb_again_i,  // and not its last pass, or it waits for other sub-groups

    // registers
    input wire [SLOT_BITS+4:0] write_address_i,
    input wire [    LANES-1:0] write_lanes_i,
    input wire [ LANES*32-1:0] write_value_i
);
  localparam LEVELS = $clog2(LANES);
  `include "rtl/unit/control.vh"
  `include "rtl/unit/bundle.vh"
  `include "rtl/unit/instruction.vh"
  wire [BUNDLE_BITS-1:0] e3_bundle = e3_instruction_i[I_BUNDLE+:BUNDLE_BITS];
  wire [CONTROL_BITS-1:0] e3_control = e3_instruction_i[I_CONTROL+:CONTROL_BITS];
  wire [SLOT_BITS-1:0] e3_slot = e3_bundle[B_SLOT+:SLOT_BITS];
  wire [SLOT_BITS-1:0] e3_sub_group = e3_bundle[B_SUB_GROUP+:SLOT_BITS];
  wire e3_loads = e3_control[C_LOAD] || e3_control[C_ATOMIC] || e3_control[C_DIVIDE];
  // It waits for other lanes of the sub-group, or for other sub-groups of the work-group.
  wire parks = e3_control[C_CONVERGES] && !e3_bundle[B_CONVERGED];
  wire arrives = e3_control[C_CONVERGES] && e3_bundle[B_CONVERGED] && e3_control[C_WORK_GROUP] &&
                 e3_control[C_COLLECTIVE] && !e3_bundle[B_SECOND] && !e3_again_i;

  wire trace_retires  /*verilator public_flat_rd*/ =
      e3_commit_i && !e3_bundle[B_LAUNCH] && !parks && !arrives && !e3_again_i;
  wire trace_arrives  /*verilator public_flat_rd*/ = e3_commit_i && arrives;
  wire trace_released  /*verilator public_flat_rd*/ = e3_bundle[B_SECOND];
  wire trace_halted  /*verilator public_flat_rd*/ = halted_i;
  wire [31:0] trace_slot  /*verilator public_flat_rd*/ = {{(32 - SLOT_BITS) {1'b0}}, e3_slot};
  wire [31:0] trace_group_x  /*verilator public_flat_rd*/ = e3_group_i[31:0];
  wire [31:0] trace_group_y  /*verilator public_flat_rd*/ = e3_group_i[63:32];
  wire [31:0] trace_group_z  /*verilator public_flat_rd*/ = e3_group_i[95:64];
  wire [31:0] trace_sub_group  /*verilator public_flat_rd*/ = {{(32 - SLOT_BITS) {1'b0}}, e3_sub_group};
  wire [31:0] trace_pc  /*verilator public_flat_rd*/ = {e3_bundle[B_PC+:PC], 2'b00};
  wire [31:0] trace_lanes  /*verilator public_flat_rd*/;
  wire trace_store  /*verilator public_flat_rd*/ = e3_control[C_STORE];
  wire trace_memory  /*verilator public_flat_rd*/ = e3_memory_i;
  wire trace_writes  /*verilator public_flat_rd*/ =
      e3_control[C_WRITES] || (e3_loads && e3_instruction_i[I_RD+:5] != 5'd0);
  wire [31:0] trace_rd  /*verilator public_flat_rd*/ = {27'd0, e3_instruction_i[I_RD+:5]};
  reg [LANES*32-1:0] trace_address  /*verilator public_flat_rd*/;
  always @(posedge clk) trace_address <= e2_sum_i;
  wire [LANES*32-1:0] trace_stored  /*verilator public_flat_rd*/ = e3_stored_i;
  wire [31:0] trace_write_slot  /*verilator public_flat_rd*/ = {
    {(32 - SLOT_BITS) {1'b0}}, write_address_i[5+:SLOT_BITS]
  };
  wire [31:0] trace_write_rd  /*verilator public_flat_rd*/ = {27'd0, write_address_i[4:0]};
  wire [31:0] trace_write_lanes  /*verilator public_flat_rd*/;
  wire [LANES*32-1:0] trace_write_value  /*verilator public_flat_rd*/ = write_value_i;
  reg [LANES-1:0] trace_between;
  always @(posedge clk) begin
    trace_between <= {LANES{wb_write_i && wb_instruction_i[I_CONTROL+C_SUM]}} &
                     ({LANES{wb_again_i}} | ~wb_instruction_i[I_BUNDLE+B_LANES+:LANES]);
  end
  genvar n;
  generate
    for (n = 0; n < 32; n = n + 1) begin : lane
      assign trace_lanes[n] = n < LANES ? e3_bundle[B_LANES+n%LANES] : 1'b0;
      assign trace_write_lanes[n] = n < LANES ? write_lanes_i[n%LANES] && !trace_between[n%LANES] : 1'b0;
    end
  endgenerate
  wire unused = &{1'b0, e3_instruction_i, wb_instruction_i};
endmodule

`default_nettype wire
