// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/pipeline/window_lines.v says of each line that is wanted whether it is the last one of this dispatch that
// was wanted in its place: so a line is missing only where it was never asked for or another took its place, and one of
// an earlier dispatch is never there, however many dispatches there were. Lines of one place differ in their tags. The
// rule of its users: no line is wanted until a number has gone in after the dispatch started. For ever (induction).
`default_nettype none

module window_lines_proof (
    input wire       clk,
    input wire       start,
    input wire       go,
    input wire [3:0] number,
    input wire       wanted
);
  localparam NUMBER_BITS = 4, ROW_BITS = 2, ROWS = 1 << ROW_BITS, ENTRY_BITS = 1 + NUMBER_BITS;
  wire rst = $initstate;
  wire miss;
  wire [NUMBER_BITS-1:0] of;
  wire [ROW_BITS-1:0] row;
  window_lines #(
      .NUMBER_BITS(NUMBER_BITS),
      .ROW_BITS(ROW_BITS)
  ) dut (
      .clk(clk),
      .rst(rst),
      .start_i(start),
      .go_i(go),
      .number_i(number),
      .wanted_i(wanted),
      .miss_o(miss),
      .number_o(of),
      .row_o(row)
  );

  // The line that each place has, as one that looks on knows it.
  reg [ROWS-1:0] there;
  reg [NUMBER_BITS*ROWS-1:0] line;
  reg came;  // a number, since the dispatch started
  reg [NUMBER_BITS-1:0] came_number;
  wire is_there = there[row] && line[row*NUMBER_BITS+:NUMBER_BITS] == of;
  always @(posedge clk) begin
    if (go && wanted) begin
      there[row] <= 1'b1;
      line[row*NUMBER_BITS+:NUMBER_BITS] <= of;
    end
    if (go) came_number <= number;
    came <= !rst && !start && (came || go);
    if (rst || start) there <= 0;
  end
  // Of the inside induction must know: what an entry has of this dispatch is what the place has. One of an earlier dispatch
  // was made since the last start that emptied its place.
  (* hierconn *) wire [ROW_BITS-1:0] \dut.dispatch ;
  (* hierconn *) wire [ENTRY_BITS-1:0] \dut.entry ;
  (* hierconn *) wire [ENTRY_BITS-1:0] \dut.entries[0] ;
  (* hierconn *) wire [ENTRY_BITS-1:0] \dut.entries[1] ;
  (* hierconn *) wire [ENTRY_BITS-1:0] \dut.entries[2] ;
  (* hierconn *) wire [ENTRY_BITS-1:0] \dut.entries[3] ;
  wire [ENTRY_BITS*ROWS-1:0] entries = {\dut.entries[3] , \dut.entries[2] , \dut.entries[1] , \dut.entries[0] };
  always @* begin
    if (wanted) assume (came && !start && !rst);
    if (rst) assume (entries == 0);  // as `initial` in the module says, which -mem2reg does not keep
  end

  (* hierconn *) wire \dut.last ;
  (* hierconn *) wire [ROW_BITS-1:0] \dut.last_row ;
  (* hierconn *) wire [NUMBER_BITS-ROW_BITS-1:0] \dut.last_tag ;
  integer r;
  reg [NUMBER_BITS-1:0] held;
  reg [ENTRY_BITS-1:0] entry;
  reg [ROW_BITS-1:0] age, emptied_at;
  always @* begin
    {held, entry, age, emptied_at} = 0;
    if (!rst && came) assert (of == came_number && row == (of[1:0] ^ of[3:2]));
    if (!rst && came && !(\dut.last && \dut.last_row == row))
      assert (\dut.entry == entries[row*ENTRY_BITS+:ENTRY_BITS]);
    if (!rst && \dut.last ) begin
      held = line[\dut.last_row * NUMBER_BITS+:NUMBER_BITS];
      assert (came && there[\dut.last_row ] && held[3:2] == \dut.last_tag );
    end
    for (r = 0; r < ROWS; r = r + 1) begin
      held = line[r*NUMBER_BITS+:NUMBER_BITS];
      entry = entries[r*ENTRY_BITS+:ENTRY_BITS];
      // Starts since the entry's dispatch, and those up to the one that empties the place.
      age = \dut.dispatch - entry[3:2];
      emptied_at = r[1:0] - entry[3:2];
      if (!rst) begin
        if (there[r]) assert ((held[1:0] ^ held[3:2]) == r[1:0] && entry[1:0] == held[3:2]);
        assert (there[r] == (entry[4] && entry[3:2] == \dut.dispatch ));
        if (entry[4]) assert ({1'b0, age} < {emptied_at == 0, emptied_at});
      end
    end
  end

  always @*
    if (!rst) begin
      assert (miss == (wanted && !is_there));
      if (wanted) assert (of == came_number);
      // Two lines of one place are told apart by what the place does not say.
      cover (wanted && !miss && there == {ROWS{1'b1}});
      cover (wanted && miss && there[row]);
    end
endmodule

`default_nettype wire
