// SPDX-License-Identifier: Apache-2.0
// External memory of a device in a DDR3 chip of 16 bits: a channel as heddle.v asks for it, on the port of ddr3_core
// (litedram), which has bursts of 16 bytes and answers reads in order, LATENCY cycles after it takes them at least
// (README). One request at a time goes to it, a burst a cycle if it takes them; lines stand in a queue. rst is the
// device's: what had been read for it is dropped, the chip goes on and keeps what is in it. Until ready_i nothing is
// taken. After failed_i all is taken, lines come as zeros, and nothing is kept: the board says so.
`default_nettype none

module ddr3 #(
    parameter ADDRESS_BITS = 27,  // of a byte's address
    parameter BEAT_LOG2 = 4,  // log2 of the bytes of a beat of the device, 4 to 7
    parameter LINE_LOG2 = 6,  // log2 of the bytes of a line, BEAT_LOG2 at least
    parameter BEAT_BYTES = 1 << BEAT_LOG2
) (
    input wire clk,
    input wire rst,
    input wire core_rst,

    input  wire                    request_valid_i,
    output wire                    request_ready_o,
    input  wire                    request_store_i,
    input  wire [ADDRESS_BITS-1:0] request_address_i,
    input  wire [8*BEAT_BYTES-1:0] request_data_i,
    input  wire [  BEAT_BYTES-1:0] request_strobe_i,

    output wire                    response_valid_o,
    input  wire                    response_ready_i,
    output wire [8*BEAT_BYTES-1:0] response_data_o,

    // ddr3_core
    input  wire                    ready_i,
    input  wire                    failed_i,
    output wire                    cmd_valid_o,
    input  wire                    cmd_ready_i,
    output wire                    cmd_we_o,
    output wire [ADDRESS_BITS-5:0] cmd_addr_o,
    output wire [           127:0] wdata_o,
    output wire [            15:0] wdata_we_o,
    input  wire                    wdata_ready_i,
    input  wire                    rdata_valid_i,
    input  wire [           127:0] rdata_i
);
  localparam COUNT_BITS = LINE_LOG2 - 3;
  localparam BEAT_BURSTS = 1 << (BEAT_LOG2 - 4), LINE_BURSTS = 1 << (LINE_LOG2 - 4);
  localparam [COUNT_BITS-1:0] LAST_OF_BEAT = BEAT_BURSTS - 1, LAST_OF_LINE = LINE_BURSTS - 1;

  // A request, until its last burst has been asked for.
  reg wanted, store;
  reg [ADDRESS_BITS-5:0] burst_address;
  reg [  COUNT_BITS-1:0] left;  // bursts after this one
  reg [8*BEAT_BYTES-1:0] data;
  reg [  BEAT_BYTES-1:0] strobe;
  wire room, drops;
  assign request_ready_o = !wanted && !drops && (ready_i || failed_i) && (request_store_i || room);
  wire takes = request_valid_i && request_ready_o;
  wire address_unused = |request_address_i[3:0];

  // Data wait in block RAM until litedram takes them, three cycles or more after it has taken their address.
  (* ram_style = "block", no_rw_check *) reg [143:0] written[0:7];
  reg [143:0] written_data;  // the first of them
  reg [2:0] written_first, written_next;
  wire [2:0] written_second = written_first + {2'd0, wdata_ready_i};
  reg  [3:0] written_free;
  assign cmd_valid_o = wanted && ready_i && !rst && (!store || written_free != 0);
  assign cmd_we_o = store;
  assign cmd_addr_o = burst_address;
  wire asks = cmd_valid_o && cmd_ready_i;
  wire pretends = wanted && failed_i && !rst;
  always @(posedge clk) begin
    if (asks && store) begin
      written[written_next] <= {strobe[15:0], data[127:0]};
      written_next <= written_next + 3'd1;
    end
    written_first <= written_second;
    written_data  <= written[written_second];
    written_free  <= written_free + {3'd0, wdata_ready_i} - {3'd0, asks && store};
    if (core_rst) begin
      written_first <= 3'd0;
      written_next  <= 3'd0;
      written_free  <= 4'd8;
    end
  end
  assign {wdata_we_o, wdata_o} = written_data;

  always @(posedge clk) begin
    if (asks || pretends) begin
      burst_address <= burst_address + 1'b1;
      left <= left - 1'b1;
      if (BEAT_BURSTS > 1) {data, strobe} <= {data >> 128, strobe >> 16};
      if (left == 0) wanted <= 1'b0;
    end
    if (takes) begin
      wanted <= 1'b1;
      store <= request_store_i;
      burst_address <= request_address_i[ADDRESS_BITS-1:4];
      left <= request_store_i ? LAST_OF_BEAT : LAST_OF_LINE;
      data <= request_data_i;
      strobe <= request_strobe_i;
    end
    if (rst) wanted <= 1'b0;
  end

  // Bursts that will come. Those that come during rst, or were asked for before it, are nobody's.
  reg [7:0] under_way, nobodys;
  wire [7:0] under_way_next = under_way + {7'd0, asks && !store} - {7'd0, rdata_valid_i};
  assign drops = nobodys != 0;
  always @(posedge clk) begin
    under_way <= under_way_next;
    if (rdata_valid_i && drops) nobodys <= nobodys - 8'd1;
    if (rst) nobodys <= under_way_next;
    if (core_rst) begin
      under_way <= 8'd0;
      nobodys   <= 8'd0;
    end
  end

  // Received bursts, until they are a beat.
  wire comes = (rdata_valid_i && !drops) || (pretends && !store);
  wire [127:0] burst = failed_i ? 128'd0 : rdata_i;
  reg beat_valid;
  reg [8*BEAT_BYTES-1:0] beat_data;
  generate
    if (BEAT_BURSTS == 1) begin : burst_is_beat
      always @(posedge clk) begin
        beat_valid <= comes && !rst;
        beat_data  <= burst;
      end
    end else begin : bursts_are_beat
      reg [$clog2(BEAT_BURSTS)-1:0] count;
      always @(posedge clk) begin
        beat_valid <= comes && (&count) && !rst;
        if (comes) begin
          count <= count + 1'b1;
          beat_data <= {burst, beat_data[8*BEAT_BYTES-1:128]};
        end
        if (rst) count <= 0;
      end
    end
  endgenerate
  line_queue #(
      .BEAT_LOG2(BEAT_LOG2),
      .LINE_LOG2(LINE_LOG2),
      .BLOCK    (1)
  ) line_queue (
      .clk(clk),
      .rst(rst),
      .room_o(room),
      .asked_i(takes && !request_store_i),
      .beat_valid_i(beat_valid),
      .beat_i(beat_data),
      .response_valid_o(response_valid_o),
      .response_ready_i(response_ready_i),
      .response_data_o(response_data_o)
  );
endmodule

`default_nettype wire
