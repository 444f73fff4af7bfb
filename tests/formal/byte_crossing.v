// SPDX-License-Identifier: Apache-2.0
// Proof: what goes into rtl/boards/byte_crossing.v comes out, once, in order and unchanged, and nothing comes out that did not go in; and of the
// pointers that cross, one bit at most changes at an edge of their clock, so that a side that looks at any time sees the old or the new. That
// does not depend on the other side's clock, which is the same here; how late each side sees the other's pointer is what the synchronisers
// make it, and what is in the queue is right whatever both sides do when.
`default_nettype none

module byte_crossing_proof (
    input wire       clk,
    input wire       in_valid,
    input wire [7:0] in_byte,
    input wire       out_ready,
    input wire       watch
);
  wire rst = $initstate;
  wire in_ready, out_valid;
  wire [7:0] out_byte;
  byte_crossing dut (
      .from_clk(clk),
      .from_rst(rst),
      .from_valid_i(in_valid),
      .from_ready_o(in_ready),
      .from_byte_i(in_byte),
      .to_clk(clk),
      .to_rst(rst),
      .to_valid_o(out_valid),
      .to_ready_i(out_ready),
      .to_byte_o(out_byte)
  );
  wire enters = in_valid && in_ready, leaves = out_valid && out_ready;

  // Any byte that enters, and how many are before it.
  reg watching;
  reg [7:0] watched;
  reg [4:0] count, ahead;
  always @(posedge clk) begin
    count <= rst ? 5'd0 : count + {4'd0, enters} - {4'd0, leaves};
    if (rst) watching <= 1'b0;
    else if (!watching && watch && enters) begin
      watching <= 1'b1;
      watched <= in_byte;
      ahead <= count - {4'd0, leaves};
    end else if (watching && leaves) begin
      watching <= ahead != 0;
      ahead <= ahead - 5'd1;
    end
  end

  (* hierconn *) wire [4:0] \dut.put , \dut.put_gray , \dut.put_on_way , \dut.put_seen ;
  (* hierconn *) wire [4:0] \dut.got , \dut.got_gray , \dut.got_on_way , \dut.got_seen ;
  function [4:0] number(input [4:0] gray);
    number = gray ^ gray >> 1 ^ gray >> 2 ^ gray >> 3 ^ gray >> 4;
  endfunction
  (* hierconn *) wire [7:0] \dut.bytes[0] ;
  (* hierconn *) wire [7:0] \dut.bytes[1] ;
  (* hierconn *) wire [7:0] \dut.bytes[2] ;
  (* hierconn *) wire [7:0] \dut.bytes[3] ;
  (* hierconn *) wire [7:0] \dut.bytes[4] ;
  (* hierconn *) wire [7:0] \dut.bytes[5] ;
  (* hierconn *) wire [7:0] \dut.bytes[6] ;
  (* hierconn *) wire [7:0] \dut.bytes[7] ;
  (* hierconn *) wire [7:0] \dut.bytes[8] ;
  (* hierconn *) wire [7:0] \dut.bytes[9] ;
  (* hierconn *) wire [7:0] \dut.bytes[10] ;
  (* hierconn *) wire [7:0] \dut.bytes[11] ;
  (* hierconn *) wire [7:0] \dut.bytes[12] ;
  (* hierconn *) wire [7:0] \dut.bytes[13] ;
  (* hierconn *) wire [7:0] \dut.bytes[14] ;
  (* hierconn *) wire [7:0] \dut.bytes[15] ;
  wire [127:0] bytes = {
    \dut.bytes[15] ,
    \dut.bytes[14] ,
    \dut.bytes[13] ,
    \dut.bytes[12] ,
    \dut.bytes[11] ,
    \dut.bytes[10] ,
    \dut.bytes[9] ,
    \dut.bytes[8] ,
    \dut.bytes[7] ,
    \dut.bytes[6] ,
    \dut.bytes[5] ,
    \dut.bytes[4] ,
    \dut.bytes[3] ,
    \dut.bytes[2] ,
    \dut.bytes[1] ,
    \dut.bytes[0]
  };
  wire [3:0] place = \dut.got [3:0] + ahead[3:0];
  reg [4:0] put_gray_before, got_gray_before;
  always @(posedge clk) {put_gray_before, got_gray_before} <= {\dut.put_gray , \dut.got_gray };
  wire [4:0] put_changed = put_gray_before ^ \dut.put_gray , got_changed = got_gray_before ^ \dut.got_gray ;
  reg  [1:0] since_reset;
  always @(posedge clk) since_reset <= rst ? 2'd0 : since_reset == 2 ? 2'd2 : since_reset + 2'd1;

  // What each side sees of the other is late by two steps at most.
  wire [4:0] put_late_1 = \dut.put - number(
      \dut.put_on_way
  ), put_late_2 = number(
      \dut.put_on_way
  ) - number(
      \dut.put_seen
  );
  wire [4:0] got_late_1 = \dut.got - number(
      \dut.got_on_way
  ), got_late_2 = number(
      \dut.got_on_way
  ) - number(
      \dut.got_seen
  );
  always @*
    if (!rst) begin
      assert (number(\dut.put_gray ) == \dut.put && number(\dut.got_gray ) == \dut.got );
      assert (put_late_1 <= 1 && put_late_2 <= 1 && got_late_1 <= 1 && got_late_2 <= 1);
      assert (count <= 16 && \dut.put - \dut.got == count);
      assert (put_late_1 + put_late_2 <= count && count + got_late_1 + got_late_2 <= 16);
      if (since_reset == 2) assert ((put_changed & put_changed - 1) == 0 && (got_changed & got_changed - 1) == 0);
    end

  always @*
    if (!rst) begin
      if (out_valid) assert (count != 0);
      if (watching) assert (ahead < count);
      if (watching && ahead == 0 && out_valid) assert (out_byte == watched);
      if (watching) assert (bytes[{place, 3'd0}+:8] == watched);
      cover (count == 16);
    end
endmodule

`default_nettype wire
