// SPDX-License-Identifier: Apache-2.0
// Turns an instruction into the control of its stages: RV32IMA, Zicsr reads, Zfinx, Zba, Zbb, custom-0 (contract/DEVICE.md).
// Combinational.
// What is not listed there raises illegal_o; the other outputs then mean nothing.
`include "rtl/shape.vh"
`default_nettype none

module decode #(
    parameter MUL = 1,  // 1: the M extension's multiplications are there
    parameter DIV = 1,  // 1: its divisions are there
    parameter FPU = 1,  // 1: Zfinx is there
    parameter BITMANIP = 1,  // 1: Zba and Zbb are there
    parameter ATOMIC = 1  // 1: the A extension is there
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
    output reg  [2:0] csr_kind_o,     // CSR_* of control.vh
    output reg  [3:0] csr_index_o,    // word of the work-group's identity

    output wire [  `HEDDLE_CONTROL_BITS-1:0] control_o,   // what the stages have to know: fields C_* of control.vh
    output wire [`HEDDLE_OPERATION_BITS-1:0] operation_o  // what else the lanes have to know: O_* of operation.vh
);
  `include "rtl/lane/operation.vh"
  `include "rtl/unit/control.vh"
  `include "rtl/group/collective.vh"

  // Fields of control_o.
  reg
      writes,
      branch,
      jump,
      jump_register,
      load,
      store,
      divide,
      atomic,
      exit,
      collective,
      converges,
      work_group,
      shuffle;
  reg subtract, right, arithmetic, is_unsigned, multiply_high, multiplicand_signed, multiplier_signed, lane_id;
  reg collective_add, collective_max, collective_signed, collective_float, sum, first_word, second_word;
  reg predicate, ballot, broadcast, exclusive, inclusive;
  reg [2:0] local_id, result;

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
    local_id = 3'b000;
    lane_id = 1'b0;
    subtract = 1'b0;
    right = funct3[2];
    arithmetic = i[30];
    is_unsigned = funct3[0];
    multiply_high = funct3[1:0] != 2'd0;
    multiplicand_signed = funct3[1:0] != 2'd3;
    multiplier_signed = !funct3[1];
    result = RESULT_SUM;
    writes = !rd_is_x0;
    branch = 1'b0;
    jump = 1'b0;
    jump_register = 1'b0;
    load = 1'b0;
    store = 1'b0;
    divide = 1'b0;
    atomic = 1'b0;
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
    exit = 1'b0;
    collective = 1'b0;
    converges = 1'b0;
    shuffle = 1'b0;
    work_group = funct3[0];
    collective_add = coll_has_op ? coll_op == 2'd0 : coll_mode == MODE_BROADCAST || coll_mode == MODE_BALLOT;
    collective_max = coll_has_op ? coll_op == 2'd2 : coll_mode == MODE_ANY;
    collective_signed = coll_has_op && (coll_wide ? coll_type == 2'd0 && coll_op != 2'd0 : coll_type != 2'd1);
    collective_float = coll_has_op && !coll_wide && coll_type == 2'd2 && coll_op != 2'd0;
    {sum, first_word, second_word} = 3'b000;
    predicate = coll_mode == MODE_ALL || coll_mode == MODE_ANY;
    ballot = coll_mode == MODE_BALLOT;
    broadcast = coll_mode == MODE_BROADCAST;
    exclusive = coll_mode == MODE_EXCLUSIVE;
    inclusive = coll_mode == MODE_INCLUSIVE;

    case (i[6:0])
      7'b0110111, 7'b0010111: begin  // lui, auipc
        rs1_used_o = 1'b0;
        pc_relative_o = !i[5];
      end
      7'b1101111: begin  // jal
        rs1_used_o = 1'b0;
        jump = 1'b1;
        result = RESULT_LINK;
      end
      7'b1100111: begin  // jalr
        jump = 1'b1;
        jump_register = 1'b1;
        result = RESULT_LINK;
        illegal_o = funct3 != 3'd0;
      end
      7'b1100011: begin  // branches
        uniform_o = 1'b0;
        rs2_used_o = !rs2_is_x0;
        subtract = 1'b1;
        is_unsigned = funct3[1];
        writes = 1'b0;
        branch = 1'b1;
        illegal_o = funct3[2:1] == 2'd1;
      end
      7'b0000011: begin  // loads
        load = 1'b1;
        writes = 1'b0;
        illegal_o = funct3 == 3'd3 || funct3[2:1] == 2'd3;
      end
      7'b0100011: begin  // stores
        store = 1'b1;
        rs2_used_o = !rs2_is_x0;
        writes = 1'b0;
        illegal_o = funct3 > 3'd2;
      end
      7'b0101111: begin  // lr, sc, amo: the address is rs1 alone
        atomic = 1'b1;
        rs2_used_o = !rs2_is_x0;
        writes = 1'b0;
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
        subtract   = (i[5] && i[30]) || funct3[2:1] == 2'd1;
        case (funct3)
          3'd0: result = RESULT_SUM;
          3'd1, 3'd5: result = RESULT_SHIFT;
          3'd2, 3'd3: result = RESULT_SMALL;
          default: result = RESULT_LOGIC;
        endcase
        if (i[5] ? funct7 != 7'd0 : funct3[1:0] == 2'd1 && funct7 != 7'd0)
          illegal_o = !(funct7 == 7'b0100000 && (funct3 == 3'd5 || (i[5] && funct3 == 3'd0)));
        if (i[5] && funct7 == 7'd1) begin  // the M extension
          subtract = 1'b0;
          result = RESULT_PRODUCT;
          divide = funct3[2];
          writes = !rd_is_x0 && !funct3[2];
          illegal_o = funct3[2] ? DIV == 0 : MUL == 0;
        end
        if (BITMANIP != 0) begin
          if (bit_logic || bit_rotate || bit_count || bit_extend || bit_zero_extend || bit_minimum || bit_or_bytes ||
              bit_reverse_bytes || bit_shift_add)
            illegal_o = 1'b0;
          if (bit_logic) invert = 1'b1;
          if (bit_rotate) rotate = 1'b1;
          if (bit_count) begin
            result = RESULT_SMALL;
            right = i[20];
            small_of = i[21] ? SMALL_ONES : SMALL_ZEROS;
          end
          if (bit_extend || bit_or_bytes) begin
            result = RESULT_LOGIC;
            logic_of = LOGIC_FIRST;
            pick = bit_extend ? PICK_EXTEND : PICK_BYTES;
            variant = {1'b0, i[20]};
          end
          if (bit_zero_extend) begin  // and with 0xFFFF
            uniform_o = 1'b1;
            logic_of  = LOGIC_AND;
          end
          if (bit_minimum) begin
            result = RESULT_LOGIC;
            subtract = 1'b1;
            logic_of = LOGIC_FIRST;
            pick = PICK_MINIMUM;
            variant = {1'b0, funct3[1]};
          end
          if (bit_reverse_bytes) {rotate, reverse_bytes} = 2'b11;
          if (bit_shift_add) begin
            result = RESULT_SUM;
            subtract = 1'b0;
            shift_add = funct3[2:1];
          end
        end
      end
      7'b1000011, 7'b1000111, 7'b1001011, 7'b1001111: begin  // fmadd fmsub fnmsub fnmadd
        uniform_o = 1'b0;
        rs2_used_o = !rs2_is_x0;
        rs3_used_o = i[31:27] != 5'd0;
        third_zero = i[31:27] == 5'd0;
        result = RESULT_FLOAT;
        {float, floats} = 2'b11;
        negate_product = i[3];
        negate_addend = i[2];
        illegal_o = FPU == 0 || !float_single || !float_rounding_legal;
      end
      7'b1010011: begin  // other floating point
        illegal_o = FPU == 0 || !float_single;
        uniform_o = 1'b0;
        rs2_used_o = !rs2_is_x0;
        result = RESULT_FLOAT;
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
            result = RESULT_LOGIC;
            logic_of = LOGIC_FIRST;
            pick = PICK_SIGN;
            variant = funct3[1:0];
            if (funct3 > 3'd2) illegal_o = 1'b1;
          end
          5'b00101: begin  // fmin fmax
            result = RESULT_LOGIC;
            logic_of = LOGIC_FIRST;
            pick = PICK_FLOAT_MINIMUM;
            variant = {1'b0, funct3[0]};
            {subtract, is_unsigned} = 2'b10;
            if (funct3 > 3'd1) illegal_o = 1'b1;
          end
          5'b10100: begin  // fle flt feq
            result = RESULT_SMALL;
            small_of = funct3[1] ? SMALL_FLOAT_EQUAL : funct3[0] ? SMALL_FLOAT_LESS : SMALL_FLOAT_LESS_EQUAL;
            {subtract, is_unsigned} = 2'b10;
            if (funct3 > 3'd2) illegal_o = 1'b1;
          end
          5'b11100: begin  // fclass
            result = RESULT_SMALL;
            small_of = SMALL_CLASS;
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
        writes = 1'b0;
        illegal_o = funct3 != 3'd0;
      end
      7'b1110011: begin  // CSR reads
        csr_o = 1'b1;
        case (csr)
          12'hCC0: local_id = 3'b001;
          12'hCC1: local_id = 3'b010;
          12'hCC2: local_id = 3'b100;
          12'hCC3, 12'hCC4, 12'hCC5, 12'hCC6, 12'hCC7, 12'hCC8, 12'hCCC: csr_kind_o = CSR_IDENTITY;
          12'hCC9: csr_kind_o = CSR_SUB_GROUP_ID;
          12'hCCA: lane_id = 1'b1;
          12'hCCB: csr_kind_o = CSR_SUB_GROUP_SIZE;
          12'hCCD: csr_kind_o = CSR_PACKET;
          12'hCCE: csr_kind_o = CSR_STACK_TOP;
          12'hCD0: {local_id, csr_kind_o} = {3'b001, CSR_IDENTITY};
          12'hCD1: {local_id, csr_kind_o} = {3'b010, CSR_IDENTITY};
          12'hCD2: {local_id, csr_kind_o} = {3'b100, CSR_IDENTITY};
          12'hC00: csr_kind_o = CSR_CYCLE;
          12'hC80: csr_kind_o = CSR_CYCLE_HIGH;
          default: illegal_o = 1'b1;
        endcase
        // csrrs and csrrc write unless their source is x0 or 0; csrrw always does.
        if (!funct3[1] || !rs1_is_x0) illegal_o = 1'b1;
      end
      7'b0001011: begin  // custom-0
        uniform_o = 1'b0;
        writes = 1'b0;
        {first_word, second_word} = {coll_wide && !coll_type[1], coll_wide && coll_type[1]};
        if (funct3 == 3'd3) begin
          exit = 1'b1;
          illegal_o = funct7 != 7'd0;
        end else if (funct3[1:0] == 2'd2) begin  // among the lanes that execute it
          collective = coll_mode != MODE_SHUFFLE || coll_wide;
          shuffle = coll_mode == MODE_SHUFFLE && !coll_wide;
          rs2_used_o = !rs2_is_x0 && coll_mode == MODE_SHUFFLE;
          result = RESULT_FLOAT;  // none of the lane's own
          writes = !rd_is_x0;
          illegal_o = coll_wide ? !coll_wide_legal : !coll_active_legal;
        end else begin
          collective = 1'b1;
          converges = 1'b1;
          rs2_used_o = !rs2_is_x0 && coll_mode == MODE_BROADCAST;
          writes = !rd_is_x0 && coll_mode != MODE_BARRIER;
          illegal_o = coll_wide ? funct3[0] || !coll_wide_legal : !coll_legal;
          if (coll_sum) begin  // rs1 - 0 first, then rd + what another lane had
            sum = !rd_is_x0;
            uniform_o = 1'b1;
            {float, floats, third_zero, negate_addend} = 4'b1111;
            result = RESULT_FLOAT;
          end
        end
      end
      default: illegal_o = 1'b1;
    endcase
  end

  assign control_o[C_WRITES] = writes;
  assign control_o[C_INCLUSIVE] = inclusive;
  assign control_o[C_EXCLUSIVE] = exclusive;
  assign control_o[C_BROADCAST] = broadcast;
  assign control_o[C_PREDICATE] = predicate;
  assign control_o[C_SIGNED] = collective_signed;
  assign control_o[C_MAX] = collective_max;
  assign control_o[C_ADD] = collective_add;
  assign control_o[C_WORK_GROUP] = work_group;
  assign control_o[C_COLLECTIVE] = collective;
  assign control_o[C_EXIT] = exit;
  assign control_o[C_DIVIDE] = divide;
  assign control_o[C_STORE] = store;
  assign control_o[C_LOAD] = load;
  assign control_o[C_JUMP_REGISTER] = jump_register;
  assign control_o[C_JUMP] = jump;
  assign control_o[C_BRANCH] = branch;
  assign control_o[C_RESULT+:3] = result;
  assign control_o[C_MULTIPLIER_SIGNED] = multiplier_signed;
  assign control_o[C_MULTIPLICAND_SIGNED] = multiplicand_signed;
  assign control_o[C_HIGH] = multiply_high;
  assign control_o[C_UNSIGNED] = is_unsigned;
  assign control_o[C_ARITHMETIC] = arithmetic;
  assign control_o[C_RIGHT] = right;
  assign control_o[C_SUBTRACT] = subtract;
  assign control_o[C_LANE_ID] = lane_id;
  assign control_o[C_LOCAL_ID+:3] = local_id;
  assign control_o[C_ATOMIC] = atomic;
  assign control_o[C_FUNCTION+:5] = i[31:27];
  assign control_o[C_CONVERGES] = converges;
  assign control_o[C_BALLOT] = ballot;
  assign control_o[C_SHUFFLE] = shuffle;
  assign control_o[C_FLOAT] = collective_float;
  assign control_o[C_SUM] = sum;
  assign control_o[C_FIRST] = first_word;
  assign control_o[C_SECOND] = second_word;

  assign operation_o[O_INVERT] = invert;
  assign operation_o[O_THIRD_ZERO] = third_zero;
  assign operation_o[O_LOGIC+:2] = logic_of;
  assign operation_o[O_PICK+:3] = pick;
  assign operation_o[O_VARIANT+:2] = variant;
  assign operation_o[O_SMALL+:3] = small_of;
  assign operation_o[O_SHIFT_ADD+:2] = shift_add;
  assign operation_o[O_ROTATE] = rotate;
  assign operation_o[O_REVERSE_BYTES] = reverse_bytes;
  assign operation_o[O_FLOAT] = float;
  assign operation_o[O_FLOATS] = floats;
  assign operation_o[O_MULTIPLY] = float_multiply;
  assign operation_o[O_FROM] = float_from;
  assign operation_o[O_TO] = float_to;
  assign operation_o[O_SIGNED] = float_signed;
  assign operation_o[O_NEGATE_PRODUCT] = negate_product;
  assign operation_o[O_NEGATE_ADDEND] = negate_addend;
  assign operation_o[O_ROUNDING+:3] = float_rounding;
  assign operation_o[O_ROOT] = float_root;
  assign operation_o[O_FLOAT_DIVIDE] = float_divide;
endmodule

`default_nettype wire
