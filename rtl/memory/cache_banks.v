// SPDX-License-Identifier: Apache-2.0
// The device cache as units see it: banks, each a cache with a channel of external memory of its own, and the crossbars
// between banks and units. A beat a cycle from each unit and to each bank. A request that its bank accepts is there the
// cycle after the unit gave it; an answer is at the unit the cycle after the bank gave it. Requests, answers and their
// ready signals are registered.
//
// All requests for one line go to one bank, and a bank serves requests in the order in which it takes them. The next
// request of a unit is taken after the one before it. So all accesses have one order: that in which banks take them. A
// unit gets its answers in the order of its requests. There is no deadlock: the oldest request of all is always the
// next one of its bank and of its unit.
`default_nettype none

module cache_banks #(
    parameter UNITS = 1,
    parameter BANKS = 1,  // power of two
    parameter ADDRESS_BITS = 28,  // bits of an address in global memory
    parameter CACHE_LOG2 = 16,  // log2 of the bytes of all banks together
    parameter BEAT_LOG2 = 5,  // log2 of the bytes of a beat
    parameter LINE_LOG2 = 6,  // log2 of the bytes of a line
    parameter SLOT_BITS = 5,
    parameter LABEL_BITS = 15,  // returned unread with the answer
    parameter COMPACT = 0,  // as in heddle.v
    parameter BEAT_BYTES = 1 << BEAT_LOG2
) (
    input wire clk,
    input wire rst,
    input wire invalidate_i, // forget all lines; no request may be in flight

    // the units' requests for beats, and answers, as in cache.v
    input  wire [             UNITS-1:0] request_valid_i,
    output wire [             UNITS-1:0] request_ready_o,
    input  wire [           UNITS*2-1:0] request_kind_i,
    input  wire [           UNITS*5-1:0] request_function_i,
    input  wire [UNITS*ADDRESS_BITS-1:0] request_address_i,
    input  wire [UNITS*8*BEAT_BYTES-1:0] request_data_i,
    input  wire [  UNITS*BEAT_BYTES-1:0] request_strobe_i,
    input  wire [   UNITS*SLOT_BITS-1:0] request_owner_i,
    input  wire [  UNITS*LABEL_BITS-1:0] request_label_i,
    output wire [             UNITS-1:0] response_valid_o,
    input  wire [             UNITS-1:0] response_ready_i,
    output wire [UNITS*8*BEAT_BYTES-1:0] response_data_o,
    output wire [  UNITS*LABEL_BITS-1:0] response_label_o,

    // the channels of external memory, a bank's each, as in cache.v
    output wire [             BANKS-1:0] memory_valid_o,
    input  wire [             BANKS-1:0] memory_ready_i,
    output wire [             BANKS-1:0] memory_store_o,
    output wire [BANKS*ADDRESS_BITS-1:0] memory_address_o,
    output wire [BANKS*8*BEAT_BYTES-1:0] memory_data_o,
    output wire [  BANKS*BEAT_BYTES-1:0] memory_strobe_o,
    input  wire [             BANKS-1:0] fill_valid_i,
    output wire [             BANKS-1:0] fill_ready_o,
    input  wire [BANKS*8*BEAT_BYTES-1:0] fill_data_i,

    output wire [UNITS-1:0] taken_o,   // pulse: a bank takes a request of the unit
    output wire [UNITS-1:0] quiet_o,   // no request of the unit waits to be taken
    output wire [BANKS-1:0] missed_o,  // pulse: the bank requests a line
    output wire             idle_o     // external memory is up to date, no request is in flight
);
  localparam BANKS_LOG2 = $clog2(BANKS);
  localparam BANK_BITS = BANKS > 1 ? BANKS_LOG2 : 1;
  localparam UNIT_BITS = UNITS > 1 ? $clog2(UNITS) : 1;
  localparam LINE_BITS = ADDRESS_BITS - LINE_LOG2;
  localparam INNER_BITS = ADDRESS_BITS - BANKS_LOG2;  // an address within a bank
  localparam REQUEST_BITS = 2 + 5 + ADDRESS_BITS + 9 * BEAT_BYTES + SLOT_BITS + LABEL_BITS;
  localparam INNER_REQUEST_BITS = 2 + 5 + INNER_BITS + 9 * BEAT_BYTES + 1 + SLOT_BITS + LABEL_BITS + UNIT_BITS;
  localparam OWNER_BITS = UNIT_BITS + SLOT_BITS + (BANKS > 1 ? 1 : 0);
  localparam [BANK_BITS-1:0] BANK_MASK = {BANK_BITS{BANKS > 1}};
  `include "rtl/memory/request.vh"
  // log2 of the requests of a bank that may wait for data. With up to four lanes 64 cost a kernel at most 0.3 % of its
  // cycles and save 200 LUTs; with sixteen lanes they cost up to 12 %.
  localparam QUEUE_LOG2 = BEAT_LOG2 > 4 ? 8 : 6;
  genvar u, b;

  // The bank of a line: the lowest bits of its number, XORed with a fold of all bits above. So lines at a power-of-two
  // pitch are in different banks. The bits above are the line's number within its bank.
  function [BANK_BITS-1:0] fold(input [LINE_BITS-1:0] above);
    integer bit_number;
    begin
      fold = {BANK_BITS{1'b0}};
      for (bit_number = 0; bit_number < LINE_BITS; bit_number = bit_number + 1)
      fold[bit_number%BANK_BITS] = fold[bit_number%BANK_BITS] ^ above[bit_number];
      fold = fold & BANK_MASK;
    end
  endfunction

  // By unit: its request and the bank of it; the bank of its next answer.
  wire [UNITS-1:0] waiting, requesting, due, answer_due, answer_accepted;
  wire [UNITS*BANKS-1:0] wants;  // u * BANKS + b
  wire [BANKS*UNITS-1:0] grants;  // b * UNITS + u
  wire [UNITS*INNER_REQUEST_BITS-1:0] requests;
  wire [UNITS*BANK_BITS-1:0] due_bank;
  wire [BANKS-1:0] bank_ready, answer_valid, answer_ready, bank_idle;
  wire [BANKS*UNIT_BITS-1:0] answer_unit;
  wire [BANKS*LABEL_BITS-1:0] answer_label;
  wire [BANKS*8*BEAT_BYTES-1:0] answer_data;
  generate
    for (u = 0; u < UNITS; u = u + 1) begin : unit_way
      wire [1:0] kind;
      wire [4:0] funct5;
      wire [ADDRESS_BITS-1:0] address;
      wire [9*BEAT_BYTES-1:0] data_and_strobe;
      wire [SLOT_BITS-1:0] slot;
      wire [LABEL_BITS-1:0] label;
      wire room, unreserved;
      skid #(
          .WIDTH(REQUEST_BITS),
          .SPARE(!COMPACT)
      ) skid (
          .clk(clk),
          .rst(rst),
          .valid_i(request_valid_i[u]),
          .ready_o(request_ready_o[u]),
          .data_i({
            request_kind_i[u*2+:2],
            request_function_i[u*5+:5],
            request_address_i[u*ADDRESS_BITS+:ADDRESS_BITS],
            request_data_i[u*8*BEAT_BYTES+:8*BEAT_BYTES],
            request_strobe_i[u*BEAT_BYTES+:BEAT_BYTES],
            request_owner_i[u*SLOT_BITS+:SLOT_BITS],
            request_label_i[u*LABEL_BITS+:LABEL_BITS]
          }),
          .valid_o(waiting[u]),
          .ready_i(taken_o[u]),
          .data_o({kind, funct5, address, data_and_strobe, slot, label})
      );
      wire [LINE_BITS-1:0] line = address[ADDRESS_BITS-1:LINE_LOG2];
      wire [LINE_BITS-1:0] above = line >> BANKS_LOG2;
      wire [BANK_BITS-1:0] bank = (line[BANK_BITS-1:0] & BANK_MASK) ^ fold(above);
      wire [LINE_BITS-BANKS_LOG2-1:0] inner_line = above[LINE_BITS-BANKS_LOG2-1:0];
      localparam [UNIT_BITS-1:0] NUMBER = u;
      assign requests[u*INNER_REQUEST_BITS+:INNER_REQUEST_BITS] = {
        kind, funct5, inner_line, address[LINE_LOG2-1:0], data_and_strobe, unreserved, slot, label, NUMBER
      };
      assign requesting[u] = waiting[u] && (room || kind == STORE);
      for (b = 0; b < BANKS; b = b + 1) begin : to_bank
        localparam [BANK_BITS-1:0] BANK = b;
        assign wants[u*BANKS+b] = requesting[u] && bank == BANK;
      end

      // Each bank has a reservation, but a sub-group may hold only one. So an sc.w to another bank than that of the
      // last lr.w of its sub-group has an owner there that never reserves, and fails. With one bank nothing of this is
      // needed.
      wire take = answer_due[u] && answer_accepted[u];
      if (BANKS > 1) begin : ordered
        bank_order #(
            .BANK_BITS (BANK_BITS),
            .DEPTH_LOG2(QUEUE_LOG2)
        ) bank_order (
            .clk(clk),
            .rst(rst),
            .put_i(taken_o[u] && kind != STORE),
            .bank_i(bank),
            .room_o(room),
            .valid_o(due[u]),
            .bank_o(due_bank[u*BANK_BITS+:BANK_BITS]),
            .take_i(take)
        );
        reg [BANK_BITS-1:0] reserved[0:(1<<SLOT_BITS)-1];
        always @(posedge clk) if (taken_o[u] && kind == ATOMIC && funct5 == LR) reserved[slot] <= bank;
        assign unreserved = funct5 == SC && reserved[slot] != bank;
      end else begin : in_order
        assign room = 1'b1;
        assign unreserved = 1'b0;
        assign due[u] = 1'b1;
        assign due_bank[u*BANK_BITS+:BANK_BITS] = 1'b0;
        wire unused = take;
      end
      wire [BANK_BITS-1:0] from = due_bank[u*BANK_BITS+:BANK_BITS];
      assign answer_due[u] = due[u] && answer_valid[from] && answer_unit[from*UNIT_BITS+:UNIT_BITS] == NUMBER;
      skid #(
          .WIDTH(8 * BEAT_BYTES + LABEL_BITS),
          .SPARE(!COMPACT)
      ) answer (
          .clk(clk),
          .rst(rst),
          .valid_i(answer_due[u]),
          .ready_o(answer_accepted[u]),
          .data_i({answer_data[from*8*BEAT_BYTES+:8*BEAT_BYTES], answer_label[from*LABEL_BITS+:LABEL_BITS]}),
          .valid_o(response_valid_o[u]),
          .ready_i(response_ready_i[u]),
          .data_o({response_data_o[u*8*BEAT_BYTES+:8*BEAT_BYTES], response_label_o[u*LABEL_BITS+:LABEL_BITS]})
      );
    end

    for (b = 0; b < BANKS; b = b + 1) begin : bank
      // The units with a request for this bank, and the unit that takes its answer.
      wire [UNITS-1:0] wanted, grant, taken;
      for (u = 0; u < UNITS; u = u + 1) begin : from_unit
        localparam [BANK_BITS-1:0] BANK = b;
        assign wanted[u] = wants[u*BANKS+b];
        assign taken[u]  = answer_due[u] && answer_accepted[u] && due_bank[u*BANK_BITS+:BANK_BITS] == BANK;
      end
      // With one unit and one bank it depends on a register alone.
      assign answer_ready[b] = UNITS == 1 && BANKS == 1 ? answer_accepted[0] : |taken;
      round_robin #(
          .WIDTH(UNITS)
      ) round_robin (
          .clk(clk),
          .rst(rst),
          .request_i(wanted),
          .grant_o(grant),
          .taken_i(bank_ready[b])
      );
      assign grants[b*UNITS+:UNITS] = grant & {UNITS{bank_ready[b]}};
      reg [INNER_REQUEST_BITS-1:0] request;
      integer i;
      always @* begin
        request = {INNER_REQUEST_BITS{1'b0}};
        for (i = 0; i < UNITS; i = i + 1)
        if (grant[i] || UNITS == 1) request = request | requests[i*INNER_REQUEST_BITS+:INNER_REQUEST_BITS];
      end

      wire [1:0] kind;
      wire [4:0] funct5;
      wire [INNER_BITS-1:0] address, memory_address;
      wire [8*BEAT_BYTES-1:0] data;
      wire [BEAT_BYTES-1:0] strobe;
      wire [SLOT_BITS-1:0] slot;
      wire [LABEL_BITS-1:0] label;
      wire [UNIT_BITS-1:0] number;
      wire unreserved;
      wire [OWNER_BITS-1:0] owner;
      assign {kind, funct5, address, data, strobe, unreserved, slot, label, number} = request;
      cache #(
          .ADDRESS_BITS(INNER_BITS),
          .CACHE_LOG2(CACHE_LOG2 - BANKS_LOG2),
          .BEAT_LOG2(BEAT_LOG2),
          .LINE_LOG2(LINE_LOG2),
          .OWNER_BITS(OWNER_BITS),
          .LABEL_BITS(LABEL_BITS + UNIT_BITS),
          .QUEUE_LOG2(QUEUE_LOG2),
          .COMPACT(COMPACT)
      ) cache (
          .clk(clk),
          .rst(rst),
          .invalidate_i(invalidate_i),
          .request_valid_i(grant != 0),
          .request_ready_o(bank_ready[b]),
          .request_kind_i(kind),
          .request_function_i(funct5),
          .request_address_i(address),
          .request_data_i(data),
          .request_strobe_i(strobe),
          .request_owner_i(owner),
          .request_label_i({label, number}),
          .response_valid_o(answer_valid[b]),
          .response_ready_i(answer_ready[b]),
          .response_data_o(answer_data[b*8*BEAT_BYTES+:8*BEAT_BYTES]),
          .response_label_o({answer_label[b*LABEL_BITS+:LABEL_BITS], answer_unit[b*UNIT_BITS+:UNIT_BITS]}),
          .memory_valid_o(memory_valid_o[b]),
          .memory_ready_i(memory_ready_i[b]),
          .memory_store_o(memory_store_o[b]),
          .memory_address_o(memory_address),
          .memory_data_o(memory_data_o[b*8*BEAT_BYTES+:8*BEAT_BYTES]),
          .memory_strobe_o(memory_strobe_o[b*BEAT_BYTES+:BEAT_BYTES]),
          .fill_valid_i(fill_valid_i[b]),
          .fill_ready_o(fill_ready_o[b]),
          .fill_data_i(fill_data_i[b*8*BEAT_BYTES+:8*BEAT_BYTES]),
          .missed_o(missed_o[b]),
          .idle_o(bank_idle[b])
      );
      // The lowest bits of the line's number follow from the bits above and the bank.
      localparam [BANK_BITS-1:0] BANK = b;
      if (BANKS > 1) begin : outer
        wire [LINE_BITS-1:0] above = {{BANKS_LOG2{1'b0}}, memory_address[INNER_BITS-1:LINE_LOG2]};
        wire [BANK_BITS-1:0] low = fold(above) ^ BANK;
        assign owner = {unreserved, number, slot};
        assign memory_address_o[b*ADDRESS_BITS+:ADDRESS_BITS] = {
          memory_address[INNER_BITS-1:LINE_LOG2], low, memory_address[LINE_LOG2-1:0]
        };
      end else begin : outer
        wire unused = unreserved;
        assign owner = {number, slot};
        assign memory_address_o[b*ADDRESS_BITS+:ADDRESS_BITS] = memory_address;
      end
    end

    for (u = 0; u < UNITS; u = u + 1) begin : granted
      wire [BANKS-1:0] by_bank;
      for (b = 0; b < BANKS; b = b + 1) begin : of_bank
        assign by_bank[b] = grants[b*UNITS+u];
      end
      assign taken_o[u] = |by_bank;
    end
  endgenerate
  assign quiet_o = ~waiting;
  assign idle_o  = waiting == 0 && &bank_idle;
endmodule

`default_nettype wire
