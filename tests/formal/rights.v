// SPDX-License-Identifier: Apache-2.0
// Proof: no pass of global memory leaves rtl/memory/coalescer.v unless the table of rights lets the dispatch's domain do what
// the pass does in its page. The first that may not is refused, with the tag of its operation and for good: none leaves
// behind it. None is refused that may.
// Bounded: 2 lanes, 2 pages with any entries, any domain, addresses, kinds and waits; 12 cycles, of which 3 write the table.
`default_nettype none

module rights_proof #(
    parameter LANES = 2,
    parameter ADDRESS_BITS = 13,
    parameter LOCAL_LOG2 = 6,
    parameter BEAT_LOG2 = 4
) (
    input wire                          clk,
    input wire                          push,
    input wire [                   1:0] kind,
    input wire [                   4:0] fn,
    input wire [                   1:0] size,
    input wire [             LANES-1:0] lanes,
    input wire [             LANES-1:0] is_local,
    input wire [LANES*ADDRESS_BITS-1:0] place,
    input wire                          drained,
    input wire                          crossbar_taken,
    input wire                          pass_ready
);
  localparam BEAT_BYTES = 1 << BEAT_LOG2;
  localparam [1:0] LOAD = 2'd0, ATOMIC = 2'd2;
  wire rst = $initstate;
  (* anyconst *) reg [6:0] domain;
  (* anyconst *) reg [7:0] entry_0, entry_1;
  reg [1:0] setting;  // entries that have been written
  wire set = setting != 2'd2;

  wire full, pass_valid, pass_local, refused;
  reg [3:0] pushed;
  wire [1:0] pass_kind, pass_size;
  wire [4:0] pass_function;
  wire [3:0] pass_label, tag;
  wire [LANES-1:0] pass_lanes;
  wire [ADDRESS_BITS-1:BEAT_LOG2] beat;
  coalescer #(
      .LANES(LANES),
      .SLOT_BITS(4),
      .ADDRESS_BITS(ADDRESS_BITS),
      .LOCAL_LOG2(LOCAL_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .QUEUE_LOG2(3),
      .LABEL_BITS(4),
      .PAGES_LOG2(1),
      .TAG_BITS(4)
  ) dut (
      .clk(clk),
      .rst(rst),
      .push_i(push),
      .kind_i(kind),
      .function_i(fn),
      .slot_i(pushed),
      .size_i(size),
      .label_i(pushed),
      .tag_i(~pushed),
      .lanes_i(lanes),
      .strobe_i({LANES{1'b1}}),
      .local_i(is_local),
      .address_i(place),
      .data_i({LANES * 32{1'b0}}),
      .full_o(full),
      .idle_o(),
      .drained_i(drained),
      .further_o(),
      .rights_i({domain, set, 11'd0, setting[0], setting[0] ? entry_1 : entry_0}),
      .refused_o(refused),
      .refused_tag_o(tag),
      .crossbar_taken_i(crossbar_taken),
      .lane_word_o(),
      .lane_data_o(),
      .beat_data_i({8 * BEAT_BYTES{1'b0}}),
      .pass_valid_o(pass_valid),
      .pass_ready_i(pass_ready),
      .pass_local_o(pass_local),
      .pass_kind_o(pass_kind),
      .pass_function_o(pass_function),
      .pass_amo_o(),
      .pass_size_o(pass_size),
      .pass_label_o(pass_label),
      .pass_beat_o(beat),
      .pass_bank_index_o(),
      .pass_data_o(),
      .pass_strobe_o(),
      .pass_slot_o(),
      .pass_lanes_o(pass_lanes),
      .pass_offset_o(),
      .pass_last_o()
  );

  `include "tests/formal/coalescer_rules.vh"
  always @* if (set) assume (!push);  // the table is written first

  // One operation, any, as it was pushed; whether one of its lanes wants what its domain may not.
  (* anyconst *) reg [3:0] watched;
  reg was_bad, was_pushed;
  function allowed(input [7:0] entry, input writes);
    allowed = domain == 0 || ((entry[6:0] == domain || entry[6:0] == 7'd127) && (entry[7] || !writes));
  endfunction
  wire writes = kind != LOAD && !(kind == ATOMIC && fn == 5'd2);  // lr.w only reads
  reg  bad;
  always @* begin : wants
    integer i;
    bad = 1'b0;
    for (i = 0; i < LANES; i = i + 1)
    if (lanes[i] && !is_local[i])
      bad = bad || !allowed(place[ADDRESS_BITS*i+ADDRESS_BITS-1] ? entry_1 : entry_0, writes);
  end
  reg was_refused, any_bad;
  wire pass = pass_valid && pass_ready;
  always @(posedge clk) begin
    if (push && pushed == watched) {was_pushed, was_bad} <= {1'b1, bad};
    if (push) pushed <= pushed + 1'b1;
    if (push && bad) any_bad <= 1'b1;
    setting <= rst ? 2'd0 : setting + {1'b0, set};
    was_refused <= !rst && (was_refused || refused);
    if (rst) {pushed, was_pushed, was_bad, any_bad} <= 0;
  end

  wire pass_writes = pass_kind != LOAD && !(pass_kind == ATOMIC && pass_function == 5'd2);
  wire may = pass_local || allowed(beat[ADDRESS_BITS-1] ? entry_1 : entry_0, pass_writes);
  always @* begin
    if (!rst) begin
      if (pass_valid) assert (may);
      if (refused) assert (!may && !pass_valid && any_bad && tag == ~pass_label);
      if (was_refused) assert (refused && !pass_valid);
      if (refused && pass_label == watched && was_pushed) assert (was_bad);
    end
    cover (!rst && pass && pass_label == 4'd1 && any_bad && pass_writes);
    cover (!rst && refused && pass_label == 4'd1 && pass_lanes == 2'b10);
  end
  wire unused = &{1'b0, pass_size};
endmodule

`default_nettype wire
