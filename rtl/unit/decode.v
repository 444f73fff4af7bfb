// SPDX-License-Identifier: Apache-2.0
// Turns an instruction into the control of its stages: RV32IMA, Zicsr reads, Zfinx, Zba, Zbb, custom-0 (contract/DEVICE.md).
// Combinational.
// What is not listed there raises illegal_o; the other outputs then mean nothing.
`default_nettype none

module decode #(
    parameter MUL = 1,  // 1: the M extension's multiplications are there
    parameter DIV = 1,  // 1: its divisions are there
    parameter FPU = 1,  // 1: Zfinx is there
    parameter BITMANIP = 1,  // 1: Zba and Zbb are there
    parameter ATOMIC = 1,  // 1: the A extension is there
    parameter OPERATION_BITS = 29
) (
    input wire [31:0] instruction_i,

    output reg         illegal_o,
    output wire [31:0] immediate_o,

    // operands
    output reg        rs1_used_o,     // a register is read; else the first operand is zero or special
    output reg        rs2_used_o,     // a register is read for it
    output reg        rs3_used_o,
    output wire [4:0] third_o,        // the register of the third operand, which is also what a store stores
    output reg        uniform_o,      // second operand is immediate, PC-relative or CSR value
    output reg        pc_relative_o,  // that value is PC + immediate
    output reg        csr_o,          // that value is a CSR
    output reg  [2:0] csr_kind_o,     // CSR_*
    output reg  [3:0] csr_index_o,    // word of the work-group's identity
    output reg  [2:0] local_id_o,     // first operand is local id x, y, z (one-hot)
    output reg        lane_id_o,      // first operand is the lane's number

    // execution
    output reg                      subtract_o,
    output reg                      right_o,
    output reg                      arithmetic_o,
    output reg                      unsigned_o,
    output reg                      multiply_high_o,
    output reg                      multiplicand_signed_o,
    output reg                      multiplier_signed_o,
    output reg [               2:0] result_o,               // lane.v RESULT_*
    output reg                      writes_o,               // result goes to rd at write-back
    output reg                      branch_o,
    output reg                      jump_o,
    output reg                      jump_register_o,
    output reg                      load_o,
    output reg                      store_o,
    output reg                      divide_o,
    output reg                      atomic_o,               // lr, sc or amo, as funct5 says
    output reg [OPERATION_BITS-1:0] operation_o,            // what else the lane has to know (O_* in lane.v)

    // custom-0
    output reg exit_o,
    output reg collective_o,  // the tree has the result
    output reg converges_o,  // issues when all live lanes are there, else parks those that are
    output reg work_group_o,  // scope
    output reg collective_add_o,  // the operation of the tree
    output reg collective_max_o,
    output reg collective_signed_o,
    output reg collective_float_o,  // minimum or maximum of floats
    output reg sum_o,  // sum of floats across lanes: passes through the lanes' adders; third operand is rd
    output reg first_word_o,  // of a 64-bit collective: the word that decides about carry or order
    output reg second_word_o,
    output reg predicate_o,  // operand is rs1 != 0 (all, any)
    output reg ballot_o,  // operand is that at the bit of the lane's number
    output reg broadcast_o,  // operand is rs1 of the lane that rs2 names
    output reg exclusive_o,
    output reg inclusive_o,  // else, and not exclusive: the last lane's value
    output reg shuffle_o  // rs1 of the lane that rs2 names, in each lane; not through the tree
);
  localparam [2:0] RESULT_SUM = 3'd0, RESULT_LOGIC = 3'd1, RESULT_SMALL = 3'd2, RESULT_SHIFT = 3'd3,
                   RESULT_PRODUCT = 3'd4, RESULT_LINK = 3'd5, RESULT_FLOAT = 3'd6;
  localparam [1:0] LOGIC_XOR = 2'd0, LOGIC_FIRST = 2'd1, LOGIC_OR = 2'd2, LOGIC_AND = 2'd3;
  localparam [2:0] PICK_FIRST = 3'd0, PICK_MINIMUM = 3'd1, PICK_FLOAT_MINIMUM = 3'd2, PICK_SIGN = 3'd3,
                   PICK_EXTEND = 3'd4, PICK_BYTES = 3'd5;
  localparam [2:0] SMALL_LESS = 3'd0, SMALL_FLOAT_EQUAL = 3'd1, SMALL_FLOAT_LESS = 3'd2, SMALL_FLOAT_LESS_EQUAL = 3'd3,
                   SMALL_CLASS = 3'd4, SMALL_ZEROS = 3'd5, SMALL_ONES = 3'd6;
  localparam [2:0] CSR_ZERO = 3'd0, CSR_IDENTITY = 3'd1, CSR_SUB_GROUP_ID = 3'd2, CSR_SUB_GROUP_SIZE = 3'd3,
                   CSR_PACKET = 3'd4, CSR_STACK_TOP = 3'd5, CSR_CYCLE = 3'd6, CSR_CYCLE_HIGH = 3'd7;

  wire [31:0] i = instruction_i;
  wire [2:0] funct3 = i[14:12];
  wire [6:0] funct7 = i[31:25];
  wire [11:0] csr = i[31:20];
  wire rs1_is_x0 = i[19:15] == 5'd0;
  wire rs2_is_x0 = i[24:20] == 5'd0;
  wire rd_is_x0 = i[11:7] == 5'd0;

  // Zba and Zbb: those among the register-immediate and register-register instructions.
  wire register = i[5];
  wire bit_logic = register && funct7 == 7'b0100000 && (funct3 == 3'd4 || funct3[2:1] == 2'd3);  // xnor orn andn
  wire bit_rotate = funct7 == 7'b0110000 && (funct3 == 3'd5 || (register && funct3 == 3'd1));
  wire bit_count = !register && funct7 == 7'b0110000 && funct3 == 3'd1 && i[24:20] <= 5'd2;  // clz ctz cpop
  wire bit_extend = !register && funct7 == 7'b0110000 && funct3 == 3'd1 && i[24:21] == 4'b0010;  // sext.b sext.h
  wire bit_zero_extend = register && funct7 == 7'b0000100 && funct3 == 3'd4 && rs2_is_x0;
  wire bit_minimum = register && funct7 == 7'b0000101 && funct3[2];
  wire bit_or_bytes = !register && csr == 12'h287 && funct3 == 3'd5;
  wire bit_reverse_bytes = !register && csr == 12'h698 && funct3 == 3'd5;
  wire bit_shift_add = register && funct7 == 7'b0010000 && !funct3[0] && funct3 != 3'd0;

  // Zfinx. Without an frm, the dynamic rounding mode is to nearest, ties to even.
  wire [4:0] float_operation = i[31:27];
  wire float_single = i[26:25] == 2'd0;
  wire float_rounding_legal = funct3 <= 3'd4 || funct3 == 3'd7;
  wire [2:0] float_rounding = funct3[2] && funct3[1:0] != 2'd0 ? 3'd0 : funct3;

  // Fields of operation_o.
  reg invert, third_zero, rotate, reverse_bytes, float, floats, float_multiply, float_from, float_to, float_signed;
  reg negate_product, negate_addend, float_divide, float_root;
  reg [1:0] logic_of, variant, shift_add;
  reg [2:0] pick, small_of;

  // custom-0: funct7 = {type, mode, op}
  wire [1:0] coll_type = funct7[6:5];
  wire [2:0] coll_mode = funct7[4:2];
  wire [1:0] coll_op = funct7[1:0];
  localparam [2:0] MODE_EXCLUSIVE = 3'd2, MODE_INCLUSIVE = 3'd1, MODE_BROADCAST = 3'd3, MODE_ALL = 3'd4,
                   MODE_ANY = 3'd5, MODE_BARRIER = 3'd6, MODE_SHUFFLE = 3'd6, MODE_BALLOT = 3'd7;
  wire coll_has_op = coll_mode <= MODE_EXCLUSIVE;
  wire coll_operation_legal = coll_op != 2'd3 &&
                              (coll_type <= 2'd1 || (FPU != 0 && coll_type == 2'd2 && coll_op != 2'd0));
  wire coll_sum = FPU != 0 && coll_has_op && coll_type == 2'd2 && coll_op == 2'd0 && funct3 == 3'd0;
  wire coll_wide = funct3[2];  // a word of 64 bits; the upper bit of type says which
  wire coll_wide_legal = coll_has_op && coll_op != 2'd3;
  wire coll_legal = coll_has_op ? coll_operation_legal || coll_sum :
                    coll_mode <= MODE_BARRIER && coll_type == 2'd0 && coll_op == 2'd0 &&
                    (coll_mode != MODE_BARRIER || (rs1_is_x0 && rs2_is_x0 && rd_is_x0));
  wire coll_active_legal = coll_has_op ? coll_operation_legal :
                           coll_mode != MODE_BROADCAST && coll_type == 2'd0 && coll_op == 2'd0;

  // The immediate, by format; some instructions have a constant for one.
  wire format_u = !i[6] && i[4:2] == 3'b101;  // lui, auipc
  wire format_j = i[6:2] == 5'b11011;  // jal
  wire format_b = i[6:2] == 5'b11000;  // branches
  wire format_s = i[6:2] == 5'b01000;  // stores
  wire float_others = i[6:2] == 5'b10100;
  wire zero_extend = BITMANIP != 0 && i[6:2] == 5'b01100 && bit_zero_extend;
  wire custom = i[6:2] == 5'b00010;
  wire constant = i[6:2] == 5'b01011 || float_others || zero_extend || custom;  // of the first: 0
  wire one_float = (float_others && i[31:28] == 4'b0000) || custom;  // fadd fsub, sums across lanes
  wire one_integer = float_others && i[31] && i[28];  // fcvt.s
  wire format_i = !format_u && !format_j && !format_b && !format_s && !constant;
  wire sign = !constant && i[31];
  wire [30:20] upper = (i[30:20] & {11{format_u}}) | ({11{sign && !format_u}}) | {1'b0, {7{one_float}}, 3'd0};
  wire [19:12] middle = (i[19:12] & {8{format_u || format_j}}) | {8{sign && !format_u && !format_j}} |
                        {{4{1'b0}}, {4{zero_extend}}};
  wire [11:0] lower = ({i[20], i[30:21], 1'b0} & {12{format_j}}) | ({i[7], i[30:25], i[11:8], 1'b0} & {12{format_b}}) |
                      ({i[31:25], i[11:7]} & {12{format_s}}) | (i[31:20] & {12{format_i}}) | {12{zero_extend}} |
                      {11'd0, one_integer};
  assign immediate_o = {sign, upper, middle, lower};

  // The third operand's register: it goes to all lanes, so no more is looked at than tells apart the instructions that have one.
  // rs3 of fmadd and its like; rs1 of fcvt.w; rd of a sum of floats across lanes; else rs2.
  wire third_is_rs3 = i[6:4] == 3'b100, third_is_rs1 = i[6:4] == 3'b101 && i[31], third_is_rd = i[6:2] == 5'b00010;
  assign third_o = FPU == 0 ? i[24:20] : third_is_rs3 ? i[31:27] : third_is_rs1 ? i[19:15] :
                   third_is_rd ? i[11:7] : i[24:20];

  always @* begin
    illegal_o = 1'b0;
    rs1_used_o = !rs1_is_x0;
    rs2_used_o = 1'b0;
    rs3_used_o = 1'b0;
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
    atomic_o = 1'b0;
    invert = 1'b0;
    third_zero = rs2_is_x0;
    {rotate, reverse_bytes} = 2'b00;
    {float, floats, float_multiply, float_from, float_to, float_divide, float_root} = 7'd0;
    float_signed = !i[20];
    {negate_product, negate_addend} = 2'b00;
    logic_of = funct3[1:0];
    variant = 2'b00;
    shift_add = 2'd0;
    pick = PICK_FIRST;
    small_of = SMALL_LESS;
    exit_o = 1'b0;
    collective_o = 1'b0;
    converges_o = 1'b0;
    shuffle_o = 1'b0;
    work_group_o = funct3[0];
    collective_add_o = coll_has_op ? coll_op == 2'd0 : coll_mode == MODE_BROADCAST || coll_mode == MODE_BALLOT;
    collective_max_o = coll_has_op ? coll_op == 2'd2 : coll_mode == MODE_ANY;
    collective_signed_o = coll_has_op && (coll_wide ? coll_type == 2'd0 && coll_op != 2'd0 : coll_type != 2'd1);
    collective_float_o = coll_has_op && !coll_wide && coll_type == 2'd2 && coll_op != 2'd0;
    {sum_o, first_word_o, second_word_o} = 3'b000;
    predicate_o = coll_mode == MODE_ALL || coll_mode == MODE_ANY;
    ballot_o = coll_mode == MODE_BALLOT;
    broadcast_o = coll_mode == MODE_BROADCAST;
    exclusive_o = coll_mode == MODE_EXCLUSIVE;
    inclusive_o = coll_mode == MODE_INCLUSIVE;

    case (i[6:0])
      7'b0110111, 7'b0010111: begin  // lui, auipc
        rs1_used_o = 1'b0;
        pc_relative_o = !i[5];
      end
      7'b1101111: begin  // jal
        rs1_used_o = 1'b0;
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
        uniform_o  = 1'b0;
        rs2_used_o = !rs2_is_x0;
        subtract_o = 1'b1;
        unsigned_o = funct3[1];
        writes_o   = 1'b0;
        branch_o   = 1'b1;
        illegal_o  = funct3[2:1] == 2'd1;
      end
      7'b0000011: begin  // loads
        load_o = 1'b1;
        writes_o = 1'b0;
        illegal_o = funct3 == 3'd3 || funct3[2:1] == 2'd3;
      end
      7'b0100011: begin  // stores
        store_o = 1'b1;
        rs2_used_o = !rs2_is_x0;
        writes_o = 1'b0;
        illegal_o = funct3 > 3'd2;
      end
      7'b0101111: begin  // lr, sc, amo: the address is rs1 alone
        atomic_o   = 1'b1;
        rs2_used_o = !rs2_is_x0;
        writes_o   = 1'b0;
        case (i[31:27])
          5'b00010: illegal_o = !rs2_is_x0;
          5'b00011, 5'b00001, 5'b00000, 5'b00100, 5'b01100, 5'b01000, 5'b10000, 5'b10100, 5'b11000, 5'b11100: ;
          default: illegal_o = 1'b1;
        endcase
        if (ATOMIC == 0 || funct3 != 3'd2) illegal_o = 1'b1;
      end
      7'b0010011, 7'b0110011: begin  // register-immediate, register-register
        uniform_o  = !i[5];
        rs2_used_o = i[5] && !rs2_is_x0;
        subtract_o = (i[5] && i[30]) || funct3[2:1] == 2'd1;
        case (funct3)
          3'd0: result_o = RESULT_SUM;
          3'd1, 3'd5: result_o = RESULT_SHIFT;
          3'd2, 3'd3: result_o = RESULT_SMALL;
          default: result_o = RESULT_LOGIC;
        endcase
        if (i[5] ? funct7 != 7'd0 : funct3[1:0] == 2'd1 && funct7 != 7'd0)
          illegal_o = !(funct7 == 7'b0100000 && (funct3 == 3'd5 || (i[5] && funct3 == 3'd0)));
        if (i[5] && funct7 == 7'd1) begin  // the M extension
          subtract_o = 1'b0;
          result_o   = RESULT_PRODUCT;
          divide_o   = funct3[2];
          writes_o   = !rd_is_x0 && !funct3[2];
          illegal_o  = funct3[2] ? DIV == 0 : MUL == 0;
        end
        if (BITMANIP != 0) begin
          if (bit_logic || bit_rotate || bit_count || bit_extend || bit_zero_extend || bit_minimum || bit_or_bytes ||
              bit_reverse_bytes || bit_shift_add)
            illegal_o = 1'b0;
          if (bit_logic) invert = 1'b1;
          if (bit_rotate) rotate = 1'b1;
          if (bit_count) begin
            result_o = RESULT_SMALL;
            right_o  = i[20];
            small_of = i[21] ? SMALL_ONES : SMALL_ZEROS;
          end
          if (bit_extend || bit_or_bytes) begin
            result_o = RESULT_LOGIC;
            logic_of = LOGIC_FIRST;
            pick = bit_extend ? PICK_EXTEND : PICK_BYTES;
            variant = {1'b0, i[20]};
          end
          if (bit_zero_extend) begin  // and with 0xFFFF
            uniform_o = 1'b1;
            logic_of  = LOGIC_AND;
          end
          if (bit_minimum) begin
            result_o = RESULT_LOGIC;
            subtract_o = 1'b1;
            logic_of = LOGIC_FIRST;
            pick = PICK_MINIMUM;
            variant = {1'b0, funct3[1]};
          end
          if (bit_reverse_bytes) {rotate, reverse_bytes} = 2'b11;
          if (bit_shift_add) begin
            result_o   = RESULT_SUM;
            subtract_o = 1'b0;
            shift_add  = funct3[2:1];
          end
        end
      end
      7'b1000011, 7'b1000111, 7'b1001011, 7'b1001111: begin  // fmadd fmsub fnmsub fnmadd
        uniform_o = 1'b0;
        rs2_used_o = !rs2_is_x0;
        rs3_used_o = i[31:27] != 5'd0;
        third_zero = i[31:27] == 5'd0;
        result_o = RESULT_FLOAT;
        {float, floats} = 2'b11;
        negate_product = i[3];
        negate_addend = i[2];
        illegal_o = FPU == 0 || !float_single || !float_rounding_legal;
      end
      7'b1010011: begin  // other floating point
        illegal_o  = FPU == 0 || !float_single;
        uniform_o  = 1'b0;
        rs2_used_o = !rs2_is_x0;
        result_o   = RESULT_FLOAT;
        case (float_operation)
          5'b00000, 5'b00001: begin  // fadd fsub: rs1 * 1 + rs2
            uniform_o = 1'b1;
            {float, floats} = 2'b11;
            negate_addend = i[27];
            if (!float_rounding_legal) illegal_o = 1'b1;
          end
          5'b00010: begin  // fmul
            third_zero = 1'b1;
            {float, floats, float_multiply} = 3'b111;
            if (!float_rounding_legal) illegal_o = 1'b1;
          end
          5'b00011, 5'b01011: begin  // fdiv fsqrt: first to the divider, which gives them back as rs1 to be rounded
            {float, floats, float_divide} = 3'b111;
            float_root = i[30];
            if (!float_rounding_legal || (i[30] && !rs2_is_x0)) illegal_o = 1'b1;
          end
          5'b00100: begin  // fsgnj fsgnjn fsgnjx
            result_o = RESULT_LOGIC;
            logic_of = LOGIC_FIRST;
            pick = PICK_SIGN;
            variant = funct3[1:0];
            if (funct3 > 3'd2) illegal_o = 1'b1;
          end
          5'b00101: begin  // fmin fmax
            result_o = RESULT_LOGIC;
            logic_of = LOGIC_FIRST;
            pick = PICK_FLOAT_MINIMUM;
            variant = {1'b0, funct3[0]};
            {subtract_o, unsigned_o} = 2'b10;
            if (funct3 > 3'd1) illegal_o = 1'b1;
          end
          5'b10100: begin  // fle flt feq
            result_o = RESULT_SMALL;
            small_of = funct3[1] ? SMALL_FLOAT_EQUAL : funct3[0] ? SMALL_FLOAT_LESS : SMALL_FLOAT_LESS_EQUAL;
            {subtract_o, unsigned_o} = 2'b10;
            if (funct3 > 3'd2) illegal_o = 1'b1;
          end
          5'b11100: begin  // fclass
            result_o   = RESULT_SMALL;
            small_of   = SMALL_CLASS;
            rs2_used_o = 1'b0;
            if (funct3 != 3'd1 || !rs2_is_x0) illegal_o = 1'b1;
          end
          5'b11000: begin  // fcvt.w fcvt.wu: the operand is the addend
            uniform_o = 1'b1;
            rs1_used_o = 1'b0;
            rs2_used_o = 1'b0;
            rs3_used_o = !rs1_is_x0;
            third_zero = rs1_is_x0;
            {float, float_to} = 2'b11;
            if (!float_rounding_legal || i[24:21] != 4'd0) illegal_o = 1'b1;
          end
          5'b11010: begin  // fcvt.s: rs1 * 1
            uniform_o = 1'b1;
            rs2_used_o = 1'b0;
            third_zero = 1'b1;
            {float, float_from} = 2'b11;
            if (!float_rounding_legal || i[24:21] != 4'd0) illegal_o = 1'b1;
          end
          default: illegal_o = 1'b1;
        endcase
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
        writes_o = 1'b0;
        {first_word_o, second_word_o} = {coll_wide && !coll_type[1], coll_wide && coll_type[1]};
        if (funct3 == 3'd3) begin
          exit_o = 1'b1;
          illegal_o = funct7 != 7'd0;
        end else if (funct3[1:0] == 2'd2) begin  // among the lanes that execute it
          collective_o = coll_mode != MODE_SHUFFLE || coll_wide;
          shuffle_o = coll_mode == MODE_SHUFFLE && !coll_wide;
          rs2_used_o = !rs2_is_x0 && coll_mode == MODE_SHUFFLE;
          result_o = RESULT_FLOAT;  // none of the lane's own
          writes_o = !rd_is_x0;
          illegal_o = coll_wide ? !coll_wide_legal : !coll_active_legal;
        end else begin
          collective_o = 1'b1;
          converges_o = 1'b1;
          rs2_used_o = !rs2_is_x0 && coll_mode == MODE_BROADCAST;
          writes_o = !rd_is_x0 && coll_mode != MODE_BARRIER;
          illegal_o = coll_wide ? funct3[0] || !coll_wide_legal : !coll_legal;
          if (coll_sum) begin  // rs1 - 0 first, then rd + what another lane had
            sum_o = !rd_is_x0;
            uniform_o = 1'b1;
            {float, floats, third_zero, negate_addend} = 4'b1111;
            result_o = RESULT_FLOAT;
          end
        end
      end
      default: illegal_o = 1'b1;
    endcase
    operation_o = {
      float_divide,
      float_root,
      float_rounding,
      negate_addend,
      negate_product,
      float_signed,
      float_to,
      float_from,
      float_multiply,
      floats,
      float,
      reverse_bytes,
      rotate,
      shift_add,
      small_of,
      variant,
      pick,
      logic_of,
      third_zero,
      invert
    };
  end
  wire unused = &{1'b0, LOGIC_XOR, LOGIC_OR};
endmodule

`default_nettype wire
