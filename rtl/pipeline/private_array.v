// SPDX-License-Identifier: Apache-2.0
// An array in private memory: of each slot and lane its elements. READERS reads and WRITERS writes a cycle, each of one
// slot, in all lanes. What is read comes the cycle after. What is written is there for reads that come a cycle later;
// with several writers two. A work-item's own order is the schedule's affair: an element is never read or written in
// the cycles in which another write of it is under way.
//
// Block RAMs have one port of each kind. So each reader has a copy. Each writer has a bank of them, and an element is
// the exclusive or of all banks: who writes one reads the others first, and writes what gives the new value with them.
`default_nettype none

module private_array #(
    parameter WIDTH = 32,  // bits of an element
    parameter ELEMENTS = 16,
    parameter INDEX_BITS = 4,  // log2(ELEMENTS) at least
    parameter LANES = 1,
    parameter SLOT_BITS = 5,  // log2 of the slots; 0: there is one, and its number is not looked at
    parameter READERS = 1,
    parameter WRITERS = 1,
    parameter SLOT_PORT_BITS = SLOT_BITS == 0 ? 1 : SLOT_BITS  // not to be set
) (
    input wire clk,

    // writes: by writer, then by lane
    input wire [           WRITERS*LANES-1:0] write_i,
    input wire [  WRITERS*SLOT_PORT_BITS-1:0] write_slot_i,
    input wire [WRITERS*LANES*INDEX_BITS-1:0] write_index_i,  // below ELEMENTS
    input wire [     WRITERS*LANES*WIDTH-1:0] value_i,

    // reads: by reader, then by lane
    input  wire [  READERS*SLOT_PORT_BITS-1:0] read_slot_i,
    input  wire [READERS*LANES*INDEX_BITS-1:0] read_index_i,
    output wire [     READERS*LANES*WIDTH-1:0] value_o
);
  localparam DEPTH = ELEMENTS << SLOT_BITS, AT_BITS = INDEX_BITS + SLOT_BITS;
  localparam UNUSED_BITS = SLOT_PORT_BITS - SLOT_BITS;  // of a slot's number
  // Few elements of few slots cost less in distributed RAM.
  localparam BLOCK = DEPTH > 32;
  localparam COPIES = READERS + WRITERS - 1;  // of a bank: for the readers, then for the other writers
  genvar l, w, c;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : lane
      wire [WRITERS*COPIES*WIDTH-1:0] read;  // by bank, then by copy
      for (w = 0; w < WRITERS; w = w + 1) begin : bank
        wire [AT_BITS+UNUSED_BITS-1:0] wide_at = {
          write_index_i[(w*LANES+l)*INDEX_BITS+:INDEX_BITS], write_slot_i[w*SLOT_PORT_BITS+:SLOT_PORT_BITS]
        };
        wire [AT_BITS-1:0] at = wide_at[UNUSED_BITS+:AT_BITS];
        wire unused_slot = &{1'b0, wide_at};
        wire write;
        wire [AT_BITS-1:0] write_at;
        wire [WIDTH-1:0] word;
        if (WRITERS == 1) begin : at_once
          assign write = write_i[l];
          assign write_at = at;
          assign word = value_i[l*WIDTH+:WIDTH];
        end else begin : behind_reads
          reg later;
          reg [AT_BITS-1:0] later_at;
          reg [WIDTH-1:0] value, others;
          integer o;
          always @(posedge clk) begin
            later <= write_i[w*LANES+l];
            later_at <= at;
            value <= value_i[(w*LANES+l)*WIDTH+:WIDTH];
          end
          always @* begin
            others = {WIDTH{1'b0}};
            // Of bank o this writer has the copy READERS + w, or the one before it behind its own bank's.
            for (o = 0; o < WRITERS; o = o + 1)
            if (o != w) others = others ^ read[(o*COPIES+READERS+(w<o?w : w-1))*WIDTH+:WIDTH];
          end
          assign write = later;
          assign write_at = later_at;
          assign word = value ^ others;
        end
        for (c = 0; c < COPIES; c = c + 1) begin : copy
          // The writer that reads this copy, if it is none of the readers.
          localparam OTHER = c < READERS ? 0 : c - READERS < w ? c - READERS : c - READERS + 1;
          wire [AT_BITS+UNUSED_BITS-1:0] wide_read_at;
          wire [AT_BITS-1:0] read_at = wide_read_at[UNUSED_BITS+:AT_BITS];
          wire unused_read_slot = &{1'b0, wide_read_at};
          if (c < READERS) begin : reader
            assign wide_read_at = {
              read_index_i[(c*LANES+l)*INDEX_BITS+:INDEX_BITS], read_slot_i[c*SLOT_PORT_BITS+:SLOT_PORT_BITS]
            };
          end else begin : writer
            assign wide_read_at = {
              write_index_i[(OTHER*LANES+l)*INDEX_BITS+:INDEX_BITS], write_slot_i[OTHER*SLOT_PORT_BITS+:SLOT_PORT_BITS]
            };
          end
          word_memory #(
              .WIDTH(WIDTH),
              .WORDS(DEPTH),
              .INDEX_BITS(AT_BITS),
              .BLOCK(BLOCK),
              .ZERO(1)
          ) values (
              .clk(clk),
              .read_index_i(read_at),
              .word_o(read[(w*COPIES+c)*WIDTH+:WIDTH]),
              .write_i(write),
              .write_index_i(write_at),
              .word_i(word)
          );
        end
      end
      for (c = 0; c < READERS; c = c + 1) begin : answer
        reg [WIDTH-1:0] sum;
        integer b;
        always @* begin
          sum = {WIDTH{1'b0}};
          for (b = 0; b < WRITERS; b = b + 1) sum = sum ^ read[(b*COPIES+c)*WIDTH+:WIDTH];
        end
        assign value_o[(c*LANES+l)*WIDTH+:WIDTH] = sum;
      end
    end
  endgenerate
endmodule

`default_nettype wire
