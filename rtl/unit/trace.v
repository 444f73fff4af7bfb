// SPDX-License-Identifier: Apache-2.0
// What sim/rtl/tracer.h reads every cycle: the instruction that retires at e3, then what reaches the registers. A slot has one instruction in
// flight, so a write belongs to the last instruction of its slot. In simulation only, and only with HEDDLE_TRACE.
`default_nettype none

module trace #(
    parameter LANES = 8,
    parameter SLOT_BITS = 5
) (
    input wire clk,

    input wire halted_i,

    // stage e2
    input wire [LANES*32-1:0] e2_sum_i,

    // stage e3
    input wire                 e3_retires_i,
    input wire                 e3_arrives_i,
    input wire                 e3_second_i,
    input wire [SLOT_BITS-1:0] e3_slot_i,
    input wire [SLOT_BITS-1:0] e3_sub_group_i,
    input wire [         95:0] e3_group_i,
    input wire [         31:2] e3_pc_i,
    input wire [    LANES-1:0] e3_lanes_i,
    input wire                 e3_store_i,
    input wire                 e3_memory_i,
    input wire                 e3_writes_i,
    input wire [          4:0] e3_rd_i,
    input wire [ LANES*32-1:0] e3_stored_i,

    // stage wb: a sum of floats writes, on its way, and lanes that have no part in it
    input wire             wb_sum_i,
    input wire             wb_again_i,
    input wire [LANES-1:0] wb_lanes_i,

    // registers
    input wire [SLOT_BITS+4:0] write_address_i,
    input wire [    LANES-1:0] write_lanes_i,
    input wire [ LANES*32-1:0] write_value_i
);
  wire trace_retires  /*verilator public_flat_rd*/ = e3_retires_i;
  wire trace_arrives  /*verilator public_flat_rd*/ = e3_arrives_i;
  wire trace_released  /*verilator public_flat_rd*/ = e3_second_i;
  wire trace_halted  /*verilator public_flat_rd*/ = halted_i;
  wire [31:0] trace_slot  /*verilator public_flat_rd*/ = {{(32 - SLOT_BITS) {1'b0}}, e3_slot_i};
  wire [31:0] trace_group_x  /*verilator public_flat_rd*/ = e3_group_i[31:0];
  wire [31:0] trace_group_y  /*verilator public_flat_rd*/ = e3_group_i[63:32];
  wire [31:0] trace_group_z  /*verilator public_flat_rd*/ = e3_group_i[95:64];
  wire [31:0] trace_sub_group  /*verilator public_flat_rd*/ = {{(32 - SLOT_BITS) {1'b0}}, e3_sub_group_i};
  wire [31:0] trace_pc  /*verilator public_flat_rd*/ = {e3_pc_i, 2'b00};
  wire [31:0] trace_lanes  /*verilator public_flat_rd*/;
  wire trace_store  /*verilator public_flat_rd*/ = e3_store_i;
  wire trace_memory  /*verilator public_flat_rd*/ = e3_memory_i;
  wire trace_writes  /*verilator public_flat_rd*/ = e3_writes_i;
  wire [31:0] trace_rd  /*verilator public_flat_rd*/ = {27'd0, e3_rd_i};
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
  always @(posedge clk) trace_between <= {LANES{wb_sum_i}} & ({LANES{wb_again_i}} | ~wb_lanes_i);
  genvar n;
  generate
    for (n = 0; n < 32; n = n + 1) begin : lane
      assign trace_lanes[n] = n < LANES ? e3_lanes_i[n%LANES] : 1'b0;
      assign trace_write_lanes[n] = n < LANES ? write_lanes_i[n%LANES] && !trace_between[n%LANES] : 1'b0;
    end
  endgenerate
endmodule

`default_nettype wire
