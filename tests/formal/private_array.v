// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/pipeline/private_array.v gives, the cycle after an element was asked for, what it was last given, whichever
// of its writers gave it. The rule of its users: an element is not asked for, nor given anything by another writer, in
// the cycles in which a write of it is under way: two with several writers, else one. 8 cycles, 2 slots or one without a
// number, 3 elements, 2 lanes, 2 readers.
`default_nettype none

module private_array_proof #(
    parameter WRITERS   = 2,
    parameter SLOT_BITS = 1
) (
    input wire                 clk,
    input wire [2*WRITERS-1:0] write,
    input wire [  WRITERS-1:0] write_slot,
    input wire [4*WRITERS-1:0] write_index,
    input wire [4*WRITERS-1:0] value,
    input wire [          1:0] read_slot,
    input wire [          7:0] read_index
);
  wire rst = $initstate;
  wire [7:0] got;
  private_array #(
      .WIDTH(2),
      .ELEMENTS(3),
      .INDEX_BITS(2),
      .LANES(2),
      .SLOT_BITS(SLOT_BITS),
      .READERS(2),
      .WRITERS(WRITERS)
  ) dut (
      .clk(clk),
      .write_i(write),
      .write_slot_i(write_slot),
      .write_index_i(write_index),
      .value_i(value),
      .read_slot_i(read_slot),
      .read_index_i(read_index),
      .value_o(got)
  );

  // Any one element of any one lane and slot, and any one reader.
  (* anyconst *) reg lane, slot, reader;
  (* anyconst *) reg [1:0] index;
  integer w;
  reg [1:0] writers;  // who give it something
  reg [1:0] given;
  always @* begin
    assume (index != 3);
    writers = 0;
    given   = 0;
    for (w = 0; w < WRITERS; w = w + 1) begin
      assume (!write[2*w] || write_index[4*w+:2] != 3);
      assume (!write[2*w+1] || write_index[4*w+2+:2] != 3);
      if (write[2*w+lane] && (SLOT_BITS == 0 || write_slot[w] == slot) && write_index[4*w+2*lane+:2] == index) begin
        writers = writers + 1;
        given   = value[4*w+2*lane+:2];
      end
    end
  end
  wire asks = (SLOT_BITS == 0 || read_slot[reader] == slot) && read_index[4*reader+2*lane+:2] == index;
  reg written, earlier, asked;  // written: once, or more often
  reg [1:0] last, expected;
  always @* begin
    assume (writers <= 1);
    if (WRITERS > 1 && !rst && earlier) assume (writers == 0 && !asks);
    if (writers != 0) assume (!asks);
  end
  always @(posedge clk) begin
    if (writers != 0) last <= given;
    written <= !rst && (written || writers != 0);
    earlier <= writers != 0;
    asked <= !rst && written && asks;
    expected <= last;
  end
  always @* begin
    if (!rst && asked) assert (got[4*reader+2*lane+:2] == expected);
    if (!rst) cover (asked && expected == 2 && lane && reader);
  end
endmodule

`default_nettype wire
