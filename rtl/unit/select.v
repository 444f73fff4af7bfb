// SPDX-License-Identifier: Apache-2.0
// Chooses the slot whose next instruction enters the pipeline: round robin over the slots that are ready.
// A slot is ready from the cycle after its wake bit until it is chosen. One slot a cycle; the choice is registered (1
// cycle).
`default_nettype none

module select #(
    parameter SLOTS = 32,  // resident sub-groups; power of two, 4 to 128
    parameter SLOT_BITS = 5  // log2(SLOTS)
) (
    input wire clk,
    input wire rst,

    input wire             hold_i,   // choose nothing in this cycle
    input wire             clear_i,  // forget every ready slot (end of a dispatch)
    input wire [SLOTS-1:0] wake_i,   // slots that become ready

    output reg                 valid_o,
    output reg [SLOT_BITS-1:0] slot_o
);
  reg [SLOTS-1:0] ready;
  reg [SLOTS-1:0] later;  // the slots behind the last choice, which come first now

  // The lowest set bit, and those behind it, through the carry chain.
  wire [SLOTS-1:0] first = ready & later;
  wire [SLOTS-1:0] minus_first = ~first + {{(SLOTS - 1) {1'b0}}, 1'b1};
  wire [SLOTS-1:0] minus_ready = ~ready + {{(SLOTS - 1) {1'b0}}, 1'b1};
  wire [SLOTS-1:0] first_bit = first & minus_first;
  wire [SLOTS-1:0] any_bit = ready & minus_ready;
  wire [SLOTS-1:0] behind = (|first) ? first ^ minus_first : ready ^ minus_ready;
  wire choose = !hold_i && (|ready);
  wire [SLOTS-1:0] chosen = hold_i ? {SLOTS{1'b0}} : (|first) ? first_bit : any_bit;

  reg [SLOT_BITS-1:0] index;
  integer i, b;
  always @* begin
    index = {SLOT_BITS{1'b0}};
    for (i = 0; i < SLOTS; i = i + 1) begin
      for (b = 0; b < SLOT_BITS; b = b + 1) if (((i >> b) & 1) != 0) index[b] = index[b] | chosen[i];
    end
  end

  always @(posedge clk) begin
    if (rst || clear_i) ready <= {SLOTS{1'b0}};
    else ready <= (ready & ~chosen) | wake_i;
    if (rst) later <= {SLOTS{1'b1}};
    else if (choose) later <= behind;
    valid_o <= choose && !rst && !clear_i;
    slot_o  <= index;
  end
endmodule

`default_nettype wire
