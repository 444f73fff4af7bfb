// SPDX-License-Identifier: Apache-2.0
// Requests of the host that want an answer, in their order, until completer.v has time for them; and what kind of
// answer it is to be. So packets that want none never wait for one. A request is there two cycles after its header.
`default_nettype none

module request_queue #(
    parameter BAR_LOG2   = 16,  // log2 of the bytes of BAR 0, 16 or more
    parameter DEPTH_LOG2 = 5,   // log2 of the requests that may wait: as many as the core's host may have under way
    parameter BITS       = 67   // derived: of an entry
) (
    input wire clk,
    input wire rst,

    // headers, from tlp_receiver.v
    input  wire        header_i,
    input  wire [ 2:0] fmt_i,
    input  wire [ 4:0] type_i,
    input  wire [31:0] first_i,
    input  wire [31:0] second_i,
    input  wire [63:0] address_i,
    output reg         full_o,     // there is no room for more than two

    // the oldest request
    output wire        valid_o,
    input  wire        ready_i,
    output wire        locked_o,
    output wire        memory_o,        // a read of memory
    output wire [ 2:0] status_o,        // what it is answered with
    output wire [ 2:0] class_o,
    output wire [ 2:0] attributes_o,
    output wire [15:0] requester_o,
    output wire [ 7:0] tag_o,
    output wire [15:2] address_o,
    output wire [ 9:0] length_o,
    output wire [ 3:0] first_strobe_o,
    output wire [ 3:0] last_strobe_o
);
  localparam [2:0] GOOD = 3'b000, UNSUPPORTED = 3'b001, ABORT = 3'b100;

  // IO and configuration are for the core; atomic operations are not offered.
  wire memory_read = !fmt_i[2] && !fmt_i[1] && type_i == 5'b00000;
  wire locked = !fmt_i[2] && !fmt_i[1] && type_i == 5'b00001;
  wire atomic = fmt_i[1] && type_i[4:2] == 3'b011 && type_i[1:0] != 2'b11;
  wire other = !fmt_i[2] && (type_i == 5'b00010 || type_i[4:1] == 4'b0010 || atomic);
  wire beyond = |(address_i[BAR_LOG2-1:0] >> 16);
  wire from_in = address_i[15:14] == 2'b10;  // which is only written
  wire [2:0] status = !memory_read || beyond ? UNSUPPORTED : from_in ? ABORT : GOOD;
  wire unused = &{1'b0, fmt_i[0], first_i, address_i};

  reg [BITS-1:0] entries[0:(1<<DEPTH_LOG2)-1];
  reg [DEPTH_LOG2:0] written, read;
  wire [DEPTH_LOG2:0] waiting = written - read;
  assign valid_o = written != read;
  wire [BITS-1:0] oldest = entries[read[DEPTH_LOG2-1:0]];
  assign {locked_o, memory_o, status_o} = oldest[BITS-1:62];
  assign {class_o, attributes_o, requester_o, tag_o} = oldest[61:32];
  assign {address_o, length_o, first_strobe_o, last_strobe_o} = oldest[31:0];
  always @(posedge clk) begin
    full_o <= waiting >= (1 << DEPTH_LOG2) - 2;
    if (header_i && (memory_read || locked || other)) begin
      entries[written[DEPTH_LOG2-1:0]] <= {
        locked,
        memory_read || locked,
        status,
        first_i[22:20],
        first_i[18],
        first_i[13:12],
        second_i[31:16],
        second_i[15:8],
        address_i[15:2],
        first_i[9:0],
        second_i[3:0],
        second_i[7:4]
      };
      written <= written + 1'b1;
    end
    if (valid_o && ready_i) read <= read + 1'b1;
    if (rst) begin
      written <= {DEPTH_LOG2 + 1{1'b0}};
      read <= {DEPTH_LOG2 + 1{1'b0}};
    end
  end
endmodule

`default_nettype wire
