// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/pipeline/memory_port.v carries out each access that it took, once, in the order in which it took them,
// two cycles later at the earliest. One outside its window is not made, but the fault; none that was taken behind it
// is made, and none is taken any more. It takes one a cycle while there is room, from the groups in turn. load_store.v
// is stood in for by its ports: what is pushed comes out as a request. One lane, two groups, 10 cycles.
`default_nettype none

module load_store #(
    parameter LANES = 1,
    parameter SLOT_BITS = 2,
    parameter ADDRESS_BITS = 14,
    parameter LOCAL_LOG2 = 8,
    parameter BEAT_LOG2 = 4,
    parameter COMPACT = 0,
    parameter RD_BITS = 2,
    parameter HAS_LOCAL = 1,
    parameter HAS_ATOMIC = 1,
    parameter HAS_NARROW = 1,
    parameter PAGES_LOG2 = 0,
    parameter TAG_BITS = 1,
    parameter CROSSBARS = 1,
    parameter ANSWER_QUEUE = 1,
    parameter BEAT_BYTES = 1 << BEAT_LOG2,
    parameter LABEL_BITS = 1 + SLOT_BITS + RD_BITS + LANES + 1 + 2 + LANES * BEAT_LOG2
) (
    input wire clk,
    input wire rst,
    input wire clear_i,
    input wire begin_i,
    input wire push_i,
    input wire store_i,
    input wire atomic_i,
    input wire [4:0] function_i,
    input wire unsigned_i,
    input wire [RD_BITS-1:0] rd_i,
    input wire [SLOT_BITS-1:0] slot_i,
    input wire [1:0] size_i,
    input wire [LANES-1:0] lanes_i,
    input wire [LANES-1:0] local_i,
    input wire [LANES*ADDRESS_BITS-1:0] address_i,
    input wire [LANES*32-1:0] data_i,
    input wire [TAG_BITS-1:0] tag_i,
    output wire full_o,
    output wire idle_o,
    output wire conflict_o,
    input wire [27:0] rights_i,
    output wire refused_o,
    output wire [TAG_BITS-1:0] refused_tag_o,
    output wire [SLOT_BITS-1:0] refused_slot_o,
    output wire [RD_BITS-1:0] refused_rd_o,
    output wire [LANES-1:0] refused_lanes_o,
    output wire [31:0] refused_address_o,
    output wire quiet_o,
    input wire rd_shuffle_i,
    input wire e1_shuffle_i,
    input wire [LANES*32-1:0] e2_word_i,
    input wire [LANES*LANES-1:0] e2_from_i,
    output wire [LANES*32-1:0] e2_shuffled_o,
    output wire write_valid_o,
    input wire write_ready_i,
    output wire [RD_BITS-1:0] write_rd_o,
    output wire [SLOT_BITS-1:0] write_slot_o,
    output wire [LANES-1:0] write_lanes_o,
    output wire [LANES*32-1:0] write_value_o,
    output wire write_drop_o,
    output wire write_last_o,
    output wire request_valid_o,
    input wire request_ready_i,
    output wire [1:0] request_kind_o,
    output wire [4:0] request_function_o,
    output wire [ADDRESS_BITS-1:0] request_address_o,
    output wire [8*BEAT_BYTES-1:0] request_data_o,
    output wire [BEAT_BYTES-1:0] request_strobe_o,
    output wire [SLOT_BITS-1:0] request_owner_o,
    output wire [LABEL_BITS-1:0] request_label_o,
    input wire response_valid_i,
    output wire response_ready_o,
    input wire [8*BEAT_BYTES-1:0] response_data_i,
    input wire [LABEL_BITS-1:0] response_label_i
);
  assign full_o = !request_ready_i;
  assign request_valid_o = push_i;
  assign request_kind_o = {atomic_i, store_i};
  assign request_function_o = function_i;
  assign request_address_o = address_i;
  assign request_data_o = {{8 * BEAT_BYTES - 32{1'b0}}, data_i};
  assign request_strobe_o = {local_i, lanes_i, size_i};
  assign request_owner_o = slot_i;
  assign request_label_o = rd_i;
  assign {idle_o, conflict_o, e2_shuffled_o, write_valid_o, write_rd_o, write_slot_o, write_lanes_o, write_value_o} = 0;
  assign {write_drop_o, write_last_o, response_ready_o} = 0;
  assign {refused_o, refused_tag_o, refused_slot_o, refused_rd_o, refused_lanes_o, refused_address_o, quiet_o} = 0;
endmodule

module memory_port_proof (
    input wire        clk,
    input wire [ 1:0] valid,
    input wire [79:0] accesses,
    input wire        room,
    input wire        halt
);
  // An access: data of 8 bits, tag, slot, size, function, kind; address.
  localparam WIDTH = 8 + 2 + 2 + 2 + 5 + 2 + 16;
  wire rst = $initstate;
  wire [1:0] ready;
  wire fault, pushed;
  wire [1:0] kind, fault_slot, fault_tag, owner;
  wire [  4:0] funct5;
  wire [ 13:0] place;
  wire [127:0] data;
  wire [ 15:0] strobe;
  wire [ 12:0] label;
  wire [ 31:0] fault_address;
  wire [  7:0] data_0 = accesses[7:0], data_1 = accesses[47:40];
  wire [  1:0] tag_0 = accesses[9:8], tag_1 = accesses[49:48];
  wire [  1:0] slot_0 = accesses[11:10], slot_1 = accesses[51:50];
  wire [  1:0] size_0 = accesses[13:12], size_1 = accesses[53:52];
  wire [  4:0] function_0 = accesses[18:14], function_1 = accesses[58:54];
  wire [  1:0] kind_0 = accesses[20:19], kind_1 = accesses[60:59];
  wire [ 15:0] address_0 = accesses[36:21], address_1 = accesses[76:61];
  memory_port #(
      .LANES(1),
      .LANES_LOG2(0),
      .GROUPS(2),
      .SLOT_BITS(2),
      .TAG_BITS(2),
      .GLOBAL_LOG2(14),
      .FIRST_LOG2(12),
      .LOCAL_LOG2(8),
      .BEAT_LOG2(4),
      .PRIVATE_LOG2(0)
  ) dut (
      .clk(clk),
      .rst(rst),
      .shift_i(3'd0),
      .local_bytes_i(9'd64),
      .local_base_i(8'd128),
      .arrival_i(4'd0),
      .rights_i(28'd0),
      .stop_i(halt),
      .valid_i(valid),
      .ready_o(ready),
      .kind_i({kind_1, kind_0}),
      .function_i({function_1, function_0}),
      .size_i({size_1, size_0}),
      .slot_i({slot_1, slot_0}),
      .tag_i({tag_1, tag_0}),
      .lanes_i(2'b11),
      .address_i({16'd0, address_1, 16'd0, address_0}),
      .data_i({24'd0, data_1, 24'd0, data_0}),
      .fault_o(fault),
      .fault_address_o(fault_address),
      .fault_slot_o(fault_slot),
      .fault_tag_o(fault_tag),
      .request_valid_o(pushed),
      .request_ready_i(room),
      .request_kind_o(kind),
      .request_function_o(funct5),
      .request_address_o(place),
      .request_data_o(data),
      .request_strobe_o(strobe),
      .request_owner_o(owner),
      .request_label_o(label),
      .response_valid_i(1'b0),
      .response_data_i(128'd0),
      .response_label_i(13'd0)
  );
  always @* assume (kind_0 != 3 && kind_1 != 3 && size_0 != 3 && size_1 != 3);

  // What was taken and is not carried out, the oldest first.
  wire taken = (valid & ready) != 0;
  wire [WIDTH-1:0] in = valid[1] && ready[1] ? accesses[76:40] : accesses[36:0];
  reg [1:0] count;
  reg [WIDTH-1:0] oldest, second;
  // With 16 bits of address global memory is from 4096 to 16383; the rest is outside. Words and half-words are aligned.
  wire [15:0] address = oldest[36:21];
  wire [1:0] size = oldest[13:12];
  wire misaligned = (size == 1 && address[0]) || (size == 2 && address[1:0] != 0);
  wire bad = address[15:14] != 0 || address[13:12] == 0 || misaligned;
  reg faulted;
  wire [1:0] left = count - {1'b0, pushed};
  always @(posedge clk) begin
    if (pushed) oldest <= second;
    if (taken && left == 0) oldest <= in;
    if (taken && left == 1) second <= in;
    count   <= rst ? 2'd0 : left + {1'b0, taken};
    faulted <= !rst && (faulted || fault);
  end

  // One that was taken a cycle ago stands in the first register.
  reg taken_before;
  always @(posedge clk) taken_before <= taken && !rst;
  always @*
    if (!rst && !faulted) begin
      assert ((count <= 2 || fault) && (ready & (ready - 2'd1)) == 0);
      assert ((ready & ~valid) == 0);
      if (pushed) begin
        assert (count != 0 && !(count == 1 && taken_before) && !bad && room && !fault);
        assert (data[7:0] == oldest[7:0] && label[1:0] == oldest[9:8] && owner == oldest[11:10]);
        assert (strobe[1:0] == size && funct5 == oldest[18:14]);
        assert (kind == {oldest[20:19] == 2, oldest[20:19] == 1} && place == address[13:0] && strobe[3:2] == 2'b01);
      end
      if (fault) begin
        assert (count != 0 && bad && fault_address == address);
        assert (fault_slot == oldest[11:10] && fault_tag == oldest[9:8]);
      end
      if (valid != 0 && room && !halt && !fault) assert (taken);
      if (halt || fault) assert (!taken);
      cover (pushed && count == 2 && taken);
      cover (fault && count == 2);
    end
  // Behind a fault there is nothing more.
  always @* if (!rst && (fault || faulted)) assert (fault && !pushed && ready == 0);

  // Any one group that asks all the time: the other is served once at most before it.
  (* anyconst *)reg  watched;
  reg  passed;
  wire waits = valid[watched] && !ready[watched];
  always @(posedge clk) passed <= !rst && waits && (passed || ready[!watched]);
  always @* if (!rst && passed && valid[watched]) assert (!ready[!watched]);
endmodule

`default_nettype wire
