// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/pipeline/slot_store.v gives, the cycle after a slot was asked for, what each lane of it was last given.
// The rule of its users: a slot is not asked for in the cycle in which it is written. 8 cycles, 4 slots, 2 lanes.
`default_nettype none

module slot_store_proof #(
    parameter WIDTH = 4
) (
    input wire               clk,
    input wire [        1:0] write,
    input wire [        1:0] write_slot,
    input wire [2*WIDTH-1:0] value,
    input wire [        1:0] slot
);
  wire rst = $initstate;
  wire [2*WIDTH-1:0] got;
  slot_store #(
      .WIDTH(WIDTH),
      .LANES(2),
      .SLOT_BITS(2)
  ) dut (
      .clk(clk),
      .write_i(write),
      .write_slot_i(write_slot),
      .value_i(value),
      .read_slot_i(slot),
      .value_o(got)
  );
  always @* assume (write == 0 || write_slot != slot);

  // Any one lane of any one slot: what it was last given, and whether it was asked for a cycle ago.
  (* anyconst *) reg lane;
  (* anyconst *) reg [1:0] watched;
  reg given, asked;
  reg [WIDTH-1:0] last, before_it;
  wire gets = write[lane] && write_slot == watched;
  always @(posedge clk) begin
    if (gets) last <= value[lane*WIDTH+:WIDTH];
    given <= !rst && (given || gets);
    asked <= !rst && given && slot == watched;
    before_it <= last;
  end
  always @* begin
    if (!rst && asked) assert (got[lane*WIDTH+:WIDTH] == before_it);
    if (!rst) cover (asked && before_it == 5 && lane);
  end
endmodule

`default_nettype wire
