// SPDX-License-Identifier: Apache-2.0
// A compute unit for tests of the device around it, in simulation only: it answers each work-group at once. At the start of a dispatch
// it loads the first beat of the argument block. Of each work-group it stores a beat and adds 1 to a counter; then the work-group is done.
//
// argument block:  word 0: address of the beats; word 1: address of the counter; word 2: x of the group id that faults
// beat x + 8 y + 64 z behind word 0's address, its first words: group id x; global id of the first work-item, x; sizes x, y, z of 8 bits each;
//   sub-groups of a full work-group in bits 15-0, log2 of their size in 23-16, NUMBER in 31-24
//
// An answer with a wrong label is a fault, too: reason 15.
`include "rtl/shape.vh"
`default_nettype none

module test_unit #(
    parameter NUMBER = 1,  // of its kind: goes into the labels
    parameter GLOBAL_LOG2 = 28,
    parameter BEAT_LOG2 = 5,
    parameter OWNER_BITS = 5,
    parameter LABEL_BITS = 12,  // 4 to 32
    parameter BEAT_BYTES = 1 << BEAT_LOG2
) (
    input wire clk,
    input wire rst,

    `include "rtl/compute_unit_ports.vh"
);
  localparam [2:0] FREE = 3'd0, LOAD = 3'd1, LOADED = 3'd2, STORE = 3'd3, ADD = 3'd4, ADDED = 3'd5;
  localparam [1:0] IS_LOAD = 2'd0, IS_STORE = 2'd1, IS_ATOMIC = 2'd2;
  localparam [4:0] AMOADD = 5'd0;
  localparam [3:0] ILLEGAL_INSTRUCTION = 4'd1, WRONG_LABEL = 4'd15;
  localparam [31:0] ARGUMENTS = 64;  // bytes from the packet
  localparam [31:0] OF_KIND = NUMBER;
  reg [2:0] state;
  reg ready;  // the arguments are there
  reg [31:0] beats, counter, faulty_x;
  reg [95:0] id;
  reg [31:0] base_x;
  reg [32:0] size;
  reg [ 3:0] reason;
  reg [31:0] address;
  reg group_done, issued, fault;
  reg [5:0] active;
  assign {group_done_o, issued_o, fault_o, active_o} = {group_done, issued, fault, active};

  // Labels: each bit changes from request to request.
  reg [LABEL_BITS-1:0] label, sent;
  wire answers = response_valid_i && response_ready_o;
  wire wrong = answers && response_label_i != sent;

  assign group_ready_o = ready && state == FREE && !start_i && !fault_o;
  assign idle_o = state == FREE;
  wire go = request_valid_o && request_ready_i;
  wire faulty = state == STORE && id[31:0] == faulty_x;
  always @(posedge clk) begin
    group_done <= 1'b0;
    issued <= 1'b0;
    case (state)
      FREE:
      if (group_valid_i && group_ready_o) begin
        {id, base_x, size} <= {group_id_i, group_base_i[31:0], group_size_i};
        state <= STORE;
        issued <= 1'b1;
        active <= group_size_i[5:0];
      end
      LOAD:  if (go) state <= LOADED;
      LOADED:
      if (answers) begin
        {faulty_x, counter, beats} <= response_data_i[95:0];
        ready <= 1'b1;
        state <= FREE;
      end
      STORE: state <= faulty ? FREE : go ? ADD : STORE;
      ADD:   if (go) state <= ADDED;
      default:
      if (answers) begin
        state <= FREE;
        group_done <= 1'b1;
      end
    endcase
    if (go) begin
      sent  <= label;
      label <= ~label ^ OF_KIND[LABEL_BITS-1:0] ^ {{(LABEL_BITS - 3) {1'b0}}, state};
    end
    if (!fault_o && (wrong || stop_i || faulty)) begin
      fault   <= 1'b1;
      reason  <= wrong ? WRONG_LABEL : faulty ? ILLEGAL_INSTRUCTION : stop_reason_i;
      address <= faulty ? counter : 32'd0;
    end
    if (start_i) begin
      state <= LOAD;
      ready <= 1'b0;
    end
    if (start_i || clear_i || rst) fault <= 1'b0;
    if (rst) begin
      state <= FREE;
      ready <= 1'b0;
      label <= {LABEL_BITS{1'b0}};
    end
  end
  assign drained_o = fault_o && state == FREE;
  assign fault_record_o = {32'd1, {21'd0, sub_groups_i}, id, address, 32'd8, 28'd0, reason};

  assign request_valid_o = state == LOAD || (state == STORE && !faulty) || state == ADD;
  assign request_kind_o = state == LOAD ? IS_LOAD : state == STORE ? IS_STORE : IS_ATOMIC;
  assign request_function_o = AMOADD;
  wire [31:0] beat = id[31:0] + {id[60:32], 3'd0} + {id[89:64], 6'd0};
  wire [31:0] to = state == LOAD ? packet_i + ARGUMENTS : state == STORE ? beats + (beat << BEAT_LOG2) : counter;
  wire [BEAT_BYTES-1:0] counted = {{(BEAT_BYTES - 4) {1'b0}}, 4'hF} << counter[BEAT_LOG2-1:0];
  wire [31:0] shape = {OF_KIND[7:0], 5'd0, sub_group_log2_i, 5'd0, sub_groups_i};
  assign request_address_o = {to[GLOBAL_LOG2-1:BEAT_LOG2], {BEAT_LOG2{1'b0}}};
  assign request_data_o = state == STORE ?
      {{(8 * BEAT_BYTES - 128) {1'b0}}, shape, 8'd0, size[29:22], size[18:11], size[7:0], base_x, id[31:0]} :
      {{(8 * BEAT_BYTES - 32) {1'b0}}, 32'd1} << {counter[BEAT_LOG2-1:0], 3'd0};
  assign request_strobe_o = state == STORE ? {{(BEAT_BYTES - 16) {1'b0}}, 16'hFFFF} : counted;
  assign request_owner_o = {OWNER_BITS{1'b0}};
  assign request_label_o = label;
  assign response_ready_o = state == LOADED || state == ADDED;
  assign {memory_wait_o, conflict_o} = 2'b00;
  wire unused = &{1'b0, rights_i, local_bytes_i, group_base_i[95:32], response_data_i, to, size};
endmodule

`default_nettype wire
