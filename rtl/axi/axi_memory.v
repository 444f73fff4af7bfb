// SPDX-License-Identifier: Apache-2.0
// External memory of a device behind AXI4: a channel as heddle.v asks for it (rtl/PORTS.md), which carries out requests
// in their order, on a bus that has none between reads and writes. So a line is asked for when all earlier writes to it
// have been answered, and a beat is written when all earlier reads of its line have come; other lines do not wait. A
// line is one burst, a beat one burst. A request takes three cycles to the bus, one a cycle goes; a beat two back.
`default_nettype none

module axi_memory #(
    parameter ADDRESS_BITS = 28,  // of a byte's address in global memory
    parameter AXI_ADDRESS_BITS = 32,  // of a byte's address on the bus, ADDRESS_BITS at least
    parameter [63:0] BASE = 0,  // on the bus, of byte 0 of global memory: a multiple of 2^ADDRESS_BITS
    parameter BEAT_LOG2 = 5,  // log2 of the bytes of a beat
    parameter LINE_LOG2 = 6,  // log2 of the bytes of a line, BEAT_LOG2 at least
    parameter DATA_LOG2 = BEAT_LOG2,  // log2 of the bytes of the bus, BEAT_LOG2 at most
    parameter READS_LOG2 = 4,  // log2 of the lines that may be in flight, 1 at least
    parameter WRITES_LOG2 = 4,  // log2 of the beats that may be in flight, 1 at least
    parameter ID_BITS = READS_LOG2,  // of the bus; READS_LOG2 of them are used at most, 1 at least
    parameter BEAT_BYTES = 1 << BEAT_LOG2,  // derived
    parameter DATA_BYTES = 1 << DATA_LOG2  // derived
) (
    input  wire clk,
    input  wire rst,
    output wire idle_o, // nothing is in flight: what was written is in memory

    // the device's channel
    input  wire                    request_valid_i,
    output wire                    request_ready_o,
    input  wire                    request_store_i,
    input  wire [ADDRESS_BITS-1:0] request_address_i,
    input  wire [8*BEAT_BYTES-1:0] request_data_i,
    input  wire [  BEAT_BYTES-1:0] request_strobe_i,
    output wire                    response_valid_o,
    input  wire                    response_ready_i,
    output wire [8*BEAT_BYTES-1:0] response_data_o,
    output wire                    memory_error_o,     // this beat is wrong, or an earlier store is lost

    // AXI4
    output wire [         ID_BITS-1:0] m_axi_awid,
    output wire [AXI_ADDRESS_BITS-1:0] m_axi_awaddr,
    output wire [                 7:0] m_axi_awlen,
    output wire [                 2:0] m_axi_awsize,
    output wire [                 1:0] m_axi_awburst,
    output wire                        m_axi_awlock,
    output wire [                 3:0] m_axi_awcache,
    output wire [                 2:0] m_axi_awprot,
    output wire [                 3:0] m_axi_awqos,
    output wire                        m_axi_awvalid,
    input  wire                        m_axi_awready,
    output wire [    8*DATA_BYTES-1:0] m_axi_wdata,
    output wire [      DATA_BYTES-1:0] m_axi_wstrb,
    output wire                        m_axi_wlast,
    output wire                        m_axi_wvalid,
    input  wire                        m_axi_wready,
    input  wire [         ID_BITS-1:0] m_axi_bid,
    input  wire [                 1:0] m_axi_bresp,
    input  wire                        m_axi_bvalid,
    output wire                        m_axi_bready,
    output wire [         ID_BITS-1:0] m_axi_arid,
    output wire [AXI_ADDRESS_BITS-1:0] m_axi_araddr,
    output wire [                 7:0] m_axi_arlen,
    output wire [                 2:0] m_axi_arsize,
    output wire [                 1:0] m_axi_arburst,
    output wire                        m_axi_arlock,
    output wire [                 3:0] m_axi_arcache,
    output wire [                 2:0] m_axi_arprot,
    output wire [                 3:0] m_axi_arqos,
    output wire                        m_axi_arvalid,
    input  wire                        m_axi_arready,
    input  wire [         ID_BITS-1:0] m_axi_rid,
    input  wire [    8*DATA_BYTES-1:0] m_axi_rdata,
    input  wire [                 1:0] m_axi_rresp,
    input  wire                        m_axi_rlast,
    input  wire                        m_axi_rvalid,
    output wire                        m_axi_rready
);
  localparam LINE_BITS = ADDRESS_BITS - LINE_LOG2;
  localparam READS = 1 << READS_LOG2, WRITES = 1 << WRITES_LOG2;
  localparam USED_IDS = ID_BITS < READS_LOG2 ? ID_BITS : READS_LOG2;
  generate
    if (DATA_LOG2 > BEAT_LOG2) begin : check_data
      axi_memory_DATA_LOG2_must_be_BEAT_LOG2_at_most stop ();
    end
    if (ID_BITS < 1) begin : check_ids
      axi_memory_ID_BITS_must_be_1_or_more stop ();
    end
    if (AXI_ADDRESS_BITS < ADDRESS_BITS || AXI_ADDRESS_BITS > 64) begin : check_address
      axi_memory_AXI_ADDRESS_BITS_must_be_ADDRESS_BITS_to_64 stop ();
    end
    if (READS_LOG2 < 1 || WRITES_LOG2 < 1) begin : check_in_flight
      axi_memory_READS_LOG2_and_WRITES_LOG2_must_be_1_or_more stop ();
    end
    if (BASE >> AXI_ADDRESS_BITS != 0) begin : check_place
      axi_memory_BASE_must_be_within_AXI_ADDRESS_BITS stop ();
    end
    if ((BASE & ((64'd1 << ADDRESS_BITS) - 64'd1)) != 0) begin : check_base
      axi_memory_BASE_must_be_a_multiple_of_the_bytes_of_global_memory stop ();
    end
  endgenerate

  // Requests as they come. A line is not taken before it has a slot: behind it a write must not wait.
  wire room, enters, a_valid, a_ready, a_store, b_moves, skid_ready;
  wire [ADDRESS_BITS-1:0] a_address;
  wire [8*BEAT_BYTES-1:0] a_data;
  wire [  BEAT_BYTES-1:0] a_strobe;
  assign enters = request_valid_i && request_ready_o;
  assign request_ready_o = skid_ready && (request_store_i || room);
  skid #(
      .WIDTH(1 + ADDRESS_BITS + 9 * BEAT_BYTES)
  ) requests (
      .clk(clk),
      .rst(rst),
      .valid_i(request_valid_i && (request_store_i || room)),
      .ready_o(skid_ready),
      .data_i({request_store_i, request_address_i, request_data_i, request_strobe_i}),
      .valid_o(a_valid),
      .ready_i(a_ready),
      .data_o({a_store, a_address, a_data, a_strobe})
  );

  // The next one to go, with the entries of earlier ones that have its line. Until it goes nothing enters the tables.
  reg b_valid, b_store;
  reg [ADDRESS_BITS-1:0] b_address;
  reg [8*BEAT_BYTES-1:0] b_data;
  reg [BEAT_BYTES-1:0] b_strobe;
  reg [READS-1:0] b_read_hits;
  reg [WRITES-1:0] b_write_hits;
  wire [READS-1:0] read_hits, reads;
  wire [WRITES-1:0] write_hits, writes;
  wire [READS_LOG2-1:0] read_slot, done_slot;
  wire [WRITES_LOG2-1:0] write_entry;
  wire ask_ready, store_ready, read_done;
  wire b_may_ask = (b_write_hits & writes) == 0;
  wire b_may_store = (b_read_hits & reads) == 0 && !writes[write_entry];
  wire b_asks = b_valid && !b_store && b_may_ask, b_stores = b_valid && b_store && b_may_store;
  assign b_moves = (b_asks && ask_ready) || (b_stores && store_ready);
  assign a_ready = !b_valid || b_moves;
  always @(posedge clk) begin
    if (a_ready) begin
      b_valid <= a_valid;
      b_store <= a_store;
      b_address <= a_address;
      b_data <= a_data;
      b_strobe <= a_strobe;
      b_read_hits <= read_hits;
      b_write_hits <= write_hits;
    end
    if (rst) b_valid <= 1'b0;
  end

  axi_lines #(
      .ENTRIES_LOG2(READS_LOG2),
      .LINE_BITS(LINE_BITS)
  ) lines_read (
      .clk(clk),
      .rst(rst),
      .add_i(b_asks && ask_ready),
      .add_line_i(b_address[ADDRESS_BITS-1:LINE_LOG2]),
      .done_i(read_done),
      .done_entry_i(done_slot),
      .next_o(read_slot),
      .busy_o(reads),
      .line_i(a_address[ADDRESS_BITS-1:LINE_LOG2]),
      .hits_o(read_hits)
  );
  // Beats are answered in their order.
  reg [WRITES_LOG2-1:0] oldest_write;
  wire write_done = m_axi_bvalid;
  reg write_failed;
  always @(posedge clk) begin
    if (write_done) oldest_write <= oldest_write + 1'b1;
    write_failed <= write_done && m_axi_bresp[1] && !rst;
    if (rst) oldest_write <= {WRITES_LOG2{1'b0}};
  end
  axi_lines #(
      .ENTRIES_LOG2(WRITES_LOG2),
      .LINE_BITS(LINE_BITS)
  ) lines_written (
      .clk(clk),
      .rst(rst),
      .add_i(b_stores && store_ready),
      .add_line_i(b_address[ADDRESS_BITS-1:LINE_LOG2]),
      .done_i(write_done),
      .done_entry_i(oldest_write),
      .next_o(write_entry),
      .busy_o(writes),
      .line_i(a_address[ADDRESS_BITS-1:LINE_LOG2]),
      .hits_o(write_hits)
  );

  wire [ADDRESS_BITS-1:0] araddr, awaddr;
  wire [USED_IDS-1:0] arid;
  wire wrong;
  axi_reader #(
      .ADDRESS_BITS(ADDRESS_BITS),
      .BEAT_LOG2(BEAT_LOG2),
      .LINE_LOG2(LINE_LOG2),
      .DATA_LOG2(DATA_LOG2),
      .SLOTS_LOG2(READS_LOG2),
      .ID_BITS(USED_IDS)
  ) reader (
      .clk(clk),
      .rst(rst),
      .room_o(room),
      .reserve_i(enters && !request_store_i),
      .ask_valid_i(b_asks),
      .ask_ready_o(ask_ready),
      .ask_address_i(b_address),
      .ask_slot_i(read_slot),
      .done_o(read_done),
      .done_slot_o(done_slot),
      .response_valid_o(response_valid_o),
      .response_ready_i(response_ready_i),
      .response_data_o(response_data_o),
      .response_wrong_o(wrong),
      .arvalid_o(m_axi_arvalid),
      .arready_i(m_axi_arready),
      .arid_o(arid),
      .araddr_o(araddr),
      .rvalid_i(m_axi_rvalid),
      .rid_i(m_axi_rid[USED_IDS-1:0]),
      .rdata_i(m_axi_rdata),
      .rwrong_i(m_axi_rresp[1])
  );
  axi_writer #(
      .ADDRESS_BITS(ADDRESS_BITS),
      .BEAT_LOG2(BEAT_LOG2),
      .DATA_LOG2(DATA_LOG2)
  ) writer (
      .clk(clk),
      .rst(rst),
      .store_valid_i(b_stores),
      .store_ready_o(store_ready),
      .store_address_i(b_address),
      .store_data_i(b_data),
      .store_strobe_i(b_strobe),
      .awvalid_o(m_axi_awvalid),
      .awready_i(m_axi_awready),
      .awaddr_o(awaddr),
      .wvalid_o(m_axi_wvalid),
      .wready_i(m_axi_wready),
      .wdata_o(m_axi_wdata),
      .wstrb_o(m_axi_wstrb),
      .wlast_o(m_axi_wlast)
  );
  assign memory_error_o = wrong || write_failed;
  assign idle_o = !a_valid && !b_valid && reads == 0 && writes == 0;

  // What is the same in every burst. A line never crosses 4 KiB. Normal memory, not cacheable, not bufferable: an
  // answer to a write says that all others see it.
  localparam [7:0] LINE_TRANSFERS = (1 << (LINE_LOG2 - DATA_LOG2)) - 1;
  localparam [7:0] BEAT_TRANSFERS = (1 << (BEAT_LOG2 - DATA_LOG2)) - 1;
  localparam [31:0] SIZE = DATA_LOG2;
  localparam [1:0] INCREMENTING = 2'd1;
  localparam [3:0] NORMAL_MEMORY = 4'b0010;
  localparam [AXI_ADDRESS_BITS-1:0] ADDRESS_0 = BASE[AXI_ADDRESS_BITS-1:0];
  assign m_axi_awid = {ID_BITS{1'b0}};
  assign m_axi_awaddr = ADDRESS_0 | {{(AXI_ADDRESS_BITS - ADDRESS_BITS) {1'b0}}, awaddr};
  assign m_axi_awlen = BEAT_TRANSFERS;
  assign m_axi_awsize = SIZE[2:0];
  assign m_axi_awburst = INCREMENTING;
  assign m_axi_awlock = 1'b0;
  assign m_axi_awcache = NORMAL_MEMORY;
  assign m_axi_awprot = 3'd0;
  assign m_axi_awqos = 4'd0;
  assign m_axi_bready = 1'b1;
  assign m_axi_arid = {{(ID_BITS - USED_IDS) {1'b0}}, arid};
  assign m_axi_araddr = ADDRESS_0 | {{(AXI_ADDRESS_BITS - ADDRESS_BITS) {1'b0}}, araddr};
  assign m_axi_arlen = LINE_TRANSFERS;
  assign m_axi_arsize = SIZE[2:0];
  assign m_axi_arburst = INCREMENTING;
  assign m_axi_arlock = 1'b0;
  assign m_axi_arcache = NORMAL_MEMORY;
  assign m_axi_arprot = 3'd0;
  assign m_axi_arqos = 4'd0;
  assign m_axi_rready = 1'b1;
  wire unused = &{1'b0, m_axi_bid, m_axi_bresp[0], m_axi_rid, m_axi_rresp[0], m_axi_rlast};
endmodule

`default_nettype wire
