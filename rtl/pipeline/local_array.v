// SPDX-License-Identifier: Apache-2.0
// An array in local memory that is reached by its name alone: of each work-group in flight its elements, in BANKS banks
// by the lower bits of the index. READERS reads a cycle, each of one slot in all lanes; what is read comes the cycle
// after. Lanes that read one element, or neighbours in the order of lanes, need one copy of the banks; lanes that read
// anywhere have one each. Writes are those of memory groups: one in all lanes a cycle while no two of its lanes have
// one bank, else a cycle more for each that has to wait. done_o: the last access of a token has been made; what
// it wrote is there for reads of the next cycle.
`default_nettype none

module local_array #(
    parameter WIDTH = 32,  // bits of an element, 32 at most
    parameter ELEMENTS = 16,
    parameter INDEX_BITS = 4,  // log2(ELEMENTS) at least, and more than BANKS_LOG2
    parameter LANES = 1,
    parameter BANKS_LOG2 = 0,  // log2(LANES), or 0
    parameter SLOT_BITS = 5,  // log2 of the slots
    parameter GROUP_SLOT_BITS = 2,  // log2 of the work-groups in flight
    parameter READERS = 1,
    parameter [READERS*2-1:0] PATTERN = 0,  // of each reader: 0 one element, 1 neighbours, 2 anywhere
    parameter WRITERS = 1
) (
    input wire clk,
    input wire rst,

    input wire [2:0] shift_i,  // a work-group's slots begin at its group_slot << shift_i

    // accesses of memory groups, one word a lane
    input  wire [          WRITERS-1:0] write_i,
    output wire [          WRITERS-1:0] ready_o,
    input  wire [          WRITERS-1:0] final_i,     // the last of its token
    input  wire [WRITERS*SLOT_BITS-1:0] slot_i,
    input  wire [    WRITERS*LANES-1:0] lanes_i,
    input  wire [ WRITERS*LANES*32-1:0] index_i,     // below ELEMENTS
    input  wire [ WRITERS*LANES*32-1:0] value_i,
    output wire [          WRITERS-1:0] done_o,
    output wire [        SLOT_BITS-1:0] done_slot_o,

    // reads: by reader, then by lane
    input  wire [       READERS*SLOT_BITS-1:0] read_slot_i,
    input  wire [READERS*LANES*INDEX_BITS-1:0] read_index_i,
    output wire [     READERS*LANES*WIDTH-1:0] value_o
);
  localparam BANKS = 1 << BANKS_LOG2, ROW_BITS = INDEX_BITS - BANKS_LOG2;
  localparam ROWS = (ELEMENTS + BANKS - 1) >> BANKS_LOG2, DEPTH = ROWS << GROUP_SLOT_BITS;
  localparam AT_BITS = ROW_BITS + GROUP_SLOT_BITS;
  localparam BLOCK = DEPTH > 16;  // what is small costs little in distributed RAM
  localparam [INDEX_BITS-1:0] BANK_MASK = BANKS - 1;
  localparam [1:0] NEIGHBOURS = 2'd1, ANYWHERE = 2'd2;
  genvar b, c, l, r;
  integer i, k;

  // ---- writes: an access is chosen, then made in as many passes as it takes
  wire [WRITERS-1:0] grant;
  wire open;
  reg [SLOT_BITS-1:0] slot;
  reg [LANES-1:0] lanes;
  reg [LANES*32-1:0] index, value;
  always @* begin
    slot  = slot_i[SLOT_BITS-1:0];
    lanes = lanes_i[LANES-1:0];
    index = index_i[LANES*32-1:0];
    value = value_i[LANES*32-1:0];
    for (i = 1; i < WRITERS; i = i + 1)
    if (grant[i]) begin
      slot  = slot_i[i*SLOT_BITS+:SLOT_BITS];
      lanes = lanes_i[i*LANES+:LANES];
      index = index_i[i*LANES*32+:LANES*32];
      value = value_i[i*LANES*32+:LANES*32];
    end
  end
  round_robin #(
      .WIDTH(WRITERS)
  ) round_robin (
      .clk(clk),
      .rst(rst),
      .request_i(write_i),
      .grant_o(grant),
      .taken_i(open)
  );
  assign ready_o = grant & {WRITERS{open}};
  reg a_valid, a_final;
  reg [WRITERS-1:0] a_writer;
  reg [SLOT_BITS-1:0] a_slot;
  reg [LANES-1:0] a_lanes;  // that are still to be written
  reg [LANES*32-1:0] a_index, a_value;
  wire [BANKS*LANES-1:0] first;  // of each bank the lane that is written now
  reg [LANES-1:0] pass;
  always @* begin
    pass = {LANES{1'b0}};
    for (k = 0; k < BANKS; k = k + 1) pass = pass | first[k*LANES+:LANES];
  end
  wire complete = (a_lanes & ~pass) == {LANES{1'b0}};
  assign open = !a_valid || complete;
  assign done_o = a_writer & {WRITERS{a_valid && a_final && complete}};
  assign done_slot_o = a_slot;
  always @(posedge clk) begin
    if (open) begin
      a_valid <= write_i != {WRITERS{1'b0}};
      a_final <= (final_i & grant) != {WRITERS{1'b0}};
      {a_writer, a_slot, a_lanes, a_index, a_value} <= {grant, slot, lanes, index, value};
    end else a_lanes <= a_lanes & ~pass;
    if (rst) a_valid <= 1'b0;
  end
  wire [GROUP_SLOT_BITS-1:0] write_group_slot;
  wire [SLOT_BITS+GROUP_SLOT_BITS-1:0] wide_write_group_slot = {{GROUP_SLOT_BITS{1'b0}}, a_slot} >> shift_i;
  assign write_group_slot = wide_write_group_slot[GROUP_SLOT_BITS-1:0];
  wire unused = &{1'b0, wide_write_group_slot, a_index, a_value, read_index_i};

  // ---- banks
  wire [BANKS-1:0] bank_write;
  wire [BANKS*AT_BITS-1:0] bank_at;
  wire [BANKS*WIDTH-1:0] bank_value;
  generate
    for (b = 0; b < BANKS; b = b + 1) begin : bank
      localparam [INDEX_BITS-1:0] NUMBER = b;
      wire [LANES-1:0] wants;
      for (l = 0; l < LANES; l = l + 1) begin : lane
        assign wants[l] = a_lanes[l] && (a_index[l*32+:INDEX_BITS] & BANK_MASK) == NUMBER;
      end
      wire [LANES-1:0] one = wants & (~wants + 1'b1);
      assign first[b*LANES+:LANES] = one;
      reg [INDEX_BITS-1:0] at;
      reg [WIDTH-1:0] word;
      integer n;
      always @* begin
        at   = {INDEX_BITS{1'b0}};
        word = {WIDTH{1'b0}};
        for (n = 0; n < LANES; n = n + 1) begin
          at   = at | (a_index[n*32+:INDEX_BITS] & {INDEX_BITS{one[n]}});
          word = word | (a_value[n*32+:WIDTH] & {WIDTH{one[n]}});
        end
      end
      assign bank_write[b] = a_valid && wants != {LANES{1'b0}};
      assign bank_at[b*AT_BITS+:AT_BITS] = {at[INDEX_BITS-1:BANKS_LOG2], write_group_slot};
      assign bank_value[b*WIDTH+:WIDTH] = word;
    end

    // ---- reads
    for (r = 0; r < READERS; r = r + 1) begin : reader
      localparam [1:0] KIND = PATTERN[r*2+:2];
      // Neighbours are in different banks, if there are as many as lanes.
      localparam TOGETHER = KIND == NEIGHBOURS && BANKS == LANES;
      localparam COPIES = KIND == 2'd0 || TOGETHER ? 1 : LANES;
      wire [SLOT_BITS-1:0] read_slot = read_slot_i[r*SLOT_BITS+:SLOT_BITS];
      wire [SLOT_BITS+GROUP_SLOT_BITS-1:0] wide_group_slot = {{GROUP_SLOT_BITS{1'b0}}, read_slot} >> shift_i;
      wire [GROUP_SLOT_BITS-1:0] group_slot = wide_group_slot[GROUP_SLOT_BITS-1:0];
      wire unused_group_slot = &{1'b0, wide_group_slot};
      wire [COPIES*BANKS*WIDTH-1:0] words;  // by copy, then by bank
      wire [COPIES*INDEX_BITS-1:0] banks;  // the bank of the lane, of the first one if they are read together
      for (c = 0; c < COPIES; c = c + 1) begin : copy
        wire [INDEX_BITS-1:0] from = read_index_i[(r*LANES+c)*INDEX_BITS+:INDEX_BITS];
        wire [  ROW_BITS-1:0] row = from[INDEX_BITS-1:BANKS_LOG2];
        reg  [INDEX_BITS-1:0] low;
        always @(posedge clk) low <= from & BANK_MASK;
        assign banks[c*INDEX_BITS+:INDEX_BITS] = low;
        for (b = 0; b < BANKS; b = b + 1) begin : of
          localparam [INDEX_BITS-1:0] NUMBER = b;
          // Banks below that of the first lane have neighbours of the next row.
          wire next = TOGETHER && NUMBER < (from & BANK_MASK);
          wire [ROW_BITS-1:0] here = row + {{ROW_BITS - 1{1'b0}}, next};
          wire [AT_BITS-1:0] at = {here, group_slot};
          word_memory #(
              .WIDTH(WIDTH),
              .WORDS(DEPTH),
              .INDEX_BITS(AT_BITS),
              .BLOCK(BLOCK),
              .ZERO(1)
          ) values (
              .clk(clk),
              .read_index_i(at),
              .word_o(words[(c*BANKS+b)*WIDTH+:WIDTH]),
              .write_i(bank_write[b]),
              .write_index_i(bank_at[b*AT_BITS+:AT_BITS]),
              .word_i(bank_value[b*WIDTH+:WIDTH])
          );
        end
      end
      if (TOGETHER) begin : turned
        // All lanes' words turn by as many banks, a bit of that after the other: two LUTs a bit with four banks, where a
        // choice for each lane takes three.
        wire [(BANKS_LOG2+1)*BANKS*WIDTH-1:0] turns;
        assign turns[BANKS*WIDTH-1:0] = words;
        for (b = 0; b < BANKS_LOG2; b = b + 1) begin : by
          wire [BANKS*WIDTH-1:0] old = turns[b*BANKS*WIDTH+:BANKS*WIDTH];
          wire [BANKS*WIDTH-1:0] turn = {old[(WIDTH<<b)-1:0], old[BANKS*WIDTH-1:WIDTH<<b]};
          assign turns[(b+1)*BANKS*WIDTH+:BANKS*WIDTH] = banks[b] ? turn : old;
        end
        assign value_o[r*LANES*WIDTH+:LANES*WIDTH] = turns[BANKS_LOG2*BANKS*WIDTH+:BANKS*WIDTH];
        wire unused_banks = &{1'b0, banks};
      end else begin : chosen
        for (l = 0; l < LANES; l = l + 1) begin : lane
          localparam OWN = COPIES == LANES ? l : 0;
          wire [INDEX_BITS-1:0] from = banks[OWN*INDEX_BITS+:INDEX_BITS];
          reg [WIDTH-1:0] word;
          integer n;
          always @* begin
            word = {WIDTH{1'b0}};
            for (n = 0; n < BANKS; n = n + 1) if (from == n[INDEX_BITS-1:0]) word = words[(OWN*BANKS+n)*WIDTH+:WIDTH];
          end
          assign value_o[(r*LANES+l)*WIDTH+:WIDTH] = word;
        end
      end
    end
  endgenerate
  wire unused_kind = &{1'b0, ANYWHERE};
endmodule

`default_nettype wire
