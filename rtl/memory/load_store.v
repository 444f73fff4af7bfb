// SPDX-License-Identifier: Apache-2.0
// Carries out the memory operations of a unit: coalescer, local memory, the way to external memory, and the answers back
// to the lanes. An operation of one row in local memory answers 9 cycles after its push, when the register port is free.
// Operations are served in order; a slot has one under way.
`default_nettype none

module load_store #(
    parameter LANES = 8,  // power of two, 1 to 32
    parameter SLOT_BITS = 5,  // log2(SLOTS)
    parameter PLACE_BITS = 28,  // bits of an address in global memory
    parameter LOCAL_LOG2 = 15,  // log2 of the bytes of local memory
    parameter ROW_LOG2 = 5,  // log2 of the bytes of a row
    parameter QUEUE_LOG2 = 4,  // log2 of the operations that may wait
    parameter ROW_BYTES = 1 << ROW_LOG2
) (
    input wire clk,
    input wire rst,

    // an operation; never pushed while full_o
    input  wire                        push_i,
    input  wire                        store_i,
    input  wire                        unsigned_i,
    input  wire [                 4:0] rd_i,
    input  wire [       SLOT_BITS-1:0] slot_i,
    input  wire [                 1:0] size_i,
    input  wire [           LANES-1:0] lanes_i,
    input  wire [           LANES-1:0] local_i,
    input  wire [LANES*PLACE_BITS-1:0] place_i,
    input  wire [        LANES*32-1:0] data_i,
    output wire                        full_o,
    output wire                        idle_o,      // nothing waits and nothing is under way

    // loaded values to the registers; stays until taken
    output reg                  write_valid_o,
    input  wire                 write_taken_i,
    output reg  [          4:0] write_rd_o,
    output reg  [SLOT_BITS-1:0] write_slot_o,
    output reg  [    LANES-1:0] write_lanes_o,
    output reg  [ LANES*32-1:0] write_value_o,
    output reg                  write_last_o,   // the operation is complete with this

    // a store is complete
    output reg                 stored_o,
    output reg [SLOT_BITS-1:0] stored_slot_o,

    // external memory; answers come in the order of the loads' requests
    output wire                     request_valid_o,
    input  wire                     request_ready_i,
    output wire                     request_store_o,
    output wire [   PLACE_BITS-1:0] request_address_o,
    output wire [  8*ROW_BYTES-1:0] request_data_o,
    output wire [    ROW_BYTES-1:0] request_strobe_o,
    output wire [SLOT_BITS+LANES:0] request_label_o,    // comes back with the answer
    input  wire                     response_valid_i,
    output wire                     response_ready_o,
    input  wire [  8*ROW_BYTES-1:0] response_data_i,
    input  wire [SLOT_BITS+LANES:0] response_label_i
);
  localparam LABEL_BITS = SLOT_BITS + LANES + 1;

  // What an answer needs to know of its operation, kept by slot.
  localparam NOTE_BITS = 5 + 1 + 2 + LANES * ROW_LOG2;
  reg [NOTE_BITS-1:0] notes[0:(1<<SLOT_BITS)-1];
  reg [LANES*ROW_LOG2-1:0] offsets;
  integer i;
  always @* for (i = 0; i < LANES; i = i + 1) offsets[i*ROW_LOG2+:ROW_LOG2] = place_i[i*PLACE_BITS+:ROW_LOG2];
  always @(posedge clk) if (push_i && !store_i) notes[slot_i] <= {rd_i, unsigned_i, size_i, offsets};

  wire valid, ready, is_local, store, last;
  wire [PLACE_BITS-1:0] address;
  wire [8*ROW_BYTES-1:0] data;
  wire [ROW_BYTES-1:0] strobe;
  wire [SLOT_BITS-1:0] slot;
  wire [LANES-1:0] lanes;
  wire coalescer_idle;
  reg [5:0] outstanding;  // loads' requests without an answer in the registers yet
  coalescer #(
      .LANES(LANES),
      .SLOT_BITS(SLOT_BITS),
      .PLACE_BITS(PLACE_BITS),
      .ROW_LOG2(ROW_LOG2),
      .QUEUE_LOG2(QUEUE_LOG2)
  ) coalescer (
      .clk(clk),
      .rst(rst),
      .push_i(push_i),
      .store_i(store_i),
      .slot_i(slot_i),
      .size_i(size_i),
      .lanes_i(lanes_i),
      .local_i(local_i),
      .place_i(place_i),
      .data_i(data_i),
      .full_o(full_o),
      .idle_o(coalescer_idle),
      .drained_i(outstanding == 0),
      .request_valid_o(valid),
      .request_ready_i(ready),
      .request_local_o(is_local),
      .request_store_o(store),
      .request_address_o(address),
      .request_data_o(data),
      .request_strobe_o(strobe),
      .request_slot_o(slot),
      .request_lanes_o(lanes),
      .request_last_o(last)
  );
  wire [LABEL_BITS-1:0] label = {last, slot, lanes};

  // Room for the answers of external memory is the memory port's to keep; here only the counter must not run over.
  wire may_load = outstanding != 6'd63;
  wire answers_held;
  wire local_accept = valid && is_local && !answers_held && (store || may_load);
  assign request_valid_o = valid && !is_local && (store || may_load);
  assign request_store_o = store;
  assign request_address_o = address;
  assign request_data_o = data;
  assign request_strobe_o = strobe;
  assign request_label_o = label;
  assign ready = is_local ? local_accept : request_ready_i && (store || may_load);

  always @(posedge clk) begin
    stored_o <= valid && ready && store && last && !rst;
    stored_slot_o <= slot;
  end

  // Local memory: its answer follows the request at a fixed distance, unless answers are held.
  reg l1_valid, l2_valid;
  reg [LABEL_BITS-1:0] l1_label, l2_label;
  wire [8*ROW_BYTES-1:0] local_data;
  local_memory #(
      .BYTES_LOG2(LOCAL_LOG2),
      .ROW_LOG2  (ROW_LOG2)
  ) local_memory (
      .clk(clk),
      .hold_i(answers_held),
      .write_i(local_accept && store),
      .row_i(address[LOCAL_LOG2-1:ROW_LOG2]),
      .data_i(data),
      .strobe_i(strobe),
      .data_o(local_data)
  );
  always @(posedge clk)
    if (rst) {l1_valid, l2_valid} <= 2'b00;
    else if (!answers_held) begin
      l1_valid <= local_accept && !store;
      l1_label <= label;
      l2_valid <= l1_valid;
      l2_label <= l1_label;
    end

  // Answers: local memory first, it cannot wait; then aligned; then to the registers when their port is free.
  reg r_valid;
  reg [LABEL_BITS-1:0] r_label;
  reg [8*ROW_BYTES-1:0] r_row;
  assign answers_held = write_valid_o && !write_taken_i;
  assign response_ready_o = !answers_held && !l2_valid;
  wire external = response_valid_i && response_ready_o;

  wire r_last;
  wire [SLOT_BITS-1:0] r_slot;
  wire [LANES-1:0] r_lanes;
  assign {r_last, r_slot, r_lanes} = r_label;
  wire [NOTE_BITS-1:0] r_note = notes[r_slot];
  wire [ LANES*32-1:0] aligned;
  load_align #(
      .LANES(LANES),
      .ROW_LOG2(ROW_LOG2)
  ) align (
      .row_i(r_row),
      .offset_i(r_note[LANES*ROW_LOG2-1:0]),
      .size_i(r_note[LANES*ROW_LOG2+:2]),
      .unsigned_i(r_note[LANES*ROW_LOG2+2]),
      .value_o(aligned)
  );
  always @(posedge clk)
    if (rst) {r_valid, write_valid_o} <= 2'b00;
    else if (!answers_held) begin
      r_valid <= l2_valid || external;
      r_label <= l2_valid ? l2_label : response_label_i;
      r_row <= l2_valid ? local_data : response_data_i;
      write_valid_o <= r_valid;
      write_rd_o <= r_note[LANES*ROW_LOG2+3+:5];
      write_slot_o <= r_slot;
      write_lanes_o <= r_lanes;
      write_value_o <= aligned;
      write_last_o <= r_last;
    end

  wire asked = valid && ready && !store;
  wire answered = write_valid_o && write_taken_i;
  always @(posedge clk)
    if (rst) outstanding <= 6'd0;
    else outstanding <= outstanding + {5'd0, asked} - {5'd0, answered};

  assign idle_o = coalescer_idle && outstanding == 0 && !stored_o;
endmodule

`default_nettype wire
