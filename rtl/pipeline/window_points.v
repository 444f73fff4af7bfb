// SPDX-License-Identifier: Apache-2.0
// Cuts the loads of a token into passes, for load_window.v. A pass serves all points, addresses of the token, that are in
// the WINDOW words from that of the first one on that still waits; a token with further points comes again at once, and
// the next one in between. A pass for each cycle with go_i; 2 of them from a token to its first pass. A point that is no
// address of a word in global memory gives no pass: bad_o, once, and none of its token follows.
`default_nettype none

module window_points #(
    parameter SLOT_BITS = 6,
    parameter GLOBAL_LOG2 = 25,
    parameter FIRST_LOG2 = 12,
    parameter POINTS = 1,
    parameter [POINTS*8-1:0] SPAN = 0,  // of each: the words behind its own that belong to it
    parameter WINDOW_LOG2 = 3,  // of the words
    parameter LINE_BITS = GLOBAL_LOG2 - WINDOW_LOG2 - 2  // derived: of the number of a line of WINDOW words
) (
    input wire clk,
    input wire rst,
    input wire go_i, // each stage takes what is in front of it

    // the token at the head of the queue
    input  wire                 valid_i,
    output wire                 take_o,
    input  wire [SLOT_BITS-1:0] slot_i,
    input  wire [   POINTS-1:0] active_i,
    input  wire [POINTS*32-1:0] address_i,

    // a pass
    output reg                          valid_o,
    output reg [         SLOT_BITS-1:0] slot_o,
    output reg [            POINTS-1:0] fits_o,   // the points that it serves
    output reg [POINTS*WINDOW_LOG2-1:0] bank_o,   // their places in lines
    output reg [         LINE_BITS-1:0] line_o,   // in which the window begins
    output reg [       WINDOW_LOG2-1:0] start_o,  // and where in it
    output reg                          next_o,   // words of the next line are wanted
    output reg                          last_o,   // the token's last

    output wire                 bad_o,          // with go_i
    output wire [SLOT_BITS-1:0] bad_slot_o,
    output wire [         31:0] bad_address_o,
    output wire [   POINTS-1:0] bad_point_o     // which one it is, one-hot
);
  localparam LINE_LOG2 = WINDOW_LOG2 + 2;  // of its bytes
  genvar p;
  integer i;
  reg f1_valid, f2_valid;
  reg [SLOT_BITS-1:0] f1_slot, f2_slot;
  reg [POINTS-1:0] f1_active, f2_active;
  reg [POINTS*32-1:0] f1_address, f2_address;
  reg [31:0] f2_base, first_address;
  reg [POINTS-1:0] f2_first, first;
  always @* begin
    first = f1_active & (~f1_active + 1'b1);
    first_address = 32'd0;
    for (i = 0; i < POINTS; i = i + 1) first_address = first_address | (f1_address[i*32+:32] & {32{first[i]}});
  end
  wire [WINDOW_LOG2-1:0] f2_start = f2_base[2+:WINDOW_LOG2];
  wire at_end = &f2_base[GLOBAL_LOG2-1:LINE_LOG2];  // no line follows in memory
  wire [POINTS-1:0] fits, crosses;  // is in the window; has words in the next line
  wire [POINTS*WINDOW_LOG2-1:0] f2_bank;
  generate
    for (p = 0; p < POINTS; p = p + 1) begin : point
      localparam [WINDOW_LOG2:0] BEHIND_IT = SPAN[p*8+:WINDOW_LOG2+1];
      wire [31:0] distance = f2_address[p*32+:32] - f2_base;
      wire [WINDOW_LOG2:0] from_start = {1'b0, distance[2+:WINDOW_LOG2]} + BEHIND_IT;
      /* verilator lint_off UNUSEDSIGNAL */
      // Whether it is beyond the line is all that is asked.
      wire [WINDOW_LOG2+1:0] from_line = {1'b0, from_start} + {2'b00, f2_start};
      /* verilator lint_on UNUSEDSIGNAL */
      assign crosses[p] = |from_line[WINDOW_LOG2+1:WINDOW_LOG2];
      assign fits[p] = f2_active[p] && distance[31:LINE_LOG2] == 0 && distance[1:0] == 2'd0 &&
                       !from_start[WINDOW_LOG2] && !(at_end && crosses[p]);
      assign f2_bank[p*WINDOW_LOG2+:WINDOW_LOG2] = f2_address[p*32+2+:WINDOW_LOG2];
    end
  endgenerate
  wire [POINTS-1:0] left = f2_active & ~fits;
  wire is_outside = f2_base[31:GLOBAL_LOG2] != 0 || f2_base[GLOBAL_LOG2-1:FIRST_LOG2] == 0;
  assign bad_o = f2_valid && |f2_active && (f2_base[1:0] != 2'd0 || is_outside || (at_end && |(f2_first & crosses)));
  wire again = f2_valid && |left && !bad_o;  // the token needs a further pass
  assign take_o = go_i && valid_i && !again;
  always @(posedge clk) begin
    if (go_i) begin
      f1_valid <= again || valid_i;
      {f1_slot, f1_active, f1_address} <= again ? {f2_slot, left, f2_address} : {slot_i, active_i, address_i};
      f2_valid <= f1_valid;
      {f2_slot, f2_active, f2_address} <= {f1_slot, f1_active, f1_address};
      {f2_base, f2_first} <= {first_address, first};
      valid_o <= f2_valid && !bad_o;
      {slot_o, fits_o, bank_o, start_o} <= {f2_slot, fits, f2_bank, f2_start};
      line_o <= f2_base[GLOBAL_LOG2-1:LINE_LOG2];
      next_o <= |(fits & crosses);
      last_o <= left == {POINTS{1'b0}};
    end
    if (rst) {f1_valid, f2_valid, valid_o} <= 3'd0;
  end

  assign {bad_slot_o, bad_address_o, bad_point_o} = {f2_slot, f2_base, f2_first};
endmodule

`default_nettype wire
