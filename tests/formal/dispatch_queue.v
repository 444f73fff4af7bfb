// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/dispatch/dispatch_queue.v begins each dispatch that it accepts once, with its address: at once when nothing is in its way, else when what
// ran has ended and no fault stands unanswered; never two at a time; and none that was forgotten. Whatever the reader, the walker and whoever
// gives commands do. For ever (induction).
`default_nettype none

module dispatch_queue_proof (
    input wire clk,
    input wire start,
    input wire go_on,
    input wire forget,
    input wire [31:7] dispatch,
    input wire read_done,
    input wire walker_busy,
    input wire walker_fault,
    input wire stored
);
  wire rst = $initstate;
  wire busy, waits, fault, read, begins, starts;
  wire [31:0] ended;
  wire counting;
  wire [31:7] address;
  dispatch_queue dut (
      .clk(clk),
      .rst(rst),
      .start_i(start),
      .go_on_i(go_on),
      .forget_i(forget),
      .dispatch_i(dispatch),
      .busy_o(busy),
      .waits_o(waits),
      .fault_o(fault),
      .ended_o(ended),
      .counting_o(counting),
      .read_o(read),
      .address_o(address),
      .read_done_i(read_done),
      .begin_o(begins),
      .start_o(starts),
      .busy_i(walker_busy),
      .fault_i(walker_fault),
      .stored_i(stored)
  );

  // What DEVICE.md says: one that runs, one that waits, a fault that is not answered.
  reg runs, pending, unanswered, began;
  reg [31:7] pending_address, expected;
  reg [31:0] last_ended;
  wire ends = ended != last_ended;
  wire runs_now = runs && !ends;
  wire unanswered_now = ends ? fault : unanswered;
  wire starts_now = start && !runs_now && !pending && !unanswered_now;
  wire next = pending && !runs_now && (!unanswered_now || go_on) && !forget;
  always @(posedge clk) begin
    last_ended <= ended;
    runs <= !rst && (runs_now || starts_now || next);
    pending <= !rst && !next && !forget && (pending || (start && !starts_now));
    if (start && !pending) pending_address <= dispatch;
    unanswered <= !rst && unanswered_now && !(go_on && !runs_now);
    began <= !rst && (starts_now || next);
    expected <= next ? pending_address : dispatch;
    if (rst) last_ended <= 32'd0;
  end
  always @*
    if (!rst) begin
      assert (begins == (starts_now || next));
      assert (read == began);
      if (began) assert (address == expected);
      assert (waits == pending);
      assert (fault == unanswered_now);
      assert (busy == (runs_now || (pending && !unanswered_now)));
      if (starts) assert (runs_now);
      assert (!ends || runs);
      cover (ends && next && last_ended == 1);
      cover (fault && next);
    end

  // What induction must know of the inside.
  (* hierconn *)wire [ 1:0] \dut.state ;
  (* hierconn *)wire [31:7] \dut.waiting ;
  always @*
    if (!rst) begin
      assert (runs_now == (\dut.state != 0));
      if (pending) assert (\dut.waiting == pending_address);
    end
endmodule

`default_nettype wire
