// SPDX-License-Identifier: Apache-2.0
// Turns an instruction into the control of its stages: RV32IMA, Zicsr reads, Zfinx, Zba, Zbb, custom-0, custom-1
// (contract/DEVICE.md). Combinational. What is not listed there raises illegal_o; the other outputs then mean nothing.
// Zfinx is in decode_float.v, custom-0 in decode_collective.v; immediates, and which of the three has the word, are
// here.
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

  // Fields of control_o.
  reg writes, branch, jump, jump_register, load, store, divide, atomic, waits, exit, collective, converges, shuffle;
  reg subtract, right, arithmetic, is_unsigned, multiply_high, multiplicand_signed, multiplier_signed, lane_id, sum;
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

  // Zfinx.
  wire float_illegal, float_rs1_used, float_rs2_used, float_rs3_used, float_uniform, float_compares;
  wire [2:0] float_result;
  wire [`HEDDLE_OPERATION_BITS-1:0] float_operation;
  decode_float decode_float (
      .instruction_i(i[31:2]),
      .illegal_o(float_illegal),
      .rs1_used_o(float_rs1_used),
      .rs2_used_o(float_rs2_used),
      .rs3_used_o(float_rs3_used),
      .uniform_o(float_uniform),
      .result_o(float_result),
      .compares_o(float_compares),
      .operation_o(float_operation)
  );

  // custom-0.
  wire custom_illegal, custom_exit, custom_collective, custom_shuffle, custom_converges, custom_rs2_used, custom_writes;
  wire custom_sum, custom_first, custom_second;
  decode_collective #(
      .FPU(FPU)
  ) decode_collective (
      .instruction_i(i[31:7]),
      .illegal_o(custom_illegal),
      .exit_o(custom_exit),
      .collective_o(custom_collective),
      .shuffle_o(custom_shuffle),
      .converges_o(custom_converges),
      .work_group_o(control_o[C_WORK_GROUP]),
      .rs2_used_o(custom_rs2_used),
      .writes_o(custom_writes),
      .sum_o(custom_sum),
      .first_o(custom_first),
      .second_o(custom_second),
      .operation_o(control_o[C_OPERATION+:`HEDDLE_COLLECTIVE_BITS]),
      .predicate_o(control_o[C_PREDICATE]),
      .ballot_o(control_o[C_BALLOT]),
      .broadcast_o(control_o[C_BROADCAST]),
      .inclusive_o(control_o[C_INCLUSIVE]),
      .exclusive_o(control_o[C_EXCLUSIVE])
  );

  // Fields of operation_o, of what is not Zfinx.
  reg invert, rotate, reverse_bytes;
  reg [1:0] logic_of, variant, shift_add;
  reg [2:0] pick, small_of;

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

  // The third operand's register: it goes to all lanes, so no more is looked at than tells apart the instructions that
  // have one. rs3 of fmadd and its like; rs1 of fcvt.w; rd of a sum of floats across lanes and of a store at an index;
  // else rs2.
  wire third_is_rs3 = i[6:4] == 3'b100, third_is_rs1 = i[6:4] == 3'b101 && i[31];
  wire third_is_rd = !i[6] && i[4:2] == 3'b010;
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
    waits = 1'b0;
    invert = 1'b0;
    {rotate, reverse_bytes} = 2'b00;
    logic_of = funct3[1:0];
    variant = 2'b00;
    shift_add = 2'd0;
    pick = PICK_FIRST;
    small_of = SMALL_LESS;
    exit = 1'b0;
    collective = 1'b0;
    converges = 1'b0;
    shuffle = 1'b0;
    sum = 1'b0;

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
        waits = 1'b1;
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
      7'b1000011, 7'b1000111, 7'b1001011, 7'b1001111, 7'b1010011: begin  // Zfinx
        illegal_o  = FPU == 0 || float_illegal;
        rs1_used_o = float_rs1_used;
        rs2_used_o = float_rs2_used;
        rs3_used_o = float_rs3_used;
        uniform_o  = float_uniform;
        result     = float_result;
        if (float_compares) {subtract, is_unsigned} = 2'b10;
      end
      7'b0001111: begin  // fence; one that orders writes before nothing is a pause
        writes = 1'b0;
        waits = i[31:15] == 17'h00200 && rd_is_x0;
        illegal_o = funct3 != 3'd0;
      end
      7'b1110011: begin  // CSR reads
        csr_o = 1'b1;
        case (csr)
          `HEDDLE_CSR_LOCAL_ID_X: local_id = 3'b001;
          `HEDDLE_CSR_LOCAL_ID_Y: local_id = 3'b010;
          `HEDDLE_CSR_LOCAL_ID_Z: local_id = 3'b100;
          `HEDDLE_CSR_GROUP_ID_X, `HEDDLE_CSR_GROUP_ID_Y, `HEDDLE_CSR_GROUP_ID_Z, `HEDDLE_CSR_LOCAL_SIZE_X,
          `HEDDLE_CSR_LOCAL_SIZE_Y, `HEDDLE_CSR_LOCAL_SIZE_Z, `HEDDLE_CSR_NUM_SUB_GROUPS:
          csr_kind_o = CSR_GROUP;
          `HEDDLE_CSR_SUB_GROUP_ID: csr_kind_o = CSR_SUB_GROUP_ID;
          `HEDDLE_CSR_LANE: lane_id = 1'b1;
          `HEDDLE_CSR_SUB_GROUP_SIZE: csr_kind_o = CSR_SUB_GROUP_SIZE;
          `HEDDLE_CSR_PACKET: csr_kind_o = CSR_PACKET;
          `HEDDLE_CSR_STACK_TOP: csr_kind_o = CSR_STACK_TOP;
          `HEDDLE_CSR_GLOBAL_ID_X: {local_id, csr_kind_o} = {3'b001, CSR_GROUP};
          `HEDDLE_CSR_GLOBAL_ID_Y: {local_id, csr_kind_o} = {3'b010, CSR_GROUP};
          `HEDDLE_CSR_GLOBAL_ID_Z: {local_id, csr_kind_o} = {3'b100, CSR_GROUP};
          `HEDDLE_CSR_CYCLE: csr_kind_o = CSR_CYCLE;
          `HEDDLE_CSR_CYCLE_HIGH: csr_kind_o = CSR_CYCLE_HIGH;
          default: illegal_o = 1'b1;
        endcase
        // csrrs and csrrc write unless their source is x0 or 0; csrrw always does.
        if (!funct3[1] || !rs1_is_x0) illegal_o = 1'b1;
      end
      7'b0001011: begin  // custom-0
        illegal_o  = custom_illegal;
        exit       = custom_exit;
        collective = custom_collective;
        shuffle    = custom_shuffle;
        converges  = custom_converges;
        rs2_used_o = custom_rs2_used;
        writes     = custom_writes;
        sum        = custom_sum && !rd_is_x0;
        uniform_o  = custom_sum;  // rs1 - 0 first, then rd + what another lane had
        if (!custom_converges || custom_sum) result = RESULT_FLOAT;  // none of the lane's own
      end
      7'b0101011: begin  // custom-1: loads and stores at base + (index << shift), as sh1add to sh3add compute it
        load = !i[31];
        store = i[31];
        writes = 1'b0;
        uniform_o = 1'b0;
        rs2_used_o = !rs2_is_x0;
        rs3_used_o = i[31] && !rd_is_x0;
        shift_add = i[26:25];
        illegal_o = BITMANIP == 0 || i[30:27] != 4'd0 ||
                    (i[31] ? FPU == 0 || funct3 > 3'd2 : funct3 == 3'd3 || funct3[2:1] == 2'd3);
      end
      default: illegal_o = 1'b1;
    endcase
  end

  assign control_o[C_WRITES] = writes;
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
  assign control_o[C_WAITS] = waits;
  assign control_o[C_FUNCTION+:5] = i[31:27];
  assign control_o[C_CONVERGES] = converges;
  assign control_o[C_SHUFFLE] = shuffle;
  assign control_o[C_SUM] = sum;
  assign control_o[C_FIRST] = collective && custom_first;
  assign control_o[C_SECOND] = collective && custom_second;

  // Zfinx, all else, and sums of floats across lanes: rs1 * 1 - 0, later rd + an addend.
  wire is_float = FPU != 0 && i[6:5] == 2'b10;
  reg [`HEDDLE_OPERATION_BITS-1:0] integer_operation;
  always @* begin
    integer_operation = {`HEDDLE_OPERATION_BITS{1'b0}};
    integer_operation[O_INVERT] = invert;
    integer_operation[O_THIRD_ZERO] = third_is_rd ? rd_is_x0 : rs2_is_x0;
    integer_operation[O_LOGIC+:2] = logic_of;
    integer_operation[O_PICK+:3] = pick;
    integer_operation[O_VARIANT+:2] = variant;
    integer_operation[O_SMALL+:3] = small_of;
    integer_operation[O_SHIFT_ADD+:2] = shift_add;
    integer_operation[O_ROTATE] = rotate;
    integer_operation[O_REVERSE_BYTES] = reverse_bytes;
    integer_operation[O_SIGNED] = !i[20];
    integer_operation[O_ROUNDING+:3] = float_operation[O_ROUNDING+:3];
    if (custom && custom_sum) begin
      {integer_operation[O_FLOAT], integer_operation[O_FLOATS], integer_operation[O_THIRD_ZERO],
       integer_operation[O_NEGATE_ADDEND]} = 4'b1111;
      integer_operation[O_ROUNDING+:3] = 3'd0;  // to nearest even
    end
  end
  assign operation_o = is_float ? float_operation : integer_operation;
endmodule

`default_nettype wire
