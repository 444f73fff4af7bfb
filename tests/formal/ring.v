// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/pipeline/ring.v starts each round of each token, and nothing else; a token leaves when no lane goes on.
// Tokens that wait start in the order in which they came. A token starts with what it brought or, behind a round, with
// that round's values, also when it changed places: its slot store is never read while it is written. Who waits at the
// head starts as soon as no token goes on; with EXCHANGE_LOG2 it waits 2^EXCHANGE_LOG2 + SLOTS cycles at most, however
// the others spin. For ever (induction), 4 slots.
`default_nettype none

module ring_proof #(
    parameter LANES = 2,
    parameter EXCHANGE_LOG2 = 1
) (
    input wire clk,
    input wire enter,
    input wire [1:0] enter_slot,
    input wire [3:0] enter_value,
    input wire ends,
    input wire [1:0] end_slot,
    input wire [LANES-1:0] again,
    input wire [3:0] end_value
);
  localparam SLOTS = 4;
  localparam MOST = (1 << EXCHANGE_LOG2) + SLOTS;
  wire rst = $initstate;
  wire start, back, store, leave;
  wire [1:0] read_slot, start_slot, store_slot, leave_slot;
  ring #(
      .LANES(LANES),
      .SLOT_BITS(2),
      .EXCHANGE_LOG2(EXCHANGE_LOG2)
  ) dut (
      .clk(clk),
      .rst(rst),
      .enter_valid_i(enter),
      .enter_slot_i(enter_slot),
      .read_slot_o(read_slot),
      .end_valid_i(ends),
      .end_slot_i(end_slot),
      .end_again_i(again),
      .start_o(start),
      .start_slot_o(start_slot),
      .start_back_o(back),
      .store_o(store),
      .store_slot_o(store_slot),
      .leave_o(leave),
      .leave_slot_o(leave_slot)
  );
  wire goes_on = ends && again != 0;

  // Where each token is: waits, in a round, or neither.
  reg [SLOTS-1:0] waits, runs;
  wire [SLOTS-1:0] entering = enter ? 4'd1 << enter_slot : 4'd0, ending = ends ? 4'd1 << end_slot : 4'd0;
  wire [SLOTS-1:0] starting = start ? 4'd1 << start_slot : 4'd0, storing = store ? 4'd1 << store_slot : 4'd0;
  always @* begin
    if (rst) assume (!enter && !ends);
    assume ((entering & (waits | runs)) == 0);
    assume ((ending & ~runs) == 0);
  end
  always @(posedge clk) begin
    waits <= rst ? 4'd0 : (waits | entering | storing) & ~(starting &{SLOTS{!back}});
    runs  <= rst ? 4'd0 : (runs & ~ending) | starting;
  end
  integer i;
  reg [2:0] waiting;
  always @* begin
    waiting = 0;
    for (i = 0; i < SLOTS; i = i + 1) waiting = waiting + waits[i];
  end

  // Any one slot: how many wait ahead of it; its value, its place in a slot store, and what was read from there.
  (* anyconst *)reg  [1:0] watched;
  (* anyseq *)wire [3:0] undefined;
  reg  [2:0] ahead;
  reg [3:0] value, kept, got;
  wire joins = entering[watched] || storing[watched];
  wire written = joins;
  wire starts_waiting = start && !back;
  always @(posedge clk) begin
    if (joins) ahead <= waiting - {2'd0, starts_waiting};
    else if (starts_waiting) ahead <= ahead - 1'b1;
    if (entering[watched]) value <= enter_value;
    else if (ending[watched]) value <= end_value;
    if (written) kept <= storing[watched] ? end_value : enter_value;
    got <= read_slot == watched && !written ? kept : undefined;
  end

  // How long the head has waited with its values read.
  reg [4:0] waited;
  (* hierconn *) wire \dut.head ;
  (* hierconn *) wire [1:0] \dut.head_slot ;
  (* hierconn *) wire \dut.queue.head_valid ;
  (* hierconn *) wire [1:0] \dut.queue.head ;
  (* hierconn *) wire [1:0] \dut.queue.first ;
  (* hierconn *) wire [1:0] \dut.queue.last ;
  (* hierconn *) wire [2:0] \dut.queue.count ;
  (* hierconn *) wire [1:0] \dut.queue.distributed.words[0] ;
  (* hierconn *) wire [1:0] \dut.queue.distributed.words[1] ;
  (* hierconn *) wire [1:0] \dut.queue.distributed.words[2] ;
  (* hierconn *) wire [1:0] \dut.queue.distributed.words[3] ;
  (* hierconn *) wire [EXCHANGE_LOG2:0] \dut.fair.rounds ;
  always @(posedge clk) waited <= rst || !\dut.head || starts_waiting ? 5'd0 : waited + 5'd1;

  // What induction must know of the inside: the tokens that wait, in order.
  wire [7:0] words = {
    \dut.queue.distributed.words[3] ,
    \dut.queue.distributed.words[2] ,
    \dut.queue.distributed.words[1] ,
    \dut.queue.distributed.words[0]
  };
  wire [2:0] before_memory = {2'd0, \dut.head } + {2'd0, \dut.queue.head_valid };
  reg [1:0] order[0:SLOTS-1];
  reg [1:0] distance, at;
  reg [SLOTS-1:0] seen;
  reg twice;
  always @* begin
    distance = \dut.queue.last - \dut.queue.first ;
    seen = 0;
    twice = 0;
    for (i = 0; i < SLOTS; i = i + 1) begin
      at = \dut.queue.first + i - before_memory;
      order[i] = i == 0 && \dut.head ? \dut.head_slot : i < before_memory ? \dut.queue.head : words[at*2+:2];
      if (i < waiting) begin
        twice = twice || seen[order[i]];
        seen[order[i]] = 1'b1;
      end
    end
    if (!rst) begin
      assert (\dut.queue.count <= SLOTS && waiting == \dut.queue.count + before_memory);
      assert (distance == \dut.queue.count [1:0]);
      assert (!twice && seen == waits && (waits & runs) == 0);
      if (waits[watched]) begin
        assert (ahead < waiting && order[ahead] == watched && kept == value);
        if (\dut.head && ahead == 0) assert (got == value);
      end
    end
  end
  generate
    if (EXCHANGE_LOG2 != 0) begin : fair
      always @*
        if (!rst) begin
          assert (\dut.fair.rounds <= 1 << EXCHANGE_LOG2);
          if (\dut.head ) assert (waited < \dut.fair.rounds + waiting);
          if (\dut.head ) assert (waited <= MOST);
          cover (waited == MOST - 3 && store);
          cover (store && storing[watched] && waiting == 2);
        end
    end else begin : plain
      always @* begin
        assert (!store);
        if (!rst) cover (starts_waiting && waiting == 3 && waited > 3);
      end
    end
  endgenerate

  always @*
    if (!rst) begin
      assert (leave == (ends && again == 0));
      if (leave) assert (leave_slot == end_slot);
      if (back) assert (goes_on && start && start_slot == end_slot && !store);
      if (goes_on) assert (back || (store && store_slot == end_slot));
      if (store) assert (goes_on && starts_waiting && !enter);
      if (starts_waiting) assert (waits[start_slot]);
      // What waits starts in order, with its own values.
      if (starts_waiting && start_slot == watched) assert (ahead == 0 && got == value);
      if (waits[watched] && ahead == 0 && \dut.head && !goes_on) assert (starting[watched]);
      cover (starting[watched] && starts_waiting && ahead == 0 && waiting == 3);
    end
endmodule

`default_nettype wire
