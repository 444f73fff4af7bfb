// SPDX-License-Identifier: Apache-2.0
// Reads a piece of one page of the host's memory into the half of IN that is not in BAR 0, each word at its place in
// the page. As many as 8 requests are under way; their answers may come in any order, each in as many packets as the
// host likes. A word a cycle.
//
// An answer that is an error, poisoned, or not the one that is due fails the piece, and so does one that does not come
// within TIMEOUT cycles. What comes for a request after that is known by its tag, which is not used again before three
// others came too late, and thrown away.
`default_nettype none

module dma_reader #(
    parameter TIMEOUT = 1 << 20  // cycles without any answer
) (
    input wire        clk,
    input wire        rst,
    input wire [15:0] id_i,          // the endpoint's
    input wire [15:0] max_request_i, // bytes, a power of two from 128 to 4096

    input  wire        start_i,
    input  wire [63:2] address_i,
    input  wire [10:0] words_i,    // 1 to 1024, all in one page
    output reg         done_o,     // for one cycle
    output reg         failed_o,   // with done_o

    // requests, to tlp_sender.v
    output wire        valid_o,
    input  wire        ready_i,
    output wire        last_o,
    output reg  [31:0] word_o,

    // answers, from tlp_receiver.v
    input wire        header_i,
    input wire [ 2:0] fmt_i,
    input wire [ 4:0] type_i,
    input wire        poisoned_i,
    input wire [10:0] length_i,
    input wire [31:0] second_i,
    input wire [31:0] third_i,
    input wire        word_valid_i,

    // to IN
    output wire        in_write_o,
    output wire [11:2] in_index_o
);
  localparam TIMER_BITS = $clog2(TIMEOUT + 1);
  localparam [2:0] IDLE = 3'd0, NEXT = 3'd1, FIRST = 3'd2, SECOND = 3'd3, HIGH = 3'd4, LOW = 3'd5, WAIT = 3'd6;
  reg [2:0] state;
  reg [63:2] at;
  reg [10:0] left;  // words that are not asked for yet
  reg [1:0] generation;
  reg [2:0] slot;  // of the next request
  reg [10:0] words;  // of this request
  reg [7:0] busy;  // requests under way
  reg [10:0] due[0:7];  // words that are still to come
  reg [11:2] index[0:7];  // where the next goes
  reg [TIMER_BITS-1:0] timer;

  wire late = timer == TIMEOUT[TIMER_BITS-1:0];
  // To the next multiple of the largest request.
  wire [10:0] most = max_request_i[12:2];
  wire [10:0] to_end = most - ({1'b0, at[11:2]} & (most - 11'd1));
  wire four = at[63:32] != 0;
  wire [7:0] tag = {3'b000, generation, slot};
  assign valid_o = state == FIRST || state == SECOND || state == HIGH || state == LOW;
  assign last_o  = state == LOW;
  always @*
    case (state)
      FIRST:   word_o = {2'b00, four, 5'b00000, 14'd0, words[9:0]};
      SECOND:  word_o = {id_i, tag, words == 1 ? 4'b0000 : 4'b1111, 4'b1111};
      HIGH:    word_o = at[63:32];
      default: word_o = {at[31:2], 2'b00};
    endcase

  // Whose answer it is.
  wire [2:0] status = second_i[15:13];
  wire [2:0] answered = third_i[10:8];
  wire is_answer = header_i && !fmt_i[2] && type_i == 5'b01010;
  wire ours = is_answer && third_i[31:16] == id_i && third_i[15:11] == {3'b000, generation} && busy[answered];
  // The bytes that it says are left are all that are due.
  wire fits = length_i <= due[answered] && second_i[11:0] == {due[answered][9:0], 2'b00};
  wire right = fmt_i[1] && status == 3'b000 && !poisoned_i && fits;
  reg takes;  // the data that comes is that of `taken`
  reg [2:0] taken;
  assign in_write_o = takes && word_valid_i;
  assign in_index_o = index[taken];

  always @(posedge clk) begin
    done_o <= 1'b0;
    case (state)
      IDLE: begin
        at   <= address_i;
        left <= words_i;
        if (start_i) begin
          failed_o <= 1'b0;
          state <= NEXT;
        end
      end
      NEXT: begin
        words <= left < to_end ? left : to_end;
        if (left == 0 || failed_o) state <= WAIT;
        else if (!busy[slot]) state <= FIRST;
      end
      FIRST:  if (ready_i) state <= SECOND;
      SECOND: if (ready_i) state <= four ? HIGH : LOW;
      HIGH:   if (ready_i) state <= LOW;
      LOW:
      if (ready_i) begin
        at <= at + {51'd0, words};
        left <= left - words;
        slot <= slot + 3'd1;
        state <= NEXT;
      end
      default:
      if (busy == 0) begin
        done_o <= 1'b1;
        state  <= IDLE;
      end
    endcase

    if (state == SECOND && ready_i) begin
      busy[slot]  <= 1'b1;
      due[slot]   <= words;
      index[slot] <= at[11:2];
    end
    timer <= busy == 0 || ours ? {TIMER_BITS{1'b0}} : timer + 1'b1;
    if (header_i) takes <= ours && right;
    if (ours) begin
      taken <= answered;
      if (!right) begin
        busy[answered] <= 1'b0;
        failed_o <= 1'b1;
      end
    end
    if (in_write_o) begin
      index[taken] <= index[taken] + 10'd1;
      due[taken]   <= due[taken] - 11'd1;
      if (due[taken] == 1) busy[taken] <= 1'b0;
    end
    if (late && busy != 0) begin
      busy <= 8'd0;
      takes <= 1'b0;
      failed_o <= 1'b1;
      generation <= generation + 2'd1;
    end
    if (rst) begin
      state <= IDLE;
      busy <= 8'd0;
      takes <= 1'b0;
      slot <= 3'd0;
      generation <= 2'd0;
    end
  end
  wire header_unused = &{1'b0, fmt_i[0], second_i[31:16], second_i[12], third_i[7:0]};
  wire unused = &{1'b0, max_request_i[15:13], max_request_i[1:0]};
endmodule

`default_nettype wire
