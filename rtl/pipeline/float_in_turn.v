// SPDX-License-Identifier: Apache-2.0
// A float operation of all lanes of a token, by an operator for every TURNS lanes that takes one after the other. For
// segments to which a token comes every TURNS cycles at most. The latency is that of the operator and TURNS more.
`default_nettype none

module float_in_turn #(
    parameter LANES = 4,  // a multiple of TURNS
    parameter TURNS = 4,  // lanes that share an operator, 2 or more
    parameter OPERATION = 0,  // as in float_operator.v; 8 a / b by float_divide.v, 9 the root of a by float_root.v
    parameter [2:0] ROUNDING = 0,
    // a bit for each of c, b, a: it stands still while the dispatch runs, and is the same in all lanes
    parameter [2:0] STEADY = 0,
    parameter [2:0] ALIKE = 0,  // the same in all lanes: it is held, not handed on
    parameter MULTIPLIED_SHIFTS = 0  // as in float_operator.v
) (
    input  wire                clk,
    input  wire                begin_i,  // with the operands of all lanes
    input  wire [LANES*32-1:0] a_i,
    input  wire [LANES*32-1:0] b_i,
    input  wire [LANES*32-1:0] c_i,
    output wire [LANES*32-1:0] y_o
);
  localparam BITS = TURNS * 32;
  genvar p;
  generate
    for (p = 0; p < LANES / TURNS; p = p + 1) begin : part
      // The lane whose turn it is stands lowest.
      reg [BITS-1:0] a, b, c;
      always @(posedge clk) begin
        a <= begin_i ? a_i[p*BITS+:BITS] : ALIKE[0] ? a : a >> 32;
        b <= begin_i ? b_i[p*BITS+:BITS] : ALIKE[1] ? b : b >> 32;
        c <= begin_i ? c_i[p*BITS+:BITS] : ALIKE[2] ? c : c >> 32;
      end
      wire [31:0] y;
      wire [31:0] a_now = STEADY[0] ? a_i[31:0] : a[31:0], b_now = STEADY[1] ? b_i[31:0] : b[31:0];
      if (OPERATION == 8) begin : quotient
        float_divide operator (
            .clk(clk),
            .a_i(a_now),
            .b_i(b_now),
            .y_o(y)
        );
      end else if (OPERATION == 9) begin : root
        float_root operator (
            .clk(clk),
            .a_i(a_now),
            .y_o(y)
        );
      end else begin : other
        float_operator #(
            .OPERATION(OPERATION),
            .ROUNDING(ROUNDING),
            .MULTIPLIED_SHIFTS(MULTIPLIED_SHIFTS)
        ) operator (
            .clk(clk),
            .a_i(a_now),
            .b_i(b_now),
            .c_i(STEADY[2] ? c_i[31:0] : c[31:0]),
            .y_o(y)
        );
      end
      reg [BITS-33:0] earlier;
      always @(posedge clk) begin
        earlier <= earlier >> 32;
        earlier[BITS-33-:32] <= y;
      end
      assign y_o[p*BITS+:BITS] = {y, earlier};
    end
  endgenerate
endmodule

`default_nettype wire
