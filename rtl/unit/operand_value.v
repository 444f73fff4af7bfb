// SPDX-License-Identifier: Apache-2.0
// Stages rd and op: the operand that is the same for all lanes, an immediate, a PC-relative value or a CSR, and the
// target of a jump or branch. It goes in at rd and stands at op.
`include "rtl/shape.vh"
`default_nettype none

module operand_value #(
    parameter LANES = 8,
    parameter SLOT_BITS = 5,
    parameter LEVELS = 3  // log2(LANES)
) (
    input wire clk,

    // the dispatch
    input wire [31:0] packet_i,
    input wire [ 4:0] private_log2_i,
    input wire [63:0] clock_i,

    // stage rd
    input wire [`HEDDLE_BUNDLE_BITS(LANES, SLOT_BITS)-1:0] rd_bundle_i,
    input wire [                                     31:0] rd_immediate_i,
    input wire                                             rd_pc_relative_i,
    input wire                                             rd_csr_i,
    input wire [                                      2:0] rd_csr_kind_i,
    input wire [                                     31:0] rd_group_word_i,   // word of the work-group
    input wire                                             rd_x0_i,           // the second operand is register x0
    input wire                                             rd_quotient_i,     // the lanes round what the divider has
    input wire                                             rd_carried_i,      // op_carry_i is the second operand

    // stage op
    input  wire [31:0] op_carry_i,
    output wire [31:0] op_value_o,
    output reg  [31:1] op_target_o
);
  `include "rtl/unit/bundle.vh"
  `include "rtl/unit/control.vh"
  wire [31:0] target = {rd_bundle_i[B_PC+:PC], 2'b00} + rd_immediate_i;
  reg  [31:0] csr_value;
  always @* begin
    case (rd_csr_kind_i)
      CSR_SUB_GROUP_ID: csr_value = {{(32 - SLOT_BITS) {1'b0}}, rd_bundle_i[B_SUB_GROUP+:SLOT_BITS]};
      CSR_SUB_GROUP_SIZE: csr_value = {{(32 - SIZE_BITS) {1'b0}}, rd_bundle_i[B_SIZE+:SIZE_BITS]};
      CSR_PACKET: csr_value = packet_i;
      CSR_STACK_TOP: csr_value = `HEDDLE_PRIVATE_BASE + (32'd1 << private_log2_i);
      CSR_CYCLE: csr_value = clock_i[31:0];
      CSR_CYCLE_HIGH: csr_value = clock_i[63:32];
      default: csr_value = 32'd0;
    endcase
  end
  reg [31:0] value;
  reg [31:0] group_word;  // a word of the work-group, which comes late, else 0
  reg carried;
  always @(posedge clk) begin
    value <= rd_csr_i ? csr_value : rd_pc_relative_i ? target : rd_x0_i || rd_carried_i ? 32'd0 : rd_immediate_i;
    if (rd_quotient_i) value[0] <= 1'b1;  // digits are multiplied by 1
    group_word <= rd_group_word_i & {32{rd_csr_i && rd_csr_kind_i == CSR_GROUP}};
    op_target_o <= target[31:1];
    carried <= rd_carried_i;
  end
  assign op_value_o = value | group_word | (op_carry_i & {32{carried}});
  wire unused = &{1'b0, rd_bundle_i};
endmodule

`default_nettype wire
