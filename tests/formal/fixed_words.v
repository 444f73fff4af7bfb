// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/pipeline/fixed_words.v asks once for each word that is there to be loaded, in order, and for nothing else;
// shows each from the cycle after it has come until the next start; tells of exactly those that are not there, and asks
// for nothing behind one of them that is sure to be wanted. A word whose address is computed is asked for when all
// before it have stood for SETTLE cycles. It ends: unless memory or its surroundings keep it waiting, something
// happens within STEP cycles, and it is ready when all have stood for SETTLE cycles. Bounded: two words of which the
// second waits for the first, or three; roots within 8 KiB of address 0; two pages with any rights, or none.
`default_nettype none

module fixed_words_proof #(
    parameter WORDS = 3,  // 2 or 3
    parameter WAITS = 0,  // a bit for one word at most
    parameter SURE = 0,
    parameter PAGES_LOG2 = 0
) (
    input wire         clk,
    input wire         start,
    input wire         open,
    input wire [ 95:0] root,
    input wire         taken,
    input wire         comes,
    input wire [127:0] beat
);
  localparam SETTLE = 2, STEP = SETTLE + 3;
  localparam [2:0] EXIST = WORDS == 3 ? 3'b111 : 3'b011, BEFORE = WAITS - 1;
  localparam [95:0] OFFSETS = {32'h0000_0ffc, 32'h0000_0008, 32'hffff_fffc};
  wire rst = $initstate;
  (* anyconst *) reg [6:0] domain;
  (* anyconst *) reg [7:0] entry_0, entry_1;
  reg second;  // the table is written in the first two cycles
  wire ready, reading, missing, no_right, asks;
  wire [4:0] number;
  wire [WORDS-1:0] bad_words;
  wire [2:0] bad = bad_words;
  wire [31:0] bad_address;
  wire [12:0] address;
  wire [WORDS*32-1:0] words;
  fixed_words #(
      .WORDS(WORDS),
      .OFFSETS(OFFSETS[WORDS*32-1:0]),
      .WAITS(WAITS),
      .SURE(SURE),
      .SETTLE(SETTLE),
      .GLOBAL_LOG2(13),
      .FIRST_LOG2(11),
      .BEAT_LOG2(4),
      .PAGES_LOG2(PAGES_LOG2)
  ) dut (
      .clk(clk),
      .rst(rst),
      .rights_i({domain, rst || second, 11'd0, second && !rst, second && !rst ? entry_1 : entry_0}),
      .start_i(start),
      .open_i(open),
      .root_i(root[WORDS*32-1:0]),
      .ready_o(ready),
      .reading_o(reading),
      .missing_o(missing),
      .number_o(number),
      .bad_o(bad_words),
      .no_right_o(no_right),
      .bad_address_o(bad_address),
      .request_valid_o(asks),
      .request_ready_i(taken),
      .request_address_o(address),
      .response_valid_i(comes),
      .response_data_i(beat),
      .words_o(words)
  );

  // Where the words of this dispatch are, which may be loaded, and the first that is missed.
  reg begun;
  (* anyconst *) reg [95:0] final_root;
  wire [31:0] at_0 = final_root[31:0] + OFFSETS[31:0];
  wire [31:0] at_1 = final_root[63:32] + OFFSETS[63:32];
  wire [31:0] at_2 = final_root[95:64] + OFFSETS[95:64];
  function is_address(input [31:0] at);
    is_address = at[31:13] == 0 && at[12:11] != 0 && at[1:0] == 0;
  endfunction
  function may(input [31:0] at, input [7:0] entry);
    may = is_address(at) && (PAGES_LOG2 == 0 || domain == 0 || entry[6:0] == domain || entry[6:0] == 7'd127);
  endfunction
  wire good_0 = may(at_0, at_0[12] ? entry_1 : entry_0);
  wire good_1 = may(at_1, at_1[12] ? entry_1 : entry_0);
  wire good_2 = may(at_2, at_2[12] ? entry_1 : entry_0);
  wire [2:0] good = EXIST & {good_2, good_1, good_0};
  wire [2:0] missed = EXIST & ~good & SURE;
  wire [2:0] reached = {missed[1:0] == 0, !missed[0], 1'b1};  // none before it is missed
  wire [2:0] wanted = good & reached, skipped = EXIST & reached & ~good & ~SURE;

  // Any one word, and what it is to be.
  (* anyconst *) reg [1:0] watched;
  reg [31:0] want;
  integer i;

  // What has been asked for, and has come; cycles since, and since anything happened.
  reg [2:0] asked, come, last_bad;
  reg [2:0] since;
  reg [3:0] still;
  wire [2:0] to_ask = wanted & ~asked, to_come = asked & ~come;
  wire [2:0] now = to_ask & (~to_ask + 3'd1), arrives = to_come & (~to_come + 3'd1);
  wire [31:0] ask_at = now[0] ? at_0 : now[1] ? at_1 : at_2;
  wire [1:0] place = arrives[0] ? at_0[3:2] : arrives[1] ? at_1[3:2] : at_2[3:2];
  // All before the word that waits stand.
  wire settled = (come & BEFORE) == (wanted & BEFORE) && (since >= SETTLE || come == 0);
  wire keeps_waiting = !open || (asks && !taken) || (to_come != 0 && !comes);
  wire happens = start || (asks && taken) || comes || bad != last_bad;
  always @*
    for (i = 0; i < WORDS; i = i + 1) begin
      assume (final_root[32*i+13+:19] == {19{final_root[32*i+13]}});
      if (begun && (!WAITS[i] || settled)) assume (root[32*i+:32] == final_root[32*i+:32]);
    end
  always @* begin
    assume (watched < WORDS);
    if (rst || !begun) assume (!open);
    if (rst || reading) assume (!start);
    if (to_come == 0) assume (!comes);
  end
  always @(posedge clk) begin
    second <= rst;
    begun <= !rst && (begun || start);
    last_bad <= bad;
    if (rst || start) {asked, come} <= 6'd0;
    else begin
      if (asks && taken) asked <= asked | now;
      if (comes) come <= come | arrives;
    end
    since <= comes ? 3'd0 : since == 7 ? since : since + 3'd1;
    still <= rst || happens || keeps_waiting ? 4'd0 : still == 15 ? still : still + 4'd1;
    if (comes && arrives[watched]) want <= beat[32*place+:32];
  end

  always @*
    if (!rst && begun) begin
      if (asks) begin
        assert (now != 0 && address == {ask_at[12:4], 4'd0});
        assert ((now & WAITS) == 0 || settled);
      end
      if (asks || to_come != 0) assert (reading);
      if (come[watched]) assert (words[32*watched+:32] == want);

      assert ((bad & ~skipped) == 0);
      if (bad != 0 && !missing) assert (bad_address == (bad[0] ? at_0 : bad[1] ? at_1 : at_2));
      if (missing) begin
        assert (!asks && asked == wanted);
        assert (number < WORDS && missed[number] && reached[number]);
        assert (bad_address == (number == 0 ? at_0 : number == 1 ? at_1 : at_2));
      end
      if (bad != 0 || missing) assert (no_right == is_address(bad_address));

      if (ready) begin
        assert (come == wanted && (come == 0 || since >= SETTLE));
        assert (missing == (missed != 0) && bad == skipped);
      end else assert (still <= STEP);
    end
  always @* begin
    cover (!rst && begun && ready && come == EXIST);
    cover (!rst && begun && ready && (SURE == 0 ? come == 3'b101 && bad == 3'b010 : missing && no_right));
  end
endmodule

`default_nettype wire
