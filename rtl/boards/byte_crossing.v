// SPDX-License-Identifier: Apache-2.0
// Bytes from one clock to another: a queue of 16 with a pointer on each side, which crosses as a Gray code, so that one
// bit of it changes at a time and the other side sees the old or the new. Both sides are reset before either is used.
`default_nettype none

module byte_crossing (
    input  wire       from_clk,
    input  wire       from_rst,
    input  wire       from_valid_i,
    output wire       from_ready_o,
    input  wire [7:0] from_byte_i,

    input  wire       to_clk,
    input  wire       to_rst,
    output wire       to_valid_o,
    input  wire       to_ready_i,
    output wire [7:0] to_byte_o
);
  localparam LOG2 = 4;
  reg [7:0] bytes[0:(1<<LOG2)-1];

  // Each pointer counts one bit further than there are places, to tell full from empty.
  reg [LOG2:0] put, put_gray, put_on_way, put_seen;
  reg [LOG2:0] got, got_gray, got_on_way, got_seen;
  wire puts = from_valid_i && from_ready_o, gets = to_valid_o && to_ready_i;
  wire [LOG2:0] put_next = put + {{LOG2{1'b0}}, puts}, got_next = got + {{LOG2{1'b0}}, gets};

  assign from_ready_o = put_gray != {~got_seen[LOG2:LOG2-1], got_seen[LOG2-2:0]};
  assign to_valid_o   = got_gray != put_seen;
  assign to_byte_o    = bytes[got[LOG2-1:0]];

  always @(posedge from_clk) begin
    {got_seen, got_on_way} <= {got_on_way, got_gray};
    put <= put_next;
    put_gray <= put_next ^ put_next >> 1;
    if (puts) bytes[put[LOG2-1:0]] <= from_byte_i;
    if (from_rst) begin
      put <= 0;
      put_gray <= 0;
      {got_seen, got_on_way} <= 0;
    end
  end
  always @(posedge to_clk) begin
    {put_seen, put_on_way} <= {put_on_way, put_gray};
    got <= got_next;
    got_gray <= got_next ^ got_next >> 1;
    if (to_rst) begin
      got <= 0;
      got_gray <= 0;
      {put_seen, put_on_way} <= 0;
    end
  end
endmodule

`default_nettype wire
