// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/pipeline/barrier.v lets each token that came go once, when all of its work-group have come and never
// before, those of a work-group in the order of their ids and in one go; the first and the last are marked. Work-
// groups go in the order in which they were complete. While a complete one waits a token goes each cycle, the first 4
// cycles after its work-group's last came. Tokens may come again as soon as they went. The rules of its users: a
// slot's token is in one place, and a group slot gets another work-group when its barrier is empty. For ever (induction), 4
// slots, group slots of 1, 2 and 4.
`default_nettype none

module barrier_proof (
    input wire       clk,
    input wire       starts,
    input wire [1:0] start_group_slot,
    input wire [1:0] start_last,
    input wire       arrive,
    input wire [1:0] slot
);
  localparam SLOTS = 4;
  wire rst = $initstate;
  (* anyconst *) reg [2:0] shift;
  wire go, first, last;
  wire [1:0] go_slot;
  reg  [2:0] wiped;
  barrier #(
      .SLOT_BITS(2)
  ) dut (
      .clk(clk),
      .rst(rst),
      .shift_i(shift),
      .wipe_i(!wiped[2]),
      .wipe_group_slot_i(wiped[1:0]),
      .begin_i(starts),
      .begin_group_slot_i(start_group_slot),
      .begin_last_i(start_last),
      .arrive_i(arrive),
      .arrive_slot_i(slot),
      .release_o(go),
      .release_slot_o(go_slot),
      .release_first_o(first),
      .release_last_o(last)
  );
  always @(posedge clk) wiped <= rst ? 3'd0 : wiped + {2'd0, !wiped[2]};

  // The tokens that came: of the last cycle, counted, complete. Of each group slot, how many sub-groups it has, less one.
  reg come;
  reg [1:0] come_slot;
  reg [SLOTS-1:0] counted, due, known;
  reg [2*SLOTS-1:0] lasts;
  wire [1:0] come_group_slot = come_slot >> shift;
  wire [SLOTS-1:0] coming = come ? 4'd1 << come_slot : 4'd0, going = go ? 4'd1 << go_slot : 4'd0;
  // The slots of a group slot, of those that its work-group has.
  reg [SLOTS-1:0] whole[0:SLOTS-1];
  integer p, i;
  always @*
    for (p = 0; p < SLOTS; p = p + 1)
      for (i = 0; i < SLOTS; i = i + 1) whole[p][i] = (i >> shift) == p && i - (p << shift) <= lasts[2*p+:2];
  wire [SLOTS-1:0] group = whole[come_group_slot];
  wire complete = come && ((counted | coming) & group) == group;
  always @(posedge clk) begin
    come <= !rst && arrive;
    come_slot <= slot;
    counted <= rst ? 4'd0 : complete ? counted & ~group : counted | coming;
    due <= rst ? 4'd0 : (due | (complete ? group : 4'd0)) & ~going;
    known <= rst ? 4'd0 : known | (starts ? 4'd1 << start_group_slot : 4'd0);
    if (starts) lasts[2*start_group_slot+:2] <= start_last;
  end
  wire [1:0] arrive_group_slot = slot >> shift;
  wire [SLOTS-1:0] present = counted | coming | due;
  wire [3:0] group_slot_mask = (4'd1 << (4'd1 << shift)) - 4'd1;
  always @* begin
    assume (shift <= 2);
    if (rst || !wiped[2]) assume (!arrive && !starts);
    if (arrive) assume (!present[slot] && known[arrive_group_slot] && whole[arrive_group_slot][slot]);
    if (starts) begin
      assume (start_group_slot < SLOTS >> shift && start_last < 1 << shift);
      assume ((present & (group_slot_mask << (start_group_slot << shift))) == 0);
      assume (!(arrive && arrive_group_slot == start_group_slot));
    end
  end

  // Any one group slot: how many complete ones are ahead of it.
  (* anyconst *) reg [1:0] watched;
  reg [2:0] complete_groups, ahead;
  reg waits;
  always @(posedge clk) begin
    complete_groups <= rst ? 3'd0 : complete_groups + {2'd0, complete} - {2'd0, \dut.take };
    if (complete && come_group_slot == watched) ahead <= complete_groups - {2'd0, \dut.take };
    else if (\dut.take ) ahead <= ahead - 1'b1;
    waits <= !rst && ((complete && come_group_slot == watched) || (waits && !(\dut.take && ahead == 0)));
  end
  // Cycles since one is complete in which none went.
  reg [2:0] silent;
  always @(posedge clk) silent <= rst || due == 0 || go ? (complete ? 3'd1 : 3'd0) : silent + 3'd1;

  // What induction must know of the inside.
  (* hierconn *) wire \dut.take ;
  (* hierconn *) wire \dut.arrived ;
  (* hierconn *) wire [1:0] \dut.group_slot ;
  (* hierconn *) wire [1:0] \dut.index ;
  (* hierconn *) wire \dut.queue.head_valid ;
  (* hierconn *) wire [3:0] \dut.queue.head ;
  (* hierconn *) wire [1:0] \dut.queue.first ;
  (* hierconn *) wire [1:0] \dut.queue.last ;
  (* hierconn *) wire [2:0] \dut.queue.count ;
  (* hierconn *) wire [3:0] \dut.queue.distributed.words[0] ;
  (* hierconn *) wire [3:0] \dut.queue.distributed.words[1] ;
  (* hierconn *) wire [3:0] \dut.queue.distributed.words[2] ;
  (* hierconn *) wire [3:0] \dut.queue.distributed.words[3] ;
  (* hierconn *) wire [1:0] \dut.counts[0] ;
  (* hierconn *) wire [1:0] \dut.counts[1] ;
  (* hierconn *) wire [1:0] \dut.counts[2] ;
  (* hierconn *) wire [1:0] \dut.counts[3] ;
  (* hierconn *) wire [1:0] \dut.lasts[0] ;
  (* hierconn *) wire [1:0] \dut.lasts[1] ;
  (* hierconn *) wire [1:0] \dut.lasts[2] ;
  (* hierconn *) wire [1:0] \dut.lasts[3] ;
  wire [15:0] words = {
    \dut.queue.distributed.words[3] ,
    \dut.queue.distributed.words[2] ,
    \dut.queue.distributed.words[1] ,
    \dut.queue.distributed.words[0]
  };
  wire [7:0] counts = {\dut.counts[3] , \dut.counts[2] , \dut.counts[1] , \dut.counts[0] };
  wire [7:0] dut_lasts = {\dut.lasts[3] , \dut.lasts[2] , \dut.lasts[1] , \dut.lasts[0] };
  wire head = \dut.queue.head_valid ;
  wire [1:0] index = \dut.index ;
  reg [3:0] order[0:SLOTS-1];
  reg [SLOTS-1:0] seen, due_in_queue;
  reg [1:0] distance, at;
  reg good;
  always @* begin
    distance = \dut.queue.last - \dut.queue.first ;
    seen = 0;
    due_in_queue = 0;
    good = 1'b1;
    for (i = 0; i < SLOTS; i = i + 1) begin
      at = \dut.queue.first + i - head;
      order[i] = i == 0 && head ? \dut.queue.head : words[at*4+:4];
      if (i < complete_groups) begin
        good = good && !seen[order[i][3:2]] && known[order[i][3:2]] && order[i][1:0] == lasts[2*order[i][3:2]+:2] &&
               order[i][3:2] < SLOTS >> shift;
        seen[order[i][3:2]] = 1'b1;
        due_in_queue = due_in_queue | whole[order[i][3:2]];
        // Of the first those that went are no longer due.
        if (i == 0 && head)
          due_in_queue = due_in_queue & ~(((4'd1 << ((order[i][3:2] << shift) + index)) - 4'd1) & whole[order[i][3:2]]);
      end
    end
    if (!rst) begin
      assert (\dut.queue.count <= SLOTS && complete_groups <= SLOTS && complete_groups == \dut.queue.count + head);
      assert (distance == \dut.queue.count [1:0]);
      assert (\dut.queue.head_valid || \dut.queue.count == 0);
      assert (good && due == (due_in_queue | going) && (due_in_queue & going) == 0);
      assert ((counted & coming) == 0 && ((counted | coming) & due) == 0);
      assert (head ? index <= \dut.queue.head [1:0] : index == 0);
      assert (\dut.arrived == come);
      if (come)
        assert (\dut.group_slot == come_group_slot && known[come_group_slot] && whole[come_group_slot][come_slot]);
      if (!wiped[2]) assert (known == 0);
      assert (seen[watched] == waits);
      if (waits) assert (ahead < complete_groups && order[ahead][3:2] == watched);
      assert (wiped <= 4);
    end
  end

  genvar k;
  generate
    for (k = 0; k < SLOTS; k = k + 1) begin : group_slot
      localparam [2:0] GROUP_SLOT = k;
      wire [SLOTS-1:0] own = group_slot_mask << (GROUP_SLOT << shift);
      wire [SLOTS-1:0] here = counted & own;
      wire [2:0] count = {2'd0, here[0]} + {2'd0, here[1]} + {2'd0, here[2]} + {2'd0, here[3]};
      always @*
        if (!rst) begin
          if (k < SLOTS >> shift) begin
            if (wiped > k) assert (counts[2*k+:2] == count);
            if (wiped[2] && known[k]) assert (here != whole[k] && lasts[2*k+:2] < 1 << shift);
            if (wiped[2] && known[k]) assert (dut_lasts[2*k+:2] == lasts[2*k+:2]);
            assert ((present & own & ~(known[k] ? whole[k] : 4'd0)) == 0);
          end else assert (!known[k]);
        end
    end
  endgenerate

  // What went before: all of a work-group in one go.
  reg went, went_last;
  reg [1:0] went_slot;
  reg [2:0] ahead_before;
  always @(posedge clk) begin
    {went, went_last} <= {go && !rst, last};
    went_slot <= go_slot;
    ahead_before <= ahead;
  end
  wire [1:0] go_group_slot = go_slot >> shift;
  wire [1:0] go_index = go_slot - (go_group_slot << shift);
  always @*
    if (!rst) begin
      if (go) begin
        assert (due[go_slot] && whole[go_group_slot][go_slot]);
        assert (first == (go_index == 0) && last == (go_index == lasts[2*go_group_slot+:2]));
      end
      if (go && go_group_slot == watched) assert (ahead_before == 0);
      if (went && !went_last) assert (go && go_slot == went_slot + 2'd1 && !first);
      if (go && !last) assert (head && order[0][3:2] == go_group_slot && index == go_index + 2'd1);
      if (index != 0) assert (go && !last);
      if (go && (!went || went_last)) assert (first);
      assert (silent <= (go ? 2 : 1));
      cover (go && last && go_index == 3);
      cover (go && silent == 2);
      cover (go && !last && coming != 0 && came_again);
      cover (went && went_last && go && first && shift == 1);
    end
  // A token that went comes again before its work-group's last went.
  reg came_again;
  always @(posedge clk) came_again <= !rst && arrive && go && !last;
endmodule

`default_nettype wire
