// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/pipeline/memory_group.v makes each access of a token that has a lane once, in order, with its own
// address, lanes and data (of neighbouring words of one work-item: each word in a lane of its own), marks the last one as final, and then takes the token; one without any access it takes with
// none_o. An access stays until it is taken. A token whose accesses are taken at once is gone after ACCESSES cycles at
// most. For ever (induction).
`default_nettype none

module memory_group_proof (
    input wire        clk,
    input wire        valid,
    input wire [63:0] roots,
    input wire [ 3:0] masks,
    input wire [63:0] datas,
    input wire        ready,
    input wire        none_ready
);
  localparam ACCESSES = 5, BITS = 3;
  // The first two accesses share a mask; the second and third share an address, at other offsets, and data. The last
  // two are of two words each, the first and the second work-item's; of the second one's the second word is left out.
  localparam [39:0] ROOT = {8'd0, 8'd1, 8'd1, 8'd1, 8'd0}, MASK = {8'd1, 8'd0, 8'd1, 8'd0, 8'd0};
  localparam [159:0] OFFSET = {32'd16, 32'd8, 32'd12, 32'd4, 32'd0};
  localparam [39:0] ACROSS = {8'd1, 8'd1, 8'd0, 8'd0, 8'd0}, TURN = {8'd1, 8'd0, 8'd0, 8'd0, 8'd0};
  localparam [39:0] WORDS = {8'd1, 8'd2, 8'd1, 8'd1, 8'd1};
  localparam [79:0] DATA = {8'd0, 8'd1, 8'd0, 8'd1, 8'd0, 8'd1, 8'd0, 8'd1, 8'd0, 8'd0};
  wire rst = $initstate;
  wire take, access, is_last, none;
  wire [BITS-1:0] number;
  wire [1:0] lanes;
  wire [63:0] address, data;
  memory_group #(
      .LANES(2),
      .ACCESSES(ACCESSES),
      .ACCESS_BITS(BITS),
      .ROOTS(2),
      .MASKS(2),
      .DATAS(2),
      .ROOT(ROOT),
      .MASK(MASK),
      .OFFSET(OFFSET),
      .ACROSS(ACROSS),
      .TURN(TURN),
      .WORDS(WORDS),
      .DATA(DATA)
  ) dut (
      .clk(clk),
      .rst(rst),
      .valid_i(valid),
      .take_o(take),
      .roots_i({roots_1, roots_0}),
      .masks_i(masks),
      .datas_i({datas_1, datas_0}),
      .access_o(access),
      .ready_i(ready),
      .number_o(number),
      .final_o(is_last),
      .lanes_o(lanes),
      .address_o(address),
      .data_o(data),
      .none_o(none),
      .none_ready_i(none_ready)
  );
  // Two lanes: the second one's words are the first one's with all bits turned.
  wire [63:0] roots_0 = {~roots[31:0], roots[31:0]}, roots_1 = {~roots[63:32], roots[63:32]};
  wire [63:0] datas_0 = {~datas[31:0], datas[31:0]}, datas_1 = {~datas[63:32], datas[63:32]};

  // The token stands until it is taken.
  reg stands;
  reg [63:0] roots_before, datas_before;
  reg [3:0] masks_before;
  always @(posedge clk) begin
    stands <= !rst && valid && !take;
    {roots_before, datas_before, masks_before} <= {roots, datas, masks};
  end
  always @* if (!rst && stands) assume (valid && {roots, datas, masks} == {roots_before, datas_before, masks_before});

  // What the token's accesses are, and which are made.
  reg [ACCESSES-1:0] some, made, below;
  reg [ 1:0] want_lanes;
  reg [31:0] offset;
  reg [63:0] root, want_data;
  reg [31:0] second;  // beside the first lane's offset
  wire [63:0] want_address = {root[63:32] + offset + second, root[31:0] + offset};
  integer a;
  always @* begin
    below = 0;
    for (a = 0; a < ACCESSES; a = a + 1) begin
      if (a < number) below[a] = 1'b1;
    end
    some   = {masks[3], masks[0], masks[3:2] != 0, masks[1:0] != 0, masks[1:0] != 0};
    second = 32'd0;
    case (number)
      3'd0: {want_lanes, offset, root, want_data} = {masks[1:0], 32'd0, roots_0, datas_0};
      3'd1: {want_lanes, offset, root, want_data} = {masks[1:0], 32'd4, roots_1, datas_1};
      3'd2: {want_lanes, offset, root, want_data} = {masks[3:2], 32'd12, roots_1, datas_1};
      3'd3: begin
        {want_lanes, offset, root} = {{2{masks[0]}}, 32'd8, {2{roots_1[31:0]}}};
        second = 32'd4;
        want_data = {datas_0[31:0], datas_1[31:0]};
      end
      default: begin
        {want_lanes, offset, root} = {1'b0, masks[3], 32'd16, {2{roots_0[63:32]}}};
        second = 32'd4;
        want_data = {datas_0[63:32], datas_1[63:32]};
      end
    endcase
  end
  wire [ACCESSES-1:0] one = {{ACCESSES - 1{1'b0}}, access} << number;
  reg [3:0] cycles;  // in which the token had all that it asked for
  always @(posedge clk) begin
    if (rst || take) made <= 0;
    else if (ready) made <= made | one;
    cycles <= rst || take || !valid ? 0 : cycles + ((!access || ready) && (!none || none_ready));
  end

  always @*
    if (!rst) begin
      assert (number < ACCESSES && made == (some & below) && cycles == number);
      if (number != 0) assert ((some & ~below) != 0);
      if (!valid) assert (!access && !none && !take);
      if (!stands) assert (made == 0 && number == 0);
      if (access) begin
        assert ((made & one) == 0 && (some & below) == made && (some & one) != 0);
        assert ({lanes, address, data} == {want_lanes, want_address, want_data});
        assert (is_last == ((made | one) == some));
        assert (take == (ready && is_last));
      end
      if (none) assert (valid && some == 0 && take == none_ready);
      if (take && !none) assert (access);
      if (valid && !access && !none) assert (cycles < ACCESSES - 1);
      cover (take && made == 5'b00100 && one[ACCESSES-1]);
      cover (access && !ready && number == ACCESSES - 1);
      cover (none && take);
    end
endmodule

`default_nettype wire
