// SPDX-License-Identifier: Apache-2.0
// Delays a value by CYCLES cycles; one a cycle. Up to five cycles it is flip-flops, of which a pipeline has fewer than
// LUTs, beyond that a ring of distributed RAM with a register behind it. Without reset: what comes out in the first CYCLES cycles is undefined.
`default_nettype none

module value_delay #(
    parameter WIDTH  = 32,
    parameter CYCLES = 1    // 1 or more
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] value_i,
    output wire [WIDTH-1:0] value_o
);
  localparam PART = CYCLES > 16 ? 16 : CYCLES;  // cycles of the first ring
  generate
    if (CYCLES <= 5) begin : flip_flops
      reg [WIDTH*CYCLES-1:0] stages;
      if (CYCLES == 1) begin : one
        always @(posedge clk) stages <= value_i;
      end else begin : more
        always @(posedge clk) stages <= {stages[WIDTH*(CYCLES-1)-1:0], value_i};
      end
      assign value_o = stages[WIDTH*(CYCLES-1)+:WIDTH];
    end else begin : ring
      localparam [3:0] BACK = PART[3:0] - 4'd1;
      reg [WIDTH-1:0] words[0:15];
      reg [3:0] at;
      initial at = 4'd0;  // the order in which words are written never matters, so it needs no reset
      wire [3:0] from = at - BACK;
      reg [WIDTH-1:0] value;
      always @(posedge clk) begin
        at <= at + 4'd1;
        words[at] <= value_i;
        value <= words[from];
      end
      if (CYCLES > 16) begin : rest
        value_delay #(
            .WIDTH (WIDTH),
            .CYCLES(CYCLES - 16)
        ) value_delay (
            .clk(clk),
            .value_i(value),
            .value_o(value_o)
        );
      end else begin : done
        assign value_o = value;
      end
    end
  endgenerate
endmodule

`default_nettype wire
