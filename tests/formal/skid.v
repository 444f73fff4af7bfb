// SPDX-License-Identifier: Apache-2.0
// Proof: what goes into rtl/common/skid.v comes out, once, in order and unchanged, the cycle after at the earliest; one goes through each
// cycle. With SPARE there is room for two words: valid_o and ready_o say only how many words are inside, and so are no paths from one
// side to the other. Without, for one, and for the next as it leaves. For ever (induction).
`default_nettype none

module skid_proof #(
    parameter WIDTH = 8,
    parameter SPARE = 1
) (
    input wire             clk,
    input wire             in_valid,
    input wire [WIDTH-1:0] in_data,
    input wire             out_ready
);
  wire rst = $initstate;
  wire in_ready, out_valid;
  wire [WIDTH-1:0] out_data;
  skid #(
      .WIDTH(WIDTH),
      .SPARE(SPARE)
  ) dut (
      .clk(clk),
      .rst(rst),
      .valid_i(in_valid),
      .ready_o(in_ready),
      .data_i(in_data),
      .valid_o(out_valid),
      .ready_i(out_ready),
      .data_o(out_data)
  );
  wire enters = in_valid && in_ready, leaves = out_valid && out_ready;

  // The words inside, the oldest first.
  reg [1:0] count;
  reg [WIDTH-1:0] first, second;
  wire [1:0] left = count - {1'b0, leaves};
  always @(posedge clk) begin
    if (leaves) first <= second;
    if (enters && left == 0) first <= in_data;
    if (enters && left == 1) second <= in_data;
    count <= rst ? 2'd0 : left + {1'b0, enters};
  end

  // What induction must know of the inside, if it is there.
  (* hierconn *) wire \dut.with_spare.spare_valid ;
  (* hierconn *) wire [WIDTH-1:0] \dut.with_spare.spare ;
  generate
    if (SPARE != 0) begin : with_spare
      always @*
        if (!rst) begin
          assert (count <= 2 && \dut.with_spare.spare_valid == (count == 2));
          if (count == 2) assert (\dut.with_spare.spare == second);
          assert (in_ready == (count != 2));
          cover (count == 2 && leaves && second != first);
        end
    end else begin : without_spare
      always @*
        if (!rst) begin
          assert (count <= 1 && in_ready == (count == 0 || out_ready));
          cover (count == 1 && leaves && enters && in_data != first);
        end
    end
  endgenerate

  always @*
    if (!rst) begin
      assert (out_valid == (count != 0));
      if (out_valid) assert (out_data == first);
    end
endmodule

`default_nettype wire
