// SPDX-License-Identifier: Apache-2.0
// Where in the memory an address of a lane leads, by its window (contract/DEVICE.md), or why it leads nowhere.
// Combinational.
`default_nettype none

module small_address #(
    parameter LANES_LOG2 = 2,
    parameter LOCAL_LOG2 = 10,  // log2 of the bytes of local memory
    parameter ADDRESS_BITS = 14,  // these as in small_core.v
    parameter GLOBAL_BYTES = 'h2C00
) (
    input wire [31:0] sum_i,      // the address
    input wire [ 1:0] size_i,     // 0 byte, 1 half-word, 2 word
    input wire [ 2:0] lane_i,
    input wire        firmware_i, // addresses the memory itself, and is always right

    input wire [    LOCAL_LOG2:0] local_bytes_i,   // of a work-group
    input wire [            19:8] private_mask_i,  // bits that an offset in private memory may have
    input wire [ADDRESS_BITS-1:2] private_base_i,  // of the slot

    output reg  [             2:0] fault_o,   // 0: none
    output wire [ADDRESS_BITS-3:0] address_o  // word
);
  localparam [ADDRESS_BITS-1:0] LOCAL = 'hC00;
  localparam [31:0] FIRST_GLOBAL = 'h1000, END = GLOBAL_BYTES;
  localparam [2:0] MISALIGNED = 3'd2, UNMAPPED = 3'd3, OUTSIDE_LOCAL = 3'd4, OUTSIDE_PRIVATE = 3'd5;
  wire misaligned = (size_i[0] && sum_i[0]) || (size_i[1] && sum_i[1:0] != 2'd0);
  wire in_local = sum_i[31:28] == 4'h8, in_private = sum_i[31:28] == 4'hC;
  wire local_ok = sum_i[27:0] < {{27 - LOCAL_LOG2{1'b0}}, local_bytes_i};
  wire private_ok = sum_i[27:20] == 0 && (sum_i[19:8] & ~private_mask_i) == 0;
  wire global_ok = sum_i < END && sum_i >= FIRST_GLOBAL;
  always @* begin
    fault_o = in_local ? (local_ok ? 3'd0 : OUTSIDE_LOCAL) : in_private ? (private_ok ? 3'd0 : OUTSIDE_PRIVATE) :
            sum_i[31:28] == 4'hB ? OUTSIDE_PRIVATE : global_ok ? 3'd0 : UNMAPPED;
    if (misaligned) fault_o = MISALIGNED;
    if (firmware_i) fault_o = 3'd0;
  end
  wire [31:0] private_offset = ({14'd0, sum_i[19:2]} << LANES_LOG2) | {29'd0, lane_i};  // in words
  wire offset_unused = &{1'b0, private_offset[31:ADDRESS_BITS-2]};
  wire [ADDRESS_BITS-3:0] in_private_memory = private_base_i + private_offset[ADDRESS_BITS-3:0];
  wire [ADDRESS_BITS-3:0] in_local_memory = LOCAL[ADDRESS_BITS-1:2] |
                                        {{ADDRESS_BITS - LOCAL_LOG2{1'b0}}, sum_i[LOCAL_LOG2-1:2]};
  assign address_o = firmware_i || !(in_local || in_private) ? sum_i[ADDRESS_BITS-1:2] :
                                  in_local ? in_local_memory : in_private_memory;
endmodule

`default_nettype wire
