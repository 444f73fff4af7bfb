// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/common/round_robin.v grants exactly one of those that ask, whenever one asks; who asks all the time is served within
// WIDTH services, whatever the others do. For any one of them, for ever (induction).
`default_nettype none

module round_robin_proof #(
    parameter WIDTH = 4
) (
    input wire             clk,
    input wire [WIDTH-1:0] asks,
    input wire             taken
);
  localparam BITS = $clog2(WIDTH) + 1;
  localparam [WIDTH-1:0] ONE = 1;
  wire rst = $initstate;
  wire [WIDTH-1:0] grant;
  round_robin #(
      .WIDTH(WIDTH)
  ) dut (
      .clk(clk),
      .rst(rst),
      .request_i(asks),
      .grant_o(grant),
      .taken_i(taken)
  );

  // The watched one, and how many others have been served since it asks.
  (* anyconst *) reg [BITS-1:0] watched;
  always @* assume (watched < WIDTH);
  reg [BITS-1:0] passed;
  always @(posedge clk)
    if (rst || !asks[watched] || (taken && grant[watched])) passed <= 0;
    else if (taken) passed <= passed + 1'b1;

  // What induction must know of the inside: those behind the one served last are the highest ones, and so say how many may still go first.
  (* hierconn *) wire [WIDTH-1:0] \dut.behind ;
  reg [BITS-1:0] number, ahead;
  integer i;
  always @* begin
    number = 0;
    for (i = 0; i < WIDTH; i = i + 1) number = number + \dut.behind [i];
    ahead = \dut.behind [watched] ? watched - (WIDTH - number) : watched + number;
    if (!rst) begin
      for (i = 1; i < WIDTH; i = i + 1) assert (\dut.behind [i] || !\dut.behind [i-1]);
      if (passed != 0) assert (passed + ahead < WIDTH);
    end
  end

  always @*
    if (!rst) begin
      assert ((grant & ~asks) == 0 && (grant & (grant - ONE)) == 0 && (grant != 0) == (asks != 0));
      if (asks[watched] && passed == WIDTH - 1) assert (grant[watched]);
      assert (passed < WIDTH);
      cover (passed == WIDTH - 1 && taken && grant[watched]);
    end
endmodule

`default_nettype wire
