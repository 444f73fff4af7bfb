// SPDX-License-Identifier: Apache-2.0
// The entry of a loop. A token that has finished a round goes first, if a lane of it goes on; else the head of the
// entry queue starts its first round. What leaves goes to the next segment. One token a cycle; from the end of a round
// to the start of the next 1 cycle. With EXCHANGE_LOG2, every 2^EXCHANGE_LOG2 rounds the token that has finished one
// changes places with the head of the queue, so that a sub-group that spins does not keep out the one it waits for.
// What it carries into its next round is then stored by slot.
`default_nettype none

module ring #(
    parameter LANES = 1,
    parameter SLOT_BITS = 5,  // log2 of the slots
    parameter EXCHANGE_LOG2 = 0  // 0: tokens never change places
) (
    input wire clk,
    input wire rst,

    // tokens that come to the loop, and what they bring: it is read from slot stores at read_slot_o, and there the
    // cycle after
    input  wire                 enter_valid_i,
    input  wire [SLOT_BITS-1:0] enter_slot_i,
    output wire [SLOT_BITS-1:0] read_slot_o,

    // the end of a round
    input wire                 end_valid_i,
    input wire [SLOT_BITS-1:0] end_slot_i,
    input wire [    LANES-1:0] end_again_i,  // lanes that go on

    // the start of a round, the cycle after: registered here and, with start_back_o, by whoever holds the values
    output wire start_o,  // in the cycle of the choice
    output wire [SLOT_BITS-1:0] start_slot_o,
    output wire start_back_o,  // its values are those at the end of a round, else those from the slot stores

    // it changes places: its values are to be stored where tokens that come bring theirs
    output wire                 store_o,
    output wire [SLOT_BITS-1:0] store_slot_o,

    output wire                 leave_o,
    output wire [SLOT_BITS-1:0] leave_slot_o
);
  wire back = end_valid_i && end_again_i != {LANES{1'b0}};
  assign leave_o = end_valid_i && !back;
  assign leave_slot_o = end_slot_i;

  // The head of the queue waits with its values read.
  wire queued, take;
  wire [SLOT_BITS-1:0] queued_slot;
  reg head;
  reg [SLOT_BITS-1:0] head_slot;
  wire exchange;
  assign store_o = exchange;
  assign store_slot_o = end_slot_i;
  assign start_back_o = back && !exchange;
  wire enter = head && !start_back_o;
  assign start_o = back || head;
  assign start_slot_o = start_back_o ? end_slot_i : head_slot;
  assign take = queued && (!head || enter);
  assign read_slot_o = take ? queued_slot : head_slot;
  always @(posedge clk) begin
    head <= !rst && (take || (head && !enter));
    head_slot <= read_slot_o;
  end
  token_queue #(
      .WIDTH(SLOT_BITS),
      .SLOT_BITS(SLOT_BITS)
  ) queue (
      .clk(clk),
      .rst(rst),
      .valid_i(enter_valid_i || exchange),
      .word_i(exchange ? end_slot_i : enter_slot_i),
      .valid_o(queued),
      .word_o(queued_slot),
      .take_i(take)
  );
  generate
    if (EXCHANGE_LOG2 != 0) begin : fair
      // Not while another token comes: the queue takes one a cycle.
      reg [EXCHANGE_LOG2:0] rounds;
      always @(posedge clk)
        if (rst || exchange || !head) rounds <= 0;
        else if (back && !rounds[EXCHANGE_LOG2]) rounds <= rounds + 1'b1;
      assign exchange = back && head && rounds[EXCHANGE_LOG2] && !enter_valid_i;
    end else begin : plain
      assign exchange = 1'b0;
    end
  endgenerate
endmodule

`default_nettype wire
