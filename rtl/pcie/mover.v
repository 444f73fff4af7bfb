// SPDX-License-Identifier: Apache-2.0
// Carries out the requests of the ring ("PCIe" in DEVICE.md), one after the other: between IN and OUT and the device,
// beats of memory and words of control registers; what is in the host's memory comes to IN before, or goes from OUT
// after. A word a cycle, and for each beat what the device's link port takes.
`default_nettype none

module mover #(
    parameter GLOBAL_LOG2 = 28,  // log2 of the bytes of global memory
    parameter BEAT_LOG2 = 5,  // log2 of the bytes of a beat, 4 to 7
    parameter WINDOW_LOG2 = 12,  // log2 of the bytes of IN, and of OUT, in BAR 0
    parameter BEAT_BYTES = 1 << BEAT_LOG2
) (
    input wire clk,
    input wire rst,
    input wire master_i, // the host's memory may be reached

    // registers
    input  wire [31:0] open_i,
    input  wire [31:0] tail_i,
    output reg  [31:0] opened_o,
    output reg  [31:0] head_o,
    output reg         head_moved_o, // to the tail, for one cycle

    // IN and OUT: twice as much as is in BAR 0, the upper half is for the host's memory
    output wire [WINDOW_LOG2:2] in_index_o,
    input  wire [         31:0] in_data_i,    // a cycle later
    output reg                  out_write_o,
    output reg  [WINDOW_LOG2:2] out_index_o,
    output reg  [         31:0] out_data_o,

    // the host's memory
    output reg         gather_o,        // read it, for one cycle
    output reg         scatter_o,       // write it
    output wire [63:0] host_address_o,
    output wire [12:0] host_bytes_o,
    input  wire        gathered_i,
    input  wire        failed_i,        // with gathered_i
    input  wire        scattered_i,

    // the device (heddle.v)
    output reg device_rst_o,
    input wire ready_i,  // after that reset it may be asked something
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
  localparam [4:0] RESET = 5'd20;  // cycles: the device is reset for all but the last four, by which ready_i has fallen
  localparam [31:0] DONE = 32'd0, NO_ADDRESS = 32'd1, NO_REQUEST = 32'd2, NO_HOST_MEMORY = 32'd3;

  // IDLE: nothing to do, or an opening. WAKE_UP: the device is being reset. FETCH: the words of a request come. CHECK:
  // what it is. GATHER, SCATTER: the host's memory. READ: a word of IN is asked for. TAKE: they come. STORE: a beat of
  // them, or a word, goes to the device. LOAD, LOADED: a beat or a word is read. GIVE: it goes to OUT. RESULT: what
  // became of it. NEXT: head moves.
  localparam [3:0] IDLE = 4'd0, WAKE_UP = 4'd1, FETCH = 4'd2, CHECK = 4'd3, GATHER = 4'd4, READ = 4'd5, TAKE = 4'd6;
  localparam [3:0] STORE = 4'd7, LOAD = 4'd8, LOADED = 4'd9, GIVE = 4'd10, SCATTER = 4'd11, RESULT = 4'd12;
  localparam [3:0] NEXT = 4'd13;
  reg  [ 3:0] state;
  reg  [ 4:0] wake;
  wire [31:0] waiting = tail_i - head_o;

  // The request, and what is known of it a cycle after it is there.
  reg  [ 2:0] fetched;  // words of it that have been asked for
  reg [31:0] kind, address, length, buffer, buffer_high;
  wire in_host = kind[8];
  wire is_write = kind[1];
  reg is_request, reachable, looked;
  wire [32:0] last = {1'b0, address} + {20'd0, length[12:0]} - 33'd1;
  wire last_unused = &{1'b0, last[11:0]};
  wire in_global = last[32:GLOBAL_LOG2] == 0 && address[31:GLOBAL_LOG2] == 0;
  wire aligned = address[1:0] == 0 && length[1:0] == 0;
  wire in_control = address[31:12] == 20'hF0000 && last[32:12] == 21'h0F0000 && aligned;
  wire [13:0] buffer_end = {2'b00, buffer[11:0]} + {1'b0, length[12:0]};
  wire [WINDOW_LOG2+1:0] window_end = {1'b0, buffer[WINDOW_LOG2:0]} + {{WINDOW_LOG2 - 11{1'b0}}, length[12:0]};
  wire in_page = buffer_end <= 14'd4096;
  wire in_window = {buffer_high, buffer[31:WINDOW_LOG2]} == 0 && buffer >= 32'h400 && window_end <= (1 << WINDOW_LOG2);
  wire possible = is_request && reachable && (master_i || !in_host);
  assign host_address_o = {buffer_high, buffer};
  assign host_bytes_o   = length[12:0];

  reg [31:0] at;  // the next byte's address on the device
  reg [12:0] left;  // bytes that are still to be moved
  reg [WINDOW_LOG2:2] index;  // of the next word in IN or OUT
  reg [31:0] result;
  reg [8*BEAT_BYTES-1:0] beat;  // what was read
  reg control_asked;
  wire control = at[31];  // of two windows that do not meet
  wire [2:0] to_word_end = 3'd4 - {1'b0, at[1:0]};
  wire [2:0] step = left < {10'd0, to_word_end} ? left[2:0] : to_word_end;  // bytes of this word
  wire [3:0] strobe = (4'b1111 << at[1:0]) & ~(4'b1111 << ({1'b0, at[1:0]} + step));
  wire ends = left == {10'd0, step};
  wire piece_ends = ends || control || (&at[BEAT_LOG2-1:2]);
  wire [BEAT_LOG2-3:0] word_at = at[BEAT_LOG2-1:2];

  assign in_index_o = state == FETCH ? {{WINDOW_LOG2 - 8{1'b0}}, head_o[3:0], fetched} :
      state == TAKE ? index + {{WINDOW_LOG2 - 2{1'b0}}, 1'b1} : index;

  always @(posedge clk) begin
    control_valid_o <= 1'b0;
    head_moved_o <= 1'b0;
    out_write_o <= 1'b0;
    gather_o <= 1'b0;
    scatter_o <= 1'b0;
    is_request <= kind[31:9] == 0 && kind[7:2] == 0 && (kind[1] ^ kind[0]) && length != 0 && length <= 32'd4096 &&
        buffer[6:0] == address[6:0] && (in_host ? in_page : in_window);
    reachable <= in_global || in_control;
    case (state)
      IDLE: begin
        wake <= RESET;
        fetched <= 3'd0;
        looked <= 1'b0;
        if (open_i != opened_o) state <= WAKE_UP;
        else if (waiting != 0 && waiting <= 32'd16) state <= FETCH;
      end
      WAKE_UP:
      if (wake != 0) wake <= wake - 5'd1;
      else if (ready_i) begin
        head_o <= tail_i;
        opened_o <= open_i;
        state <= IDLE;
      end
      FETCH: begin
        fetched <= fetched + 3'd1;
        {kind, address, length, buffer, buffer_high} <= {address, length, buffer, buffer_high, in_data_i};
        if (fetched == 5) state <= CHECK;
      end
      CHECK: begin
        looked <= 1'b1;
        at <= address;
        left <= length[12:0];
        index <= in_host ? {1'b1, {WINDOW_LOG2 - 12{1'b0}}, buffer[11:2]} : {1'b0, buffer[WINDOW_LOG2-1:2]};
        result <= DONE;
        if (!reachable) result <= NO_ADDRESS;
        if (in_host && !master_i) result <= NO_HOST_MEMORY;
        if (!is_request) result <= NO_REQUEST;
        if (looked) begin
          state <= !possible ? RESULT : !is_write ? LOAD : in_host ? GATHER : READ;
          gather_o <= possible && is_write && in_host;
        end
      end
      GATHER:
      if (gathered_i) begin
        result <= failed_i ? NO_HOST_MEMORY : DONE;
        state  <= failed_i ? RESULT : READ;
      end
      READ: state <= TAKE;
      TAKE: begin
        link_data_o[{word_at, 5'd0}+:32] <= in_data_i;
        link_strobe_o[{word_at, 2'd0}+:4] <= strobe;
        link_address_o <= {at[GLOBAL_LOG2-1:BEAT_LOG2], {BEAT_LOG2{1'b0}}};
        link_store_o <= 1'b1;
        control_write_o <= 1'b1;
        control_address_o <= at[11:2];
        control_data_o <= in_data_i;
        index <= index + 1'b1;
        if (piece_ends) begin
          link_valid_o <= !control;
          state <= STORE;
        end else begin
          at   <= at + {29'd0, step};
          left <= left - {10'd0, step};
        end
      end
      // A register is written when the cache has taken what was written before.
      STORE:
      if (control ? link_quiet_i : link_ready_i) begin
        link_valid_o <= 1'b0;
        link_strobe_o <= {BEAT_BYTES{1'b0}};
        control_valid_o <= control;
        at <= at + {29'd0, step};
        left <= left - {10'd0, step};
        state <= ends ? RESULT : READ;
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
        beat <= link_answer_data_i;
        if (control) beat[{word_at, 5'd0}+:32] <= control_data_i;
        // The register's answer comes in the cycle after control_valid_o.
        if (control ? control_asked : link_answer_i) state <= GIVE;
      end
      GIVE: begin
        out_write_o <= 1'b1;
        out_index_o <= index;
        out_data_o <= beat[{word_at, 5'd0}+:32];
        index <= index + 1'b1;
        at <= at + {29'd0, step};
        left <= left - {10'd0, step};
        if (ends) begin
          scatter_o <= in_host;
          state <= in_host ? SCATTER : RESULT;
        end else if (piece_ends) state <= LOAD;
      end
      SCATTER: if (scattered_i) state <= RESULT;
      RESULT: begin
        out_write_o <= 1'b1;
        out_index_o <= {{WINDOW_LOG2 - 5{1'b0}}, head_o[3:0]};
        out_data_o <= result;
        state <= NEXT;
      end
      default: begin
        head_o <= head_o + 32'd1;
        head_moved_o <= head_o + 32'd1 == tail_i;
        state <= IDLE;
      end
    endcase
    device_rst_o <= rst || (state == WAKE_UP && wake > 5'd4);
    if (rst) begin
      state <= IDLE;
      opened_o <= 32'd0;
      head_o <= 32'd0;
      link_valid_o <= 1'b0;
      link_strobe_o <= {BEAT_BYTES{1'b0}};
    end
  end
endmodule

`default_nettype wire
