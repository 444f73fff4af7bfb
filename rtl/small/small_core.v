// SPDX-License-Identifier: Apache-2.0
// The processor of a small device (README.md): one datapath and one memory port, on which the lanes of a sub-group take
// turns, instruction by instruction. It runs RV32I and most collectives for the lanes of one slot, those at the
// smallest PC; whatever else concerns more than one lane, and every fault, is a trap to the firmware, which runs on the
// same datapath as one lane with registers of its own, and says which slot goes on. An instruction takes 3 cycles and 3
// or 4 for each lane (loads 5, stores of several lanes 10, shifts up to 8 more).
// Over 400 lines: the states and the one memory port that they drive belong together. What is combinational and apart
// from them is in small_decode.v, small_arithmetic.v and small_address.v.
`default_nettype none

module small_core #(
    parameter LANES = 4,  // power of two, 1 to 8
    parameter SLOTS = 2,  // power of two; SLOTS * LANES is 8 at most
    parameter ADDRESS_BITS = 14,  // of the memory
    parameter GLOBAL_BYTES = 'h2C00,  // where global memory ends, a multiple of 1024
    parameter FIRMWARE_AT = 'h2C00  // where the firmware begins
) (
    input wire clk,
    input wire rst,

    // the memory's only port: what is read comes the cycle after
    output reg  [ADDRESS_BITS-1:2] address_o,
    output reg                     write_o,
    output reg  [             3:0] strobe_o,
    output reg  [            31:0] data_o,
    input  wire [            31:0] data_i,
    input  wire                    taken_i,    // somebody else has the port in this cycle

    input wire command_i,  // the host has written a command, which has not been taken yet
    input wire [13:0] clock_i,  // low bits of the device's clock: from time to time the firmware looks after the kernel

    output reg busy_o,
    output reg command_taken_o  // pulse
);
  localparam LANES_LOG2 = $clog2(LANES);
  localparam WORK_ITEMS = LANES * SLOTS;
  localparam LOCAL_LOG2 = 10;
  localparam [31:0] LAST = SLOTS - 1;
  localparam [2:0] LAST_SLOT = LAST[2:0];
  `include "rtl/small/page_zero.vh"
  localparam [31:0] FIRST_GLOBAL = 'h1000, END = GLOBAL_BYTES, ENTRY = FIRMWARE_AT;

  localparam [3:0] SCAN = 4'd0, SCANNED = 4'd1, FETCH = 4'd2, DECODE = 4'd3, READ_1 = 4'd4, READ_2 = 4'd5,
                   READ_3 = 4'd6, EXECUTE = 4'd7, SHIFT = 4'd8, ACCESS = 4'd9, LOADED = 4'd10, JUMP = 4'd11,
                   NEXT = 4'd12, GO = 4'd13, TRAP = 4'd14, GIVE = 4'd15;
  localparam [1:0] LOOK = 2'd0, INSTRUCTION = 2'd1, MEMORY = 2'd2, BAD_FETCH = 2'd3;  // causes of a trap

  reg [3:0] state;
  reg firmware;  // it runs, and not a kernel
  reg [2:0] slot;
  reg [7:0]
      runnable, active, todo, taken;  // of lanes: those that may run, that do, that are still to be served; that jump
  reg first, pass;  // of SCAN and of a collective; the second of a store
  reg [31:0] pc, instruction, a, b, sum;
  reg [4:0] count;
  reg [2:0] step;
  reg [1:0] cause;
  reg [2:0] reason;
  reg resumes;  // the firmware hands over to a kernel
  reg grouped;  // for one collective the lanes are all work-items of a work-group, as slot 0 has room for them
  reg whole;  // all live lanes of the sub-group may run: none waits at a collective
  reg look;
  reg met;  // since the last trap an instruction was of all lanes that may run
  reg [15:0] issued, lanes_issued;  // since the last trap
  reg [19:8] private_mask;
  reg [ADDRESS_BITS-1:2] private_base;  // of the slot
  reg [LOCAL_LOG2:0] local_bytes;
  integer i;

  // What was asked for in the last cycle in which the port was free.
  reg other_before;
  reg [31:0] held;
  wire [31:0] data = other_before ? held : data_i;
  always @(posedge clk) begin
    other_before <= taken_i;
    if (!other_before) held <= data_i;
  end

  // The lane whose turn it is: the lowest of those still to be served.
  reg [2:0] lane;
  always @* begin
    lane = 3'd0;
    for (i = WORK_ITEMS - 1; i >= 0; i = i - 1) if (todo[i]) lane = i[2:0];
  end
  wire [7:0] lane_bit = 8'd1 << lane;
  wire [7:0] rest = todo & ~lane_bit;
  wire together = active == runnable;
  wire alone = (active & (active - 8'd1)) == 0;
  wire [5:0] own_context = {slot & LAST_SLOT, 3'd0} >> (3 - LANES_LOG2) | {3'd0, lane};

  // The instruction.
  wire [4:0] rd = instruction[11:7], rs1 = instruction[19:15], rs2 = instruction[24:20];
  wire [2:0] funct3 = instruction[14:12];
  wire is_load, is_fence, is_immediate, is_store, is_register, is_lui, is_auipc, is_branch, is_jalr, is_jal, is_system;
  wire is_shift, legal;
  wire [31:0] immediate;
  wire [ADDRESS_BITS-3:0] csr_address;
  small_decode #(
      .ADDRESS_BITS(ADDRESS_BITS)
  ) small_decode (
      .instruction_i(instruction),
      .lane_i(lane),
      .own_context_i(own_context),
      .is_load_o(is_load),
      .is_fence_o(is_fence),
      .is_immediate_o(is_immediate),
      .is_store_o(is_store),
      .is_register_o(is_register),
      .is_lui_o(is_lui),
      .is_auipc_o(is_auipc),
      .is_branch_o(is_branch),
      .is_jalr_o(is_jalr),
      .is_jal_o(is_jal),
      .is_system_o(is_system),
      .is_shift_o(is_shift),
      .legal_o(legal),
      .immediate_o(immediate),
      .csr_address_o(csr_address)
  );
  wire [31:0] second_register = rs2 == 5'd0 ? 32'd0 : data;
  // Which lane a broadcast is from; none that is not there.
  wire [ 7:0] source = active & {8{second_register[31:3] == 0}} & (8'd1 << second_register[2:0]);
  // Collectives (DEVICE.md, custom-0) of 32 bits, of all live lanes of the sub-group or of those that are here;
  // shuffles apart. Lane by lane `b` becomes what has come so far; scans write on the way, others to all lanes at the
  // end.
  `include "rtl/small/collective_modes.vh"
  wire is_custom = instruction[6:2] == 5'b00010;
  wire [1:0] op = instruction[26:25];
  wire [2:0] mode = instruction[29:27];
  wire is_scan = mode == INCLUSIVE || mode == EXCLUSIVE, is_vote = mode[2:1] == 2'b10;
  wire combines = mode < BROADCAST;
  wire converged = grouped ? funct3 == 3'd1 && mode != BROADCAST : funct3 == 3'd0 && together && whole;
  wire at_once = funct3 == 3'd2 && !grouped;
  wire bare = op == 2'd0 && instruction[31:30] == 2'd0;
  wire collective = instruction[1:0] == 2'b11 && is_custom && (
      ((converged || at_once) && (combines ? op != 2'd3 && !instruction[31] : is_vote && bare)) ||
      (converged && bare && (mode == BROADCAST || (mode == BARRIER && {rd, rs1, rs2} == 15'd0))) ||
      (at_once && bare && mode == BALLOT));
  wire condition;
  wire [4:0] shift_count;
  wire [31:0] total, so_far, identity, result;
  small_arithmetic small_arithmetic (
      .is_branch_i(is_branch),
      .is_register_i(is_register),
      .is_immediate_i(is_immediate),
      .is_custom_i(is_custom),
      .funct3_i(funct3),
      .op_i(op),
      .mode_i(mode),
      .alternative_i(instruction[30]),
      .a_i(a),
      .b_i(b),
      .immediate_i(immediate),
      .lane_bit_i(lane_bit),
      .count_o(shift_count),
      .sum_o(total),
      .condition_o(condition),
      .so_far_o(so_far),
      .identity_o(identity),
      .result_o(result)
  );
  wire all_jump = taken == active && is_branch;
  // Lanes' PCs have to be written.
  wire parts = !together || resumes || grouped || (is_branch && taken != 0 && !all_jump);
  reg  jumps;
  always @* begin
    jumps = is_jal;
    if (is_branch) jumps = state == GO ? (taken & lane_bit) != 0 : all_jump;
    if (state == EXECUTE) jumps = is_auipc;
  end
  wire [31:0] next = pc + (jumps ? immediate : 32'd4);
  wire [3:0] shift_in = {4{instruction[30] && a[31]}};
  wire four = count >= 5'd4;

  // Where an address leads.
  wire [2:0] fault;
  wire [ADDRESS_BITS-3:0] access_address;
  small_address #(
      .LANES_LOG2  (LANES_LOG2),
      .LOCAL_LOG2  (LOCAL_LOG2),
      .ADDRESS_BITS(ADDRESS_BITS),
      .GLOBAL_BYTES(GLOBAL_BYTES)
  ) small_address (
      .sum_i(sum),
      .size_i(funct3[1:0]),
      .lane_i(lane),
      .firmware_i(firmware),
      .local_bytes_i(local_bytes),
      .private_mask_i(private_mask),
      .private_base_i(private_base),
      .fault_o(fault),
      .address_o(access_address)
  );
  wire fetch_ok = firmware || (pc[1:0] == 2'd0 && pc < END && pc >= FIRST_GLOBAL);

  wire stores = state == ACCESS && is_store && fault == 3'd0 && (firmware || pass || alone);
  wire registers_of_firmware = firmware && sum[31];  // the core's own, not memory
  wire [7:0] loaded_byte = data[{sum[1:0], 3'd0}+:8];
  wire [15:0] loaded_half = sum[1] ? data[31:16] : data[15:0];
  wire [31:0] loaded = funct3[1] ? data : funct3[0] ? {{16{loaded_half[15] && !funct3[2]}}, loaded_half} :
                       {{24{loaded_byte[7] && !funct3[2]}}, loaded_byte};

  // The port.
  wire [ADDRESS_BITS-3:0] registers = firmware ? FIRMWARE_REGISTERS :
                                      REGISTERS | ({{ADDRESS_BITS - 8{1'b0}}, own_context} << 5);
  always @* begin
    address_o = registers;  // the first word: a lane's PC
    case (state)
      FETCH: address_o = pc[ADDRESS_BITS-1:2];
      READ_1: address_o = is_system ? csr_address : registers | {{ADDRESS_BITS - 7{1'b0}}, rs1};
      READ_2: address_o = registers | {{ADDRESS_BITS - 7{1'b0}}, rs2};
      EXECUTE, SHIFT, LOADED, GIVE: address_o = registers | {{ADDRESS_BITS - 7{1'b0}}, rd};
      ACCESS: address_o = access_address;
      TRAP: address_o = TRAP_RECORD | {{ADDRESS_BITS - 5{1'b0}}, step};
      default: ;
    endcase
    write_o  = 1'b0;
    strobe_o = 4'b1111;
    data_o   = result;
    case (state)
      EXECUTE: begin
        write_o = rd != 5'd0 && !is_branch && !is_load && !is_store && !is_shift && (!is_custom || is_scan);
        if (is_jal || is_jalr || is_auipc) data_o = next;
      end
      SHIFT: begin
        write_o = rd != 5'd0 && count == 5'd0;
        data_o  = a;
      end
      LOADED: begin
        write_o = rd != 5'd0;
        data_o  = loaded;
      end
      GIVE: begin
        write_o = rd != 5'd0;
        data_o  = b;
      end
      JUMP: begin
        write_o = 1'b1;
        data_o  = {sum[31:1], 1'b0};
      end
      GO: begin
        write_o = 1'b1;
        data_o  = next;
      end
      ACCESS: begin
        write_o  = stores && !registers_of_firmware;
        strobe_o = funct3[1] ? 4'b1111 : funct3[0] ? {{2{sum[1]}}, {2{!sum[1]}}} : 4'b0001 << sum[1:0];
        data_o   = funct3[1] ? b : funct3[0] ? {2{b[15:0]}} : {4{b[7:0]}};
      end
      TRAP: begin
        write_o = 1'b1;
        case (step)
          3'd0: data_o = {2'd0, cause, met, reason, 1'b0, slot, 1'b0, lane, runnable, active};
          3'd1: data_o = pc;
          3'd2: data_o = instruction;
          3'd3: data_o = sum;
          default: data_o = {lanes_issued, issued};
        endcase
      end
      default: ;
    endcase
  end

  reg [3:0] lanes_active;
  always @* begin
    lanes_active = 4'd0;
    for (i = 0; i < LANES; i = i + 1) lanes_active = lanes_active + {3'd0, active[i]};
  end

  always @(posedge clk) begin
    command_taken_o <= 1'b0;
    if (clock_i == 14'd0) look <= 1'b1;
    if (!taken_i) begin
      case (state)
        SCAN: state <= SCANNED;
        SCANNED: begin
          if (first || data < pc) begin
            pc <= data;
            active <= lane_bit;
          end else if (data == pc) active <= active | lane_bit;
          first <= 1'b0;
          todo  <= rest;
          state <= rest == 0 ? FETCH : SCAN;
        end
        FETCH: begin
          {pass, taken} <= 9'd0;
          todo <= active;
          state <= DECODE;
          if (!firmware && !grouped && (command_i || look)) {state, cause} <= {TRAP, LOOK};
          else if (!fetch_ok) {state, cause} <= {TRAP, BAD_FETCH};
        end
        DECODE: begin
          instruction <= data;
          first <= 1'b1;
          state <= READ_1;
        end
        READ_1: begin
          a <= 32'd0;
          state <= is_lui || is_auipc || is_jal ? EXECUTE : READ_2;
          if (is_custom && first) b <= identity;
          if (is_fence || (is_custom && mode == BARRIER)) state <= NEXT;
          if (!collective && (!legal || grouped)) {state, cause} <= {TRAP, INSTRUCTION};
        end
        READ_2: begin
          if (is_system || rs1 != 5'd0) a <= data;
          // The address of a broadcast's source comes first.
          state <= is_register || is_branch || is_store || (is_custom && mode == BROADCAST && first) ? READ_3 : EXECUTE;
        end
        READ_3: begin
          b <= second_register;
          state <= EXECUTE;
          if (is_custom) begin
            b <= 32'd0;
            first <= 1'b0;
            todo <= source != 0 ? source : active;
            state <= source != 0 ? READ_1 : GIVE;
          end
        end
        EXECUTE: begin
          sum   <= total;
          count <= shift_count;
          if (condition) taken <= taken | lane_bit;
          todo  <= rest;
          state <= rest == 0 ? NEXT : READ_1;
          if (is_shift || is_load || is_store || is_jalr) begin
            todo  <= todo;
            state <= is_shift ? SHIFT : is_jalr ? JUMP : ACCESS;
          end
          if (is_custom) begin
            b <= so_far;
            first <= 1'b0;
            if (rest == 0 && !is_scan) {todo, state} <= {active, GIVE};
          end
        end
        SHIFT: begin
          count <= count - (four ? 5'd4 : 5'd1);
          if (funct3[2]) a <= four ? {shift_in, a[31:4]} : {shift_in[0], a[31:1]};
          else a <= four ? {a[27:0], 4'd0} : {a[30:0], 1'b0};
          if (count == 5'd0) begin
            todo  <= rest;
            state <= rest == 0 ? NEXT : READ_1;
          end
        end
        ACCESS: begin
          state <= LOADED;
          if (is_store) begin
            todo  <= rest;
            state <= rest == 0 ? NEXT : READ_1;
          end
          if (fault != 3'd0) begin
            {state, cause, reason} <= {TRAP, MEMORY, fault};
            todo <= todo;
          end
          if (stores && registers_of_firmware)
            case (sum[4:2])
              3'd0: begin
                resumes <= 1'b1;
                slot <= b[10:8];
                {grouped, whole} <= b[12:11];
              end
              3'd1: {command_taken_o, busy_o} <= b[1:0];
              3'd2: private_mask <= b[19:8];
              3'd3: private_base <= b[ADDRESS_BITS-1:2];
              default: local_bytes <= b[LOCAL_LOG2:0];
            endcase
        end
        LOADED, JUMP, GIVE: begin
          todo  <= rest;
          state <= rest == 0 ? NEXT : state == GIVE ? GIVE : READ_1;
        end
        NEXT: begin
          todo  <= active;
          first <= 1'b1;
          if (!parts) pc <= next;
          state <= parts ? GO : FETCH;
          // The firmware counts those of work-groups, and goes on behind them.
          if (grouped && !firmware) {grouped, look} <= 2'b01;
          if (!firmware && !grouped && !(is_store && !pass && !alone)) begin
            issued <= issued + 16'd1;
            if (together) met <= 1'b1;
            lanes_issued <= lanes_issued + {12'd0, lanes_active};
          end
          if (is_jalr) begin
            pc <= pc;
            todo <= runnable;
            state <= SCAN;
          end
          if (is_store && !firmware && !pass && !alone) begin
            pc <= pc;
            pass <= 1'b1;
            state <= READ_1;
          end
        end
        GO: begin
          todo <= rest;
          if (rest == 0) begin
            todo  <= runnable;
            state <= SCAN;
            if (resumes) begin
              {firmware, resumes} <= 2'b00;
              {todo, runnable} <= {b[7:0], b[7:0]};
            end
          end
        end
        default: begin
          step <= step + 3'd1;
          if (step == 3'd4) begin
            step <= 3'd0;
            {issued, lanes_issued} <= 32'd0;
            met <= 1'b0;
            {firmware, grouped, look} <= 3'b100;
            {todo, runnable} <= {8'd1, 8'd1};
            first <= 1'b1;
            state <= SCAN;
          end
        end
      endcase
    end
    if (rst) begin
      state <= FETCH;
      pc <= ENTRY;
      firmware <= 1'b1;
      {runnable, active} <= {8'd1, 8'd1};
      {busy_o, resumes, grouped, look, step} <= 7'd0;
      {issued, lanes_issued} <= 32'd0;
      met <= 1'b0;
    end
  end
endmodule

`default_nettype wire
