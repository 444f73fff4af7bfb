// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/unit/converge.v gives the smallest of the keys it was given LEVELS cycles before, and exactly the lanes that have
// it. It only feeds forward, so LEVELS + 1 cycles from an arbitrary start are all there is to see.
`default_nettype none

module converge_proof #(
    parameter LANES = 4,
    parameter LEVELS = 2,
    parameter KEY_BITS = 32
) (
    input wire                      clk,
    input wire [LANES*KEY_BITS-1:0] key
);
  wire [KEY_BITS-1:0] smallest;
  wire [LANES-1:0] lanes;
  converge #(
      .LANES(LANES),
      .LEVELS(LEVELS),
      .KEY_BITS(KEY_BITS)
  ) dut (
      .clk(clk),
      .key_i(key),
      .key_o(smallest),
      .lanes_o(lanes)
  );

  wire [LANES*KEY_BITS-1:0] was_key;
  delay #(
      .WIDTH (LANES * KEY_BITS),
      .CYCLES(LEVELS)
  ) past (
      .clk(clk),
      .value_i(key),
      .value_o(was_key)
  );

  reg [3:0] cycle = 0;
  always @(posedge clk) if (cycle <= LEVELS) cycle <= cycle + 1'b1;

  always @* begin : promises
    integer i;
    if (cycle >= LEVELS) assert (|lanes);
    for (i = 0; i < LANES; i = i + 1)
    if (cycle >= LEVELS) begin
      assert (smallest <= was_key[KEY_BITS*i+:KEY_BITS]);
      assert (lanes[i] == (was_key[KEY_BITS*i+:KEY_BITS] == smallest));
    end
  end
endmodule

`default_nettype wire
