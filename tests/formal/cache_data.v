// SPDX-License-Identifier: Apache-2.0
// Proof: of what enters the queue of rtl/memory/cache_data.v, each load and atomic is answered once and in the order in which
// they came, with its label, and nothing else is answered. Bounded: a queue of 4, lines
// of 2 beats; any mix, any waits on either side.
`default_nettype none

module cache_data_proof #(
    parameter COMPACT = 0
) (
    input wire         clk,
    input wire         queue_valid,
    input wire [  1:0] queue_kind,
    input wire         queue_miss,
    input wire [  2:0] queue_index,
    input wire [  7:0] queue_address,
    input wire [127:0] queue_data,
    input wire [ 15:0] queue_strobe,
    input wire [  4:0] queue_function,
    input wire         queue_owner,
    input wire         fill_valid,
    input wire [127:0] fill_data,
    input wire         write_ready,
    input wire         response_ready
);
  localparam [1:0] STORE = 2'd1, ATOMIC = 2'd2;
  wire rst = $initstate;
  wire queue_ready, atomics, fill_ready, write_takes, write_valid, response_valid, idle;
  wire [3:0] response_label;

  // Loads and atomics are numbered; the number goes along as the label.
  reg [3:0] asked, answered;
  cache_data #(
      .ADDRESS_BITS(8),
      .CACHE_LOG2(7),
      .LINE_LOG2(5),
      .BEAT_LOG2(4),
      .OWNER_BITS(1),
      .LABEL_BITS(4),
      .QUEUE_LOG2(2),
      .COMPACT(COMPACT)
  ) dut (
      .clk(clk),
      .rst(rst),
      .invalidate_i(1'b0),
      .queue_valid_i(queue_valid),
      .queue_ready_o(queue_ready),
      .queue_kind_i(queue_kind),
      .queue_miss_i(queue_miss),
      .queue_index_i(queue_index),
      .queue_address_i(queue_address),
      .queue_data_i(queue_data),
      .queue_strobe_i(queue_strobe),
      .queue_rest_i({queue_function, queue_owner, asked}),
      .atomics_o(atomics),
      .stored_i(1'b0),
      .stored_address_i(8'd0),
      .stored_strobe_i(16'd0),
      .fill_valid_i(fill_valid),
      .fill_ready_o(fill_ready),
      .fill_data_i(fill_data),
      .write_takes_o(write_takes),
      .write_valid_o(write_valid),
      .write_ready_i(write_ready),
      .write_address_o(),
      .write_data_o(),
      .write_strobe_o(),
      .response_valid_o(response_valid),
      .response_ready_i(response_ready),
      .response_data_o(),
      .response_label_o(response_label),
      .idle_o(idle)
  );

  wire enters = queue_valid && queue_ready;
  wire answers = response_valid && response_ready;
  always @(posedge clk) begin
    if (enters && queue_kind != STORE) asked <= asked + 1'b1;
    if (answers) answered <= answered + 1'b1;
    if (rst) {asked, answered} <= 0;
  end

  // The lookup's rules: a store that misses does not come here; an atomic has a word.
  always @*
    if (queue_valid) begin
      assume (queue_kind <= ATOMIC && !(queue_kind == STORE && queue_miss));
      assume (queue_kind != ATOMIC || (queue_strobe[0] || queue_strobe[4] || queue_strobe[8] || queue_strobe[12]));
      assume (asked != 4'd15);  // else numbers come around
    end

  always @* begin
    if (!rst && response_valid) assert (answered != asked && response_label == answered);
    cover (!rst && answers && answered == 3);
  end
endmodule

`default_nettype wire
