// SPDX-License-Identifier: Apache-2.0
// The registers of one lane: 32 words for each slot, two read ports or three, one write port. Word 0 of a slot (x0)
// holds the work-item's packed local ids; readers of x0 gate it. Reads take 2 cycles (block RAM, then a register: a
// block RAM's own clock-to-output is half a cycle). A write is seen by reads that start the cycle after; what a read of
// the same word in the same cycle gives is nobody's business: the unit's in_flight.v discards it. The third port may be
// given another word than the other two: in a sum of floats across lanes, what the lane adds next.
`default_nettype none

module register_file #(
    parameter ADDRESS_BITS = 10,  // log2(SLOTS) + 5
    parameter THIRD = 1  // 1: with the third read port
) (
    input wire clk,

    // read: {slot, register}
    input  wire [ADDRESS_BITS-1:0] read1_i,
    input  wire [ADDRESS_BITS-1:0] read2_i,
    input  wire [ADDRESS_BITS-1:0] read3_i,
    output reg  [            31:0] value1_o,
    output reg  [            31:0] value2_o,
    output wire [            31:0] value3_o,
    input  wire                    one_i,     // stage before value1_o: 1.0 instead

    // write
    input wire                    write_i,
    input wire [ADDRESS_BITS-1:0] address_i,
    input wire [            31:0] value_i,
    input wire [            31:0] value3_i    // for the third read port
);
  (* ram_style = "block", no_rw_check *)reg [31:0] copy1[0:(1<<ADDRESS_BITS)-1];
  (* ram_style = "block", no_rw_check *)reg [31:0] copy2[0:(1<<ADDRESS_BITS)-1];
  reg [31:0] raw1, raw2;

  always @(posedge clk) begin
    raw1 <= copy1[read1_i];
    if (write_i) copy1[address_i] <= value_i;
  end
  always @(posedge clk) begin
    raw2 <= copy2[read2_i];
    if (write_i) copy2[address_i] <= value_i;
  end
  always @(posedge clk) begin
    value1_o <= raw1;
    value2_o <= raw2;
    if (one_i) value1_o <= 32'h3F800000;
  end

  generate
    if (THIRD != 0) begin : with_third
      (* ram_style = "block", no_rw_check *) reg [31:0] copy3[0:(1<<ADDRESS_BITS)-1];
      reg [31:0] raw3, value3;
      always @(posedge clk) begin
        raw3 <= copy3[read3_i];
        if (write_i) copy3[address_i] <= value3_i;
      end
      always @(posedge clk) value3 <= raw3;
      assign value3_o = value3;
    end else begin : without_third
      assign value3_o = 32'd0;
      wire unused = &{1'b0, read3_i, value3_i};
    end
  endgenerate
endmodule

`default_nettype wire
