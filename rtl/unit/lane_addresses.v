// SPDX-License-Identifier: Apache-2.0
// Stage e2: where the lanes' loads, stores and atomics go, and which lanes fault: by a misaligned address, one outside
// its window, or a jump to no word. What it finds stands at e3.
`include "rtl/shape.vh"
`default_nettype none

module lane_addresses #(
    parameter LANES = 8,  // power of two, 1 to 32
    parameter SLOT_BITS = 5,
    parameter LEVELS = 3,  // log2(LANES)
    parameter GLOBAL_LOG2 = 28,  // these as in unit.v
    parameter FIRST_LOG2 = 12,
    parameter CONTROL = 0,
    parameter LOCAL_LOG2 = 15
) (
    input wire clk,

    // the dispatch
    input wire [   LOCAL_LOG2:0] local_bytes_i,
    input wire [GLOBAL_LOG2-1:0] private_base_i,
    input wire [            4:0] private_log2_i,

    // stages op and e1: the instruction
    input wire [           SLOT_BITS-1:0] op_slot_i,
    input wire [               LANES-1:0] e1_lanes_i,
    input wire [`HEDDLE_CONTROL_BITS-1:0] e1_control_i,
    input wire [                     1:0] e1_size_i,       // of a memory access: 0 byte, 1 half-word, 2 word
    input wire                            e1_off_i,        // the target is no word's address
    input wire [          LOCAL_LOG2-1:0] e1_local_base_i, // of the work-group's local memory

    // stage e2
    input  wire [   LANES-1:0] e2_lanes_i,
    input  wire [         1:0] e2_size_i,
    input  wire [LANES*32-1:0] e2_sum_i,         // addresses, or targets
    input  wire [   LANES-1:0] e2_taken_i,       // branches
    output wire                e2_some_local_o,  // there are lanes in local memory
    output wire                e2_some_global_o,

    // stage e3
    output reg [            LANES-1:0] e3_local_o,    // else in global memory
    output reg [LANES*GLOBAL_LOG2-1:0] e3_address_o,  // address in that memory
    output reg [          LANES*3-1:0] e3_fault_o,    // reason
    output reg [            LANES-1:0] e3_faults_o
);
  `include "rtl/unit/control.vh"
  genvar n;

  reg [GLOBAL_LOG2-1:0] e1_private_offset, e2_private_base;
  reg [LOCAL_LOG2-1:0] e2_local_base;
  reg [19:0] private_mask;  // stable, like what it comes from
  // What a lane is checked for is known at e1, and each lane has it for itself.
  wire e1_memory = e1_control_i[C_LOAD] || e1_control_i[C_STORE] || e1_control_i[C_ATOMIC];
  wire e1_by_register = e1_control_i[C_JUMP_REGISTER];
  reg [LANES-1:0] e2_checked;  // lanes whose address counts
  reg [LANES-1:0] e2_no_bit_0, e2_no_bit_1;  // bit 0, bit 1 of whose sum may not be set
  reg [LANES-1:0] e2_off, e2_off_if_taken;  // whose jump, whose branch would not go to a word
  always @(posedge clk) begin
    e1_private_offset <= {{(GLOBAL_LOG2 - SLOT_BITS) {1'b0}}, op_slot_i} << (LEVELS + {27'd0, private_log2_i});
    e2_private_base <= private_base_i + e1_private_offset;
    e2_local_base <= e1_local_base_i;
    private_mask <= ~(20'hFFFFF << private_log2_i);
    e2_checked <= {LANES{e1_memory}} & e1_lanes_i;
    e2_no_bit_0 <= {LANES{e1_memory && e1_size_i != 2'd0}} & e1_lanes_i;
    e2_no_bit_1 <= {LANES{(e1_memory && e1_size_i[1]) || e1_by_register}} & e1_lanes_i;
    e2_off <= {LANES{e1_control_i[C_JUMP] && !e1_by_register && e1_off_i}} & e1_lanes_i;
    e2_off_if_taken <= {LANES{e1_control_i[C_BRANCH] && !e1_by_register && e1_off_i}} & e1_lanes_i;
  end

  wire [LANES-1:0] is_local, outside;
  wire [LANES*GLOBAL_LOG2-1:0] physical_address;
  wire [LANES*3-1:0] fault;
  assign e2_some_local_o  = |(e2_lanes_i & is_local);
  assign e2_some_global_o = |(e2_lanes_i & ~is_local);
  generate
    for (n = 0; n < LANES; n = n + 1) begin : lane
      address #(
          .LANE(n),
          .LANES_LOG2(LEVELS),
          .GLOBAL_LOG2(GLOBAL_LOG2),
          .LOCAL_LOG2(LOCAL_LOG2),
          .FIRST_LOG2(FIRST_LOG2),
          .CONTROL(CONTROL)
      ) address (
          .address_i(e2_sum_i[n*32+:32]),
          .size_i(e2_size_i),
          .local_bytes_i(local_bytes_i),
          .local_base_i(e2_local_base),
          .private_mask_i(private_mask),
          .private_base_i(e2_private_base),
          .local_o(is_local[n]),
          .physical_address_o(physical_address[n*GLOBAL_LOG2+:GLOBAL_LOG2]),
          .outside_o(outside[n]),
          .fault_o(fault[n*3+:3])
      );
      always @(posedge clk)
        e3_faults_o[n] <= (e2_checked[n] && outside[n]) || (e2_no_bit_0[n] && e2_sum_i[n*32]) ||
                          (e2_no_bit_1[n] && e2_sum_i[n*32+1]) || e2_off[n] || (e2_off_if_taken[n] && e2_taken_i[n]);
    end
  endgenerate
  always @(posedge clk) {e3_local_o, e3_address_o, e3_fault_o} <= {is_local, physical_address, fault};
  wire unused = &{1'b0, e1_control_i};
endmodule

`default_nettype wire
