// SPDX-License-Identifier: Apache-2.0
// A block RAM of an ECP5: 18 Kbit, two ports of 1 to 18 bits or one to write and one to read of 36, without output registers.
// Facts: FPGA-TN-02204 (memory usage guide) and how Yosys's and Project Trellis' public descriptions of the cell place bits. A word that
// one port reads while the other writes it at the same edge is not defined there: here it comes with all its bits turned over, so
// that nothing may depend on it.
`default_nettype none

module DP16KD #(
    parameter DATA_WIDTH_A = 18,
    parameter DATA_WIDTH_B = 18,
    parameter REGMODE_A = "NOREG",
    parameter REGMODE_B = "NOREG",
    parameter RESETMODE = "SYNC",
    parameter ASYNC_RESET_RELEASE = "SYNC",
    parameter CSDECODE_A = "0b000",
    parameter CSDECODE_B = "0b000",
    parameter WRITEMODE_A = "NORMAL",
    parameter WRITEMODE_B = "NORMAL",
    parameter CLKAMUX = "CLKA",
    parameter CLKBMUX = "CLKB",
    parameter GSR = "ENABLED",
    parameter [319:0] INITVAL_00 = 320'd0,
    parameter [319:0] INITVAL_01 = 320'd0,
    parameter [319:0] INITVAL_02 = 320'd0,
    parameter [319:0] INITVAL_03 = 320'd0,
    parameter [319:0] INITVAL_04 = 320'd0,
    parameter [319:0] INITVAL_05 = 320'd0,
    parameter [319:0] INITVAL_06 = 320'd0,
    parameter [319:0] INITVAL_07 = 320'd0,
    parameter [319:0] INITVAL_08 = 320'd0,
    parameter [319:0] INITVAL_09 = 320'd0,
    parameter [319:0] INITVAL_0A = 320'd0,
    parameter [319:0] INITVAL_0B = 320'd0,
    parameter [319:0] INITVAL_0C = 320'd0,
    parameter [319:0] INITVAL_0D = 320'd0,
    parameter [319:0] INITVAL_0E = 320'd0,
    parameter [319:0] INITVAL_0F = 320'd0,
    parameter [319:0] INITVAL_10 = 320'd0,
    parameter [319:0] INITVAL_11 = 320'd0,
    parameter [319:0] INITVAL_12 = 320'd0,
    parameter [319:0] INITVAL_13 = 320'd0,
    parameter [319:0] INITVAL_14 = 320'd0,
    parameter [319:0] INITVAL_15 = 320'd0,
    parameter [319:0] INITVAL_16 = 320'd0,
    parameter [319:0] INITVAL_17 = 320'd0,
    parameter [319:0] INITVAL_18 = 320'd0,
    parameter [319:0] INITVAL_19 = 320'd0,
    parameter [319:0] INITVAL_1A = 320'd0,
    parameter [319:0] INITVAL_1B = 320'd0,
    parameter [319:0] INITVAL_1C = 320'd0,
    parameter [319:0] INITVAL_1D = 320'd0,
    parameter [319:0] INITVAL_1E = 320'd0,
    parameter [319:0] INITVAL_1F = 320'd0,
    parameter [319:0] INITVAL_20 = 320'd0,
    parameter [319:0] INITVAL_21 = 320'd0,
    parameter [319:0] INITVAL_22 = 320'd0,
    parameter [319:0] INITVAL_23 = 320'd0,
    parameter [319:0] INITVAL_24 = 320'd0,
    parameter [319:0] INITVAL_25 = 320'd0,
    parameter [319:0] INITVAL_26 = 320'd0,
    parameter [319:0] INITVAL_27 = 320'd0,
    parameter [319:0] INITVAL_28 = 320'd0,
    parameter [319:0] INITVAL_29 = 320'd0,
    parameter [319:0] INITVAL_2A = 320'd0,
    parameter [319:0] INITVAL_2B = 320'd0,
    parameter [319:0] INITVAL_2C = 320'd0,
    parameter [319:0] INITVAL_2D = 320'd0,
    parameter [319:0] INITVAL_2E = 320'd0,
    parameter [319:0] INITVAL_2F = 320'd0,
    parameter [319:0] INITVAL_30 = 320'd0,
    parameter [319:0] INITVAL_31 = 320'd0,
    parameter [319:0] INITVAL_32 = 320'd0,
    parameter [319:0] INITVAL_33 = 320'd0,
    parameter [319:0] INITVAL_34 = 320'd0,
    parameter [319:0] INITVAL_35 = 320'd0,
    parameter [319:0] INITVAL_36 = 320'd0,
    parameter [319:0] INITVAL_37 = 320'd0,
    parameter [319:0] INITVAL_38 = 320'd0,
    parameter [319:0] INITVAL_39 = 320'd0,
    parameter [319:0] INITVAL_3A = 320'd0,
    parameter [319:0] INITVAL_3B = 320'd0,
    parameter [319:0] INITVAL_3C = 320'd0,
    parameter [319:0] INITVAL_3D = 320'd0,
    parameter [319:0] INITVAL_3E = 320'd0,
    parameter [319:0] INITVAL_3F = 320'd0
) (
    input  wire DIA0,
    input  wire DIA1,
    input  wire DIA2,
    input  wire DIA3,
    input  wire DIA4,
    input  wire DIA5,
    input  wire DIA6,
    input  wire DIA7,
    input  wire DIA8,
    input  wire DIA9,
    input  wire DIA10,
    input  wire DIA11,
    input  wire DIA12,
    input  wire DIA13,
    input  wire DIA14,
    input  wire DIA15,
    input  wire DIA16,
    input  wire DIA17,
    input  wire ADA0,
    input  wire ADA1,
    input  wire ADA2,
    input  wire ADA3,
    input  wire ADA4,
    input  wire ADA5,
    input  wire ADA6,
    input  wire ADA7,
    input  wire ADA8,
    input  wire ADA9,
    input  wire ADA10,
    input  wire ADA11,
    input  wire ADA12,
    input  wire ADA13,
    input  wire CEA,
    input  wire OCEA,
    input  wire CLKA,
    input  wire WEA,
    input  wire RSTA,
    input  wire CSA0,
    input  wire CSA1,
    input  wire CSA2,
    input  wire DIB0,
    input  wire DIB1,
    input  wire DIB2,
    input  wire DIB3,
    input  wire DIB4,
    input  wire DIB5,
    input  wire DIB6,
    input  wire DIB7,
    input  wire DIB8,
    input  wire DIB9,
    input  wire DIB10,
    input  wire DIB11,
    input  wire DIB12,
    input  wire DIB13,
    input  wire DIB14,
    input  wire DIB15,
    input  wire DIB16,
    input  wire DIB17,
    input  wire ADB0,
    input  wire ADB1,
    input  wire ADB2,
    input  wire ADB3,
    input  wire ADB4,
    input  wire ADB5,
    input  wire ADB6,
    input  wire ADB7,
    input  wire ADB8,
    input  wire ADB9,
    input  wire ADB10,
    input  wire ADB11,
    input  wire ADB12,
    input  wire ADB13,
    input  wire CEB,
    input  wire OCEB,
    input  wire CLKB,
    input  wire WEB,
    input  wire RSTB,
    input  wire CSB0,
    input  wire CSB1,
    input  wire CSB2,
    output wire DOA0,
    output wire DOA1,
    output wire DOA2,
    output wire DOA3,
    output wire DOA4,
    output wire DOA5,
    output wire DOA6,
    output wire DOA7,
    output wire DOA8,
    output wire DOA9,
    output wire DOA10,
    output wire DOA11,
    output wire DOA12,
    output wire DOA13,
    output wire DOA14,
    output wire DOA15,
    output wire DOA16,
    output wire DOA17,
    output wire DOB0,
    output wire DOB1,
    output wire DOB2,
    output wire DOB3,
    output wire DOB4,
    output wire DOB5,
    output wire DOB6,
    output wire DOB7,
    output wire DOB8,
    output wire DOB9,
    output wire DOB10,
    output wire DOB11,
    output wire DOB12,
    output wire DOB13,
    output wire DOB14,
    output wire DOB15,
    output wire DOB16,
    output wire DOB17
);
  generate
    if (REGMODE_A != "NOREG" || REGMODE_B != "NOREG" || CSDECODE_A != "0b000" || CSDECODE_B != "0b000" || CLKAMUX != "CLKA" || CLKBMUX != "CLKB")
      this_model_has_no_such_mode refused ();
  endgenerate
  wire unused = &{OCEA, OCEB, RSTA, RSTB, ASYNC_RESET_RELEASE[0], RESETMODE[0], GSR[0]};

  wire [13:0] address_a = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
  wire [13:0] address_b = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
  wire [17:0] in_a = {
    DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0
  };
  wire [17:0] in_b = {
    DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0
  };
  wire enable_a = CEA && !CSA0 && !CSA1 && !CSA2, enable_b = CEB && !CSB0 && !CSB1 && !CSB2;
  wire write_a = enable_a && WEA, write_b = enable_b && WEB && DATA_WIDTH_A != 36;

  // Words of 18 bits, of which narrow ports leave the bits 8 and 17 alone. Where in a word a port's bits are:
  function [4:0] first_bit(input integer width, input [13:0] address);
    case (width)
      1: first_bit = {2'd0, address[2:0]} + (address[3] ? 5'd9 : 5'd0);
      2: first_bit = {2'd0, address[2:1], 1'b0} + (address[3] ? 5'd9 : 5'd0);
      4: first_bit = {2'd0, address[2], 2'd0} + (address[3] ? 5'd9 : 5'd0);
      9: first_bit = address[3] ? 5'd9 : 5'd0;
      default: first_bit = 5'd0;
    endcase
  endfunction
  // And which of the word's bits a write changes.
  function [17:0] changed(input integer width, input [13:0] address);
    case (width)
      1: changed = 18'h1 << first_bit(width, address);
      2: changed = 18'h3 << first_bit(width, address);
      4: changed = 18'hF << first_bit(width, address);
      9: changed = 18'h1FF << first_bit(width, address);
      default: changed = {{9{address[1]}}, {9{address[0]}}};
    endcase
  endfunction

  reg [17:0] low[0:511], high[0:511];  // words of even and of odd address
  wire [64*320-1:0] initial_bits = {
    INITVAL_3F,
    INITVAL_3E,
    INITVAL_3D,
    INITVAL_3C,
    INITVAL_3B,
    INITVAL_3A,
    INITVAL_39,
    INITVAL_38,
    INITVAL_37,
    INITVAL_36,
    INITVAL_35,
    INITVAL_34,
    INITVAL_33,
    INITVAL_32,
    INITVAL_31,
    INITVAL_30,
    INITVAL_2F,
    INITVAL_2E,
    INITVAL_2D,
    INITVAL_2C,
    INITVAL_2B,
    INITVAL_2A,
    INITVAL_29,
    INITVAL_28,
    INITVAL_27,
    INITVAL_26,
    INITVAL_25,
    INITVAL_24,
    INITVAL_23,
    INITVAL_22,
    INITVAL_21,
    INITVAL_20,
    INITVAL_1F,
    INITVAL_1E,
    INITVAL_1D,
    INITVAL_1C,
    INITVAL_1B,
    INITVAL_1A,
    INITVAL_19,
    INITVAL_18,
    INITVAL_17,
    INITVAL_16,
    INITVAL_15,
    INITVAL_14,
    INITVAL_13,
    INITVAL_12,
    INITVAL_11,
    INITVAL_10,
    INITVAL_0F,
    INITVAL_0E,
    INITVAL_0D,
    INITVAL_0C,
    INITVAL_0B,
    INITVAL_0A,
    INITVAL_09,
    INITVAL_08,
    INITVAL_07,
    INITVAL_06,
    INITVAL_05,
    INITVAL_04,
    INITVAL_03,
    INITVAL_02,
    INITVAL_01,
    INITVAL_00
  };
  integer i;
  initial
    for (i = 0; i < 512; i = i + 1) begin
      low[i]  = initial_bits[i*40+:18];
      high[i] = initial_bits[i*40+20+:18];
    end

  wire [17:0] low_a = low[address_a[13:5]], high_a = high[address_a[13:5]];
  wire [17:0] low_b = low[address_b[13:5]], high_b = high[address_b[13:5]];
  wire [17:0] word_a = address_a[4] ? high_a : low_a, word_b = address_b[4] ? high_b : low_b;
  wire [17:0] mask_a = changed(DATA_WIDTH_A, address_a), mask_b = changed(DATA_WIDTH_B, address_b);
  wire [17:0] new_a = word_a & ~mask_a | in_a << first_bit(DATA_WIDTH_A, address_a) & mask_a;
  wire [17:0] new_b = word_b & ~mask_b | in_b << first_bit(DATA_WIDTH_B, address_b) & mask_b;

  // What each port writes at this edge of the pair of words that the other one reads.
  wire same = address_a[13:5] == address_b[13:5];
  wire [35:0] pair_a = DATA_WIDTH_A == 36 ? {{9{address_a[3]}}, {9{address_a[2]}}, mask_a} :
                       address_a[4] ? {mask_a, 18'd0} : {18'd0, mask_a};
  wire [35:0] pair_b = address_b[4] ? {mask_b, 18'd0} : {18'd0, mask_b};
  wire [35:0] unclear_a = same && write_b ? pair_b : 36'd0, unclear_b = same && write_a ? pair_a : 36'd0;
  wire [17:0] read_a = address_a[4] ? high_a ^ unclear_a[35:18] : low_a ^ unclear_a[17:0];
  wire [17:0] read_b = address_b[4] ? high_b ^ unclear_b[35:18] : low_b ^ unclear_b[17:0];

  reg [17:0] out_a, out_b;
  generate
    if (DATA_WIDTH_A == 36) begin : writes_two_words
      wire [17:0] mask_high = {{9{address_a[3]}}, {9{address_a[2]}}};
      always @(posedge CLKA)
        if (write_a) begin
          low[address_a[13:5]]  <= low_a & ~mask_a | in_a & mask_a;
          high[address_a[13:5]] <= high_a & ~mask_high | in_b & mask_high;
        end
    end else begin : writes_one_word
      always @(posedge CLKA) begin
        if (write_a && !address_a[4]) low[address_a[13:5]] <= new_a;
        if (write_a && address_a[4]) high[address_a[13:5]] <= new_a;
        if (enable_a && !(WEA && WRITEMODE_A == "NORMAL"))
          out_a <= (WEA && WRITEMODE_A == "WRITETHROUGH" ? new_a : read_a) >> first_bit(DATA_WIDTH_A, address_a);
      end
      if (DATA_WIDTH_B != 36) begin : writes_either
        always @(posedge CLKB) begin
          if (write_b && !address_b[4]) low[address_b[13:5]] <= new_b;
          if (write_b && address_b[4]) high[address_b[13:5]] <= new_b;
        end
      end
    end
    if (DATA_WIDTH_B == 36) begin : reads_two_words
      reg [17:0] out_low;
      always @(posedge CLKB)
        if (enable_b) begin
          out_low <= low_b ^ unclear_b[17:0];
          out_b   <= high_b ^ unclear_b[35:18];
        end
      assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0} = out_low;
    end else begin : reads_one_word
      always @(posedge CLKB)
        if (enable_b && !(WEB && WRITEMODE_B == "NORMAL"))
          out_b <= (WEB && WRITEMODE_B == "WRITETHROUGH" ? new_b : read_b) >> first_bit(DATA_WIDTH_B, address_b);
      assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0} = out_a;
    end
  endgenerate
  assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0} = out_b;
endmodule

`default_nettype wire
