// SPDX-License-Identifier: Apache-2.0
// What happened in a unit in a cycle, for the performance counters: an instruction issued, or the cycle was lost to
// conflicts, or to memory. Counted when an instruction takes effect (e3). Every cycle; the outputs stand two cycles
// later, issued_o and active_o one.
`include "rtl/shape.vh"
`default_nettype none

module events #(
    parameter LANES = 8,
    parameter SLOT_BITS = 5
) (
    input wire clk,

    // stage e3 (instruction.vh)
    input wire [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] e3_instruction_i,
    input wire e3_commit_i,  // it takes effect
    input wire e3_again_i,  // a sum of floats, and not its last pass
    input wire e4_valid_i,  // one took effect in the cycle before

    input wire conflict_i,    // memory has a conflict
    input wire memory_wait_i, // a slot waits for memory

    output reg       issued_o,
    output reg [5:0] active_o,       // its lanes
    output reg       memory_wait_o,
    output reg       conflict_o
);
  localparam LEVELS = $clog2(LANES);
  `include "rtl/unit/bundle.vh"
  integer i;
  reg [5:0] active;
  always @* begin
    active = 6'd0;
    for (i = 0; i < LANES; i = i + 1) active = active + {5'd0, e3_instruction_i[B_LANES+i]};
  end
  reg e4_conflict, e4_memory_wait;
  always @(posedge clk) begin
    issued_o <= e3_commit_i && !e3_instruction_i[B_LAUNCH] && !e3_again_i;
    active_o <= active;
    e4_conflict <= conflict_i;
    e4_memory_wait <= memory_wait_i;
    conflict_o <= !e4_valid_i && e4_conflict;
    memory_wait_o <= !e4_valid_i && !e4_conflict && e4_memory_wait;
  end
  wire unused = &{1'b0, e3_instruction_i};
endmodule

`default_nettype wire
