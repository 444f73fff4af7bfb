// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/memory/coalescer.v serves every lane of an operation exactly once, no lane that was not asked for, operations in
// the order in which they came, and marks the last pass of each and no other; its queue neither loses nor invents, and it goes
// on while nothing holds it up. Of a store's or atomic's lanes that touch the same bytes the lower goes in an earlier pass.
// Bounded: 4 lanes, a queue of 2; any addresses, kinds and waits.
`default_nettype none

module coalescer_proof #(
    parameter LANES = 4,
    parameter ADDRESS_BITS = 8,
    parameter LOCAL_LOG2 = 6,
    parameter BEAT_LOG2 = 4
) (
    input wire                          clk,
    input wire                          push,
    input wire [                   1:0] kind,
    input wire [                   4:0] fn,
    input wire [                   1:0] size,
    input wire [             LANES-1:0] lanes,
    input wire [             LANES-1:0] strobe,
    input wire [             LANES-1:0] is_local,
    input wire [LANES*ADDRESS_BITS-1:0] place,
    input wire [          LANES*32-1:0] data,
    input wire                          drained,
    input wire                          crossbar_taken,
    input wire                          pass_ready
);
  localparam BEAT_BYTES = 1 << BEAT_LOG2;
  localparam [1:0] STORE = 2'd1, ATOMIC = 2'd2;
  wire rst = $initstate;

  wire full, pass_valid, pass_last;
  reg [3:0] pushed;  // operations so far; an operation's number goes with it as its note
  wire [1:0] pass_kind, pass_size;
  wire [4:0] pass_function;
  wire [3:0] pass_label, pass_slot;
  wire [LANES-1:0] pass_lanes;
  coalescer #(
      .LANES(LANES),
      .SLOT_BITS(4),
      .ADDRESS_BITS(ADDRESS_BITS),
      .LOCAL_LOG2(LOCAL_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .QUEUE_LOG2(1),
      .LABEL_BITS(4)
  ) dut (
      .clk(clk),
      .rst(rst),
      .push_i(push),
      .kind_i(kind),
      .function_i(fn),
      .slot_i(pushed),
      .size_i(size),
      .label_i(pushed),
      .tag_i(1'b0),
      .lanes_i(lanes),
      .strobe_i(strobe),
      .local_i(is_local),
      .address_i(place),
      .data_i(data),
      .full_o(full),
      .idle_o(),
      .drained_i(drained),
      .further_o(),
      .rights_i(28'd0),
      .refused_o(),
      .refused_tag_o(),
      .crossbar_taken_i(crossbar_taken),
      .lane_word_o(),
      .lane_data_o(),
      .beat_data_i({8 * BEAT_BYTES{1'b0}}),
      .pass_valid_o(pass_valid),
      .pass_ready_i(pass_ready),
      .pass_local_o(),
      .pass_kind_o(pass_kind),
      .pass_function_o(pass_function),
      .pass_amo_o(),
      .pass_size_o(pass_size),
      .pass_label_o(pass_label),
      .pass_beat_o(),
      .pass_bank_index_o(),
      .pass_data_o(),
      .pass_strobe_o(),
      .pass_slot_o(pass_slot),
      .pass_lanes_o(pass_lanes),
      .pass_offset_o(),
      .pass_last_o(pass_last)
  );

  `include "tests/formal/coalescer_rules.vh"

  // One operation, any, as it was pushed, and what of it has been served.
  (* anyconst *) reg [3:0] watched;
  reg [1:0] was_kind, was_size;
  reg [4:0] was_function;
  reg [LANES-1:0] asked, was_local, served;
  reg [LANES*ADDRESS_BITS-1:0] was_place;
  reg [3:0] expected;  // the operation whose pass comes next
  reg [3:0] quiet;  // cycles without a pass, though one is due and nothing holds it up
  wire pass = pass_valid && pass_ready;
  always @(posedge clk) begin
    if (push && pushed == watched) begin
      {was_kind, was_size, was_function} <= {kind, size, fn};
      {asked, was_local, was_place} <= {lanes, is_local, place};
    end
    if (push) pushed <= pushed + 1'b1;
    if (pass && pass_label == watched) served <= served | pass_lanes;
    if (pass && pass_last) expected <= expected + 1'b1;
    if (expected == pushed || pass || !pass_ready || crossbar_taken || !drained) quiet <= 0;
    else quiet <= quiet + 1'b1;
    if (rst) {pushed, expected, served, quiet} <= 0;
  end

  wire writes = was_kind == STORE || (was_kind == ATOMIC && was_function != 5'd2);  // lr.w only reads

  // Lane j of it goes no later than lane i > j: the two touch the same bytes, and not both only read.
  reg [LANES*LANES-1:0] follows;
  always @* begin : order
    integer i, j;
    reg [ADDRESS_BITS-1:0] differ;
    follows = 0;
    for (i = 1; i < LANES; i = i + 1)
    for (j = 0; j < i; j = j + 1) begin
      differ = (was_place[ADDRESS_BITS*i+:ADDRESS_BITS] ^ was_place[ADDRESS_BITS*j+:ADDRESS_BITS]) >> was_size;
      follows[LANES*i+j] = asked[i] && asked[j] && was_local[i] == was_local[j] && differ == 0 && writes;
    end
  end

  always @* begin : promises
    integer i, j;
    if (!rst && pass_valid) begin
      assert (expected != pushed && pass_label == expected && pass_slot == expected);
      if (pass_label == watched) begin
        assert (pass_lanes != 0 && (pass_lanes & served) == 0 && (pass_lanes & ~asked) == 0);
        assert (pass_last == ((served | pass_lanes) == asked));
        assert ({pass_kind, pass_size} == {was_kind, was_size});
        assert (was_kind != ATOMIC || pass_function == was_function);
      end
    end
    if (!rst) assert (quiet < 4);
    for (i = 0; i < LANES; i = i + 1)
    for (j = 0; j < i; j = j + 1)
    if (!rst && pass_valid && pass_label == watched && pass_lanes[i] && follows[LANES*i+j]) assert (served[j]);
    cover (!rst && pass && pass_last && pass_label == watched && served == 4'b0111);
  end
endmodule

`default_nettype wire
