// SPDX-License-Identifier: Apache-2.0
// The one port to memory of a chain: requests of its kernels, of the reader of dispatches, and stores of what is left in
// its queues, in turn, one a cycle. One that has been offered stays until it is taken. The highest bits of a label say
// whose answer it is. Requests and answers pass in the same cycle.
`default_nettype none

module chain_port #(
    parameter KERNELS = 2,  // 2 to 15
    parameter QUEUES = 1,
    parameter GLOBAL_LOG2 = 28,  // these as in compute_unit.v
    parameter BEAT_LOG2 = 4,
    parameter OWNER_BITS = 5,
    parameter LABEL_BITS = 63,
    parameter SOURCE_BITS = 2,  // log2 of KERNELS + 1, rounded up: a kernel's labels are shorter by these
    parameter BEAT_BYTES = 1 << BEAT_LOG2,  // derived
    parameter KERNEL_LABEL_BITS = LABEL_BITS - SOURCE_BITS
) (
    input wire clk,
    input wire rst,

    // the kernels, each as in compute_unit.v
    input wire [KERNELS-1:0] kernel_valid_i,
    output wire [KERNELS-1:0] kernel_ready_o,
    input wire [KERNELS*2-1:0] kernel_kind_i,
    input wire [KERNELS*5-1:0] kernel_function_i,
    input wire [KERNELS*GLOBAL_LOG2-1:0] kernel_address_i,
    input wire [KERNELS*8*BEAT_BYTES-1:0] kernel_data_i,
    input wire [KERNELS*BEAT_BYTES-1:0] kernel_strobe_i,
    input wire [KERNELS*OWNER_BITS-1:0] kernel_owner_i,
    input wire [KERNELS*KERNEL_LABEL_BITS-1:0] kernel_label_i,
    output wire [KERNELS-1:0] kernel_response_o,
    input wire [KERNELS-1:0] kernel_response_ready_i,

    // the reader of dispatches, which loads
    input wire reader_valid_i,
    output wire reader_ready_o,
    input wire [GLOBAL_LOG2-1:0] reader_address_i,
    output wire reader_response_o,

    // the queues, which store
    input wire [QUEUES-1:0] store_valid_i,
    output wire [QUEUES-1:0] store_ready_o,
    input wire [QUEUES*GLOBAL_LOG2-1:0] store_address_i,
    input wire [QUEUES*8*BEAT_BYTES-1:0] store_data_i,
    input wire [QUEUES*BEAT_BYTES-1:0] store_strobe_i,

    // the port
    output reg held_o,  // a request has been offered and was not taken
    output wire request_valid_o,
    input wire request_ready_i,
    output reg [1:0] request_kind_o,
    output reg [4:0] request_function_o,
    output reg [GLOBAL_LOG2-1:0] request_address_o,
    output reg [8*BEAT_BYTES-1:0] request_data_o,
    output reg [BEAT_BYTES-1:0] request_strobe_o,
    output reg [OWNER_BITS-1:0] request_owner_o,
    output reg [LABEL_BITS-1:0] request_label_o,
    input wire response_valid_i,
    output wire response_ready_o,
    input wire [SOURCE_BITS-1:0] response_source_i  // of its label
);
  localparam SOURCES = KERNELS + 1 + QUEUES;  // kernels, the reader of dispatches, queues
  wire [SOURCES-1:0] asking = {store_valid_i, reader_valid_i, kernel_valid_i};
  wire [SOURCES-1:0] next;
  reg  [SOURCES-1:0] held;
  wire [SOURCES-1:0] chosen = held_o ? held : next;
  round_robin #(
      .WIDTH(SOURCES)
  ) round_robin (
      .clk(clk),
      .rst(rst),
      .request_i(asking),
      .grant_o(next),
      .taken_i(request_ready_i && !held_o)
  );
  assign request_valid_o = asking != 0;
  assign {store_ready_o, reader_ready_o, kernel_ready_o} = chosen & {SOURCES{request_ready_i}};
  always @(posedge clk) begin
    held_o <= !rst && request_valid_o && !request_ready_i;
    held   <= chosen;
  end
  integer s;
  always @* begin
    request_kind_o = chosen[SOURCES-1:KERNELS+1] != 0 ? 2'd1 : 2'd0;
    request_function_o = 5'd0;
    request_address_o = chosen[KERNELS] ? reader_address_i : {GLOBAL_LOG2{1'b0}};
    request_data_o = {8 * BEAT_BYTES{1'b0}};
    request_strobe_o = {BEAT_BYTES{chosen[KERNELS]}};
    request_owner_o = {OWNER_BITS{1'b0}};
    request_label_o = {LABEL_BITS{1'b0}};
    if (chosen[KERNELS]) request_label_o[LABEL_BITS-1:KERNEL_LABEL_BITS] = KERNELS;
    for (s = 0; s < KERNELS; s = s + 1)
    if (chosen[s]) begin
      request_kind_o = kernel_kind_i[s*2+:2];
      request_function_o = kernel_function_i[s*5+:5];
      request_address_o = kernel_address_i[s*GLOBAL_LOG2+:GLOBAL_LOG2];
      request_data_o = kernel_data_i[s*8*BEAT_BYTES+:8*BEAT_BYTES];
      request_strobe_o = kernel_strobe_i[s*BEAT_BYTES+:BEAT_BYTES];
      request_owner_o = kernel_owner_i[s*OWNER_BITS+:OWNER_BITS];
      request_label_o = {s[SOURCE_BITS-1:0], kernel_label_i[s*KERNEL_LABEL_BITS+:KERNEL_LABEL_BITS]};
    end
    for (s = 0; s < QUEUES; s = s + 1)
    if (chosen[KERNELS+1+s]) begin
      request_address_o = store_address_i[s*GLOBAL_LOG2+:GLOBAL_LOG2];
      request_data_o = store_data_i[s*8*BEAT_BYTES+:8*BEAT_BYTES];
      request_strobe_o = store_strobe_i[s*BEAT_BYTES+:BEAT_BYTES];
    end
  end
  wire [KERNELS-1:0] refused;
  genvar k;
  generate
    for (k = 0; k < KERNELS; k = k + 1) begin : answer
      localparam [SOURCE_BITS-1:0] OWN_SOURCE = k;
      assign kernel_response_o[k] = response_valid_i && response_source_i == OWN_SOURCE;
      assign refused[k] = response_source_i == OWN_SOURCE && !kernel_response_ready_i[k];
    end
  endgenerate
  localparam [SOURCE_BITS-1:0] READER_SOURCE = KERNELS;
  assign reader_response_o = response_valid_i && response_source_i == READER_SOURCE;
  assign response_ready_o  = refused == 0;
endmodule

`default_nettype wire
