// SPDX-License-Identifier: Apache-2.0
// Carries out what ddr3_start asks for, a part of a list of steps, at litedram's control registers: the start of the
// chip; a try, which writes a burst of a test pattern and reads it; a turn of the delay or the slip with which bytes
// are read; handing the chip over to litedram's controller. A step writes a register or looks at one, and pauses.
`default_nettype none

module ddr3_steps #(
    parameter CLOCK_KHZ = 48000,  // of clk; the chip's clock has twice that
    // Addresses of litedram's registers, and the chip's mode registers: ddr3_core.py sets them.
    parameter [7:0] CONTROL = 0,
    parameter [7:0] COMMAND = 1,
    parameter [7:0] ISSUE = 2,
    parameter [7:0] ADDRESS = 3,
    parameter [7:0] BANK = 4,
    parameter [7:0] WRITE_COMMAND = 1,  // of the phase in which the controller writes
    parameter [7:0] WRITE_ISSUE = 2,
    parameter [7:0] WRITE_ADDRESS = 3,
    parameter [7:0] WRITE_BANK = 4,
    parameter [7:0] READ_COMMAND = 1,  // and reads
    parameter [7:0] READ_ISSUE = 2,
    parameter [7:0] READ_ADDRESS = 3,
    parameter [7:0] READ_BANK = 4,
    parameter [31:0] WRITE_DATA = 0,  // four words of a burst, the first in the low byte
    parameter [31:0] READ_DATA = 0,
    parameter [7:0] SELECT = 0,  // of bytes, a bit each
    parameter [7:0] DELAY_RESET = 0,
    parameter [7:0] DELAY_NEXT = 0,
    parameter [7:0] SLIP_RESET = 0,
    parameter [7:0] SLIP_NEXT = 0,
    parameter [7:0] BURST_CLEAR = 0,
    parameter [7:0] BURST_SEEN = 0,
    parameter [15:0] MODE_0 = 0,
    parameter [15:0] MODE_1 = 0,
    parameter [15:0] MODE_2 = 0,
    parameter [15:0] MODE_3 = 0
) (
    input wire clk,
    input wire rst,

    // A part, one at most, is looked at while none is carried out, test_i until its end; done_o in its last cycle
    input  wire       start_i,
    input  wire       try_i,
    input  wire       turn_i,
    input  wire       hand_over_i,
    input  wire [1:0] test_i,       // of a try: which pattern, 0 to 2
    input  wire       slip_i,       // of a turn: the slip; else the delay
    input  wire       zero_i,       // back to 0; else one on
    input  wire [1:0] bytes_i,      // whose, a bit each
    output wire       done_o,
    output wire [1:0] good_o,       // by byte, when a try is done: it came back, and a burst was seen

    // litedram's registers; data_i is that of the address a cycle before
    output reg  [13:0] address_o,
    output reg         write_o,
    output reg  [31:0] data_o,
    input  wire [31:0] data_i
);
  // Registers' bits: of CONTROL, and of commands.
  localparam [7:0] HARDWARE = 8'h01, CKE = 8'h02, ODT = 8'h04, OUT_OF_RESET = 8'h08;
  localparam [7:0] CS = 8'h01, WE = 8'h02, CAS = 8'h04, RAS = 8'h08, WRITES = 8'h10, READS = 8'h20;
  localparam [15:0] ALL_BANKS = 16'h0400;

  // Cycles from a step to the next.
  localparam [15:0] NEXT = 2;
  localparam [15:0] SETTLES = 16;  // a delay, and who is paused for it
  localparam [15:0] CARRIED_OUT = 24;  // a command: a read takes longest
  localparam [15:0] CALIBRATES = 512;  // and longer than tXPR of any chip
  localparam [15:0] RESET_US = CLOCK_KHZ / 1000 * 200 + 200, CKE_US = CLOCK_KHZ / 1000 * 500 + 500;

  // What a step does with its register.
  // Writes a value; a word of the pattern; lane_select; 1 to the register `turned`.
  localparam [2:0] PUT = 3'd0, PUT_PATTERN = 3'd1, PUT_BYTES = 3'd2, PUT_ONE = 3'd3;
  // Reads a word of what came; whether bursts were seen.
  localparam [2:0] COMPARE = 3'd4, SEEN = 3'd5;

  // Parts of the list of steps, by their first.
  localparam [5:0] STARTS = 6'd0, TRIES = 6'd22, TURNS = 6'd46, HANDS_OVER = 6'd51;
  function [59:0] put(input is_last, input [7:0] at, input [15:0] what, input [15:0] cycles);
    put = {is_last, PUT, at, 16'd0, what, cycles};
  endfunction
  function [59:0] special(input is_last, input [2:0] what, input [7:0] at, input [1:0] word, input [15:0] cycles);
    special = {is_last, what, at, 30'd0, word, cycles};
  endfunction
  reg [59:0] does;
  reg [ 5:0] step;
  always @(*) begin
    case (step)
      // The chip's reset; then its clock, mode registers in the order of its data sheet, calibration.
      STARTS: does = put(1'b0, CONTROL, {8'd0, ODT}, RESET_US);
      6'd1: does = put(1'b0, CONTROL, {8'd0, ODT | OUT_OF_RESET}, CKE_US);
      6'd2: does = put(1'b0, CONTROL, {8'd0, ODT | OUT_OF_RESET | CKE}, CALIBRATES);
      6'd3: does = put(1'b0, COMMAND, {8'd0, RAS | CAS | WE | CS}, NEXT);
      6'd4: does = put(1'b0, BANK, 16'd2, NEXT);
      6'd5: does = put(1'b0, ADDRESS, MODE_2, NEXT);
      6'd6: does = put(1'b0, ISSUE, 16'd1, CARRIED_OUT);
      6'd7: does = put(1'b0, BANK, 16'd3, NEXT);
      6'd8: does = put(1'b0, ADDRESS, MODE_3, NEXT);
      6'd9: does = put(1'b0, ISSUE, 16'd1, CARRIED_OUT);
      6'd10: does = put(1'b0, BANK, 16'd1, NEXT);
      6'd11: does = put(1'b0, ADDRESS, MODE_1, NEXT);
      6'd12: does = put(1'b0, ISSUE, 16'd1, CARRIED_OUT);
      6'd13: does = put(1'b0, BANK, 16'd0, NEXT);
      6'd14: does = put(1'b0, ADDRESS, MODE_0, NEXT);
      6'd15: does = put(1'b0, ISSUE, 16'd1, CALIBRATES);
      6'd16: does = put(1'b0, COMMAND, {8'd0, WE | CS}, NEXT);
      6'd17: does = put(1'b0, ADDRESS, ALL_BANKS, NEXT);
      6'd18: does = put(1'b0, ISSUE, 16'd1, CALIBRATES);
      6'd19: does = put(1'b0, WRITE_BANK, 16'd0, NEXT);
      6'd20: does = put(1'b0, READ_BANK, 16'd0, NEXT);
      6'd21: does = put(1'b1, SELECT, 16'd0, SETTLES);
      // A burst is written and read.
      TRIES: does = put(1'b0, COMMAND, {8'd0, RAS | CS}, NEXT);
      6'd23: does = put(1'b0, ADDRESS, 16'd0, NEXT);
      6'd24: does = put(1'b0, ISSUE, 16'd1, CARRIED_OUT);
      6'd25: does = put(1'b0, WRITE_ADDRESS, 16'd0, NEXT);
      6'd26: does = special(1'b0, PUT_PATTERN, WRITE_DATA[7:0], 2'd0, NEXT);
      6'd27: does = special(1'b0, PUT_PATTERN, WRITE_DATA[15:8], 2'd1, NEXT);
      6'd28: does = special(1'b0, PUT_PATTERN, WRITE_DATA[23:16], 2'd2, NEXT);
      6'd29: does = special(1'b0, PUT_PATTERN, WRITE_DATA[31:24], 2'd3, NEXT);
      6'd30: does = put(1'b0, WRITE_COMMAND, {8'd0, CAS | WE | CS | WRITES}, NEXT);
      6'd31: does = put(1'b0, WRITE_ISSUE, 16'd1, CARRIED_OUT);
      6'd32: does = put(1'b0, BURST_CLEAR, 16'd1, NEXT);
      6'd33: does = put(1'b0, READ_ADDRESS, 16'd0, NEXT);
      6'd34: does = put(1'b0, READ_COMMAND, {8'd0, CAS | CS | READS}, NEXT);
      6'd35: does = put(1'b0, READ_ISSUE, 16'd1, CARRIED_OUT);
      6'd36: does = put(1'b0, COMMAND, {8'd0, RAS | WE | CS}, NEXT);
      6'd37: does = put(1'b0, ADDRESS, ALL_BANKS, NEXT);
      6'd38: does = put(1'b0, ISSUE, 16'd1, CARRIED_OUT);
      6'd39: does = special(1'b0, COMPARE, READ_DATA[7:0], 2'd0, NEXT);
      6'd40: does = special(1'b0, COMPARE, READ_DATA[15:8], 2'd1, NEXT);
      6'd41: does = special(1'b0, COMPARE, READ_DATA[23:16], 2'd2, NEXT);
      6'd42: does = special(1'b0, COMPARE, READ_DATA[31:24], 2'd3, NEXT);
      6'd43: does = special(1'b1, SEEN, BURST_SEEN, 2'd0, NEXT);
      // A delay or slip of some bytes is changed; what is selected is paused. That all have to be paused at once after
      // it is a find of litex's authors on this FPGA.
      TURNS: does = special(1'b0, PUT_BYTES, SELECT, 2'd0, SETTLES);
      6'd47: does = special(1'b0, PUT_ONE, 8'd0, 2'd0, SETTLES);
      6'd48: does = put(1'b0, SELECT, 16'd0, SETTLES);
      6'd49: does = put(1'b0, SELECT, 16'd3, SETTLES);
      6'd50: does = put(1'b1, SELECT, 16'd0, SETTLES);
      HANDS_OVER: does = put(1'b1, CONTROL, {8'd0, HARDWARE}, SETTLES);
      default: does = put(1'b1, SELECT, 16'd0, NEXT);
    endcase
  end
  wire last = does[59];
  wire [2:0] kind = does[58:56];
  wire [7:0] where = does[55:48];
  wire [31:0] value = does[47:16];

  // Test patterns: the fraction of pi.
  reg [31:0] pattern;
  always @(*) begin
    case ({
      test_i, value[1:0]
    })
      4'd0: pattern = 32'h243F6A88;
      4'd1: pattern = 32'h85A308D3;
      4'd2: pattern = 32'h13198A2E;
      4'd3: pattern = 32'h03707344;
      4'd4: pattern = 32'hA4093822;
      4'd5: pattern = 32'h299F31D0;
      4'd6: pattern = 32'h082EFA98;
      4'd7: pattern = 32'hEC4E6C89;
      4'd8: pattern = 32'h452821E6;
      4'd9: pattern = 32'h38D01377;
      4'd10: pattern = 32'hBE5466CF;
      default: pattern = 32'h34E90C6C;
    endcase
  end

  // One step after the other, until the last of its part.
  reg runs;
  reg begun;  // the step's register has been asked
  reg [15:0] pause;
  wire ends = runs && begun && pause == 0;
  assign done_o = ends && last;
  reg  [ 7:0] turned;
  reg  [ 1:0] lane_select;
  wire [31:0] differs = data_i ^ pattern;
  reg  [ 1:0] good;  // by byte: this burst was right so far
  wire [ 1:0] wrong = {|differs[31:24] || |differs[15:8], |differs[23:16] || |differs[7:0]};
  always @(posedge clk) begin
    if (ends) step <= step + 6'd1;
    if (done_o) runs <= 1'b0;
    if (!runs) begin
      runs <= start_i || try_i || turn_i || hand_over_i;
      step <= start_i ? STARTS : hand_over_i ? HANDS_OVER : turn_i ? TURNS : TRIES;
      lane_select <= bytes_i;
      turned <= slip_i ? (zero_i ? SLIP_RESET : SLIP_NEXT) : zero_i ? DELAY_RESET : DELAY_NEXT;
    end
    write_o <= runs && !begun && !kind[2];
    if (runs && !begun) begin
      address_o <= {6'd0, kind == PUT_ONE ? turned : where};
      case (kind)
        PUT_PATTERN: data_o <= pattern;
        PUT_BYTES: data_o <= {30'd0, lane_select};
        PUT_ONE: data_o <= 32'd1;
        default: data_o <= value;
      endcase
    end
    begun <= runs && !ends;
    pause <= begun ? pause - 16'd1 : does[15:0] - 16'd1;
    if (!runs) good <= 2'b11;
    if (ends && kind == COMPARE) good <= good & ~wrong;
    if (rst) begin
      runs <= 1'b0;
      write_o <= 1'b0;
      begun <= 1'b0;
    end
  end
  assign good_o = good & data_i[1:0];
endmodule

`default_nettype wire
