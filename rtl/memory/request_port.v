// SPDX-License-Identifier: Apache-2.0
// Joins the requests of instruction fetch and load/store into a unit's port to the device cache. Fetch has priority; it
// has at most one request in flight. The label says whose answer it is. Combinational.
`default_nettype none

module request_port #(
    parameter ADDRESS_BITS = 28,  // bits of an address in global memory
    parameter LABEL_BITS   = 61   // of the labels of load/store
) (
    // instruction fetch
    input  wire                    fetch_valid_i,
    output wire                    fetch_ready_o,
    input  wire [ADDRESS_BITS-1:0] fetch_address_i,
    output wire                    fetch_response_o,

    // load/store; a request's kind: 0 load, 1 store, 2 atomic
    input  wire                    data_valid_i,
    output wire                    data_ready_o,
    input  wire [             1:0] data_kind_i,
    input  wire [ADDRESS_BITS-1:0] data_address_i,
    input  wire [  LABEL_BITS-1:0] data_label_i,
    output wire                    data_response_o,
    input  wire                    data_response_ready_i,

    // the cache
    output wire                    request_valid_o,
    input  wire                    request_ready_i,
    output wire [             1:0] request_kind_o,
    output wire [ADDRESS_BITS-1:0] request_address_o,
    output wire [    LABEL_BITS:0] request_label_o,    // {instruction fetch, load/store's own}
    input  wire                    response_valid_i,
    output wire                    response_ready_o,
    input  wire                    response_fetch_i
);
  assign request_valid_o = fetch_valid_i || data_valid_i;
  assign request_kind_o = fetch_valid_i ? 2'd0 : data_kind_i;
  assign request_address_o = fetch_valid_i ? fetch_address_i : data_address_i;
  assign request_label_o = {fetch_valid_i, data_label_i};
  assign fetch_ready_o = request_ready_i;
  assign data_ready_o = request_ready_i && !fetch_valid_i;

  assign fetch_response_o = response_valid_i && response_fetch_i;
  assign data_response_o = response_valid_i && !response_fetch_i;
  assign response_ready_o = response_fetch_i || data_response_ready_i;
endmodule

`default_nettype wire
