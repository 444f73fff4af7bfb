// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/axi/axi_memory.v keeps AXI's rules: what is offered stays and does not change until it is accepted, no data
// is offered before its address has been accepted, each burst of data ends with its last transfer, and what was asked
// for is taken at once. And a channel's: of any two requests for one line of which one writes, the second goes to the
// bus when the first has been answered; addresses, data and strobes are those of the requests; beats come in the order
// of the requests, right or with an error; a write that is lost is told; idle_o says that nothing is in flight. The
// rules for ever (induction), the order as many cycles as bring each slot to use twice.
`default_nettype none

module axi_memory_proof #(
    parameter ORDER = 0,  // 1: the order; 0: the rules
    parameter BEAT_LOG2 = 1,
    parameter LINE_LOG2 = 2,
    parameter DATA_LOG2 = 0,
    parameter ID_BITS = 1,
    parameter COUNT_BITS = 5
) (
    input wire                        clk,
    input wire                        request_valid,
    input wire                        request_store,
    input wire [                 3:0] request_address,
    input wire [8*(1<<BEAT_LOG2)-1:0] request_data,
    input wire [  (1<<BEAT_LOG2)-1:0] request_strobe,
    input wire                        response_ready,
    input wire                        awready,
    input wire                        wready,
    input wire                        arready,
    input wire                        bvalid,
    input wire                        b_wrong,
    input wire                        rvalid,
    input wire [         ID_BITS-1:0] rid,
    input wire [8*(1<<DATA_LOG2)-1:0] rdata,
    input wire                        r_wrong,
    input wire                        watch
);
  localparam READS_LOG2 = 1, WRITES_LOG2 = 1, IDS = 1 << ID_BITS;
  localparam BEAT_BYTES = 1 << BEAT_LOG2, DATA_BYTES = 1 << DATA_LOG2;
  localparam PARTS = BEAT_BYTES / DATA_BYTES, BEATS = 1 << (LINE_LOG2 - BEAT_LOG2);
  localparam TRANSFERS = PARTS * BEATS;
  wire rst = $initstate;
  wire idle, request_ready, response_valid, memory_error;
  wire [8*BEAT_BYTES-1:0] response_data;
  wire [ID_BITS-1:0] awid, arid;
  wire [3:0] awaddr, araddr;
  wire [7:0] awlen, arlen;
  wire [2:0] awsize, arsize, awprot, arprot;
  wire [1:0] awburst, arburst;
  wire [3:0] awcache, arcache, awqos, arqos;
  wire awlock, arlock, awvalid, wvalid, wlast, bready, arvalid, rready;
  wire [8*DATA_BYTES-1:0] wdata;
  wire [  DATA_BYTES-1:0] wstrb;
  axi_memory #(
      .ADDRESS_BITS(4),
      .AXI_ADDRESS_BITS(4),
      .BEAT_LOG2(BEAT_LOG2),
      .LINE_LOG2(LINE_LOG2),
      .DATA_LOG2(DATA_LOG2),
      .READS_LOG2(READS_LOG2),
      .WRITES_LOG2(WRITES_LOG2),
      .ID_BITS(ID_BITS)
  ) dut (
      .clk(clk),
      .rst(rst),
      .idle_o(idle),
      .request_valid_i(request_valid),
      .request_ready_o(request_ready),
      .request_store_i(request_store),
      .request_address_i(request_address),
      .request_data_i(request_data),
      .request_strobe_i(request_strobe),
      .response_valid_o(response_valid),
      .response_ready_i(response_ready),
      .response_data_o(response_data),
      .memory_error_o(memory_error),
      .m_axi_awid(awid),
      .m_axi_awaddr(awaddr),
      .m_axi_awlen(awlen),
      .m_axi_awsize(awsize),
      .m_axi_awburst(awburst),
      .m_axi_awlock(awlock),
      .m_axi_awcache(awcache),
      .m_axi_awprot(awprot),
      .m_axi_awqos(awqos),
      .m_axi_awvalid(awvalid),
      .m_axi_awready(awready),
      .m_axi_wdata(wdata),
      .m_axi_wstrb(wstrb),
      .m_axi_wlast(wlast),
      .m_axi_wvalid(wvalid),
      .m_axi_wready(wready),
      .m_axi_bid(awid),
      .m_axi_bresp({b_wrong, 1'b0}),
      .m_axi_bvalid(bvalid),
      .m_axi_bready(bready),
      .m_axi_arid(arid),
      .m_axi_araddr(araddr),
      .m_axi_arlen(arlen),
      .m_axi_arsize(arsize),
      .m_axi_arburst(arburst),
      .m_axi_arlock(arlock),
      .m_axi_arcache(arcache),
      .m_axi_arprot(arprot),
      .m_axi_arqos(arqos),
      .m_axi_arvalid(arvalid),
      .m_axi_arready(arready),
      .m_axi_rid(rid),
      .m_axi_rdata(rdata),
      .m_axi_rresp({r_wrong, 1'b0}),
      .m_axi_rlast(1'b0),
      .m_axi_rvalid(rvalid),
      .m_axi_rready(rready)
  );

  // How many of each there have been.
  reg [COUNT_BITS-1:0] loads, stores, addresses_read, addresses_written, bursts_ended, answers, beats;
  reg [1:0] part;  // of the burst of data
  reg [IDS*COUNT_BITS-1:0] asked_by_id, came_by_id;  // transfers
  wire takes = request_valid && request_ready;
  wire ends = wvalid && wready && wlast;
  always @(posedge clk) begin
    if (takes && !request_store) loads <= loads + 1'b1;
    if (takes && request_store) stores <= stores + 1'b1;
    if (arvalid && arready) begin
      addresses_read <= addresses_read + 1'b1;
      asked_by_id[arid*COUNT_BITS+:COUNT_BITS] <= asked_by_id[arid*COUNT_BITS+:COUNT_BITS] + TRANSFERS[COUNT_BITS-1:0];
    end
    if (rvalid) came_by_id[rid*COUNT_BITS+:COUNT_BITS] <= came_by_id[rid*COUNT_BITS+:COUNT_BITS] + 1'b1;
    if (awvalid && awready) addresses_written <= addresses_written + 1'b1;
    if (wvalid && wready) part <= wlast ? 2'd0 : part + 1'b1;
    if (ends) bursts_ended <= bursts_ended + 1'b1;
    if (bvalid) answers <= answers + 1'b1;
    if (response_valid && response_ready) beats <= beats + 1'b1;
    if (rst) begin
      {loads, stores, addresses_read, addresses_written, bursts_ended, answers, beats} <= 0;
      part <= 0;
      asked_by_id <= 0;
      came_by_id <= 0;
    end
  end

  // Memory answers what it was asked, and an ID's bursts in their order.
  always @* begin
    if (!rst) assume (!bvalid || answers != bursts_ended);
    if (!rst) assume (!rvalid || came_by_id[rid*COUNT_BITS+:COUNT_BITS] != asked_by_id[rid*COUNT_BITS+:COUNT_BITS]);
    if (rst) assume (!bvalid && !rvalid);
  end

  // The rules.
  (* hierconn *) wire [3:0] \dut.writer.accepted ;
  (* hierconn *) wire [BEAT_LOG2-DATA_LOG2:0] \dut.writer.left ;
  localparam [1:0] LAST_PART = PARTS - 1;
  reg was;  // there was a cycle before, after reset
  reg
      awvalid_before,
      wvalid_before,
      arvalid_before,
      awready_before,
      wready_before,
      arready_before,
      bvalid_before,
      b_wrong_before;
  reg [3+ID_BITS:0] aw_before, ar_before;
  reg [9*DATA_BYTES:0] w_before;
  always @(posedge clk) begin
    was <= !rst;
    {awvalid_before, awready_before, aw_before} <= {awvalid, awready, awid, awaddr};
    {arvalid_before, arready_before, ar_before} <= {arvalid, arready, arid, araddr};
    {wvalid_before, wready_before, w_before} <= {wvalid, wready, wlast, wstrb, wdata};
    {bvalid_before, b_wrong_before} <= {bvalid, b_wrong};
    if (rst) was <= 1'b0;
  end
  always @*
    if (!rst && was) begin
      if (awvalid_before && !awready_before) assert (awvalid && aw_before == {awid, awaddr});
      if (arvalid_before && !arready_before) assert (arvalid && ar_before == {arid, araddr});
      if (wvalid_before && !wready_before) assert (wvalid && w_before == {wlast, wstrb, wdata});
      assert (rready && bready);
      assert (awlen == PARTS - 1 && arlen == TRANSFERS - 1 && awsize == DATA_LOG2 && arsize == DATA_LOG2);
      assert (awburst == 1 && arburst == 1);
    end
  // Bursts of data that have begun: those that have ended, and the one that is offered.
  wire [COUNT_BITS-1:0] begun = bursts_ended + {{COUNT_BITS - 1{1'b0}}, wvalid};
  wire [COUNT_BITS-1:0] not_begun = addresses_written - begun;
  always @*
    if (!rst && ORDER == 0) begin
      assert (not_begun[COUNT_BITS-1:4] == 0);  // none too many
      assert (\dut.writer.accepted == not_begun[3:0] && not_begun <= 8);
      if (wvalid)
        assert (\dut.writer.left == LAST_PART - part && part <= LAST_PART && wlast == (part == LAST_PART));
        else assert (part == 0);
    end

  // What induction must know of the queue of data.
  (* hierconn *)wire [3:0] \dut.writer.free ;
  wire [4:0] queued = {1'b0, \dut.writer.accepted } + {4'd0, awvalid};
  always @* if (!rst && ORDER == 0) assert ({1'b0, \dut.writer.free } + queued == 8);

  // The order. Two requests for one line are watched, of which one at least writes, by their numbers among their kind.
  reg one_seen, one_store, two_seen, two_store;
  reg [3:0] one_address, two_address;
  reg [COUNT_BITS-1:0] one, two;
  reg [8*BEAT_BYTES-1:0] one_data;
  reg [  BEAT_BYTES-1:0] one_strobe;
  always @(posedge clk) begin
    if (takes && watch && !one_seen) begin
      one_seen <= 1'b1;
      {one_store, one_address, one_data, one_strobe} <= {request_store, request_address, request_data, request_strobe};
      one <= request_store ? stores : loads;
    end else if (takes && watch && !two_seen && (one_store || request_store) &&
                 one_address[3:LINE_LOG2] == request_address[3:LINE_LOG2]) begin
      two_seen <= 1'b1;
      {two_store, two_address} <= {request_store, request_address};
      two <= request_store ? stores : loads;
    end
    if (rst) {one_seen, two_seen} <= 2'b00;
  end
  // Of a line that is read: its ID, and how many transfers of that ID come before it.
  wire [ID_BITS-1:0] one_id = one[ID_BITS-1:0];
  wire [COUNT_BITS-1:0] one_first = (one >> ID_BITS) * TRANSFERS;
  wire [COUNT_BITS-1:0] one_came = came_by_id[one_id*COUNT_BITS+:COUNT_BITS];
  wire one_answered = one_store ? answers > one : one_came >= one_first + TRANSFERS;
  // What came of it.
  reg [8*TRANSFERS*DATA_BYTES-1:0] line;
  reg [TRANSFERS-1:0] wrong;
  always @(posedge clk)
    if (rvalid && rid == one_id && one_came >= one_first && one_came < one_first + TRANSFERS) begin
      line[(one_came-one_first)*8*DATA_BYTES+:8*DATA_BYTES] <= rdata;
      wrong[one_came-one_first] <= r_wrong;
    end
  wire [COUNT_BITS-1:0] one_beat = beats - one * BEATS;
  wire stands = response_valid && one_seen && !one_store && beats >= one * BEATS && one_beat < BEATS;
  wire beat_wrong = (wrong >> (one_beat * PARTS)) & ((1 << PARTS) - 1) ? 1'b1 : 1'b0;
  wire [8*BEAT_BYTES-1:0] beat = line >> (one_beat * 8 * BEAT_BYTES);
  wire few = loads < 4 && stores < 4;  // no count wraps
  always @*
    if (!rst && ORDER != 0) begin
      assume (few);
      // AXI keeps bursts of one ID in order: two writes need only be offered in theirs.
      if (two_seen && !two_store && arvalid && addresses_read == two) assert (one_answered);
      if (two_seen && two_store && awvalid && addresses_written == two) assert (one_store || one_answered);
      if (one_seen && !one_store && arvalid && addresses_read == one) assert (araddr == one_address);
      if (one_seen && one_store && awvalid && addresses_written == one) assert (awaddr == one_address);
      if (one_seen && one_store && wvalid && bursts_ended == one) begin
        assert (wdata == one_data[part*8*DATA_BYTES+:8*DATA_BYTES]);
        assert (wstrb == one_strobe[part*DATA_BYTES+:DATA_BYTES]);
      end
      if (stands) assert (one_came > one_first + (one_beat + 1) * PARTS - 1);
      if (stands && !beat_wrong) assert (response_data == beat);
      if (stands && beat_wrong) assert (memory_error);
      if (was && bvalid_before && b_wrong_before) assert (memory_error);
      if (idle) assert (addresses_read == loads && answers == stores && addresses_written == stores);
      assert (addresses_read <= loads && addresses_written <= stores);
      cover (two_seen && two_store && !one_store && awvalid && addresses_written == two);
      cover (two_seen && !two_store && one_store && arvalid && addresses_read == two);
      cover (beats == 3 * BEATS);
      cover (stands && beat_wrong && one == 2);
    end
endmodule

`default_nettype wire
