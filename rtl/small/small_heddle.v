// SPDX-License-Identifier: Apache-2.0
// A small device: what heddle.v is to software (contract/DEVICE.md), for boards whose memory is on the chip. The host's
// ports are those of heddle.v with rows of one word, but for link_quiet_o, which a read of a control register has to
// wait for, too. All that the device knows lies in the one memory that the board brings: control registers, lanes'
// registers, firmware and global memory. README.md says where.
`default_nettype none

module small_heddle #(
    parameter LANES = 4,  // lanes of a sub-group, which take turns: power of two, 1 to 8
    parameter SLOTS = 2,  // resident sub-groups: power of two; SLOTS * LANES is 8 at most
    parameter ADDRESS_BITS = 14,  // log2 of the bytes of the memory, rounded up
    parameter GLOBAL_BYTES = 'h2C00,  // where global memory ends, a multiple of 1024
    parameter FIRMWARE_AT = 'h2C00  // where the firmware lies
) (
    input wire clk,
    input wire rst,

    // control registers and global memory, as in heddle.v. Both at once do not come.
    input  wire                    control_valid_i,
    input  wire                    control_write_i,
    input  wire [            11:2] control_address_i,
    input  wire [            31:0] control_data_i,
    output wire [            31:0] control_data_o,
    output wire                    busy_o,
    input  wire                    link_valid_i,
    output wire                    link_ready_o,
    input  wire                    link_store_i,
    input  wire [ADDRESS_BITS-1:0] link_address_i,
    input  wire [            31:0] link_data_i,
    input  wire [             3:0] link_strobe_i,
    output wire                    link_quiet_o,
    output reg                     link_answer_o,
    output wire [            31:0] link_answer_data_o,

    // the memory: a word a cycle, what is read comes the cycle after
    output reg  [ADDRESS_BITS-1:2] memory_address_o,
    output reg                     memory_write_o,
    output reg  [             3:0] memory_strobe_o,
    output reg  [            31:0] memory_data_o,
    input  wire [            31:0] memory_data_i
);
  localparam [11:2] COMMAND = 'h100 / 4, DISPATCH = 'h108 / 4, NOTHING = 'h07C / 4;
  localparam [ADDRESS_BITS-1:0] FIRST_GLOBAL = 'h1000, END = GLOBAL_BYTES - 1;

  reg [63:0] clock;
  reg command;  // has been written and not been taken
  wire busy, command_taken;
  assign busy_o = busy || command;
  assign link_quiet_o = !command;
  assign link_ready_o = 1'b1;

  // The clock is a register among the others.
  reg clock_asked, clock_high;
  wire [31:0] read = clock_asked ? (clock_high ? clock[63:32] : clock[31:0]) : memory_data_i;
  assign control_data_o = read;
  assign link_answer_data_o = read;
  always @(posedge clk) begin
    clock <= clock + 64'd1;
    clock_asked <= memory_address_o[ADDRESS_BITS-1:3] == 'h1A0 / 8;
    clock_high <= memory_address_o[2];
    link_answer_o <= link_valid_i && !link_store_i;
    if (control_valid_i && control_write_i && control_address_i == COMMAND && control_data_i != 32'd0) command <= 1'b1;
    if (command_taken) command <= 1'b0;
    if (rst) begin
      clock   <= 64'd0;
      command <= 1'b0;
    end
  end

  // The host goes first. It sees of what is below and behind global memory only the control registers, and writes two
  // of these.
  wire [ADDRESS_BITS-1:2] core_address;
  wire core_write;
  wire [3:0] core_strobe;
  wire [31:0] core_data;
  wire host = control_valid_i || link_valid_i;
  wire in_global = link_address_i >= FIRST_GLOBAL && link_address_i <= END;
  wire visible = control_address_i < 10'h0A0 && control_address_i[11:7] != 5'd1 &&
                 !(control_address_i[11:7] == 5'd2 && control_address_i[6:4] != 0);
  always @* begin
    {memory_address_o, memory_write_o, memory_strobe_o, memory_data_o} = {
      core_address, core_write && !rst, core_strobe, core_data
    };
    if (host) begin
      memory_address_o = in_global ? link_address_i[ADDRESS_BITS-1:2] : {{ADDRESS_BITS - 12{1'b0}}, NOTHING};
      memory_write_o = link_store_i && in_global;
      memory_strobe_o = link_strobe_i;
      memory_data_o = link_data_i;
      if (control_valid_i) begin
        memory_address_o = {{ADDRESS_BITS - 12{1'b0}}, visible ? control_address_i : NOTHING};
        memory_write_o = control_write_i && (control_address_i == COMMAND || control_address_i == DISPATCH);
        memory_strobe_o = 4'b1111;
        memory_data_o = control_data_i;
      end
    end
  end

  small_core #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .ADDRESS_BITS(ADDRESS_BITS),
      .GLOBAL_BYTES(GLOBAL_BYTES),
      .FIRMWARE_AT(FIRMWARE_AT)
  ) core (
      .clk(clk),
      .rst(rst),
      .address_o(core_address),
      .write_o(core_write),
      .strobe_o(core_strobe),
      .data_o(core_data),
      .data_i(read),
      .taken_i(host),
      .command_i(command),
      .clock_i(clock[13:0]),
      .busy_o(busy),
      .command_taken_o(command_taken)
  );
endmodule

`default_nettype wire
