// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/pipeline/token_queue.v gives back each word that was put in, once and in order, and the head is there as
// soon as it has been inside for 2 cycles (3 in block RAM), however many leave before it. The rule of its users: there
// are no more words than slots. For ever (induction).
`default_nettype none

module token_queue_proof #(
    parameter WIDTH = 4,
    parameter BLOCK = 0   // 1: in block RAM
) (
    input wire             clk,
    input wire             put,
    input wire [WIDTH-1:0] word,
    input wire             take
);
  localparam SLOT_BITS = 2, SLOTS = 1 << SLOT_BITS;
  localparam [2:0] LATENCY = BLOCK != 0 ? 3'd3 : 3'd2;
  wire rst = $initstate;
  wire valid;
  wire [WIDTH-1:0] head;
  token_queue #(
      .WIDTH(WIDTH),
      .SLOT_BITS(SLOT_BITS),
      .BLOCK(BLOCK)
  ) dut (
      .clk(clk),
      .rst(rst),
      .valid_i(put),
      .word_i(word),
      .valid_o(valid),
      .word_o(head),
      .take_i(take)
  );
  reg  [SLOT_BITS:0] count;
  wire [SLOT_BITS:0] left = count - {{SLOT_BITS{1'b0}}, take};
  always @* begin
    if (rst) assume (!put);
    if (take) assume (valid);
    if (put) assume (left != SLOTS);
  end

  // Any one word: whether it is inside, how many are ahead of it, for how long, and what it is.
  (* anyseq *) wire choose;
  reg chosen, held;
  reg [SLOT_BITS:0] ahead;
  reg [2:0] age;
  reg [WIDTH-1:0] watched;
  wire watch = put && choose && !chosen;
  always @(posedge clk) begin
    count  <= rst ? 0 : left + {{SLOT_BITS{1'b0}}, put};
    chosen <= !rst && (chosen || watch);
    if (watch) begin
      watched <= word;
      ahead   <= left;
    end else if (take) ahead <= ahead - 1'b1;
    age  <= watch ? 3'd1 : age == LATENCY ? age : age + 3'd1;
    held <= !rst && (watch || (held && !(take && ahead == 0)));
  end

  // Of the inside induction must know: the head, what block RAM has just given, the words in memory, in this order.
  (* hierconn *) wire [SLOT_BITS-1:0] \dut.first ;
  (* hierconn *) wire [SLOT_BITS-1:0] \dut.last ;
  (* hierconn *) wire [SLOT_BITS:0] \dut.count ;
  (* hierconn *) wire \dut.block.read_valid ;
  (* hierconn *) wire [WIDTH-1:0] \dut.block.read ;
  (* hierconn *) wire [WIDTH-1:0] \dut.block.words[0] ;
  (* hierconn *) wire [WIDTH-1:0] \dut.block.words[1] ;
  (* hierconn *) wire [WIDTH-1:0] \dut.block.words[2] ;
  (* hierconn *) wire [WIDTH-1:0] \dut.block.words[3] ;
  (* hierconn *) wire [WIDTH-1:0] \dut.distributed.words[0] ;
  (* hierconn *) wire [WIDTH-1:0] \dut.distributed.words[1] ;
  (* hierconn *) wire [WIDTH-1:0] \dut.distributed.words[2] ;
  (* hierconn *) wire [WIDTH-1:0] \dut.distributed.words[3] ;
  wire [WIDTH*SLOTS-1:0] words;
  wire read_valid;
  wire [WIDTH-1:0] read;
  generate
    if (BLOCK != 0) begin : inside_block
      assign words = {\dut.block.words[3] , \dut.block.words[2] , \dut.block.words[1] , \dut.block.words[0] };
      assign {read_valid, read} = {\dut.block.read_valid , \dut.block.read };
    end else begin : inside_distributed
      assign words = {
        \dut.distributed.words[3] , \dut.distributed.words[2] , \dut.distributed.words[1] , \dut.distributed.words[0]
      };
      assign {read_valid, read} = 0;
    end
  endgenerate
  wire [SLOT_BITS:0] before_memory = {{SLOT_BITS{1'b0}}, valid} + {{SLOT_BITS{1'b0}}, read_valid};
  wire [SLOT_BITS:0] in_memory = ahead - before_memory;
  wire [SLOT_BITS-1:0] place = \dut.first + in_memory[SLOT_BITS-1:0];
  wire [WIDTH-1:0] found = valid && ahead == 0 ? head : ahead < before_memory ? read : words[place*WIDTH+:WIDTH];
  wire [SLOT_BITS-1:0] distance = \dut.last - \dut.first ;
  always @*
    if (!rst) begin
      assert (count <= SLOTS && \dut.count <= SLOTS && count == \dut.count + before_memory);
      assert (distance == \dut.count [SLOT_BITS-1:0]);
      if (held) assert (ahead < count && found == watched && age != 0 && age <= LATENCY);
      // One that nobody is ahead of moves on each cycle.
      if (held && ahead == 0 && !valid) assert (age == (read_valid ? 2 : 1));
      if (held && ahead == 1 && valid && BLOCK != 0 && !read_valid) assert (age == 1);
    end

  always @*
    if (!rst) begin
      if (count == 0) assert (!valid);
      if (held && ahead == 0 && age == LATENCY) assert (valid && head == watched);
      if (held && ahead == 0 && valid) assert (head == watched);
      cover (held && ahead == SLOTS - 1 && watched != head);
      cover (chosen && !held && count == SLOTS);
    end
endmodule

`default_nettype wire
