// SPDX-License-Identifier: Apache-2.0
// External memory of a device in one SDR SDRAM of 16 bits: a channel as heddle.v asks for it. One request at a time;
// the row it was in stays open. A line comes as words of 16 bits, a column command each, in consecutive cycles; so does
// a row that is written. After rst the chip is started afresh (200 us), and keeps what is in it. Refreshes itself. Pins
// are registers; see PADS for what lies behind them.
`default_nettype none

module sdram #(
    parameter CLOCK_KHZ = 75000,  // frequency of clk and of the chip's clock: 40,000 to 133,000
    parameter CAS_LATENCY = 3,  // 2 or 3
    parameter PADS = 2,  // cycles that registers at the pins take, both ways
    parameter ROW_BITS = 13,  // of a row's address in the chip, 11 to 13
    parameter COLUMN_BITS = 9,  // of a column's: 8 to 10
    parameter BEAT_LOG2 = 4,  // log2 of the bytes of a row of the device
    parameter LINE_LOG2 = 6,  // log2 of the bytes of a line
    // What chips need, in ns: as the slower of those that are on boards have it (README).
    parameter RCD_NS = 20,
    parameter RP_NS = 20,
    parameter RAS_NS = 45,
    parameter RC_NS = 70,
    parameter RFC_NS = 70,
    parameter POWER_UP_US = 200,
    parameter REFRESH_NS = 7500,  // between two refreshes: 64 ms / 8192, and what a line and a row take less
    parameter ADDRESS_BITS = ROW_BITS + COLUMN_BITS + 3,  // derived: of a byte's address
    parameter BEAT_BYTES = 1 << BEAT_LOG2
) (
    input wire clk,
    input wire rst,

    input  wire                    request_valid_i,
    output wire                    request_ready_o,
    input  wire                    request_store_i,
    input  wire [ADDRESS_BITS-1:0] request_address_i,
    input  wire [8*BEAT_BYTES-1:0] request_data_i,
    input  wire [  BEAT_BYTES-1:0] request_strobe_i,

    output wire                    response_valid_o,
    input  wire                    response_ready_i,
    output wire [8*BEAT_BYTES-1:0] response_data_o,

    // the chip; cs_n is 0 and cke 1. data_i is read PADS + CAS_LATENCY cycles after the command
    output reg  [ 2:0] command_o,  // ras_n, cas_n, we_n
    output reg  [ 1:0] bank_o,
    output reg  [12:0] address_o,
    output reg  [ 1:0] dqm_o,
    output reg         drive_o,    // from a cycle before data_o counts
    output reg  [15:0] data_o,
    input  wire [15:0] data_i
);
  localparam [2:0] MODE = 3'b000, REFRESH = 3'b001, PRECHARGE = 3'b010, ACTIVE = 3'b011;
  localparam [2:0] WRITE = 3'b100, READ = 3'b101;
  localparam [2:0] NO_OPERATION = 3'b111;
  localparam [12:0] ALL_BANKS = 13'h400;
  localparam MODE_REGISTER = CAS_LATENCY << 4;  // bursts of one word

  // Cycles from a command to the next, less one.
  localparam RCD = (RCD_NS * CLOCK_KHZ + 999999) / 1000000 - 1;
  localparam RP = (RP_NS * CLOCK_KHZ + 999999) / 1000000 - 1;
  localparam RFC = (RFC_NS * CLOCK_KHZ + 999999) / 1000000 - 1;
  localparam RC = (RC_NS * CLOCK_KHZ + 999999) / 1000000 - 1;
  localparam RAS_OWN = (RAS_NS * CLOCK_KHZ + 999999) / 1000000 - 1;
  // The next activation comes RP after the end of this one.
  localparam RAS = RAS_OWN + RP + 1 < RC ? RC - RP - 1 : RAS_OWN;
  localparam WR = 1;
  localparam MRD = 2;
  localparam INTERVAL = REFRESH_NS * (CLOCK_KHZ / 1000) / 1000 - 1;
  localparam POWER_UP = POWER_UP_US * 1000 / REFRESH_NS + 1;  // in intervals

  localparam BEAT_WORDS = BEAT_BYTES / 2, LINE_WORDS = 1 << (LINE_LOG2 - 1);
  localparam WORD_BITS = $clog2(BEAT_WORDS);
  localparam COUNT_BITS = LINE_LOG2;
  localparam [COUNT_BITS-1:0] LAST_OF_BEAT = BEAT_WORDS - 1, LAST_OF_LINE = LINE_WORDS - 1;
  localparam RETURN = PADS + CAS_LATENCY;

  localparam [2:0] STARTS = 3'd0, REFRESHES = 3'd1, SETS_MODE = 3'd2;  // once, and from time to time
  localparam [2:0] IDLE = 3'd3, CLOSES = 3'd4, OPENS = 3'd5, MOVES = 3'd6;  // a request
  reg [2:0] state;
  reg [3:0] pause;  // cycles in which no command may go
  reg [3:0] hold;  // cycles until the open row may be closed
  reg open;
  reg [ROW_BITS+1:0] open_row;  // bank, row
  reg [3:0] starting;  // refreshes that are still to come after power-up

  reg [10:0] interval;
  reg [5:0] power_up;
  reg due;  // a refresh
  wire tick = interval == 0;

  reg wanted;  // a request has been taken and not carried out
  reg store;
  reg [ROW_BITS+1:0] row;
  reg [COLUMN_BITS-1:0] column;
  reg [COUNT_BITS-1:0] left;  // words after this one
  reg [8*BEAT_BYTES-1:0] data;
  reg [BEAT_BYTES-1:0] strobe;

  reg [RETURN-1:0] under_way;  // words that will come
  wire room;
  wire may = pause == 0;
  assign request_ready_o = !wanted && (request_store_i || room);  // registers: the cache decides late what it asks for
  wire takes = request_valid_i && request_ready_o;
  wire writes = state == MOVES && may && store && drive_o;
  wire reads = state == MOVES && may && !store;
  wire address_unused = request_address_i[0];

  always @(posedge clk) begin
    interval <= tick ? INTERVAL[10:0] : interval - 1'b1;
    if (tick && power_up != 0) power_up <= power_up - 1'b1;
    if (tick) due <= 1'b1;

    command_o <= NO_OPERATION;
    bank_o <= row[ROW_BITS+:2];
    address_o <= {{(13 - COLUMN_BITS) {1'b0}}, column};
    dqm_o <= store ? ~strobe[1:0] : 2'b00;
    data_o <= data[15:0];
    drive_o <= state == MOVES && store && under_way == 0;
    under_way <= {under_way[RETURN-2:0], reads};

    if (pause != 0) pause <= pause - 1'b1;
    if (hold != 0) hold <= hold - 1'b1;
    case (state)
      STARTS:
      if (power_up == 0) begin
        command_o <= PRECHARGE;
        address_o <= ALL_BANKS;
        pause <= RP[3:0];
        starting <= 4'd8;
        state <= REFRESHES;
      end
      REFRESHES:
      if (may) begin
        command_o <= REFRESH;
        pause <= RFC[3:0];
        due <= 1'b0;
        if (starting != 0) starting <= starting - 1'b1;
        state <= starting == 0 ? IDLE : starting == 1 ? SETS_MODE : REFRESHES;
      end
      SETS_MODE:
      if (may) begin
        command_o <= MODE;
        bank_o <= 2'd0;
        address_o <= MODE_REGISTER[12:0];
        pause <= MRD[3:0];
        state <= IDLE;
      end
      IDLE:
      if (may)
        state <= due ? (open ? CLOSES : REFRESHES) : !wanted ? IDLE : !open ? OPENS : row == open_row ? MOVES : CLOSES;
      CLOSES:
      if (hold == 0) begin
        command_o <= PRECHARGE;
        address_o <= ALL_BANKS;
        pause <= RP[3:0];
        open <= 1'b0;
        state <= due ? REFRESHES : OPENS;
      end
      OPENS:
      if (may) begin
        command_o <= ACTIVE;
        address_o <= {{(13 - ROW_BITS) {1'b0}}, row[ROW_BITS-1:0]};
        pause <= RCD[3:0];
        hold <= RAS[3:0];
        open <= 1'b1;
        open_row <= row;
        state <= MOVES;
      end
      default: begin
        if (reads) command_o <= READ;
        if (writes) command_o <= WRITE;
        if (writes && hold <= WR[3:0]) hold <= WR[3:0];
        if (reads || writes) begin
          column <= column + 1'b1;
          left   <= left - 1'b1;
          if (left == 0) begin
            wanted <= 1'b0;
            state  <= IDLE;
          end
        end
        if (writes) begin
          data   <= data >> 16;
          strobe <= strobe >> 2;
        end
      end
    endcase
    if (takes) begin
      wanted <= 1'b1;
      store <= request_store_i;
      {row[ROW_BITS-1:0], row[ROW_BITS+:2], column} <= request_address_i[ADDRESS_BITS-1:1];
      left <= request_store_i ? LAST_OF_BEAT : LAST_OF_LINE;
      data <= request_data_i;
      strobe <= request_strobe_i;
    end
    if (rst) begin
      state <= STARTS;
      command_o <= NO_OPERATION;
      {open, due, wanted, drive_o} <= 4'd0;
      pause <= 4'd0;
      hold <= 4'd0;
      under_way <= 0;
      interval <= INTERVAL[10:0];
      power_up <= POWER_UP[5:0];
    end
  end

  // Received words, until they are a beat.
  reg beat_valid;
  reg [WORD_BITS-1:0] word;
  reg [8*BEAT_BYTES-1:0] beat_data;
  always @(posedge clk) begin
    beat_valid <= under_way[RETURN-1] && (&word);
    if (under_way[RETURN-1]) begin
      word <= word + 1'b1;
      beat_data <= {data_i, beat_data[8*BEAT_BYTES-1:16]};
    end
    if (rst) begin
      word <= 0;
      beat_valid <= 1'b0;
    end
  end
  line_queue #(
      .BEAT_LOG2(BEAT_LOG2),
      .LINE_LOG2(LINE_LOG2)
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
