// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/group/sequencer.v releases a sub-group only when it waits and every other sub-group of its work-group that still
// runs waits too; once, after those with smaller ids, with the right carry, and soon: after at most one round of all others.
// It reports a work-group done exactly with its last sub-group, and a divergent collective exactly when two wait at different
// instructions. For ever (induction), for any mix of work-groups in SLOTS = 4; with sums of floats (FPU) for so many cycles as
// bmc says.
`default_nettype none

module sequencer_proof #(
    parameter SLOTS = 4,
    parameter SLOT_BITS = 2,
    parameter PER_GROUP_SLOT = 2,  // slots of a group slot, as launch divides the unit
    parameter FPU = 0  // 1: with sums of floats
) (
    input wire                 clk,
    input wire                 start_valid,
    input wire [SLOT_BITS-1:0] start_group_slot,
    input wire [  SLOT_BITS:0] start_count,
    input wire                 event_valid,
    input wire                 event_finish,
    input wire [SLOT_BITS-1:0] event_slot,
    input wire [         31:2] event_pc,
    input wire [          5:0] event_operation,   // {float, bits, add, max, signed, scan}
    input wire [         31:0] event_total
);
  wire rst = $initstate;

  // Where each slot is: not in use; running; waiting; due to go on, since every other one waits; finished before others.
  localparam [2:0] FREE = 0, RUNS = 1, WAITS = 2, DUE = 3, FINISHED = 4;
  reg [2:0] state[0:SLOTS-1];
  reg [31:2] pc[0:SLOTS-1];
  reg [5:0] operation[0:SLOTS-1];
  reg [31:0] total[0:SLOTS-1];
  reg [31:0] carry[0:SLOTS-1];  // what it must go on with
  reg [SLOTS-1:0] is_first;  // with nothing, in a scan of floats
  reg [SLOTS-1:0] used;  // group slots
  reg [SLOT_BITS:0] count[0:SLOTS-1];
  wire [SLOT_BITS-1:0] start_slot = start_group_slot * PER_GROUP_SLOT;
  function [SLOT_BITS-1:0] group_slot;
    input [SLOT_BITS-1:0] slot;
    group_slot = slot / PER_GROUP_SLOT;
  endfunction

  wire start_ready;
  wire start = start_valid && start_ready;
  wire release_valid, done_valid, divergent;
  wire [SLOT_BITS-1:0] release_slot, done_group_slot, divergent_slot, divergent_group_slot;
  wire [31:0] release_carry;
  wire [31:2] divergent_pc;
  wire [SLOT_BITS-1:0] event_group_slot = group_slot(event_slot);
  wire release_first;
  sequencer #(
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS),
      .FPU(FPU)
  ) dut (
      .clk(clk),
      .rst(rst),
      .start_valid_i(start_valid),
      .start_ready_o(start_ready),
      .start_group_slot_i(start_group_slot),
      .start_count_i(start_count),
      .start_slot_i(start_slot),
      .event_valid_i(event_valid),
      .event_finish_i(event_finish),
      .event_group_slot_i(event_group_slot),
      .event_slot_i(event_slot),
      .event_pc_i(event_pc),
      .event_operation_i(event_operation[5:1]),
      .event_scan_i(event_operation[0]),
      .event_total_i(event_total),
      .release_valid_o(release_valid),
      .release_slot_o(release_slot),
      .release_carry_o(release_carry),
      .release_first_o(release_first),
      .done_valid_o(done_valid),
      .done_group_slot_o(done_group_slot),
      .divergent_o(divergent),
      .divergent_slot_o(divergent_slot),
      .divergent_group_slot_o(divergent_group_slot),
      .divergent_pc_o(divergent_pc)
  );

  // The event of the cycle before, which the sequencer carries out in this one.
  reg now, finish;
  reg [SLOT_BITS-1:0] slot, where;
  reg [31:2] at;
  reg [ 5:0] what;
  reg [31:0] value;
  always @(posedge clk) begin
    now <= event_valid && !rst;
    {finish, slot, where, at} <= {event_finish, event_slot, event_group_slot, event_pc};
    {what, value} <= {event_operation, event_total};
  end

  // Of its work-group: does another sub-group run, or wait, and at what.
  reg others_run, others_wait;
  reg [31:2] waiting_pc;
  reg [ 5:0] waiting_operation;
  always @* begin : others
    integer i;
    {others_run, others_wait} = 2'b00;
    waiting_pc = 0;
    waiting_operation = 0;
    for (i = 0; i < SLOTS; i = i + 1)
    if (i != slot && group_slot(i) == where) begin
      if (state[i] == RUNS || state[i] == DUE) others_run = 1'b1;
      if (state[i] == WAITS) begin
        others_wait = 1'b1;
        waiting_pc = pc[i];
        waiting_operation = operation[i];
      end
    end
  end
  reg  stopped;  // after a divergent collective the unit stops; nothing counts any more
  wire differs = now && !stopped && !finish && others_wait && waiting_pc != at;
  wire last_arrival = now && !others_run && (others_wait || !finish);
  wire last_finish = now && finish && !others_run && !others_wait;

  // The slots that become due, and their carries by the definition: a loop over the work-group's sub-groups.
  function [31:0] combine;
    input [5:0] operation;
    input [31:0] a, b;
    reg [31:0] order;
    begin
      order = {operation[1], 31'd0};
      combine = operation[3] ? (operation[4] && !operation[2] ? a | b : a ^ b) : (operation[2] ? (a ^ order) | (b ^ order) : (a ^ order) & (b ^ order)) ^ order;
    end
  endfunction
  // As the sum that stands in for that of floats: who comes first matters.
  function [31:0] sum_of_floats;
    input [31:0] a, b;
    sum_of_floats = {a[30:0], a[31]} ^ b;
  endfunction
  wire [5:0] joining = finish ? waiting_operation : what;
  wire joining_floats = FPU != 0 && joining[5] && joining[3];
  wire [31:0] identity = joining[3] ? 0 : {joining[1] == joining[2], {8{!joining[2]}}, {23{joining[2] == joining[5]}}};
  reg [SLOTS-1:0] member;
  reg [31:0] below[0:SLOTS];  // sum of the identity and the members below a slot
  reg [31:0] all;  // sum of the members
  reg [SLOTS-1:0] has_before;  // members below a slot
  reg any;
  always @* begin : define
    integer i;
    below[0] = identity;
    all = 0;
    any = 1'b0;
    for (i = 0; i < SLOTS; i = i + 1) begin
      member[i] = group_slot(i) == where && (state[i] == WAITS || (slot == i && !finish));
      below[i+1] = !member[i] ? below[i] : combine(joining, below[i], slot == i ? value : total[i]);
      has_before[i] = any;
      if (joining_floats) below[i] = any ? all : 32'h80000000;
      if (member[i])
        all = !any ? (slot == i ? value : total[i]) : joining_floats ? sum_of_floats(
          all, slot == i ? value : total[i]
        ) : combine(
          joining, all, slot == i ? value : total[i]
        );
      if (member[i]) any = 1'b1;
    end
  end

  always @(posedge clk) begin : follow
    integer i;
    if (start) begin
      used[start_group_slot]  <= 1'b1;
      count[start_group_slot] <= start_count;
    end
    if (done_valid) used[done_group_slot] <= 1'b0;
    if (now && !finish) {pc[slot], operation[slot], total[slot]} <= {at, what, value};
    for (i = 0; i < SLOTS; i = i + 1) begin
      if (start && i >= start_slot && i < start_slot + start_count) begin
        state[i] <= RUNS;
      end
      if (now && slot == i) state[i] <= finish ? FINISHED : WAITS;
      if (last_arrival && member[i]) begin
        state[i] <= DUE;
        carry[i] <= joining[0] ? below[i] : all;
        is_first[i] <= joining_floats && joining[0] && !has_before[i];
      end
      if (release_valid && release_slot == i) state[i] <= RUNS;
      if (done_valid && group_slot(i) == done_group_slot && state[i] == FINISHED) state[i] <= FREE;
      if (rst) state[i] <= FREE;
    end
    if (rst) used <= 0;
    stopped <= !rst && (stopped || differs);
  end

  // The inside: what follows needs it, assumptions only where said.
  (* hierconn *)
  wire \dut.q_valid , \dut.q_finish , \dut.q_scan , \dut.walk_scan ;
  (* hierconn *) wire [4:0] \dut.q_operation ;
  (* hierconn *) wire [SLOT_BITS-1:0] \dut.q_group_slot , \dut.q_slot ;
  (* hierconn *) wire [31:2] \dut.q_pc ;
  (* hierconn *) wire [31:0] \dut.q_total ;
  (* hierconn *) wire [SLOTS-1:0] \dut.waiting ;
  (* hierconn *) wire [SLOT_BITS:0] \dut.completed , \dut.taken ;
  (* hierconn *) wire [SLOT_BITS-1:0] \dut.complete[0] , \dut.complete[1] , \dut.complete[2] , \dut.complete[3] ;
  (* hierconn *) wire \dut.walking , \dut.walk_adds ;
  (* hierconn *) wire [SLOT_BITS-1:0] \dut.walk_slot , \dut.group_slot ;
  (* hierconn *) wire [SLOT_BITS:0] \dut.walk_left ;
  (* hierconn *) wire [4:0] \dut.walk_operation ;
  (* hierconn *) wire [31:0] \dut.carry , \dut.walk_total , \dut.walk_moved ;
  (* hierconn *) wire \dut.walk_begins , \dut.s_valid ;
  (* hierconn *) wire [SLOT_BITS-1:0] \dut.walk_group_slot , \dut.s_group_slot ;
  (* hierconn *) wire [31:0] \dut.s_sum , \dut.s_written ;
  (* hierconn *) wire [31:0] \dut.sums[0] , \dut.sums[1] , \dut.sums[2] , \dut.sums[3] ;
  wire [SLOTS*32-1:0] sums = {\dut.sums[3] , \dut.sums[2] , \dut.sums[1] , \dut.sums[0] };
  localparam STATE_BITS = 2 * (SLOT_BITS + 1) + 3 + SLOT_BITS + 30 + 6;
  (* hierconn *) wire [STATE_BITS-1:0] \dut.q_state ;
  (* hierconn *) wire [STATE_BITS-1:0] \dut.group_slots[0] , \dut.group_slots[1] , \dut.group_slots[2] , \dut.group_slots[3] ;
  (* hierconn *) wire [2*SLOT_BITS:0] \dut.extents[0] , \dut.extents[1] , \dut.extents[2] , \dut.extents[3] ;
  (* hierconn *) wire [31:0] \dut.totals[0] , \dut.totals[1] , \dut.totals[2] , \dut.totals[3] ;
  wire [SLOTS*STATE_BITS-1:0] group_slots = {
    \dut.group_slots[3] , \dut.group_slots[2] , \dut.group_slots[1] , \dut.group_slots[0]
  };
  wire [SLOTS*(2*SLOT_BITS+1)-1:0] extents = {\dut.extents[3] , \dut.extents[2] , \dut.extents[1] , \dut.extents[0] };
  wire [SLOTS*32-1:0] totals = {\dut.totals[3] , \dut.totals[2] , \dut.totals[1] , \dut.totals[0] };
  wire [SLOTS*SLOT_BITS-1:0] queue = {\dut.complete[3] , \dut.complete[2] , \dut.complete[1] , \dut.complete[0] };
  wire [SLOT_BITS:0] queued = \dut.completed - \dut.taken ;
  reg [SLOTS-1:0] complete;  // group slots in the queue
  reg [SLOT_BITS:0] ahead[0:SLOTS-1];  // group slots that go before
  always @* begin : group_slots_due
    integer i;
    reg [SLOT_BITS-1:0] entry;
    complete = 0;
    for (i = 0; i < SLOTS; i = i + 1) ahead[i] = 0;
    for (i = 0; i < SLOTS; i = i + 1) begin
      entry = \dut.taken + i;
      entry = queue[SLOT_BITS*entry+:SLOT_BITS];
      if (i < queued) begin
        if (!rst && !stopped) assert (!complete[entry]);
        complete[entry] = 1'b1;
        ahead[entry] = i;
      end
    end
    if (!rst && !stopped) assert (queued <= SLOTS);
  end
  reg [SLOTS-1:0] in_walk;
  always @* begin : range
    integer i;
    for (i = 0; i < SLOTS; i = i + 1)
    in_walk[i] = \dut.walking && i >= \dut.walk_slot && i < \dut.walk_slot + \dut.walk_left ;
  end

  // The rules of launch and unit: a work-group starts in a free group slot and free slots; events come from what runs; sub-groups
  // that meet at one instruction bring the same operation. Releases step over the slots of a work-group, finished ones
  // too, a slot a cycle: the slots' next work-group starts a sub-group every 7 cycles, so none of it arrives before that.
  always @* begin : rules
    integer i;
    for (i = 0; i < SLOTS; i = i + 1)
    if (start_valid && i >= start_slot && i < start_slot + start_count && !rst) assume (state[i] == FREE);
    if (start_valid && !rst)
      assume (!used[start_group_slot] && start_count != 0 && start_count <= PER_GROUP_SLOT && start_group_slot < SLOTS / PER_GROUP_SLOT);
    if (event_valid && !rst) assume (state[event_slot] == RUNS && !(now && slot == event_slot) && !in_walk[event_slot]);
    if (now && !finish && others_wait && waiting_pc == at) assume (what == waiting_operation);
    if (rst) assume (!start_valid && !event_valid);
  end

  // What is promised.
  reg was_last_finish, was_differing;
  reg [SLOT_BITS-1:0] was_group_slot;
  reg [31:2] was_smaller;
  reg [SLOTS-1:0] due;
  // A slot, any: the cycles for which it is due. A work-group's releases take a cycle each and one to begin.
  (* anyconst *) reg [SLOT_BITS-1:0] watched;
  reg [7:0] waited;
  reg [SLOTS-1:0] is_sum;  // of floats, a scan
  localparam LONGEST = (SLOTS / PER_GROUP_SLOT + 1) * (PER_GROUP_SLOT + 1) * (FPU != 0 ? 8 : 1);
  always @(posedge clk) begin
    was_last_finish <= last_finish && !rst;
    was_differing <= differs && !rst;
    was_group_slot <= where;
    was_smaller <= at < waiting_pc ? at : waiting_pc;
    waited <= rst || !due[watched] || (release_valid && release_slot == watched) ? 0 : waited + 1;
  end
  always @* begin : promises
    integer i;
    for (i = 0; i < SLOTS; i = i + 1) begin
      due[i] = state[i] == DUE;
      is_sum[i] = operation[i][5] && operation[i][3] && operation[i][0];
      if (release_valid && group_slot(i) == group_slot(release_slot) && i < release_slot && !rst && !stopped)
        assert (!due[i]);
    end
    if (!rst && !stopped) begin
      if (release_valid) assert (due[release_slot] && release_carry == carry[release_slot]);
      if (release_valid && FPU != 0) assert (release_first == is_first[release_slot]);
      assert (waited < LONGEST);
      assert (done_valid == was_last_finish);
      if (done_valid) assert (done_group_slot == was_group_slot && used[done_group_slot]);
      assert (!divergent);
    end
    cover (!rst && release_valid && release_slot == PER_GROUP_SLOT - 1);
    cover (!rst && done_valid && done_group_slot == 0);
    if (FPU != 0) cover (!rst && release_valid && release_slot == 1 && is_sum[1] && !release_first);
    if (!rst && was_differing) begin
      assert (divergent && divergent_group_slot == was_group_slot && divergent_pc == was_smaller);
      assert (group_slot(divergent_slot) == was_group_slot && pc[divergent_slot] == was_smaller);
    end
  end

  wire known = !rst && !stopped && FPU == 0;
  // What induction must know besides. pending: due and not just being released.
  reg [SLOTS-1:0] pending;
  reg [SLOT_BITS-1:0] walk_group_slot;  // whose slots in the walk are pending
  integer to_go;  // cycles until the watched slot is released at the latest, if it is pending
  always @* begin : slots
    integer i;
    walk_group_slot = 0;
    to_go = in_walk[watched] ? watched - \dut.walk_slot + 1 : (\dut.walking ? \dut.walk_left : 0) +
        (ahead[group_slot(watched)] + 1) * (PER_GROUP_SLOT + 1);
    for (i = 0; i < SLOTS; i = i + 1) begin
      pending[i] = due[i] && !(release_valid && release_slot == i);
      if (pending[i] && in_walk[i]) walk_group_slot = group_slot(i);
    end
    for (i = 0; i < SLOTS; i = i + 1)
    if (known) begin
      assert (state[i] <= FINISHED);
      if (state[i] != FREE)
        assert (used[group_slot(
            i
        )] && i >= group_slot(
            i
        ) * PER_GROUP_SLOT && i < group_slot(
            i
        ) * PER_GROUP_SLOT + count[group_slot(
            i
        )]);
      assert (\dut.waiting [i] == (state[i] == WAITS || pending[i]));
      if (\dut.waiting [i]) assert (totals[32*i+:32] == total[i]);
      if (pending[i]) assert (in_walk[i] != complete[group_slot(i)]);
      if (in_walk[i]) assert (state[i] != WAITS && !(now && slot == i));
      if (in_walk[i] && pending[i])
        assert (group_slot(i) == walk_group_slot && operation[i] == {\dut.walk_operation , \dut.walk_scan });
      if (in_walk[i] && \dut.walk_begins ) assert (group_slot(i) == \dut.walk_group_slot );
    end
    if (known) begin
      if (pending[watched]) assert (waited + to_go < LONGEST);
      assert (now == \dut.q_valid );
      if (now) begin
        assert (state[slot] == RUNS && group_slot(slot) == where);
        assert ({finish, slot, where} == {\dut.q_finish , \dut.q_slot , \dut.q_group_slot });
        assert ({at, value} == {\dut.q_pc , \dut.q_total });
        assert (what == {\dut.q_operation , \dut.q_scan });
        assert (\dut.q_state == group_slots[STATE_BITS*where+:STATE_BITS]);
      end
      if (\dut.s_valid ) assert (\dut.s_sum == sums[32*\dut.s_group_slot +: 32]);
      if (\dut.walk_begins ) assert (\dut.walking );
      if (queued != 0) assert (\dut.group_slot == queue[SLOT_BITS*\dut.taken [SLOT_BITS-1:0]+:SLOT_BITS]);
      if (\dut.walking ) begin
        assert (!\dut.walk_adds );
        assert (\dut.walk_left != 0 && \dut.walk_slot + \dut.walk_left <= SLOTS);
        if (release_valid) assert (\dut.walk_slot == release_slot + 1);
        if (\dut.waiting [\dut.walk_slot ]) begin
          assert (\dut.walk_total == totals[32*\dut.walk_slot +: 32]);
          assert (\dut.walk_moved == (\dut.walk_total ^ {\dut.walk_operation [0], 31'd0} ^ {32{!\dut.walk_operation [2]}}));
        end
      end
    end
  end

  // Carries of the pending slots: the first one's, and each further one's from the one before.
  genvar p, s;
  generate
    for (p = 0; p < SLOTS; p = p + 1) begin : of_group_slot
      localparam [SLOT_BITS-1:0] FIRST = p * PER_GROUP_SLOT;
      wire [SLOT_BITS:0] running, missing;
      wire one_runs, one_missing, some_wait;
      wire [SLOT_BITS-1:0] first_slot;
      wire [31:2] first_pc;
      wire [5:0] group_slot_operation;
      wire [31:0] sum = \dut.s_valid && \dut.s_group_slot == p ? \dut.s_written : sums[32*p+:32];
      assign {running, missing, one_runs, one_missing, some_wait, first_slot, first_pc, group_slot_operation} = group_slots[STATE_BITS*p+:STATE_BITS];
      reg [SLOT_BITS:0] run, wait_here;
      reg any_due, any_pending;
      reg [31:0] chain, waiting_sum;
      always @* begin : counts
        integer i;
        {run, wait_here, any_due, any_pending} = 0;
        chain = \dut.walk_begins && \dut.walk_group_slot == p && !\dut.walk_scan ? sums[32*p+:32] : \dut.carry ;
        if (complete[p])
          chain = !group_slot_operation[0] ? sum : group_slot_operation[3] ? 0 :
              {group_slot_operation[1] == group_slot_operation[2], {8{!group_slot_operation[2]}}, {23{group_slot_operation[2] == group_slot_operation[5]}}};
        waiting_sum = 0;
        for (i = 0; i < SLOTS; i = i + 1)
        if (group_slot(i) == p && state[i] != FREE) begin
          run = run + (state[i] == RUNS || state[i] == WAITS || state[i] == DUE);
          any_due = any_due || due[i];
          if (state[i] == WAITS) begin
            waiting_sum = wait_here == 0 ? total[i] : combine(group_slot_operation, waiting_sum, total[i]);
            wait_here   = wait_here + 1;
            if (known) assert (pc[i] == first_pc && operation[i] == group_slot_operation);
          end
          if (pending[i]) begin
            if (known) assert (carry[i] == chain);
            if (operation[i][0]) chain = combine(operation[i], chain, total[i]);
            any_pending = 1'b1;
            if (complete[p] && known) assert (operation[i] == group_slot_operation);
          end
          if (complete[p] && known) assert (pending[i] || state[i] == FINISHED);
        end
        if (known) begin
          if (complete[p]) assert (used[p] && any_pending);
          if (used[p]) begin
            assert (count[p] != 0 && p * PER_GROUP_SLOT + count[p] <= SLOTS);
            assert (extents[(2*SLOT_BITS+1)*p+:2*SLOT_BITS+1] == {count[p], FIRST});
            assert (running == run && missing + wait_here == run && some_wait == (wait_here != 0));
            assert (one_runs == (run == 1) && one_missing == (missing == 1));
            assert (wait_here == 0 || run != wait_here);
            assert ((run == 0) == (done_valid && done_group_slot == p));
            if (wait_here != 0)
              assert (sum == waiting_sum && state[first_slot] == WAITS && group_slot(first_slot) == p);
          end
        end
      end
      for (s = 0; s < SLOTS; s = s + 1) begin : of_slot
        always @*
          if (known && used[p] && s >= p * PER_GROUP_SLOT && s < p * PER_GROUP_SLOT + count[p])
            assert (state[s] != FREE && group_slot(s) == p);
      end
    end
  endgenerate
endmodule

`default_nettype wire
