// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/pipeline/pipe_queue.v gives each packet that it took to the reader or, when that has ended, to the pipe's
// memory, once and in order; takes no more than the pipe has room for; refuses a read only when the writer has ended
// and nothing is left; and has ended only when all is where it belongs, with its number behind it. The rules of its
// users: who has ended asks for nothing. In the first cycles after reset.
`default_nettype none

module pipe_queue_proof #(
    parameter BYTES = 4  // of a packet
) (
    input wire               clk,
    input wire [        3:0] most,
    input wire               makes_room,
    input wire               write,
    input wire [8*BYTES-1:0] packet,
    input wire               writer_ends,
    input wire               read,
    input wire               reader_ends,
    input wire               stop,
    input wire               store_ready
);
  localparam GLOBAL_LOG2 = 12, BEAT_LOG2 = 4, PIECE = BYTES % 4 == 0 ? 4 : BYTES % 2 == 0 ? 2 : 1;
  localparam [11:0] ADDRESS = 12'h400, OFFSET = 12'h080, COUNT = 12'h414, STEP = PIECE;
  wire rst = $initstate;
  reg writer_ended, reader_ended;
  wire write_ready, write_ok, read_ready, read_ok, store, ended;
  wire [8*BYTES-1:0] got;
  wire [11:0] store_address;
  wire [127:0] store_data;
  wire [15:0] store_strobe;
  reg [3:0] room;
  reg is_stream;
  pipe_queue #(
      .BYTES(BYTES),
      .DEPTH_LOG2(1),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .BEAT_LOG2(BEAT_LOG2)
  ) dut (
      .clk(clk),
      .rst(rst),
      .open_i(1'b1),
      .most_i({is_stream, 27'd0, room}),
      .address_i(ADDRESS),
      .offset_i(OFFSET),
      .stop_i(stop),
      .write_i(write),
      .write_packet_i(packet),
      .write_ready_o(write_ready),
      .write_ok_o(write_ok),
      .writer_ended_i(writer_ended),
      .read_i(read),
      .read_ready_o(read_ready),
      .read_ok_o(read_ok),
      .read_packet_o(got),
      .reader_ended_i(reader_ended),
      .store_valid_o(store),
      .store_ready_i(store_ready),
      .store_address_o(store_address),
      .store_data_o(store_data),
      .store_strobe_o(store_strobe),
      .ended_o(ended)
  );
  wire taken = write && write_ready && write_ok, given = read && read_ready && read_ok;
  wire stored = store && store_ready;
  always @* begin
    if (rst) assume (!write && !read);
    if (writer_ended) assume (!write);
    if (reader_ended) assume (!read);
    if (stop) assume (reader_ended || !read);
  end
  always @(posedge clk) begin
    writer_ended <= !rst && (writer_ended || (writer_ends && (!write || write_ready)));
    reader_ended <= !rst && (reader_ended || (reader_ends && (!read || read_ready)));
    if (rst) {is_stream, room} <= {makes_room, most};
  end

  // How many came and went; what any one of them was, and the next byte of it that is to be stored.
  reg [5:0] in, out, kept;
  reg [6:0] place;  // bytes that were stored
  reg counted;
  (* anyconst *) wire [5:0] chosen;
  reg [8*BYTES-1:0] watched;
  wire is_count = stored && store_address == {COUNT[11:4], 4'd0};
  wire [6:0] next_place = place + STEP[6:0];
  wire whole = next_place % BYTES == 0;
  wire [11:0] at = ADDRESS + OFFSET + {5'd0, place};
  wire [6:0] offset = place % BYTES;
  always @(posedge clk) begin
    if (rst) begin
      {in, out, kept} <= 18'd0;
      place <= 7'd0;
      counted <= 1'b0;
    end else begin
      in  <= in + {5'd0, taken};
      out <= out + {5'd0, given || (stored && !is_count && whole)};
      if (taken && in == chosen) watched <= packet;
      if (stored && is_count) counted <= 1'b1;
      if (stored && !is_count) begin
        place <= next_place;
        if (whole) kept <= kept + 6'd1;
      end
      assert (out <= in);
      if (!is_stream) assert (in <= {2'd0, room});
      if (is_stream) assert (in - (out - kept) <= {2'd0, room});
      if (write && write_ready && !write_ok && is_stream) assert (reader_ended);
      if (write && !is_stream && in == {2'd0, room}) assert (write_ready && !write_ok);
      if (given && out == chosen) assert (got == watched);
      if (read && read_ready && !read_ok) assert (writer_ended && in == out);
      if (stored && !is_count) begin
        assert (reader_ended);
        assert (store_address == {at[11:4], 4'd0});
        assert (store_strobe == {{16 - PIECE{1'b0}}, {PIECE{1'b1}}} << at[3:0]);
        if (out == chosen) assert (store_data[8*at[3:0]+:8*PIECE] == watched[8*offset+:8*PIECE]);
      end
      if (is_count)
        assert (!counted && writer_ended && in == out && store_data[63:32] == {26'd0, kept} && store_strobe == 16'h00F0);
      if (ended) assert (writer_ended && reader_ended && in == out && (kept == 6'd0 || counted));
      cover (ended && kept == 6'd1 && in == 6'd3);
      cover (write && write_ready && !write_ok && is_stream);
    end
  end
endmodule

`default_nettype wire
