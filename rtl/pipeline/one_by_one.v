// SPDX-License-Identifier: Apache-2.0
// Launches the work-items of work-groups one by one, for a pipeline that has room for one (IS_OF_ONE in
// pipeline_unit.v): a token in slot 0 the cycle after its work-group is taken, the next one the cycle after that has
// ended. No kernel of such a pipeline asks which work-item it is; the id of a work-group and the number of the work-item
// in it are for records of faults.
`default_nettype none

module one_by_one #(
    parameter SLOT_BITS = 5,  // of a number
    parameter LATE = 1,  // as in sub_groups.v
    parameter ONCE = 0  // 1: a dispatch is one work-item, and its work-group's id is 0
) (
    input wire clk,
    input wire rst,
    input wire start_i,  // a dispatch begins
    input wire open_i,   // tokens may be launched

    // a work-group
    input  wire        group_valid_i,
    output wire        group_ready_o,
    input  wire [95:0] group_id_i,     // z, y, x
    input  wire [32:0] group_size_i,   // 11 bits each
    output reg         begin_o,        // it begins
    output wire        wipe_o,         // the count of barriers is wiped, after a reset

    // a token
    output reg                  token_o,
    output wire [SLOT_BITS-1:0] number_o,     // of its work-item in the work-group, modulo 2^SLOT_BITS
    input  wire                 done_i,       // it has ended
    output reg                  group_done_o,

    output wire [1:0] arrival_o,  // a name of the work-group
    input wire by_arrival_i,  // the id of arrival_i instead: that work-group may have ended, three before at most
    input wire [1:0] arrival_i,
    output wire [95:0] id_o,  // the cycle after
    output wire running_o,  // there is a work-group
    output wire idle_o
);
  reg wiping, busy;
  wire last;  // the work-item is the last one of its work-group
  wire take = group_valid_i && open_i && !busy && !start_i && !wiping;
  assign group_ready_o = take;
  assign wipe_o = wiping;
  assign running_o = busy;
  assign idle_o = !busy && !wiping;
  always @(posedge clk) begin
    wiping <= rst;
    begin_o <= take;
    token_o <= take || (busy && done_i && !last);
    group_done_o <= busy && done_i && last;
    if (take) busy <= 1'b1;
    else if (done_i && last) busy <= 1'b0;
    if (rst || start_i) {busy, begin_o, token_o, group_done_o} <= 4'd0;
  end

  generate
    if (ONCE != 0) begin : once
      assign last = 1'b1;
      assign number_o = {SLOT_BITS{1'b0}};
    end else begin : counted
      reg [32:0] size;
      reg [10:0] x, y, z;  // the work-item's, plus one: they say whether it is the last one
      reg [SLOT_BITS-1:0] number;
      reg is_last;  // registered: a token has not ended in the cycle after it was launched
      wire end_x = x == size[10:0], end_y = y == size[21:11];
      assign last = is_last;
      assign number_o = number;
      always @(posedge clk) begin
        is_last <= end_x && end_y && z == size[32:22];
        if (take) begin
          size <= group_size_i;
          {x, y, z} <= {11'd1, 11'd1, 11'd1};
          number <= {SLOT_BITS{1'b0}};
        end else if (done_i) begin
          x <= end_x ? 11'd1 : x + 11'd1;
          if (end_x) y <= end_y ? 11'd1 : y + 11'd1;
          if (end_x && end_y) z <= z + 11'd1;
          number <= number + 1'b1;
        end
      end
    end
    if (ONCE != 0) begin : is_zero
      assign {arrival_o, id_o} = 98'd0;
    end else if (LATE != 0) begin : late
      reg [95:0] ids[0:3];
      reg [95:0] found;
      reg [1:0] turn;
      assign arrival_o = turn;
      assign id_o = found;
      always @(posedge clk) begin
        if (take) begin
          ids[turn+2'd1] <= group_id_i;
          turn <= turn + 2'd1;
        end
        found <= ids[by_arrival_i?arrival_i : turn];  // also after a reset, which a record outlives
      end
    end else begin : at_once
      reg [95:0] id;
      assign arrival_o = 2'd0;
      assign id_o = id;
      always @(posedge clk) if (take) id <= group_id_i;
    end
  endgenerate
  wire unused = &{1'b0, group_id_i, group_size_i, by_arrival_i, arrival_i};
endmodule

`default_nettype wire
