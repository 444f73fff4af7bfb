// SPDX-License-Identifier: Apache-2.0
// The local memory of a compute unit: banks of words, each with its own row address; loads, stores and atomics. An access
// a cycle, an amo in four, an sc.w in two; what was read, or how an sc.w went, 2 cycles after the access is taken.
`default_nettype none

module local_memory #(
    parameter BYTES_LOG2 = 15,  // log2 of the bytes
    parameter ROW_LOG2 = 5,  // log2 of the bytes of a row
    parameter OWNER_BITS = 5,
    parameter ROW_BYTES = 1 << ROW_LOG2,
    parameter ROW_WORDS = ROW_BYTES / 4,
    parameter ROW_BITS = BYTES_LOG2 - ROW_LOG2
) (
    input wire clk,
    input wire rst,

    input  wire                          valid_i,
    output wire                          ready_o,
    input  wire                          answer_room_i,  // loads and atomics may start
    input  wire                          answer_now_i,   // their answers may leave in 2 cycles
    input  wire [                   1:0] kind_i,         // 0 load, 1 store, 2 atomic
    input  wire [                   4:0] function_i,     // of an atomic: funct5
    input  wire                          amo_i,          // an atomic that is not lr.w or sc.w
    input  wire [        OWNER_BITS-1:0] owner_i,
    input  wire [          ROW_BITS-1:0] row_i,          // lr.w and sc.w: that of all words
    input  wire [ROW_WORDS*ROW_BITS-1:0] bank_row_i,
    input  wire [       8*ROW_BYTES-1:0] data_i,
    input  wire [         ROW_BYTES-1:0] strobe_i,
    output wire [       8*ROW_BYTES-1:0] data_o
);
  `include "rtl/memory/request.vh"
  localparam [4:0] ADD = 5'b00000, XOR = 5'b00100, OR = 5'b01000, AND = 5'b01100;
  wire store = kind_i[0];  // kinds are 0 to 2
  wire atomic = kind_i == ATOMIC;
  wire is_lr = atomic && function_i == LR;
  wire is_sc = atomic && function_i == SC;
  wire min_max = function_i[4];  // {1, unsigned, max, 0, 0}

  // An amo reads (steps 0 and 1), compares its operand with the old value (2), and writes the new while it reads the old
  // once more as the answer (3). An sc.w looks for its reservation (0) and writes (3): so whether banks write stands in registers.
  localparam [1:0] FIRST_STEP = 2'd0, LAST_STEP = 2'd3;
  reg [1:0] step;
  wire last = step == LAST_STEP;
  wire answers = amo_i || is_sc ? last : answer_room_i;  // but for the shuffle that answer_now_i waits for
  assign ready_o = store || (answer_now_i && answers);
  wire take = valid_i && ready_o;
  always @(posedge clk)
    if (rst) step <= FIRST_STEP;
    else if (valid_i && (amo_i || is_sc) && (step == FIRST_STEP ? answer_room_i : !last || answer_now_i))
      step <= is_sc && !last ? LAST_STEP : step + 2'd1;

  // A store's words may lie in several rows.
  genvar n;
  wire [ROW_WORDS-1:0] words, succeed, in_reserved;
  wire [ROW_BITS-1:0] reserved_row;
  generate
    for (n = 0; n < ROW_WORDS; n = n + 1) begin : word
      assign words[n] = |strobe_i[4*n+:4];
      assign in_reserved[n] = bank_row_i[n*ROW_BITS+:ROW_BITS] == reserved_row;
    end
  endgenerate
  reservation #(
      .OWNER_BITS(OWNER_BITS),
      .ROW_BITS  (ROW_BITS),
      .ROW_WORDS (ROW_WORDS)
  ) reservation (
      .clk(clk),
      .rst(rst),
      .lr_i(take && is_lr),
      .sc_i(take && is_sc),
      .owner_i(owner_i),
      .row_i(row_i),
      .words_i(words),
      .succeed_o(succeed),
      .written_i(take && (store || amo_i) ? words & in_reserved : {ROW_WORDS{1'b0}}),
      .row_o(reserved_row)
  );

  // How an sc.w went takes the place of what was read, which is 0 then.
  reg raw_sc;
  reg [ROW_WORDS-1:0] raw_failed;
  wire [ROW_WORDS-1:0] writes;  // in the last step
  always @(posedge clk) {raw_sc, raw_failed} <= {is_sc, ~writes};

  // What is written is always first + second: of a store 0 + operand, of amoadd.w old + operand, of amoand.w
  // 0 + (old & operand); to compare, ~old + operand carries out when the operand is the greater one.
  wire stays = last && !answer_now_i;
  generate
    for (n = 0; n < ROW_WORDS; n = n + 1) begin : bank
      // Each bank has them for itself: banks are far apart on a chip.
      reg comparing, adding, toggling, masking;
      (* keep *) always @(posedge clk)
        if (!stays) begin
          comparing <= step == 2'd1;
          adding <= step == 2'd2 && function_i == ADD;
          toggling <= step == 2'd2 && (function_i == XOR || function_i == OR);
          masking <= step == 2'd2 && (function_i == AND || function_i == OR);
        end
      wire [31:0] operand = data_i[32*n+:32];
      reg [31:0] old;
      wire [31:0] first = (old & {32{adding}}) | (~old & {32{comparing}});
      wire [31:0] second = masking ? (toggling ? old | operand : old & operand) : operand ^ (old & {32{toggling}});
      wire [32:0] sum = {1'b0, first} + {1'b0, second};
      wire greater = sum[32] ^ (!function_i[3] && old[31] != operand[31]);
      reg wins;
      always @(posedge clk) if (!stays) wins <= is_sc ? succeed[n] : !min_max || (greater ^ !function_i[2]);
      assign writes[n] = wins;
      (* ram_style = "block" *) reg [31:0] bank_words[0:(1<<ROW_BITS)-1];
      reg [31:0] raw;
      reg failed;  // beside what was read, so that there is no logic behind the block RAMs, which answer late
      wire [3:0] strobe = strobe_i[4*n+:4] & {4{valid_i && (store || (answer_now_i && last && wins))}};
      wire [ROW_BITS-1:0] bank_row = bank_row_i[n*ROW_BITS+:ROW_BITS];
      always @(posedge clk) begin
        if (strobe[0]) bank_words[bank_row][7:0] <= sum[7:0];
        if (strobe[1]) bank_words[bank_row][15:8] <= sum[15:8];
        if (strobe[2]) bank_words[bank_row][23:16] <= sum[23:16];
        if (strobe[3]) bank_words[bank_row][31:24] <= sum[31:24];
        raw <= bank_words[bank_row];
        old <= raw_sc ? 32'd0 : raw;
        failed <= raw_sc && raw_failed[n];
      end
      assign data_o[32*n+:32] = {old[31:1], old[0] || failed};
    end
  endgenerate
endmodule

`default_nettype wire
