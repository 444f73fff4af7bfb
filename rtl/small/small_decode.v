// SPDX-License-Identifier: Apache-2.0
// Which instruction of RV32I a word is, whether it is legal, its immediate, and for a CSR where in page zero that lies.
// Combinational. custom-0 is not here: small_core.v carries it out, or leaves it to the firmware.
`default_nettype none

module small_decode #(
    parameter ADDRESS_BITS = 14  // of the memory
) (
    input wire [31:0] instruction_i,
    input wire [ 2:0] lane_i,
    input wire [ 5:0] own_context_i,  // number of the work-item in the device

    output wire is_load_o,
    output wire is_fence_o,
    output wire is_immediate_o,  // addi and its like
    output wire is_store_o,
    output wire is_register_o,   // add and its like
    output wire is_lui_o,
    output wire is_auipc_o,
    output wire is_branch_o,
    output wire is_jalr_o,
    output wire is_jal_o,
    output wire is_system_o,
    output wire is_shift_o,

    output wire                    legal_o,
    output reg  [            31:0] immediate_o,
    output reg  [ADDRESS_BITS-3:0] csr_address_o  // word
);
  `include "rtl/small/page_zero.vh"
  wire [2:0] funct3 = instruction_i[14:12];
  wire [6:0] funct7 = instruction_i[31:25];
  wire [4:0] rs1 = instruction_i[19:15];
  wire [4:0] opcode = instruction_i[6:2];
  assign is_load_o = opcode == 5'b00000, is_fence_o = opcode == 5'b00011, is_immediate_o = opcode == 5'b00100;
  assign is_store_o = opcode == 5'b01000, is_register_o = opcode == 5'b01100, is_lui_o = opcode == 5'b01101;
  assign is_auipc_o = opcode == 5'b00101, is_branch_o = opcode == 5'b11000;
  assign is_jalr_o = opcode == 5'b11001, is_jal_o = opcode == 5'b11011, is_system_o = opcode == 5'b11100;
  assign is_shift_o = (is_immediate_o || is_register_o) && funct3[1:0] == 2'b01;
  always @* begin
    immediate_o = {{20{instruction_i[31]}}, instruction_i[31:20]};
    if (is_store_o) immediate_o[4:0] = instruction_i[11:7];
    if (is_branch_o)
      immediate_o = {{20{instruction_i[31]}}, instruction_i[7], instruction_i[30:25], instruction_i[11:8], 1'b0};
    if (is_jal_o)
      immediate_o = {{12{instruction_i[31]}}, instruction_i[19:12], instruction_i[20], instruction_i[30:21], 1'b0};
    if (is_lui_o || is_auipc_o) immediate_o = {instruction_i[31:12], 12'd0};
    if (is_system_o) immediate_o = 32'd0;
  end
  // CSRs lie in memory: those of a work-item, of which there are eight words for each, and those of the work-group.
  reg csr_known;
  localparam [ADDRESS_BITS-3:0] OWN_WORDS = 8, LANE_NUMBERS = 16;
  wire [ADDRESS_BITS-3:0] own = OWN | ({{ADDRESS_BITS - 8{1'b0}}, own_context_i} * OWN_WORDS);
  wire [ADDRESS_BITS-3:0] common = COMMON | {{ADDRESS_BITS - 6{1'b0}}, instruction_i[23:20]};
  always @* begin
    csr_known = instruction_i[31:25] == 7'b1100110 &&
                (instruction_i[24] ? instruction_i[23:20] < 4'd3 : instruction_i[23:20] != 4'd15);
    csr_address_o = common;
    case (instruction_i[24:20])
      5'h00, 5'h01, 5'h02: csr_address_o = own | {{ADDRESS_BITS - 4{1'b0}}, instruction_i[21:20]};
      5'h09: csr_address_o = own | 6;
      5'h0A: csr_address_o = COMMON | LANE_NUMBERS | {{ADDRESS_BITS - 5{1'b0}}, lane_i};
      5'h0B: csr_address_o = own | 7;
      5'h10: csr_address_o = own | 3;
      5'h11: csr_address_o = own | 4;
      5'h12: csr_address_o = own | 5;
      default: ;
    endcase
    if (instruction_i[31:28] == 4'hC && instruction_i[26:20] == 7'd0) begin
      csr_known = 1'b1;
      csr_address_o = CLOCK | {{ADDRESS_BITS - 3{1'b0}}, instruction_i[27]};
    end
  end
  wire plain = funct7 == 7'd0, other = funct7 == 7'b0100000;
  wire shift_known = funct3 == 3'd1 ? plain : plain || other;
  assign legal_o = instruction_i[1:0] == 2'b11 && (
      is_lui_o || is_auipc_o || is_jal_o || (is_jalr_o && funct3 == 3'd0) || (is_fence_o && funct3 == 3'd0) ||
      (is_branch_o && funct3[2:1] != 2'b01) ||
      (is_load_o && funct3 != 3'd3 && funct3[2:1] != 2'b11) || (is_store_o && funct3 < 3'd3) ||
      (is_immediate_o && (!is_shift_o || shift_known)) ||
      (is_register_o && (plain || (other && (funct3 == 3'd0 || funct3 == 3'd5)))) ||
      (is_system_o && funct3[1] && rs1 == 5'd0 && csr_known));
  wire unused = &{1'b0, instruction_i};
endmodule

`default_nettype wire
