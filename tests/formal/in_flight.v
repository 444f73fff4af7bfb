// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/unit/in_flight.v lets no instruction of a slot pass that needs what a load has still to bring, keeps at most four
// loads of a slot under way and all in one memory, and wakes an instruction that waits once, soon, and not before it may go. For
// any one slot, whatever the others do; the pipeline is as short as may be, and as long as one likes between rd and e2.
`default_nettype none

module in_flight_proof #(
    parameter SLOTS = 4,
    parameter SLOT_BITS = 2
) (
    input wire                 clk,
    input wire [SLOT_BITS-1:0] de_slot,
    input wire [          4:0] de_rs1,
    input wire [          4:0] de_rs2,
    input wire [          4:0] de_rs3,
    input wire [          4:0] de_rd,
    input wire [          3:0] de_used,      // rs1, rs2, rs3, rd
    input wire                 de_loads,
    input wire                 de_all,
    input wire                 de_enters,    // the watched slot's instruction is in de
    input wire                 de_launches,  // and it is a launch
    input wire                 rd_valid,
    input wire [SLOT_BITS-1:0] rd_slot,
    input wire [SLOT_BITS-1:0] e2_slot,
    input wire                 moves,        // from rd to e2
    input wire [SLOT_BITS-1:0] e3_slot,
    input wire                 e3_launch,
    input wire                 e3_push,
    input wire [          4:0] e3_rd,
    input wire                 e2_loads,
    input wire                 e2_local,
    input wire                 e2_global,
    input wire                 e3_memory,
    input wire                 e3_stay,
    input wire                 answer,
    input wire [SLOT_BITS-1:0] answer_slot
);
  wire rst = $initstate;
  wire rd_wait, e3_wait;
  wire [SLOTS-1:0] waiting, wake;
  in_flight #(
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS)
  ) dut (
      .clk(clk),
      .rst(rst),
      .de_slot_i(de_slot),
      .de_rs1_i(de_rs1),
      .de_rs2_i(de_rs2),
      .de_rs3_i(de_rs3),
      .de_rd_i(de_rd),
      .de_rs1_used_i(de_used[0]),
      .de_rs2_used_i(de_used[1]),
      .de_rs3_used_i(de_used[2]),
      .de_rd_used_i(de_used[3]),
      .de_loads_i(de_loads),
      .de_all_i(de_all),
      .rd_valid_i(rd_valid),
      .rd_slot_i(rd_slot),
      .rd_wait_o(rd_wait),
      .e2_slot_i(e2_slot),
      .e2_loads_i(e2_loads),
      .e2_local_i(e2_local),
      .e2_global_i(e2_global),
      .e3_slot_i(e3_slot),
      .e3_launch_i(e3_launch),
      .e3_push_i(e3_push),
      .e3_rd_i(e3_rd),
      .e3_wait_o(e3_wait),
      .e3_stay_i(e3_stay),
      .answer_i(answer),
      .answer_slot_i(answer_slot),
      .waiting_o(waiting),
      .wake_o(wake)
  );

  // The instruction of e2 in e3.
  reg e3_loads, e3_local, e3_global;
  always @(posedge clk) {e3_loads, e3_local, e3_global} <= {e2_loads, e2_local, e2_global};

  // Where the watched slot's instruction is.
  (* anyconst *) reg [SLOT_BITS-1:0] watched;
  localparam [2:0] NOWHERE = 3'd0, RD = 3'd1, BETWEEN = 3'd2, E3 = 3'd3, E4 = 3'd4, WAITS = 3'd5;
  reg [2:0] at;
  reg launched;  // the slot has a sub-group
  reg launch, loads;
  reg [4:0] rd;
  wire in_de = at == NOWHERE && de_enters;
  wire in_e2 = at == BETWEEN && moves;
  wire goes = !launch && !(e3_memory && e3_wait);

  // What it has under way, oldest first: register and memory of each load, and how many may be answered.
  reg [2:0] count, answerable;
  reg [4:0] registers[0:3];
  reg [1:0] memory;
  wire answered = answer && answer_slot == watched;
  wire pushes = at == E3 && e3_push;

  // Does the instruction in de need one of them?
  integer k;
  reg needs;
  always @* begin
    needs = (de_loads && count == 3'd4) || (de_all && count != 0);
    for (k = 0; k < 4; k = k + 1)
    if (k < count)
      needs = needs || (de_used[0] && registers[k] == de_rs1) || (de_used[1] && registers[k] == de_rs2) ||
              (de_used[2] && registers[k] == de_rs3) || (de_used[3] && registers[k] == de_rd);
  end

  reg needed;
  reg [2:0] idle;  // cycles that it has waited for nothing
  always @(posedge clk) begin
    if (in_de) {launch, loads, rd, needed} <= {de_launches, de_loads, de_rd, needs && !de_launches};
    case (at)
      NOWHERE: at <= in_de ? RD : NOWHERE;
      RD: at <= !launch && rd_wait ? WAITS : BETWEEN;
      BETWEEN: at <= moves ? E3 : BETWEEN;
      E3: at <= e3_stay ? WAITS : E4;
      WAITS: at <= wake[watched] ? NOWHERE : WAITS;
      default: at <= NOWHERE;
    endcase
    if (at == E3 && e3_launch) launched <= 1'b1;
    idle <= at == WAITS && count == 0 ? idle + 3'd1 : 3'd0;

    count <= count + {2'd0, pushes} - {2'd0, answered};
    answerable <= answered ? (count == 3'd1 ? 3'd0 : count - 3'd1) : count;
    for (k = 0; k < 4; k = k + 1) begin
      if (answered && k < 3) registers[k] <= registers[k+1];
      if (pushes && k == count - answered) registers[k] <= rd;
    end
    if (pushes) memory <= {e3_local, e3_global};
    if (rst) begin
      at <= NOWHERE;
      {launched, count, answerable, idle} <= 0;
    end
  end

  // What the unit keeps to. An instruction is in rd the cycle after de, in e3 the cycle after e2.
  reg [SLOT_BITS-1:0] was_de_slot, was_e2_slot;
  always @(posedge clk) {was_de_slot, was_e2_slot} <= {de_slot, e2_slot};
  always @* begin
    if (rd_valid) assume (rd_slot == was_de_slot);
    if (e3_stay) assume (e3_slot == was_e2_slot);
    if (in_de) assume (de_slot == watched && de_launches == !launched);
    if (in_de && de_launches) assume (!de_loads && !de_all);
    assume ((rd_valid && rd_slot == watched) == (at == RD && !launch));
    if (at == RD) assume (rd_slot == watched);
    if (in_e2) assume (e2_slot == watched);
    if (at == E3) begin
      assume (e3_slot == watched && e3_launch == launch && e3_rd == rd && e3_loads == loads);
      if (launch) assume (!e3_memory);
      if (loads) assume (e3_memory);
      if (e3_memory) assume (e3_local || e3_global);
      assume (e3_stay == (e3_memory && e3_wait) && (!e3_push || (loads && goes)));
    end else assume (!(e3_slot == watched && (e3_launch || e3_push || e3_stay)));
    if (answered) assume (answerable != 0);
  end

  always @*
    if (!rst) begin
      if (at == RD && needed) assert (rd_wait);
      if (at == E3 && e3_memory && goes && count != 0) begin
        assert (!(e3_local && e3_global));
        if (loads) assert (memory == {e3_local, e3_global});
      end
      if (pushes) assert (count != 3'd4);
      if (wake[watched]) assert (at == WAITS);
      assert (idle < 3'd4);
      cover (at == WAITS && count == 3'd1);
      cover (at == E3 && e3_stay && answered);
    end
endmodule

`default_nettype wire
