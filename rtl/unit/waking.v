// SPDX-License-Identifier: Apache-2.0
// Which slots may be chosen again in this cycle: those whose instruction has ended, and those that waited for something
// that is there now.
`default_nettype none

module waking #(
    parameter SLOTS = 32,
    parameter SLOT_BITS = 5,
    parameter TAIL = 4  // stages from e3 to wb
) (
    input wire clk,
    input wire clear_i,

    // an instruction ends
    input wire [SLOT_BITS-1:0] e3_slot_i,
    input wire                 wb_ready_i, // and its slot goes on

    // stage de: an instruction is not in the instruction cache
    input wire                 de_miss_i,
    input wire [SLOT_BITS-1:0] de_slot_i,
    input wire                 fetch_retry_i, // what was missed has come

    // stage e1: the divider is not free
    input wire                 e1_busy_i,
    input wire [SLOT_BITS-1:0] e1_slot_i,
    input wire                 divide_busy_i,
    input wire                 divide_soon_i,  // it will be free when a slot that is woken now comes to it
    input wire                 divided_i,      // the divider's slot goes on
    input wire [SLOT_BITS-1:0] divide_slot_i,

    // stage e3: there is no room for a memory operation
    input wire e3_full_i,
    input wire memory_full_i,

    // slots that waited for a load, and one that a work-group collective releases
    input wire [    SLOTS-1:0] loads_again_i,
    input wire                 release_valid_i,
    input wire [SLOT_BITS-1:0] release_slot_i,

    output wire             memory_waits_o,  // a slot waits for room
    output wire [SLOTS-1:0] wake_o
);
  function [SLOTS-1:0] one_slot(input enable, input [SLOT_BITS-1:0] slot);
    one_slot = {{(SLOTS - 1) {1'b0}}, enable} << slot;
  endfunction

  wire [SLOT_BITS-1:0] last_slot;
  delay #(
      .WIDTH (SLOT_BITS),
      .CYCLES(TAIL - 1)
  ) carry_slot (
      .clk(clk),
      .value_i(e3_slot_i),
      .value_o(last_slot)
  );
  reg [SLOTS-1:0] wb_one;  // the slot, as a bit: whether it goes on is known late

  reg [SLOTS-1:0] wait_fetch, wait_divide, wait_memory;
  wire [SLOTS-1:0] fetch_again = wait_fetch & {SLOTS{fetch_retry_i}};
  wire [SLOTS-1:0] divide_again = wait_divide & {SLOTS{!divide_busy_i || divide_soon_i}};
  wire [SLOTS-1:0] memory_again = wait_memory & {SLOTS{!memory_full_i}};
  always @(posedge clk) begin
    wb_one <= one_slot(1'b1, last_slot);
    wait_fetch <= (wait_fetch & ~fetch_again) | one_slot(de_miss_i, de_slot_i);
    wait_divide <= (wait_divide & ~divide_again) | one_slot(e1_busy_i, e1_slot_i);
    wait_memory <= (wait_memory & ~memory_again) | one_slot(e3_full_i, e3_slot_i);
    if (clear_i) {wait_fetch, wait_divide, wait_memory} <= {(3 * SLOTS) {1'b0}};
  end
  assign memory_waits_o = |wait_memory;
  assign wake_o = (wb_one & {SLOTS{wb_ready_i}}) | one_slot(
      release_valid_i, release_slot_i
  ) | one_slot(
      divided_i, divide_slot_i
  ) | fetch_again | divide_again | memory_again | loads_again_i;
endmodule

`default_nettype wire
