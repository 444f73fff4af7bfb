// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/memory/bank_order.v gives back each bank that was put in, once and in order, from the cycle after on, and has room for
// 2^DEPTH_LOG2 of them. For ever (induction).
`default_nettype none

module bank_order_proof #(
    parameter BANK_BITS  = 2,
    parameter DEPTH_LOG2 = 2
) (
    input wire                 clk,
    input wire                 put,
    input wire [BANK_BITS-1:0] bank,
    input wire                 take
);
  localparam DEPTH = 1 << DEPTH_LOG2;
  wire rst = $initstate;
  wire room, valid;
  wire [BANK_BITS-1:0] due;
  bank_order #(
      .BANK_BITS (BANK_BITS),
      .DEPTH_LOG2(DEPTH_LOG2)
  ) dut (
      .clk(clk),
      .rst(rst),
      .put_i(put),
      .bank_i(bank),
      .room_o(room),
      .valid_o(valid),
      .bank_o(due),
      .take_i(take)
  );
  always @* begin
    if (put) assume (room);
    if (take) assume (valid);
  end

  // Banks are numbered as they are put in. Any one of them: whether it is inside, how many are ahead of it, and which bank it is.
  (* anyseq *) wire choose;
  reg chosen, held;
  reg [DEPTH_LOG2:0] count, ahead;
  reg [BANK_BITS-1:0] watched;
  wire watch = put && choose && !chosen;
  wire [DEPTH_LOG2:0] left = count - {{DEPTH_LOG2{1'b0}}, take};
  always @(posedge clk) begin
    count  <= rst ? 0 : left + {{DEPTH_LOG2{1'b0}}, put};
    chosen <= !rst && (chosen || watch);
    if (watch) begin
      watched <= bank;
      ahead   <= left;
    end else if (take) ahead <= ahead - 1'b1;
    held <= !rst && (watch || (held && !(take && ahead == 0)));
  end

  // What induction must know of the inside.
  (* hierconn *) wire [DEPTH_LOG2:0] \dut.head ;
  (* hierconn *) wire [DEPTH_LOG2:0] \dut.tail ;
  (* hierconn *) wire [BANK_BITS-1:0] \dut.banks[0] ;
  (* hierconn *) wire [BANK_BITS-1:0] \dut.banks[1] ;
  (* hierconn *) wire [BANK_BITS-1:0] \dut.banks[2] ;
  (* hierconn *) wire [BANK_BITS-1:0] \dut.banks[3] ;
  wire [DEPTH_LOG2:0] place = \dut.head + ahead;
  wire [BANK_BITS*DEPTH-1:0] banks = {\dut.banks[3] , \dut.banks[2] , \dut.banks[1] , \dut.banks[0] };
  always @*
    if (!rst) begin
      assert (count <= DEPTH && \dut.tail - \dut.head == count);
      if (held) assert (ahead < count && banks[place[DEPTH_LOG2-1:0]*BANK_BITS+:BANK_BITS] == watched);
    end

  always @*
    if (!rst) begin
      assert (valid == (count != 0) && room == (count != DEPTH));
      if (held && ahead == 0) assert (valid && due == watched);
      cover (held && ahead == DEPTH - 1 && watched != due);
      cover (chosen && !held);
    end
endmodule

`default_nettype wire
