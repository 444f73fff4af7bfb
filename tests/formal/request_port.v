// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/memory/request_port.v hands each request on once and unchanged, and each answer to whom its label names. Load/store
// is passed over once at most before fetch has its answer and may ask again. For ever (induction).
`default_nettype none

module request_port_proof #(
    parameter ADDRESS_BITS = 28,
    parameter LABEL_BITS   = 61
) (
    input wire                    clk,
    input wire                    fetch_valid,
    input wire [ADDRESS_BITS-1:0] fetch_address,
    input wire                    data_valid,
    input wire [             1:0] data_kind,
    input wire [ADDRESS_BITS-1:0] data_address,
    input wire [  LABEL_BITS-1:0] data_label,
    input wire                    data_response_ready,
    input wire                    request_ready,
    input wire                    response_valid,
    input wire                    response_fetch
);
  wire rst = $initstate;
  wire fetch_ready, fetch_response, data_ready, data_response;
  wire request_valid, response_ready;
  wire [LABEL_BITS:0] request_label;
  wire [1:0] request_kind;
  wire [ADDRESS_BITS-1:0] request_address;
  request_port #(
      .ADDRESS_BITS(ADDRESS_BITS),
      .LABEL_BITS  (LABEL_BITS)
  ) dut (
      .fetch_valid_i(fetch_valid),
      .fetch_ready_o(fetch_ready),
      .fetch_address_i(fetch_address),
      .fetch_response_o(fetch_response),
      .data_valid_i(data_valid),
      .data_ready_o(data_ready),
      .data_kind_i(data_kind),
      .data_address_i(data_address),
      .data_label_i(data_label),
      .data_response_o(data_response),
      .data_response_ready_i(data_response_ready),
      .request_valid_o(request_valid),
      .request_ready_i(request_ready),
      .request_kind_o(request_kind),
      .request_address_o(request_address),
      .request_label_o(request_label),
      .response_valid_i(response_valid),
      .response_ready_o(response_ready),
      .response_fetch_i(response_fetch)
  );
  wire fetches = fetch_valid && fetch_ready, takes = data_valid && data_ready;
  wire request = request_valid && request_ready;

  // Fetch has one request under way at most; the cache answers what it was asked, in a later cycle.
  reg  under_way;
  always @(posedge clk)
    if (rst) under_way <= 1'b0;
    else if (fetches) under_way <= 1'b1;
    else if (fetch_response) under_way <= 1'b0;
  always @* begin
    if (under_way)
      assume (!fetch_valid);
      else assume (!(response_valid && response_fetch));
  end

  reg passed_over;  // a request of load/store waits, and fetch has gone before it
  always @(posedge clk) passed_over <= !rst && data_valid && !takes && (fetches || passed_over);
  // A request that waits stays.
  reg waits;
  always @(posedge clk) waits <= !rst && data_valid && !takes;
  always @* if (waits) assume (data_valid);

  // In between the fetch's answer may have come, and fetch may ask again.
  reg answered;
  always @(posedge clk) answered <= passed_over && (answered || fetch_response);
  always @* begin
    assert (request == (fetches || takes) && !(fetches && takes));
    if (fetches) assert (request_label[LABEL_BITS] && request_kind == 0 && request_address == fetch_address);
    if (takes)
      assert (request_label == {1'b0, data_label} && request_kind == data_kind && request_address == data_address);
    assert ((response_valid && response_ready) == (fetch_response || (data_response && data_response_ready)));
    if (response_valid) assert (fetch_response == response_fetch && data_response != response_fetch);
    if (!rst && passed_over && !answered) assert (under_way);
    if (!rst && passed_over && request && !answered) assert (takes);
    cover (!rst && passed_over && takes);
  end
endmodule

`default_nettype wire
