// SPDX-License-Identifier: Apache-2.0
// Stage wr: which register of which lanes is written. An instruction that ends at wb has the port; quotients of
// integers and values from memory take it when the pipeline leaves it free, and ask for a gap in the issue when they
// have waited for eight cycles.
`default_nettype none

module write_back #(
    parameter LANES = 8,
    parameter SLOT_BITS = 5
) (
    input wire clk,
    input wire clear_i,

    // stage wb: an instruction ends
    input wire wb_write_i,  // with a result for a register
    input wire [SLOT_BITS-1:0] wb_slot_i,
    input wire [4:0] wb_rd_i,
    input wire [LANES-1:0] wb_lanes_i,
    input wire wb_all_lanes_i,  // and for the other lanes, too: of a sum they carry what was added below them

    // the divider
    input  wire                 divide_ending_i,  // its quotients stand in the next cycle at the earliest
    input  wire                 divide_done_i,
    input  wire [SLOT_BITS-1:0] divide_slot_i,
    input  wire [          4:0] divide_rd_i,
    input  wire [    LANES-1:0] divide_lanes_i,
    output reg                  divide_o,         // they are written

    // memory
    input  wire                 load_valid_i,
    output wire                 load_ready_o,
    input  wire [SLOT_BITS-1:0] load_slot_i,
    input  wire [          4:0] load_rd_i,
    input  wire [    LANES-1:0] load_lanes_i,
    input  wire                 load_drop_i,     // rd is x0
    input  wire                 load_last_i,     // the operation is complete with this
    output reg                  answered_o,      // it is, and its registers can be read
    output reg  [SLOT_BITS-1:0] answered_slot_o,

    // stage se
    output wire gap_o,

    // registers
    output wire [SLOT_BITS+4:0] address_o,
    output wire [    LANES-1:0] write_o,
    output wire                 write_load_o
);
  reg wr_write, wr_load, divide_writes;
  reg [SLOT_BITS+4:0] wr_register;
  reg [LANES-1:0] wr_lanes;
  always @(posedge clk) begin
    wr_write <= wb_write_i;
    divide_o <= divide_ending_i && !wb_write_i && !clear_i;
    wr_load <= !divide_ending_i && !wb_write_i;
    // Zero where a load may have the port.
    divide_writes <= divide_rd_i != 5'd0;  // long before it ends
    wr_register <= wb_write_i ? {wb_slot_i, wb_rd_i} :
                   divide_ending_i ? {divide_slot_i, divide_rd_i} : {(SLOT_BITS + 5) {1'b0}};
    wr_lanes <= wb_write_i ? wb_lanes_i | {LANES{wb_all_lanes_i}} :
                divide_ending_i && divide_writes ? divide_lanes_i : {LANES{1'b0}};
    // The registers have the value a cycle before an instruction may look for it.
    answered_o <= load_valid_i && load_ready_o && load_last_i && !clear_i;
    answered_slot_o <= load_slot_i;
  end
  assign load_ready_o = wr_load;
  assign write_load_o = wr_load;
  assign address_o = wr_register | ({load_slot_i, load_rd_i} & {(SLOT_BITS + 5) {wr_load}});
  assign write_o = wr_lanes | (load_lanes_i & {LANES{load_valid_i && wr_load && !load_drop_i}});

  // A gap comes a pipeline length later.
  wire late_valid = divide_done_i || load_valid_i;
  reg [3:0] patience;
  always @(posedge clk)
    if (clear_i || !late_valid || !wr_write) patience <= 4'd0;
    else patience <= patience + 4'd1;
  assign gap_o = patience == 4'd7;
endmodule

`default_nettype wire
