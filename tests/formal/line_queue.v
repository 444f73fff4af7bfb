// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/common/line_queue.v has room for every beat that memory was told to read: what was asked for and has not left is 16 beats at
// most, whenever lines are asked for while room_o only. Beats leave in their order, once each and unchanged. When all have left there is room
// again. For ever (induction); that beats are unchanged for as many cycles as bring a place of the queue to use again.
`default_nettype none

module line_queue_proof #(
    parameter BEAT_LOG2 = 0,  // how wide a beat is makes no difference
    parameter LINE_LOG2 = 2,
    parameter DATA = 0  // 1: what leaves is what came; else how many there are, and when there is room
) (
    input wire       clk,
    input wire       asks,
    input wire       beat_valid,
    input wire [7:0] beat,
    input wire       response_ready
);
  localparam [5:0] BEATS = 1 << (LINE_LOG2 - BEAT_LOG2);
  wire rst = $initstate;
  wire room, response_valid;
  wire [7:0] response_data;
  line_queue #(
      .BEAT_LOG2(BEAT_LOG2),
      .LINE_LOG2(LINE_LOG2)
  ) dut (
      .clk(clk),
      .rst(rst),
      .room_o(room),
      .asked_i(asks),
      .beat_valid_i(beat_valid),
      .beat_i(beat),
      .response_valid_o(response_valid),
      .response_ready_i(response_ready),
      .response_data_o(response_data)
  );

  // Beats that were asked for and have not come; beats that have come and not left the queue, those at its output apart.
  reg [6:0] owed, here;
  (* hierconn *) wire \dut.moves ;
  always @* begin
    assume (!asks || room);
    assume (!beat_valid || owed != 0);
  end
  always @(posedge clk) begin
    owed <= rst ? 7'd0 : owed + (asks ? {1'b0, BEATS} : 7'd0) - {6'd0, beat_valid};
    here <= rst ? 7'd0 : here + {6'd0, beat_valid} - {6'd0, \dut.moves };
  end

  // One beat is watched: the number that it has among all that come, modulo 16.
  (* anyconst *) reg [3:0] watched;
  reg [7:0] value;
  reg stands;  // it has come and not left
  reg at_output;
  (* hierconn *) wire [3:0] \dut.first , \dut.next ;
  (* hierconn *) wire [4:0] \dut.here , \dut.free ;
  always @(posedge clk) begin
    if (beat_valid && \dut.next == watched) {stands, value} <= {1'b1, beat};
    else if (\dut.moves && \dut.first == watched) stands <= 1'b0;
    if (!response_valid || response_ready) at_output <= \dut.moves && \dut.first == watched;
    if (rst) {stands, at_output} <= 2'b00;
  end
  reg [7:0] value_at_output;
  always @(posedge clk) if (\dut.moves && \dut.first == watched) value_at_output <= value;

  always @*
    if (!rst) begin
      assert (owed + here <= 16);
      assert (!(room && owed + here + BEATS > 16));
      if (DATA != 0 && at_output) assert (response_valid && response_data == value_at_output);
      // What induction must know.
      assert (\dut.here == here && \dut.free + owed + here == 16);
      assert (\dut.next == \dut.first + here[3:0]);
      assert (stands == (here == 16 || watched - \dut.first < here[3:0]));
    end
  always @* if (!rst) cover (response_valid && response_ready && at_output && watched == 5);
endmodule

`default_nettype wire
