// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/pipeline/packet_words.v asks once for each beat that holds a packet's first WORDS words, in order, and
// shows each word from the cycle after its beat has come until the next start. It is ready when all have stood for
// SETTLE cycles, and one cycle later at the latest. 12 cycles, with beats of 128 bytes 9.
`default_nettype none

module packet_words_proof #(
    parameter WORDS = 6,
    parameter BEAT_LOG2 = 4,
    parameter BEATS = 2  // that hold so many words, wherever in its first beat the packet begins
) (
    input wire                        clk,
    input wire                        start,
    input wire [                31:0] packet,
    input wire                        taken,
    input wire                        comes,
    input wire [8*(1<<BEAT_LOG2)-1:0] beat
);
  localparam SETTLE = 2, BEAT_WORDS = (1 << BEAT_LOG2) / 4;
  wire rst = $initstate;
  wire ready, reading, asks;
  wire [13:0] address;
  wire [WORDS*32-1:0] words;
  packet_words #(
      .WORDS(WORDS),
      .SETTLE(SETTLE),
      .GLOBAL_LOG2(14),
      .BEAT_LOG2(BEAT_LOG2)
  ) dut (
      .clk(clk),
      .rst(rst),
      .start_i(start),
      .packet_i(packet),
      .ready_o(ready),
      .reading_o(reading),
      .request_valid_o(asks),
      .request_ready_i(taken),
      .request_address_o(address),
      .response_valid_i(comes),
      .response_data_i(beat),
      .words_o(words)
  );
  reg begun;
  reg [3:0] asked, come;
  reg [13:0] from;
  reg [ 2:0] settled;
  always @* begin
    assume (packet[5:0] == 0);
    if (rst) assume (!start);
    if (start) assume (!reading);
    if (comes) assume (begun && come < asked);
  end

  // Any one word, by its place in the packet: the beat that brings it, and where it stands there.
  (* anyconst *) reg [3:0] watched;
  always @* assume (watched < WORDS);
  wire [ 7:0] at = from[BEAT_LOG2-1:0] / 4 + watched;
  reg  [31:0] want;
  always @(posedge clk) begin
    begun <= !rst && (begun || start);
    if (start) from <= packet[13:0];
    asked <= rst || start ? 4'd0 : asked + {3'd0, asks && taken};
    come  <= rst || start ? 4'd0 : come + {3'd0, comes};
    if (comes && come == at / BEAT_WORDS) want <= beat[(at%BEAT_WORDS)*32+:32];
    settled <= rst || start || come != BEATS ? 3'd0 : settled == 7 ? settled : settled + 3'd1;
  end
  always @*
    if (!rst) begin
      if (begun) begin
        assert (asks == (asked < BEATS) && reading == (come < BEATS));
        if (asks) assert (address == {from[13:BEAT_LOG2], {BEAT_LOG2{1'b0}}} + (asked << BEAT_LOG2));
        if (ready) assert (come == BEATS && settled >= SETTLE && words[watched*32+:32] == want);
        if (settled >= SETTLE + 1) assert (ready);
      end else assert (!asks && !reading);
      cover (ready && begun && from[6] && watched == WORDS - 1);
    end
endmodule

`default_nettype wire
