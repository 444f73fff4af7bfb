// SPDX-License-Identifier: Apache-2.0
// What the dispatch may do in each page of global memory (contract/DEVICE.md, "Rights"): a table in block RAM, looked up
// once for all lanes of a pass. The answer is for the page that was asked for in the last cycle with look_i, and stays.
// One look-up a cycle; the table is written beside them.
`include "rtl/shape.vh"
`default_nettype none

module rights #(
    parameter ADDRESS_BITS = 28,  // bits of an address in global memory
    parameter PAGES_LOG2   = 12   // log2 of the pages, 1 to 12; of a page at least 4 KiB
) (
    input wire clk,

    input wire [`HEDDLE_RIGHTS_BITS-1:0] rights_i,  // {domain of the dispatch, set, page, entry}

    input  wire                    look_i,
    input  wire [ADDRESS_BITS-1:0] address_i,
    output wire                    load_o,     // the cycle after: it may load from the page
    output wire                    store_o     // and store to it
);
  localparam PAGE_LOG2 = `HEDDLE_PAGE_LOG2(ADDRESS_BITS, PAGES_LOG2);
  localparam PAGE_BITS = ADDRESS_BITS - PAGE_LOG2;
  localparam [31:0] EVERYBODY = `HEDDLE_DOMAIN_EVERYBODY;
  wire [6:0] domain = rights_i[21+:7];
  wire [11:0] page = rights_i[8+:12];
  (* ram_style = "block", no_rw_check *) reg [7:0] entries[0:(1<<PAGE_BITS)-1];
  reg [7:0] entry;
  reg unchecked;
  always @(posedge clk) begin
    if (rights_i[20]) entries[page[PAGE_BITS-1:0]] <= rights_i[7:0];
    if (look_i) entry <= entries[address_i[PAGE_LOG2+:PAGE_BITS]];
    unchecked <= domain == 7'd0;
  end
  assign load_o  = unchecked || entry[6:0] == domain || entry[6:0] == EVERYBODY[6:0];
  assign store_o = unchecked || (load_o && entry[7]);
  wire unused = &{1'b0, page, address_i};
endmodule

`default_nettype wire
