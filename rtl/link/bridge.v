// SPDX-License-Identifier: Apache-2.0
// Carries out the requests of a byte link (DEVICE.md, "The byte link") one after the other, each once: reads and writes
// of global memory by beats, of control registers by words. A request may wait for memory; an answer waits for the
// link. Eight bytes of header take 16 cycles, a byte written 2, a byte read 1, and a beat of memory what the device's
// link port takes for it.
`default_nettype none

module bridge #(
    parameter GLOBAL_LOG2 = 28,  // log2 of the bytes of global memory
    parameter BEAT_LOG2 = 5,  // log2 of the bytes of a beat, 4 to 7
    parameter BUFFER_LOG2 = 12,  // log2 of the bytes that frames may take in frame_receiver.v
    parameter PAYLOAD_BYTES = 512,  // most that a frame may read
    parameter BEAT_BYTES = 1 << BEAT_LOG2
) (
    input wire clk,
    input wire rst,

    // whole requests, a byte a time
    input  wire       byte_valid_i,
    output wire       byte_ready_o,
    input  wire [7:0] byte_i,

    // answers
    output reg         answer_start_o,
    input  wire        answer_busy_i,
    output wire [63:0] answer_header_o,
    output wire [ 9:0] answer_length_o,
    output wire        payload_valid_o,
    input  wire        payload_ready_i,
    output wire [ 7:0] payload_o,

    // the device (heddle.v)
    output reg device_rst_o,
    input wire busy_i,
    input wire ready_i,  // after a reset it may be asked something
    output reg control_valid_o,
    output reg control_write_o,
    output reg [11:2] control_address_o,
    output reg [31:0] control_data_o,
    input wire [31:0] control_data_i,
    output reg link_valid_o,
    input wire link_ready_i,
    output reg link_store_o,
    output reg [GLOBAL_LOG2-1:0] link_address_o,
    output reg [8*BEAT_BYTES-1:0] link_data_o,
    output reg [BEAT_BYTES-1:0] link_strobe_o,
    input wire link_quiet_i,
    input wire link_answer_i,
    input wire [8*BEAT_BYTES-1:0] link_answer_data_i
);
  localparam [7:0] OPEN = 8'd1, READ = 8'd2, WRITE = 8'd3;
  localparam [2:0] GOOD = 3'd0, NO_ADDRESS = 3'd1, NO_SEQUENCE = 3'd2, NO_KIND = 3'd3, NOT_OPEN = 3'd4;
  localparam [4:0] RESET = 5'd20;  // cycles: the device is reset for all but the last four, by which ready_i has fallen

  // HEADER: a request comes. CHECK: what it is. WAKE_UP: the device is being reset. TAKE: a byte is written. STORE: a
  // beat of them, or a word, goes to the device. SKIP: what a request would have written is not wanted. LOAD, LOADED: a
  // beat or a word is read. GIVE: its bytes go. ANSWER: an answer begins. SENDING: it goes.
  localparam [3:0] HEADER = 4'd0, CHECK = 4'd1, WAKE_UP = 4'd2, TAKE = 4'd3, STORE = 4'd4, SKIP = 4'd5;
  localparam [3:0] LOAD = 4'd6, LOADED = 4'd7, GIVE = 4'd8, ANSWER = 4'd9, SENDING = 4'd10;
  reg  [ 3:0] state;
  reg  [ 2:0] place;  // of the header's byte
  reg  [63:0] header;
  wire [ 7:0] kind = header[7:0];
  wire [ 7:0] sequence_number = header[15:8];
  wire [15:0] length = header[31:16];
  wire [31:0] address = header[63:32];

  // What is known of the request, a cycle after its header is there.
  reg is_open, in_control, in_global, is_next, is_earlier, fits;
  wire [32:0] last = {1'b0, address} + {17'd0, length} - 33'd1;
  wire last_unused = &{1'b0, last[11:0]};
  reg opened;
  reg [7:0] expected;
  wire [7:0] ahead = sequence_number - expected;
  wire is_write = kind == WRITE;

  reg [31:0] at;  // the next byte's address
  reg [9:0] left;  // bytes that are still to be written or given
  wire control = at[31];  // of two windows that do not meet
  wire [BEAT_LOG2-1:0] byte_at = control ? {{BEAT_LOG2 - 2{1'b0}}, at[1:0]} : at[BEAT_LOG2-1:0];
  wire piece_ends = left == 1 || (control ? &at[1:0] : &at[BEAT_LOG2-1:0]);
  reg [4:0] wake;
  reg [8*BEAT_BYTES-1:0] beat;  // what was read
  reg control_asked;
  reg looked;  // the registers above are this request's
  reg answered;  // its answer has begun

  reg [2:0] status;
  reg [31:0] answer_address;
  reg [7:0] answer_sequence;
  reg [9:0] answer_bytes;
  reg busy;
  assign answer_header_o = {answer_address, 6'd0, answer_bytes, answer_sequence, busy, status, kind[3:0]};
  assign answer_length_o = answer_bytes;
  assign payload_valid_o = state == GIVE;
  assign payload_o = beat[{byte_at, 3'd0}+:8];
  assign byte_ready_o = state == HEADER || state == TAKE || state == SKIP;

  // Whether this request is to be carried out. One that has been before is not written again.
  wire known = is_open || (opened && (is_next || is_earlier));
  wire reachable = length == 0 || (fits && (in_global || in_control));

  always @(posedge clk) begin
    answer_start_o <= 1'b0;
    control_valid_o <= 1'b0;
    is_open <= kind == OPEN;
    is_next <= ahead == 0;
    is_earlier <= ahead[7];
    fits <= length <= PAYLOAD_BYTES && !last[32];
    in_global <= last[32:GLOBAL_LOG2] == 0 && address[31:GLOBAL_LOG2] == 0;
    in_control <= address[31:12] == 20'hF0000 && last[31:12] == 20'hF0000 && address[1:0] == 0 && length[1:0] == 0;
    case (state)
      HEADER:
      if (byte_valid_i) begin
        header <= {byte_i, header[63:8]};
        place  <= place + 3'd1;
        if (place == 7) state <= CHECK;
        {looked, answered} <= 2'b00;
      end
      CHECK:
      if (!looked) looked <= 1'b1;
      else begin
        at <= address;
        left <= length[9:0];
        status <= !is_open && !reachable ? NO_ADDRESS : GOOD;
        if (!known) status <= NO_SEQUENCE;
        if (!is_open && !opened) status <= NOT_OPEN;
        if (!(is_open || kind == READ || is_write)) status <= NO_KIND;
        answer_address <= address;
        answer_sequence <= known ? sequence_number : expected;
        answer_bytes <= 10'd0;
        wake <= RESET;
        state <= ANSWER;
        if (known && !is_open && is_next) expected <= expected + 8'd1;
        if (is_open) begin
          opened <= 1'b1;
          expected <= sequence_number + 8'd1;
          answer_address <= {16'd1 << BUFFER_LOG2, address[15:0]};
          state <= WAKE_UP;
        end else if (is_write && length != 0) state <= known && reachable && is_next ? TAKE : SKIP;
        else if (kind == READ && length != 0 && known && reachable) begin
          answer_bytes <= length[9:0];
          state <= LOAD;
        end
      end
      WAKE_UP: if (wake != 0) wake <= wake - 5'd1;
 else if (ready_i) state <= ANSWER;
      TAKE:
      if (byte_valid_i) begin
        link_data_o[{byte_at, 3'd0}+:8] <= byte_i;
        link_strobe_o[byte_at] <= 1'b1;
        link_address_o <= {at[GLOBAL_LOG2-1:BEAT_LOG2], {BEAT_LOG2{1'b0}}};
        link_store_o <= 1'b1;
        control_write_o <= 1'b1;
        control_address_o <= at[11:2];
        if (piece_ends) begin
          link_valid_o <= !control;
          state <= STORE;
        end else begin
          at   <= at + 32'd1;
          left <= left - 10'd1;
        end
      end
      // A register is written when the cache has taken what was written before.
      STORE:
      if (control ? link_quiet_i : link_ready_i) begin
        link_valid_o <= 1'b0;
        link_strobe_o <= {BEAT_BYTES{1'b0}};
        control_valid_o <= control;
        control_data_o <= link_data_o[31:0];
        at <= at + 32'd1;
        left <= left - 10'd1;
        state <= left == 1 ? ANSWER : TAKE;
      end
      SKIP:
      if (byte_valid_i) begin
        left <= left - 10'd1;
        if (left == 1) state <= ANSWER;
      end
      LOAD: begin
        link_address_o <= {at[GLOBAL_LOG2-1:BEAT_LOG2], {BEAT_LOG2{1'b0}}};
        link_store_o <= 1'b0;
        link_valid_o <= !control;
        control_write_o <= 1'b0;
        control_address_o <= at[11:2];
        control_valid_o <= control;
        control_asked <= 1'b0;
        state <= LOADED;
      end
      LOADED: begin
        if (link_ready_i) link_valid_o <= 1'b0;
        control_asked <= control;
        beat <= control ? {{8 * BEAT_BYTES - 32{1'b0}}, control_data_i} : link_answer_data_i;
        // The register's answer comes in the cycle after control_valid_o.
        if (control ? control_asked : link_answer_i) state <= answered ? GIVE : ANSWER;
      end
      GIVE:
      if (payload_ready_i) begin
        at   <= at + 32'd1;
        left <= left - 10'd1;
        if (left == 1) state <= SENDING;
        else if (piece_ends) state <= LOAD;
      end
      ANSWER:
      if (!answer_busy_i) begin
        answer_start_o <= 1'b1;
        busy <= busy_i;
        answered <= 1'b1;
        state <= answer_bytes != 0 ? GIVE : SENDING;
      end
      // answer_busy_i is up from the cycle after answer_start_o.
      default: if (!answer_start_o && !answer_busy_i) state <= HEADER;
    endcase
    device_rst_o <= rst || (state == WAKE_UP && wake > 5'd4);
    if (rst) begin
      state <= HEADER;
      place <= 3'd0;
      opened <= 1'b0;
      link_valid_o <= 1'b0;
      link_strobe_o <= {BEAT_BYTES{1'b0}};
    end
  end
endmodule

`default_nettype wire
