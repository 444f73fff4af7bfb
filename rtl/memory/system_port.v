// SPDX-License-Identifier: Apache-2.0
// The port to the device cache that the host link, the dispatch reader and the command processor share, round robin: a
// request a cycle; answers come in the order of requests. Combinational; the cache registers the request.
`default_nettype none

module system_port #(
    parameter ADDRESS_BITS = 28,  // bits of an address in global memory
    parameter BEAT_LOG2 = 5,  // log2 of the bytes of a beat
    parameter LABEL_BITS = 15,  // of the labels of the command processor
    parameter BEAT_BYTES = 1 << BEAT_LOG2
) (
    input wire clk,
    input wire rst,

    // the host link: loads and stores
    input  wire                    link_valid_i,
    output wire                    link_ready_o,
    input  wire                    link_store_i,
    input  wire [ADDRESS_BITS-1:0] link_address_i,
    input  wire [8*BEAT_BYTES-1:0] link_data_i,
    input  wire [  BEAT_BYTES-1:0] link_strobe_i,
    output wire                    link_answer_o,

    // the dispatch reader: loads
    input  wire                    reader_valid_i,
    output wire                    reader_ready_o,
    input  wire [ADDRESS_BITS-1:0] reader_address_i,
    output wire                    reader_answer_o,

    // the command processor: loads and stores
    input  wire                    processor_valid_i,
    output wire                    processor_ready_o,
    input  wire                    processor_store_i,
    input  wire [ADDRESS_BITS-1:0] processor_address_i,
    input  wire [8*BEAT_BYTES-1:0] processor_data_i,
    input  wire [  BEAT_BYTES-1:0] processor_strobe_i,
    input  wire [  LABEL_BITS-1:0] processor_label_i,
    output wire                    processor_answer_o,
    input  wire                    processor_answer_ready_i,
    output wire [  LABEL_BITS-1:0] answer_label_o,

    // the cache
    output wire                    request_valid_o,
    input  wire                    request_ready_i,
    output wire                    request_store_o,
    output wire [ADDRESS_BITS-1:0] request_address_o,
    output wire [8*BEAT_BYTES-1:0] request_data_o,
    output wire [  BEAT_BYTES-1:0] request_strobe_o,
    output wire [  LABEL_BITS+1:0] request_label_o,    // {requester, label of the command processor}
    input  wire                    response_valid_i,
    output wire                    response_ready_o,
    input  wire [  LABEL_BITS+1:0] response_label_i
);
  localparam [1:0] LINK = 2'd0, READER = 2'd1, PROCESSOR = 2'd2;
  wire [2:0] grant;
  round_robin #(
      .WIDTH(3)
  ) round_robin (
      .clk(clk),
      .rst(rst),
      .request_i({processor_valid_i, reader_valid_i, link_valid_i}),
      .grant_o(grant),
      .taken_i(request_ready_i)
  );
  assign request_valid_o = grant != 0;
  assign request_store_o = (grant[0] && link_store_i) || (grant[2] && processor_store_i);
  assign request_address_o = grant[2] ? processor_address_i : grant[1] ? reader_address_i : link_address_i;
  assign request_data_o = grant[2] ? processor_data_i : link_data_i;
  assign request_strobe_o = grant[2] ? processor_strobe_i : link_strobe_i;
  assign request_label_o = {grant[2] ? PROCESSOR : grant[1] ? READER : LINK, processor_label_i};
  assign {processor_ready_o, reader_ready_o, link_ready_o} = grant & {3{request_ready_i}};

  wire [1:0] requester;
  assign {requester, answer_label_o} = response_label_i;
  assign link_answer_o = response_valid_i && requester == LINK;
  assign reader_answer_o = response_valid_i && requester == READER;
  assign processor_answer_o = response_valid_i && requester == PROCESSOR;
  assign response_ready_o = requester != PROCESSOR || processor_answer_ready_i;
endmodule

`default_nettype wire
