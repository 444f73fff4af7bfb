// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/pipeline/local_array.v gives, the cycle after an element was asked for, what it was last given, whichever
// memory group gave it and however the lanes' elements lie in banks; and it says that an access is done no sooner than
// that, and in as many cycles as lanes at most. The rule of its users: an element is not asked for while a store into it
// is under way, and no two lanes of an access store into one. 4 elements of 2 work-groups, 2 lanes, 2 groups of stores;
// readers of one element, of neighbours and of any.
`default_nettype none

module local_array_proof (
    input wire        clk,
    input wire [ 1:0] write,
    input wire [ 1:0] slot,
    input wire [ 3:0] lanes,
    input wire [11:0] index,
    input wire [ 7:0] value,
    input wire [ 2:0] read_slot,
    input wire [17:0] read_index
);
  wire rst = $initstate;
  wire [1:0] ready, done;
  wire done_slot;
  wire [11:0] got;
  wire [127:0] wide_index, wide_value;
  genvar g;
  generate
    for (g = 0; g < 4; g = g + 1) begin : wide
      assign wide_index[32*g+:32] = {29'd0, index[3*g+:3]};
      assign wide_value[32*g+:32] = {30'd0, value[2*g+:2]};
    end
  endgenerate
  local_array #(
      .WIDTH(2),
      .ELEMENTS(4),
      .INDEX_BITS(3),
      .LANES(2),
      .BANKS_LOG2(1),
      .SLOT_BITS(1),
      .GROUP_SLOT_BITS(1),
      .READERS(3),
      .PATTERN({2'd2, 2'd1, 2'd0}),
      .WRITERS(2)
  ) dut (
      .clk(clk),
      .rst(rst),
      .shift_i(3'd0),
      .write_i(write),
      .ready_o(ready),
      .final_i(2'd3),
      .slot_i(slot),
      .lanes_i(lanes),
      .index_i(wide_index),
      .value_i(wide_value),
      .done_o(done),
      .done_slot_o(done_slot),
      .read_slot_i(read_slot),
      .read_index_i(read_index),
      .value_o(got)
  );

  // Any one element of any one work-group, and any one lane of any one reader.
  (* anyconst *) reg group_slot, lane;
  (* anyconst *)reg [1:0] reader;
  (* anyconst *)reg [2:0] element;
  integer w, l, r;
  reg given;
  reg [1:0] what;
  always @* begin
    assume (element < 4 && reader < 3);
    given = 0;
    what  = 0;
    for (w = 0; w < 2; w = w + 1) begin
      assume (!write[w] || lanes[2*w+:2] != 0);
      assume (lanes[2*w+:2] != 3 || index[6*w+:3] != index[6*w+3+:3]);
      for (l = 0; l < 2; l = l + 1) begin
        assume (index[6*w+3*l+:3] < 4);
        if (write[w] && ready[w] && lanes[2*w+l] && slot[w] == group_slot && index[6*w+3*l+:3] == element) begin
          given = 1;
          what  = value[4*w+2*l+:2];
        end
      end
    end
    // The patterns that the readers have.
    assume (read_index[2:0] == read_index[5:3]);
    assume (read_index[11:9] == read_index[8:6] + 3'd1);
  end
  wire asks = read_slot[reader] == group_slot && read_index[6*reader+3*lane+:3] == element;
  reg busy, written, asked;
  reg [1:0] pending, last, expected, waited;
  always @* begin
    if (!rst && busy) assume (!asks);
  end
  always @(posedge clk) begin
    if (given) last <= what;
    written <= !rst && (written || given);
    busy <= !rst && (given || (busy && done == 0));
    pending <= rst ? 2'd0 : (write & ready) | (pending & ~done);
    waited <= rst || pending == 0 || done != 0 ? 2'd0 : waited + 2'd1;
    asked <= !rst && written && asks;
    expected <= last;
  end
  always @* begin
    if (!rst) begin
      assert ((done & ~pending) == 0);
      assert (waited < 2);
      assert ((ready & (ready - 2'd1)) == 0);
    end
    if (!rst && asked) assert (got[4*reader+2*lane+:2] == expected);
    if (!rst) cover (asked && expected == 2 && lane && reader == 1);
    if (!rst) cover (waited == 1);
  end
endmodule

`default_nettype wire
