// SPDX-License-Identifier: Apache-2.0
// The local memory of a compute unit: banks of words, each with an index of its own; loads, stores and atomics. An
// access takes a cycle, an amo four, an sc.w two. Read data, or the result of an sc.w, come 2 cycles after the access
// is taken.
`default_nettype none

module local_memory #(
    parameter BYTES_LOG2 = 15,  // log2 of the bytes
    parameter BEAT_LOG2 = 5,  // log2 of the bytes of a beat
    parameter OWNER_BITS = 5,
    parameter BEAT_BYTES = 1 << BEAT_LOG2,
    parameter BEAT_WORDS = BEAT_BYTES / 4,
    parameter BEAT_INDEX_BITS = BYTES_LOG2 - BEAT_LOG2
) (
    input wire clk,
    input wire rst,

    input wire valid_i,
    output wire ready_o,
    input wire answer_room_i,  // there is room for an answer: loads and atomics may start
    input wire answer_now_i,  // an answer may come in 2 cycles
    input wire [1:0] kind_i,  // 0 load, 1 store, 2 atomic
    input wire [4:0] function_i,  // of an atomic: funct5
    input wire amo_i,  // an atomic that is not lr.w or sc.w
    input wire [OWNER_BITS-1:0] owner_i,
    input wire [BEAT_INDEX_BITS-1:0] beat_i,  // lr.w and sc.w: the number of the beat
    input wire [BEAT_WORDS*BEAT_INDEX_BITS-1:0] bank_index_i,
    input wire [8*BEAT_BYTES-1:0] data_i,
    input wire [BEAT_BYTES-1:0] strobe_i,
    output wire [8*BEAT_BYTES-1:0] data_o
);
  `include "rtl/memory/request.vh"
  localparam [4:0] ADD = 5'b00000, XOR = 5'b00100, OR = 5'b01000, AND = 5'b01100;
  wire store = kind_i[0];  // kinds are 0 to 2
  wire atomic = kind_i == ATOMIC;
  wire is_lr = atomic && function_i == LR;
  wire is_sc = atomic && function_i == SC;
  wire min_max = function_i[4];  // {1, unsigned, max, 0, 0}

  // Steps of an amo: it reads (0, 1), compares its operand with the old value (2), and writes the new value while it
  // reads the old one again as the answer (3). An sc.w checks its reservation (0) and writes (3). So registers say
  // whether banks write.
  localparam [1:0] FIRST_STEP = 2'd0, LAST_STEP = 2'd3;
  reg [1:0] step;
  wire last = step == LAST_STEP;
  wire answers = amo_i || is_sc ? last : answer_room_i;  // answer_now_i adds that no shuffle needs the crossbar then
  assign ready_o = store || (answer_now_i && answers);
  wire take = valid_i && ready_o;
  always @(posedge clk)
    if (rst) step <= FIRST_STEP;
    else if (valid_i && (amo_i || is_sc) && (step == FIRST_STEP ? answer_room_i : !last || answer_now_i))
      step <= is_sc && !last ? LAST_STEP : step + 2'd1;

  // The words of a store may be of several beats.
  genvar n;
  wire [BEAT_WORDS-1:0] words, succeed, in_reserved;
  wire [BEAT_INDEX_BITS-1:0] reserved_beat;
  generate
    for (n = 0; n < BEAT_WORDS; n = n + 1) begin : word
      assign words[n] = |strobe_i[4*n+:4];
      assign in_reserved[n] = bank_index_i[n*BEAT_INDEX_BITS+:BEAT_INDEX_BITS] == reserved_beat;
    end
  endgenerate
  reservation #(
      .OWNER_BITS(OWNER_BITS),
      .BEAT_INDEX_BITS(BEAT_INDEX_BITS),
      .BEAT_WORDS(BEAT_WORDS)
  ) reservation (
      .clk(clk),
      .rst(rst),
      .lr_i(take && is_lr),
      .sc_i(take && is_sc),
      .owner_i(owner_i),
      .beat_i(beat_i),
      .words_i(words),
      .succeed_o(succeed),
      .written_i(take && (store || amo_i) ? words & in_reserved : {BEAT_WORDS{1'b0}}),
      .beat_o(reserved_beat)
  );

  // The result of an sc.w is ORed into read data, which are 0 then.
  reg raw_sc;
  reg [BEAT_WORDS-1:0] raw_failed;
  wire [BEAT_WORDS-1:0] writes;  // in the last step
  always @(posedge clk) {raw_sc, raw_failed} <= {is_sc, ~writes};

  // Written data are first + second: for a store 0 + operand, for amoadd.w old + operand, for amoand.w 0 + (old &
  // operand). To compare: ~old + operand has a carry out if the operand is greater.
  wire hold = last && !answer_now_i;
  generate
    for (n = 0; n < BEAT_WORDS; n = n + 1) begin : bank
      // Each bank has these registers, because banks are far apart on a chip.
      reg comparing, toggling, masking;
      (* keep *) always @(posedge clk)
        if (!hold) begin
          comparing <= step == 2'd1;
          toggling  <= step == 2'd2 && (function_i == XOR || function_i == OR);
          masking   <= step == 2'd2 && (function_i == AND || function_i == OR);
        end
      wire [31:0] operand = data_i[32*n+:32];
      reg [31:0] raw, old;
      // The old value where it is added or compared, else 0: so nothing but an inversion is in front of the carry chain.
      reg [31:0] summand;
      always @(posedge clk) if (!hold) summand <= step == 2'd1 || (step == 2'd2 && function_i == ADD) ? raw : 32'd0;
      wire [31:0] first = summand ^ {32{comparing}};
      wire [31:0] second = masking ? (toggling ? old | operand : old & operand) : operand ^ (old & {32{toggling}});
      wire [32:0] sum = {1'b0, first} + {1'b0, second};
      wire greater = sum[32] ^ (!function_i[3] && old[31] != operand[31]);
      reg wins;
      always @(posedge clk) if (!hold) wins <= is_sc ? succeed[n] : !min_max || (greater ^ !function_i[2]);
      assign writes[n] = wins;
      (* ram_style = "block" *) reg [31:0] bank_words[0:(1<<BEAT_INDEX_BITS)-1];
      reg failed;  // ORed in at the output, so that no logic follows the slow block RAMs
      wire [3:0] strobe = strobe_i[4*n+:4] & {4{valid_i && (store || (answer_now_i && last && wins))}};
      wire [BEAT_INDEX_BITS-1:0] bank_index = bank_index_i[n*BEAT_INDEX_BITS+:BEAT_INDEX_BITS];
      always @(posedge clk) begin
        if (strobe[0]) bank_words[bank_index][7:0] <= sum[7:0];
        if (strobe[1]) bank_words[bank_index][15:8] <= sum[15:8];
        if (strobe[2]) bank_words[bank_index][23:16] <= sum[23:16];
        if (strobe[3]) bank_words[bank_index][31:24] <= sum[31:24];
        raw <= bank_words[bank_index];
        old <= raw_sc ? 32'd0 : raw;
        failed <= raw_sc && raw_failed[n];
      end
      assign data_o[32*n+:32] = {old[31:1], old[0] || failed};
    end
  endgenerate
endmodule

`default_nettype wire
