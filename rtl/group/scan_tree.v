// SPDX-License-Identifier: Apache-2.0
// Inclusive scan across the lanes of one sub-group: y[i] = x[0] op x[1] op ... op x[i]. Sklansky's tree, a register per
// level. One operation a cycle; LATENCY = log2(LANES) cycles (LANES 1: combinational). Inactive lanes must bring the
// identity. Values of 64 bits are two operations (scan_operator.v); each level keeps, for each slot, what the first of
// them left.
`include "rtl/shape.vh"
`default_nettype none

module scan_tree #(
    parameter LANES = 8,  // power of two, 1 to 32
    parameter LEVELS = 3,  // log2(LANES)
    parameter SLOT_BITS = 5  // log2 of the slots
) (
    input wire clk,

    input wire [`HEDDLE_COLLECTIVE_BITS-1:0] operation_i,  // T_* of collective.vh
    input wire first_i,  // the first word of 64 bits; five cycles or more before its second
    input wire second_i,
    input wire [SLOT_BITS-1:0] early_slot_i,  // whose operation x_i is three cycles later
    input wire early_second_i,  // second_i of the next cycle
    input wire early_add_i,
    input wire [LANES*32-1:0] x_i,
    output wire [LANES*32-1:0] y_o
);
  `include "rtl/group/collective.vh"
  // The slot of what is in each level, and in the three stages before: a block RAM is read that early.
  reg  [SLOT_BITS*(LEVELS+3)-1:0] slots;
  wire [SLOT_BITS*(LEVELS+4)-1:0] slot = {slots, early_slot_i};
  always @(posedge clk) slots <= slot[SLOT_BITS*(LEVELS+3)-1:0];

  genvar l, i;
  generate
    for (l = 0; l <= LEVELS; l = l + 1) begin : level
      wire [LANES*32-1:0] value;
      wire [`HEDDLE_COLLECTIVE_BITS-1:0] operation;
      wire first, second, early_second, early_add;
      if (l == 0) begin : leaves
        assign value = x_i;
        assign {early_second, early_add} = {early_second_i, early_add_i};
        assign {operation, first, second} = {operation_i, first_i, second_i};
      end else begin : nodes
        reg [`HEDDLE_COLLECTIVE_BITS+1:0] former;
        always @(posedge clk) former <= {level[l-1].operation, level[l-1].first, level[l-1].second};
        assign {operation, first, second} = former;
        assign {early_second, early_add}  = {level[l-1].second, level[l-1].operation[T_ADD]};

        // What first words left, two bits an operator. A slot never reads while it writes.
        (* ram_style = "block", no_rw_check *) reg [LANES-1:0] states[0:(1<<SLOT_BITS)-1];
        reg [LANES-1:0] read, state;
        always @(posedge clk) state <= read;
        wire [LANES-1:0] left;
        always @(posedge clk) begin
          read <= states[slot[SLOT_BITS*(l-1)+:SLOT_BITS]];
          if (first) states[slot[SLOT_BITS*(l+3)+:SLOT_BITS]] <= left;
        end

        for (i = 0; i < LANES; i = i + 1) begin : lane
          reg [31:0] node;
          assign value[i*32+:32] = node;
          // In level l (from 1) a lane whose bit l-1 is set takes in the last lane of the block before its own.
          if (((i >> (l - 1)) & 1) != 0) begin : combine
            localparam FROM = ((i >> (l - 1)) << (l - 1)) - 1;
            localparam OPERATOR = ((i >> l) << (l - 1)) + (i & ((1 << (l - 1)) - 1));  // number among the level's
            wire [31:0] combined;
            wire [8:0] combined_left;
            reg [8:0] of_first;
            reg carry;
            reg [1:0] known;
            wire equal = state[2*OPERATOR], carried = state[2*OPERATOR+1];
            always @(posedge clk) begin
              carry <= !level[l-1].early_add || (level[l-1].early_second && carried);
              known <= !level[l-1].early_second || equal ? 2'b01 : {2{carried}};
            end

            assign left[2*OPERATOR+:2] = {of_first[8], &of_first[7:0]};
            scan_operator operator (
                .operation_i(level[l-1].operation),
                .carry_i(carry),
                .known_i(known),
                .a_i(level[l-1].value[FROM*32+:32]),
                .b_i(level[l-1].value[i*32+:32]),
                .moved_b_i(32'd0),
                .y_o(combined),
                .left_o(combined_left)
            );
            always @(posedge clk) node <= combined;
            always @(posedge clk) of_first <= combined_left;
          end else begin : pass
            always @(posedge clk) node <= level[l-1].value[i*32+:32];
          end
        end
      end
    end
  endgenerate

  assign y_o = level[LEVELS].value;
  wire unused = &{1'b0, clk, level[LEVELS].operation, level[LEVELS].first, level[LEVELS].second,
                  level[LEVELS].early_second, level[LEVELS].early_add, slot};
endmodule

`default_nettype wire
