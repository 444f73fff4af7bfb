// SPDX-License-Identifier: Apache-2.0
// Checks one lane's address against the windows of contract/DEVICE.md and makes the physical address in global or local
// memory of it. Combinational, in stage e2; the unit registers the result.
`default_nettype none

module address #(
    parameter LANE = 0,  // number of this lane
    parameter LANES_LOG2 = 3,  // log2(LANES)
    parameter GLOBAL_LOG2 = 28,  // log2 of the bytes of global memory
    parameter LOCAL_LOG2 = 15,  // log2 of the bytes of a unit's local memory
    parameter FIRST_LOG2 = 12,  // log2 of global memory's first address
    parameter CONTROL = 0  // 1: the upper half of the physical addresses is for control registers
) (
    input wire [31:0] address_i,
    input wire [1:0] size_i,  // 0 byte, 1 half-word, 2 word

    // windows of the work-group and the slot
    input wire [   LOCAL_LOG2:0] local_bytes_i,   // multiple of 4
    input wire [ LOCAL_LOG2-1:0] local_base_i,
    input wire [           19:0] private_mask_i,  // 2^PRIVATE_LOG2 - 1
    input wire [GLOBAL_LOG2-1:0] private_base_i,  // of the slot

    output wire                   local_o,             // it is in local memory, else in global memory
    output wire [GLOBAL_LOG2-1:0] physical_address_o,  // in that memory
    output wire                   outside_o,           // it is outside all windows
    output wire [            2:0] fault_o              // the reason of the fault, or 0
);
  `include "rtl/common/reason.vh"
  localparam [31:0] LANE_OFFSET = LANE * 4;

  wire [31:0] a = address_i;
  wire is_local = a[31:28] == 4'h8;
  wire is_private = a[31:28] == 4'hC;
  wire overflown = a[31:28] == 4'hB;  // below the window of private memory: a stack overflow
  wire misaligned = (size_i[0] && a[0]) || (size_i[1] && a[1:0] != 2'd0);
  localparam MEMORY_LOG2 = GLOBAL_LOG2 - CONTROL;
  wire is_control = CONTROL != 0 && a[31:28] == 4'hF;
  wire global_ok = a[31:MEMORY_LOG2] == 0 && a[MEMORY_LOG2-1:FIRST_LOG2] != 0;
  wire local_ok = a[27:LOCAL_LOG2] == 0 && {1'b0, a[LOCAL_LOG2-1:0]} < local_bytes_i;
  wire private_ok = a[27:20] == 0 && (a[19:0] & ~private_mask_i) == 0;

  // Private memory is interleaved by lane: word w of this lane is at (w * LANES + LANE) * 4.
  wire [31:0] word = {12'd0, a[19:2], 2'd0};
  wire [31:0] private_offset = (word << LANES_LOG2) | LANE_OFFSET | {30'd0, a[1:0]};
  wire unused = &{1'b0, private_offset[31:GLOBAL_LOG2]};
  localparam NOT_LOCAL = GLOBAL_LOG2 - LOCAL_LOG2;
  localparam [GLOBAL_LOG2-1:0] REGISTERS = 1 << (GLOBAL_LOG2 - 1), IN_REGISTERS = 'hFFF;
  wire [GLOBAL_LOG2-1:0] base = is_local ? {{NOT_LOCAL{1'b0}}, local_base_i} :
                                is_private ? private_base_i : is_control ? REGISTERS : {GLOBAL_LOG2{1'b0}};
  wire [GLOBAL_LOG2-1:0] offset = is_local ? {{NOT_LOCAL{1'b0}}, a[LOCAL_LOG2-1:0]} :
                                  is_private ? private_offset[GLOBAL_LOG2-1:0] :
                                  is_control ? a[GLOBAL_LOG2-1:0] & IN_REGISTERS : a[GLOBAL_LOG2-1:0];

  assign local_o = is_local;
  assign physical_address_o = base + offset;
  // Faster than the reason, because it decides whether the instruction takes effect. The unit checks alignment beside
  // it.
  assign outside_o = (is_local && !local_ok) || (is_private && !private_ok) ||
                     (!is_local && !is_private && !is_control && !global_ok);
  wire [3:0] reason = misaligned ? MISALIGNED : is_local ? (local_ok ? 4'd0 : OUTSIDE_LOCAL) :
                   is_private ? (private_ok ? 4'd0 : OUTSIDE_PRIVATE) :
                   overflown ? OUTSIDE_PRIVATE : global_ok || is_control ? 4'd0 : UNMAPPED;
  assign fault_o = reason[2:0];  // these reasons are below 8
  wire reason_unused = reason[3];
endmodule

`default_nettype wire
