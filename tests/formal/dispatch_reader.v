// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/dispatch/dispatch_reader.v asks for each beat of a dispatch once and for nothing else, and says done exactly when it has all of them, its
// words in order; at once, without asking, for a dispatch that is not in global memory. For any one word of any dispatch, and any memory that
// answers in order, however slowly.
`default_nettype none

module dispatch_reader_proof #(
    parameter BEAT_LOG2 = 5
) (
    input wire                        clk,
    input wire                        start,
    input wire [                31:7] address,
    input wire                        request_ready,
    input wire                        answers,
    input wire [8*(1<<BEAT_LOG2)-1:0] beat
);
  localparam GLOBAL_LOG2 = 20, FIRST_LOG2 = 12, BEAT_BYTES = 1 << BEAT_LOG2, BEATS = 128 / BEAT_BYTES;
  wire rst = $initstate;
  (* anyconst *) reg [4:0] watched;  // a word of the dispatch, and its value
  (* anyconst *) reg [31:0] value;
  reg [7:0] requested, answered;  // beats
  reg reading, in_memory;
  reg [31:7] wanted;
  wire done, bad, request_valid;
  wire [GLOBAL_LOG2-1:0] request_address;
  wire [31:2] entry;
  wire [31:0] packet, local_bytes, private_log2;
  wire [15:0] unit_mask;
  wire [ 7:0] sub_group_log2;
  wire [ 6:0] domain;
  wire [31:0] private_base;
  wire [63:0] budget;
  wire [95:0] size, offset, local_size;
  wire response_valid = answers && answered != requested;
  dispatch_reader #(
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .FIRST_LOG2 (FIRST_LOG2),
      .BEAT_LOG2  (BEAT_LOG2)
  ) dut (
      .clk(clk),
      .rst(rst),
      .start_i(start),
      .address_i(address),
      .done_o(done),
      .bad_o(bad),
      .request_valid_o(request_valid),
      .request_ready_i(request_ready),
      .request_address_o(request_address),
      .response_valid_i(response_valid),
      .response_data_i(beat),
      .entry_o(entry),
      .packet_o(packet),
      .sub_group_log2_o(sub_group_log2),
      .unit_mask_o(unit_mask),
      .domain_o(domain),
      .local_bytes_o(local_bytes),
      .private_base_o(private_base),
      .private_log2_o(private_log2),
      .budget_o(budget),
      .global_size_o(size),
      .global_offset_o(offset),
      .local_size_o(local_size)
  );

  integer w;
  always @*
    for (w = 0; w < BEAT_BYTES / 4; w = w + 1)
      if (response_valid && answered * (BEAT_BYTES / 4) + w == watched) assume (beat[32*w+:32] == value);

  wire valid_address = {address, 7'd0} < (1 << GLOBAL_LOG2) && {address, 7'd0} >= (1 << FIRST_LOG2);
  reg  all_come;
  reg  started;  // one dispatch: whatever was read before it left arbitrary words
  always @(posedge clk) started <= !rst && (started || start);
  always @* assume (!(start && (rst || started)));
  always @(posedge clk) begin
    if (start) {wanted, in_memory} <= {address, valid_address};
    if (start) {requested, answered} <= 0;
    else begin
      if (request_valid && request_ready) requested <= requested + 8'd1;
      if (response_valid) answered <= answered + 8'd1;
    end
    reading  <= !rst && (start || (reading && !done));
    all_come <= (start && !valid_address) || (reading && response_valid && answered == BEATS - 1);
    if (rst) {requested, answered, all_come} <= 0;
  end
  always @*
    if (!rst) begin
      if (request_valid)
        assert (reading && in_memory && request_address == {wanted, 7'd0} + requested * BEAT_BYTES && requested < BEATS);
      assert (done == all_come);
      if (done) assert (bad == !in_memory);
      if (done && !bad) begin
        assert (requested == BEATS && answered == BEATS);
        case (watched)
          0: assert (entry == value[31:2]);
          1: assert ({unit_mask, domain, sub_group_log2} == {value[31:16], value[14:0]});
          2: assert (local_bytes == value);
          3: assert (private_base == value);
          4: assert (private_log2 == value);
          5: assert (budget[31:0] == value);
          6: assert (budget[63:32] == value);
          17: assert (size[31:0] == value);
          18: assert (size[63:32] == value);
          19: assert (size[95:64] == value);
          20: assert (offset[31:0] == value);
          21: assert (offset[63:32] == value);
          22: assert (offset[95:64] == value);
          23: assert (local_size[31:0] == value);
          24: assert (local_size[63:32] == value);
          25: assert (local_size[95:64] == value);
          default: ;
        endcase
        assert (packet == {wanted, 7'd64});
      end
      cover (done && !bad);
    end
endmodule

`default_nettype wire
