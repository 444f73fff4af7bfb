// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/pipeline/window_points.v gives passes that serve each active point of a token once, a point at least each,
// mark the token's last one, and are all there in bounded time. A pass says where each point is and whether its words go on
// in the next line; that line is always one of memory, also at its end. A token is bad for a point whose words are not all
// in global memory, or whose address is no word's, and for nothing else; no pass serves such a point. The rule of its
// users: a token's slot is its own; nothing is asked for after a bad one. 9 cycles, 3 points.
`default_nettype none

module window_points_proof (
    input wire        clk,
    input wire        go,
    input wire        valid,
    input wire [ 1:0] slot,
    input wire [ 2:0] active,
    input wire [95:0] address
);
  localparam POINTS = 3, GLOBAL_LOG2 = 7, FIRST_LOG2 = 5, WINDOW_LOG2 = 2, LINE_BITS = GLOBAL_LOG2 - WINDOW_LOG2 - 2;
  localparam [23:0] SPAN = {8'd3, 8'd0, 8'd1};
  wire rst = $initstate;
  wire take, pass, next, is_last, bad;
  wire [1:0] pass_slot, bad_slot;
  wire [POINTS-1:0] fits, bad_point;
  wire [POINTS*WINDOW_LOG2-1:0] bank;
  wire [LINE_BITS-1:0] line;
  wire [WINDOW_LOG2-1:0] start;
  wire [31:0] bad_address;
  window_points #(
      .SLOT_BITS(2),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .FIRST_LOG2(FIRST_LOG2),
      .POINTS(POINTS),
      .SPAN(SPAN),
      .WINDOW_LOG2(WINDOW_LOG2)
  ) dut (
      .clk(clk),
      .rst(rst),
      .go_i(go),
      .valid_i(valid),
      .take_o(take),
      .slot_i(slot),
      .active_i(active),
      .address_i(address),
      .valid_o(pass),
      .slot_o(pass_slot),
      .fits_o(fits),
      .bank_o(bank),
      .line_o(line),
      .start_o(start),
      .next_o(next),
      .last_o(is_last),
      .bad_o(bad),
      .bad_slot_o(bad_slot),
      .bad_address_o(bad_address),
      .bad_point_o(bad_point)
  );

  // Any one token: its points that no pass has served yet.
  (* anyconst *) reg [1:0] own;
  (* anyseq *) wire choose;
  reg in_flight, chosen, after_bad;
  reg [POINTS-1:0] left;
  reg [POINTS*32-1:0] wanted;
  reg [3:0] waited;  // steps
  wire enter = take && choose && !chosen;
  wire served = pass && go && in_flight && pass_slot == own;
  integer p;
  wire own_bad = in_flight && go && bad && bad_slot == own;
  always @(posedge clk) begin
    if (enter) wanted <= address;
    left <= enter ? active : served ? left & ~fits : left;
    chosen <= !rst && (chosen || enter);
    in_flight <= !rst && (enter || (in_flight && !(served && is_last) && !(go && bad)));
    after_bad <= !rst && (after_bad || (go && bad));
    waited <= enter ? 4'd0 : go ? waited + 4'd1 : waited;
  end
  always @* begin
    if (rst) assume (!valid);
    assume (!after_bad || !go);
    if (take) assume (enter == (slot == own));
    if (valid) assume (active != 0);
    // Bits above those of memory say one thing: the point is outside. They are alike, which the solver is glad of.
    for (p = 0; p < POINTS; p = p + 1) assume (address[p*32+GLOBAL_LOG2+:25] == {25{address[p*32+GLOBAL_LOG2]}});
  end

  // What memory has of a point: all its words, from the first mapped one to the last.
  function is_there(input [31:0] of, input [7:0] span);
    is_there = of[1:0] == 2'd0 && of >= (1 << FIRST_LOG2) && of[31:GLOBAL_LOG2] == 0 &&
               {1'b0, of[GLOBAL_LOG2-1:2]} + span < (1 << (GLOBAL_LOG2 - 2));
  endfunction
  wire [GLOBAL_LOG2-2:0] begins = {1'b0, line, start};  // words
  wire [GLOBAL_LOG2-2:0] line_end = {{1'b0, line} + 4'd1, {WINDOW_LOG2{1'b0}}};
  reg goes_on, begins_at_a_point;
  reg [GLOBAL_LOG2-2:0] at, most;
  always @* begin
    {goes_on, begins_at_a_point, at, most} = 0;
    for (p = 0; p < POINTS; p = p + 1) begin
      if (!rst && served && fits[p]) begin
        at   = {1'b0, wanted[p*32+2+:GLOBAL_LOG2-2]};
        most = at + SPAN[p*8+:8];
        assert (is_there(wanted[p*32+:32], SPAN[p*8+:8]));
        assert (bank[p*WINDOW_LOG2+:WINDOW_LOG2] == at[WINDOW_LOG2-1:0]);
        assert (at >= begins && most < begins + (1 << WINDOW_LOG2));
        begins_at_a_point = begins_at_a_point || at == begins;
        goes_on = goes_on || most >= line_end;
      end
      if (!rst && own_bad && bad_point[p]) begin
        assert (bad_point == 3'd1 << p && bad_address == wanted[p*32+:32]);
        assert (!is_there(bad_address, SPAN[p*8+:8]));
      end
    end
    if (!rst && served) begin
      assert (fits != 0 && (fits & ~left) == 0);
      assert (is_last == (fits == left));
      assert (begins_at_a_point && next == goes_on);
      if (next) assert (line != {LINE_BITS{1'b1}});
      cover (fits == 3'd4 && is_last && next == 0 && line == {LINE_BITS{1'b1}} && left == fits && waited > 4);
      cover (fits == 3'd7 && next && line == 3'd6);
    end
    if (!rst && own_bad) begin
      assert (bad_point != 0 && (bad_point & ~left) == 0);
      cover (bad_point == 3'd1 && bad_address == 32'd124);
    end
    // A pass for each two steps, and two on the way.
    if (!rst && in_flight) assert (waited < 4'd3 + 2 * POINTS);
  end
endmodule

`default_nettype wire
