// SPDX-License-Identifier: Apache-2.0
// Starts a DDR3 chip of 16 bits, once after rst; ddr3_steps carries out what it takes: the chip's reset, mode registers
// and calibration, then levelling of reads. Each byte of the data pins gets the slip and the delay in the middle of the
// longest run of delays with which test patterns come back and a burst was seen; a run of one delay is luck and does
// not count. Then ready_o, or failed_o if a byte has no such run, or fails in spite of it RETRIES times: after 700 us
// and some 20,000 cycles. litedram's controller has the chip from ready_o on.
`default_nettype none

module ddr3_start #(
    parameter RETRIES = 8
) (
    input wire clk,
    input wire rst,

    // ddr3_steps
    output wire       start_o,
    output wire       try_o,
    output wire       turn_o,
    output wire       hand_over_o,
    output reg  [1:0] test_o,
    output wire       slip_o,
    output wire       zero_o,
    output wire [1:0] bytes_o,
    input  wire       done_i,
    input  wire [1:0] good_i,

    output reg        ready_o,
    output reg        failed_o,
    output wire [9:0] chosen_o   // slip and delay of each byte, the first byte's low
);
  localparam [1:0] LAST_TEST = 2'd2;

  // What is done, in this order; TRY goes through all delays, then slips. SET_: a byte's, to what was chosen.
  localparam [3:0] START = 4'd0, ZERO_DELAY = 4'd1, ZERO_SLIP = 4'd2, TRY = 4'd3, NEXT_DELAY = 4'd4;
  localparam [3:0] NEXT_SLIP = 4'd5, CHOOSE = 4'd6, SET_ZERO_DELAY = 4'd7, SET_ZERO_SLIP = 4'd8, SET_DELAY = 4'd9;
  localparam [3:0] SET_SLIP = 4'd10, CHECK = 4'd11, HAND_OVER = 4'd12, READY = 4'd13, FAILED = 4'd14;
  reg [3:0] state;
  reg [1:0] slip;
  reg [2:0] delay;
  reg [1:0] works;  // by byte, with this slip and delay, so far
  wire [1:0] works_now = works & good_i;
  reg byte_set;
  reg [2:0] left;  // turns that are still to come
  reg [3:0] retry;

  // By byte: the run of delays that works, and the longest.
  reg [3:0] run[0:1], longest[0:1];
  reg [2:0] longest_end[0:1];
  reg [1:0] longest_slip[0:1];
  wire [2:0] middle_0 = longest_end[0] - longest[0][3:1], middle_1 = longest_end[1] - longest[1][3:1];
  assign chosen_o = {longest_slip[1], middle_1, longest_slip[0], middle_0};
  wire [2:0] middle = byte_set ? middle_1 : middle_0;
  wire [1:0] chosen_slip = byte_set ? longest_slip[1] : longest_slip[0];
  wire sets = (state == SET_DELAY || state == SET_SLIP) && left != 0;
  assign start_o = state == START;
  assign try_o = state == TRY || state == CHECK;
  assign turn_o = zero_o || sets || state == NEXT_DELAY || state == NEXT_SLIP;
  assign hand_over_o = state == HAND_OVER;
  assign slip_o = state == ZERO_SLIP || state == NEXT_SLIP || state == SET_ZERO_SLIP || state == SET_SLIP;
  assign zero_o = state == ZERO_DELAY || state == ZERO_SLIP || state == SET_ZERO_DELAY || state == SET_ZERO_SLIP;
  assign bytes_o = state < SET_ZERO_DELAY ? 2'b11 : {byte_set, !byte_set};
  wire tested = done_i && test_o == LAST_TEST;

  integer i;
  always @(posedge clk) begin
    ready_o  <= state == READY;
    failed_o <= state == FAILED;
    case (state)
      START: if (done_i) state <= ZERO_DELAY;
      ZERO_DELAY: if (done_i) state <= ZERO_SLIP;
      ZERO_SLIP: if (done_i) state <= TRY;
      TRY:
      if (done_i) begin
        test_o <= tested ? 2'd0 : test_o + 2'd1;
        works  <= tested ? 2'b11 : works_now;
        if (tested) begin
          state <= NEXT_DELAY;
          for (i = 0; i < 2; i = i + 1) begin
            run[i] <= works_now[i] ? run[i] + 4'd1 : 4'd0;
            if (works_now[i] && run[i] >= longest[i]) begin
              longest[i] <= run[i] + 4'd1;
              longest_end[i] <= delay;
              longest_slip[i] <= slip;
            end
          end
        end
      end
      NEXT_DELAY:  // the eighth is the first again
      if (done_i) begin
        delay <= delay + 3'd1;
        state <= delay == 3'd7 ? NEXT_SLIP : TRY;
      end
      NEXT_SLIP:
      if (done_i) begin
        slip   <= slip + 2'd1;
        state  <= slip == 2'd3 ? CHOOSE : TRY;
        run[0] <= 4'd0;
        run[1] <= 4'd0;
      end
      CHOOSE: state <= longest[0] < 2 || longest[1] < 2 ? FAILED : SET_ZERO_DELAY;
      SET_ZERO_DELAY: if (done_i) state <= SET_ZERO_SLIP;
      SET_ZERO_SLIP:
      if (done_i) begin
        state <= SET_DELAY;
        left  <= middle;
      end
      SET_DELAY:
      if (left == 0) begin
        state <= SET_SLIP;
        left  <= {1'b0, chosen_slip};
      end else if (done_i) left <= left - 3'd1;
      SET_SLIP:
      if (left == 0) begin
        byte_set <= !byte_set;
        state <= byte_set ? CHECK : SET_ZERO_DELAY;
      end else if (done_i) left <= left - 3'd1;
      CHECK:
      if (done_i) begin
        test_o <= tested ? 2'd0 : test_o + 2'd1;
        works  <= tested ? 2'b11 : works_now;
        if (tested) begin
          retry <= retry + 4'd1;
          state <= &works_now ? HAND_OVER : retry == RETRIES ? FAILED : SET_ZERO_DELAY;
        end
      end
      HAND_OVER: if (done_i) state <= READY;
      default: ;
    endcase
    if (rst) begin
      state <= START;
      works <= 2'b11;
      {test_o, slip, delay, byte_set, retry} <= 12'd0;
      for (i = 0; i < 2; i = i + 1) begin
        run[i] <= 4'd0;
        longest[i] <= 4'd0;
        longest_end[i] <= 3'd0;
        longest_slip[i] <= 2'd0;
      end
    end
  end
endmodule

`default_nettype wire
