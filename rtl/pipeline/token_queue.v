// SPDX-License-Identifier: Apache-2.0
// A queue as deep as there are slots. There are no more tokens than slots, and a token is in one place: so it never
// overflows and has no ready. First in, first out, one a cycle; the head stands in a register, so what leaves is known
// when the cycle begins. From valid_i to valid_o 1 cycle for a slot alone; with more, whose words are wide, 2 cycles, and
// 3 from block RAM.
`default_nettype none

module token_queue #(
    parameter WIDTH = 5,  // bits of a word: the slot and what goes with it
    parameter SLOT_BITS = 5,  // log2 of the slots
    // 1: in block RAM, 0: in distributed RAM, which is 16 deep
    parameter BLOCK = SLOT_BITS <= 4 ? 0 : WIDTH >= 16 || (WIDTH >= 4 && SLOT_BITS >= 6)
) (
    input wire clk,
    input wire rst,

    input  wire             valid_i,
    input  wire [WIDTH-1:0] word_i,
    output wire             valid_o,
    output wire [WIDTH-1:0] word_o,
    input  wire             take_i    // the head leaves; only with valid_o
);
  // A word finds the queue empty and becomes its head at once. It takes a multiplexer as wide as the word.
  localparam BYPASS = WIDTH < 16;
  reg [SLOT_BITS-1:0] last, first;
  reg [SLOT_BITS:0] count;  // words in memory
  reg head_valid;
  reg [WIDTH-1:0] head;
  assign valid_o = head_valid;
  assign word_o  = head;
  wire fetch, empty;  // empty: nothing is behind the head
  wire bypass = BYPASS && valid_i && empty && (!head_valid || take_i);
  wire put = valid_i && !bypass;
  always @(posedge clk) begin
    if (put) last <= last + 1'b1;
    if (fetch) first <= first + 1'b1;
    count <= count + {{SLOT_BITS{1'b0}}, put} - {{SLOT_BITS{1'b0}}, fetch};
    if (rst) begin
      last  <= 0;
      first <= 0;
      count <= 0;
    end
  end
  generate
    if (BLOCK != 0) begin : block
      // Block RAM answers late: its word gets a register of its own in front of the head.
      (* ram_style = "block", no_rw_check *) reg [WIDTH-1:0] words[0:(1<<SLOT_BITS)-1];
      reg read_valid;
      reg [WIDTH-1:0] read;
      wire move = read_valid && (!head_valid || take_i);
      assign fetch = count != 0 && (!read_valid || move);
      assign empty = count == 0 && !read_valid;
      always @(posedge clk) begin
        if (valid_i) words[last] <= word_i;
        if (fetch) read <= words[first];
        if (bypass) head <= word_i;
        else if (move) head <= read;
        read_valid <= !rst && (fetch || (read_valid && !move));
        head_valid <= !rst && (bypass || move || (head_valid && !take_i));
      end
    end else begin : distributed
      reg [WIDTH-1:0] words[0:(1<<SLOT_BITS)-1];
      assign fetch = count != 0 && (!head_valid || take_i);
      assign empty = count == 0;
      always @(posedge clk) begin
        if (valid_i) words[last] <= word_i;
        if (bypass) head <= word_i;
        else if (fetch) head <= words[first];
        head_valid <= !rst && (bypass || fetch || (head_valid && !take_i));
      end
    end
  endgenerate
endmodule

`default_nettype wire
