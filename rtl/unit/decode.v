// SPDX-License-Identifier: Apache-2.0
// Turns an instruction into the control of its stages: RV32IM, Zicsr reads, custom-0 (rtl/DEVICE.md). Combinational.
// What is not listed there raises illegal_o; the other outputs then mean nothing.
`default_nettype none

module decode #(
    parameter MULTIPLY = 1,  // 1: the M extension's multiplications are there
    parameter DIVIDE   = 1   // 1: its divisions are there
) (
    input wire [31:0] instruction_i,

    output reg        illegal_o,
    output reg [31:0] immediate_o,

    // operands
    output reg       rs1_used_o,     // else the first operand is zero or special
    output reg       uniform_o,      // second operand is immediate, PC-relative or CSR value
    output reg       pc_relative_o,  // that value is PC + immediate
    output reg       csr_o,          // that value is a CSR
    output reg [2:0] csr_kind_o,     // CSR_*
    output reg [3:0] csr_index_o,    // word of the work-group's identity
    output reg [2:0] local_id_o,     // first operand is local id x, y, z (one-hot)
    output reg       lane_id_o,      // first operand is the lane's number

    // execution
    output reg       subtract_o,
    output reg       right_o,
    output reg       arithmetic_o,
    output reg       unsigned_o,
    output reg       multiply_high_o,
    output reg       multiplicand_signed_o,
    output reg       multiplier_signed_o,
    output reg [2:0] result_o,               // lane.v RESULT_*
    output reg       writes_o,               // result goes to rd at write-back
    output reg       branch_o,
    output reg       jump_o,
    output reg       jump_register_o,
    output reg       load_o,
    output reg       store_o,
    output reg       divide_o,

    // custom-0
    output reg exit_o,
    output reg collective_o,
    output reg work_group_o,         // scope
    output reg collective_add_o,     // the operation of the tree
    output reg collective_max_o,
    output reg collective_signed_o,
    output reg predicate_o,          // operand is rs1 != 0 (all, any)
    output reg broadcast_o,          // operand is rs1 of the lane that rs2 names
    output reg exclusive_o,
    output reg inclusive_o           // else, and not exclusive: the last lane's value
);
  localparam [2:0] RESULT_SUM = 3'd0, RESULT_LOGIC = 3'd1, RESULT_LESS = 3'd2, RESULT_SHIFT = 3'd3,
                   RESULT_PRODUCT = 3'd4, RESULT_LINK = 3'd5;
  localparam [2:0] CSR_ZERO = 3'd0, CSR_IDENTITY = 3'd1, CSR_SUB_GROUP_ID = 3'd2, CSR_SUB_GROUP_SIZE = 3'd3,
                   CSR_PACKET = 3'd4, CSR_STACK_TOP = 3'd5, CSR_CYCLE = 3'd6, CSR_CYCLE_HIGH = 3'd7;

  wire [31:0] i = instruction_i;
  wire [2:0] funct3 = i[14:12];
  wire [6:0] funct7 = i[31:25];
  wire [11:0] csr = i[31:20];
  wire rs1_is_x0 = i[19:15] == 5'd0;
  wire rs2_is_x0 = i[24:20] == 5'd0;
  wire rd_is_x0 = i[11:7] == 5'd0;

  // custom-0: funct7 = {type, mode, op}
  wire [1:0] coll_type = funct7[6:5];
  wire [2:0] coll_mode = funct7[4:2];
  wire [1:0] coll_op = funct7[1:0];
  localparam [2:0] MODE_EXCLUSIVE = 3'd2, MODE_INCLUSIVE = 3'd1, MODE_BROADCAST = 3'd3, MODE_ALL = 3'd4,
                   MODE_ANY = 3'd5, MODE_BARRIER = 3'd6;
  wire coll_has_op = coll_mode <= MODE_EXCLUSIVE;
  wire coll_legal = coll_has_op ? coll_type <= 2'd1 && coll_op <= 2'd2 :
                    coll_mode <= MODE_BARRIER && coll_type == 2'd0 && coll_op == 2'd0 &&
                    (coll_mode != MODE_BARRIER || (rs1_is_x0 && rs2_is_x0 && rd_is_x0));

  always @* begin
    illegal_o = 1'b0;
    immediate_o = {{20{i[31]}}, i[31:20]};
    rs1_used_o = !rs1_is_x0;
    uniform_o = 1'b1;
    pc_relative_o = 1'b0;
    csr_o = 1'b0;
    csr_kind_o = CSR_ZERO;
    csr_index_o = csr[3:0];
    local_id_o = 3'b000;
    lane_id_o = 1'b0;
    subtract_o = 1'b0;
    right_o = funct3[2];
    arithmetic_o = i[30];
    unsigned_o = funct3[0];
    multiply_high_o = funct3[1:0] != 2'd0;
    multiplicand_signed_o = funct3[1:0] != 2'd3;
    multiplier_signed_o = !funct3[1];
    result_o = RESULT_SUM;
    writes_o = !rd_is_x0;
    branch_o = 1'b0;
    jump_o = 1'b0;
    jump_register_o = 1'b0;
    load_o = 1'b0;
    store_o = 1'b0;
    divide_o = 1'b0;
    exit_o = 1'b0;
    collective_o = 1'b0;
    work_group_o = funct3[0];
    collective_add_o = coll_has_op ? coll_op == 2'd0 : coll_mode == MODE_BROADCAST;
    collective_max_o = coll_has_op ? coll_op == 2'd2 : coll_mode == MODE_ANY;
    collective_signed_o = coll_has_op && coll_type == 2'd0;
    predicate_o = coll_mode == MODE_ALL || coll_mode == MODE_ANY;
    broadcast_o = coll_mode == MODE_BROADCAST;
    exclusive_o = coll_mode == MODE_EXCLUSIVE;
    inclusive_o = coll_mode == MODE_INCLUSIVE;

    case (i[6:0])
      7'b0110111, 7'b0010111: begin  // lui, auipc
        rs1_used_o = 1'b0;
        immediate_o = {i[31:12], 12'd0};
        pc_relative_o = !i[5];
      end
      7'b1101111: begin  // jal
        rs1_used_o = 1'b0;
        immediate_o = {{12{i[31]}}, i[19:12], i[20], i[30:21], 1'b0};
        jump_o = 1'b1;
        result_o = RESULT_LINK;
      end
      7'b1100111: begin  // jalr
        jump_o = 1'b1;
        jump_register_o = 1'b1;
        result_o = RESULT_LINK;
        illegal_o = funct3 != 3'd0;
      end
      7'b1100011: begin  // branches
        immediate_o = {{20{i[31]}}, i[7], i[30:25], i[11:8], 1'b0};
        uniform_o = 1'b0;
        subtract_o = 1'b1;
        unsigned_o = funct3[1];
        writes_o = 1'b0;
        branch_o = 1'b1;
        illegal_o = funct3[2:1] == 2'd1;
      end
      7'b0000011: begin  // loads
        load_o = 1'b1;
        writes_o = 1'b0;
        illegal_o = funct3 == 3'd3 || funct3[2:1] == 2'd3;
      end
      7'b0100011: begin  // stores
        immediate_o = {{20{i[31]}}, i[31:25], i[11:7]};
        store_o = 1'b1;
        writes_o = 1'b0;
        illegal_o = funct3 > 3'd2;
      end
      7'b0010011, 7'b0110011: begin  // register-immediate, register-register
        uniform_o  = !i[5];
        subtract_o = (i[5] && i[30]) || funct3[2:1] == 2'd1;
        case (funct3)
          3'd0: result_o = RESULT_SUM;
          3'd1, 3'd5: result_o = RESULT_SHIFT;
          3'd2, 3'd3: result_o = RESULT_LESS;
          default: result_o = RESULT_LOGIC;
        endcase
        if (i[5] ? funct7 != 7'd0 : funct3[1:0] == 2'd1 && funct7 != 7'd0)
          illegal_o = !(funct7 == 7'b0100000 && (funct3 == 3'd5 || (i[5] && funct3 == 3'd0)));
        if (i[5] && funct7 == 7'd1) begin  // the M extension
          subtract_o = 1'b0;
          result_o   = RESULT_PRODUCT;
          divide_o   = funct3[2];
          writes_o   = !rd_is_x0 && !funct3[2];
          illegal_o  = funct3[2] ? DIVIDE == 0 : MULTIPLY == 0;
        end
      end
      7'b0001111: begin  // fence
        writes_o  = 1'b0;
        illegal_o = funct3 != 3'd0;
      end
      7'b1110011: begin  // CSR reads
        csr_o = 1'b1;
        case (csr)
          12'hCC0: local_id_o = 3'b001;
          12'hCC1: local_id_o = 3'b010;
          12'hCC2: local_id_o = 3'b100;
          12'hCC3, 12'hCC4, 12'hCC5, 12'hCC6, 12'hCC7, 12'hCC8, 12'hCCC: csr_kind_o = CSR_IDENTITY;
          12'hCC9: csr_kind_o = CSR_SUB_GROUP_ID;
          12'hCCA: lane_id_o = 1'b1;
          12'hCCB: csr_kind_o = CSR_SUB_GROUP_SIZE;
          12'hCCD: csr_kind_o = CSR_PACKET;
          12'hCCE: csr_kind_o = CSR_STACK_TOP;
          12'hCD0: {local_id_o, csr_kind_o} = {3'b001, CSR_IDENTITY};
          12'hCD1: {local_id_o, csr_kind_o} = {3'b010, CSR_IDENTITY};
          12'hCD2: {local_id_o, csr_kind_o} = {3'b100, CSR_IDENTITY};
          12'hC00: csr_kind_o = CSR_CYCLE;
          12'hC80: csr_kind_o = CSR_CYCLE_HIGH;
          default: illegal_o = 1'b1;
        endcase
        // csrrs and csrrc write unless their source is x0 or 0; csrrw always does.
        if (!funct3[1] || !rs1_is_x0) illegal_o = 1'b1;
      end
      7'b0001011: begin  // custom-0
        uniform_o = 1'b0;
        writes_o  = 1'b0;
        if (funct3 == 3'd3) begin
          exit_o = 1'b1;
          illegal_o = funct7 != 7'd0;
        end else begin
          collective_o = 1'b1;
          writes_o = !rd_is_x0 && coll_mode != MODE_BARRIER;
          illegal_o = funct3 > 3'd1 || !coll_legal;
        end
      end
      default: illegal_o = 1'b1;
    endcase
  end
endmodule

`default_nettype wire
