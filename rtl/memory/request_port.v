// SPDX-License-Identifier: Apache-2.0
// Joins instruction fetch and load/store on a unit's memory port, and hands each answer to who asked. Fetch goes first: it has
// at most one request under way. External memory answers reads in order; a queue of their origins says whose each is.
`default_nettype none

module request_port #(
    parameter PLACE_BITS = 28,  // bits of an address in global memory
    parameter DEPTH_LOG2 = 5    // log2 of the reads that may be under way
) (
    input wire clk,
    input wire rst,

    // instruction fetch
    input  wire                  fetch_valid_i,
    output wire                  fetch_ready_o,
    input  wire [PLACE_BITS-1:0] fetch_address_i,
    output wire                  fetch_response_o,

    // load/store
    input  wire                  data_valid_i,
    output wire                  data_ready_o,
    input  wire                  data_store_i,
    input  wire [PLACE_BITS-1:0] data_address_i,
    output wire                  data_response_o,
    input  wire                  data_response_ready_i,

    // external memory
    output wire                  request_valid_o,
    input  wire                  request_ready_i,
    output wire                  request_store_o,
    output wire [PLACE_BITS-1:0] request_address_o,
    input  wire                  response_valid_i,
    output wire                  response_ready_o
);
  reg origins[0:(1<<DEPTH_LOG2)-1];  // instruction fetch
  reg [DEPTH_LOG2:0] asked, answered;
  wire full = asked[DEPTH_LOG2] != answered[DEPTH_LOG2] && asked[DEPTH_LOG2-1:0] == answered[DEPTH_LOG2-1:0];

  wire reads = fetch_valid_i || !data_store_i;
  assign request_valid_o = (fetch_valid_i || data_valid_i) && !(reads && full);
  assign request_store_o = !reads;
  assign request_address_o = fetch_valid_i ? fetch_address_i : data_address_i;
  assign fetch_ready_o = request_ready_i && !full;
  assign data_ready_o = request_ready_i && !fetch_valid_i && !(reads && full);

  wire origin_fetch = origins[answered[DEPTH_LOG2-1:0]];
  assign fetch_response_o = response_valid_i && origin_fetch;
  assign data_response_o  = response_valid_i && !origin_fetch;
  assign response_ready_o = origin_fetch || data_response_ready_i;

  always @(posedge clk) begin
    if (request_valid_o && request_ready_i && reads) begin
      origins[asked[DEPTH_LOG2-1:0]] <= fetch_valid_i;
      asked <= asked + 1'b1;
    end
    if (response_valid_i && response_ready_o) answered <= answered + 1'b1;
    if (rst) begin
      asked <= 0;
      answered <= 0;
    end
  end
endmodule

`default_nettype wire
