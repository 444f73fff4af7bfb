// SPDX-License-Identifier: Apache-2.0
// What stands in for litedram's PHY of an ECP5, and the chip behind it: the same registers, phases and latencies, with delays and slips that
// the chip's model (ddr3_chip.h) takes or does not. A cycle of clk is two of the chip's.
`default_nettype none

module ddr3_phy_model #(
    parameter CLOCK_KHZ = 48000,
    parameter ADDRESS_BITS = 16,
    parameter READ_LATENCY = 13,  // cycles from a command to its data, 2 at least
    parameter WRITE_LATENCY = 3,  // 1 at least
    parameter CAS_LATENCY = 6,  // of the chip's clock, that the PHY is made for
    parameter CAS_WRITE_LATENCY = 5
) (
    input wire clk,
    input wire rst,

    // registers: each byte's bit, and what happens to those that are selected
    input  wire [1:0] select_i,
    input  wire       delay_reset_i,
    input  wire       delay_next_i,
    input  wire       slip_reset_i,
    input  wire       slip_next_i,
    input  wire       burst_clear_i,
    output reg  [1:0] burst_seen_o,

    // two phases of DFI, the first one low
    input  wire [2*ADDRESS_BITS-1:0] address_i,
    input  wire [               5:0] bank_i,
    input  wire [               1:0] cs_n_i,
    input  wire [               1:0] ras_n_i,
    input  wire [               1:0] cas_n_i,
    input  wire [               1:0] we_n_i,
    input  wire [               1:0] cke_i,
    input  wire [               1:0] odt_i,
    input  wire [               1:0] reset_n_i,
    input  wire [             127:0] wrdata_i,
    input  wire [              15:0] wrdata_mask_i,
    input  wire [               1:0] wrdata_en_i,
    input  wire [               1:0] rddata_en_i,
    output wire [             127:0] rddata_o,
    output wire                      read_valid_o
);
  import "DPI-C" function void ddr3_dfi_reset(
    input int khz,
    input int cas_latency,
    input int cas_write_latency
  );
  import "DPI-C" function void ddr3_dfi_command(
    input int phase,
    input int pins,
    input int bank,
    input int address
  );
  import "DPI-C" function void ddr3_dfi_write(
    input longint low,
    input longint high,
    input int mask
  );
  import "DPI-C" function int ddr3_dfi_read(
    input int delays,
    input int slips,
    output longint low,
    output longint high
  );

  reg [2:0] delay[0:1];
  reg [1:0] slip[0:1];
  reg [128:0] reads[0:READ_LATENCY-1];
  reg [WRITE_LATENCY:0] writes;
  longint low, high;
  integer seen, i;
  assign {read_valid_o, rddata_o} = reads[READ_LATENCY-1];
  wire unused = |odt_i;

  // As the real one, which has to be told a write's data WRITE_LATENCY cycles after its command.
  always @(posedge clk) begin
    writes <= {writes[WRITE_LATENCY-1:0], |wrdata_en_i};
    if (rst) ddr3_dfi_reset(CLOCK_KHZ, CAS_LATENCY, CAS_WRITE_LATENCY);
    if (writes[WRITE_LATENCY-1] && !rst) ddr3_dfi_write(wrdata_i[63:0], wrdata_i[127:64], {16'd0, wrdata_mask_i});
    for (i = 0; i < 2 && !rst; i = i + 1)
    ddr3_dfi_command(i, {26'd0, reset_n_i[i], cke_i[i], cs_n_i[i], ras_n_i[i], cas_n_i[i], we_n_i[i]}, {
                     29'd0, bank_i[3*i+:3]}, {{32 - ADDRESS_BITS{1'b0}}, address_i[ADDRESS_BITS*i+:ADDRESS_BITS]});
    seen = 0;
    low  = 0;
    high = 0;
    if (|rddata_en_i && !rst)
      seen = ddr3_dfi_read({16'd0, 5'd0, delay[1], 5'd0, delay[0]}, {16'd0, 6'd0, slip[1], 6'd0, slip[0]}, low, high);
    reads[0] <= {|rddata_en_i, high, low};
    for (i = 1; i < READ_LATENCY; i = i + 1) reads[i] <= reads[i-1];
    burst_seen_o <= (burst_clear_i ? 2'd0 : burst_seen_o) | seen[1:0];
    for (i = 0; i < 2; i = i + 1)
    if (select_i[i]) begin
      if (delay_reset_i) delay[i] <= 3'd0;
      if (delay_next_i) delay[i] <= delay[i] + 3'd1;
      if (slip_reset_i) slip[i] <= 2'd0;
      if (slip_next_i) slip[i] <= slip[i] + 2'd1;
    end
    if (rst) begin
      writes <= 0;
      burst_seen_o <= 2'd0;
      for (i = 0; i < READ_LATENCY; i = i + 1) reads[i] <= 129'd0;
    end
  end
endmodule

`default_nettype wire
