// SPDX-License-Identifier: Apache-2.0
// The data RAM of a cache bank and the queue in front of it. All requests are served in the order of the queue: missed
// lines are filled from external memory, stores that hit are written, loads are read, atomics read, change and write.
// One beat a cycle, also while a line is filled. A load is answered 5 cycles after it enters, if it does not wait. An
// atomic takes 11 cycles and one for each word, and its beat is written to external memory, too.
`default_nettype none

module cache_data #(
    parameter ADDRESS_BITS = 28,  // bits of an address in global memory
    parameter CACHE_LOG2 = 16,  // log2 of the bytes of the cache
    parameter LINE_LOG2 = 6,  // log2 of the bytes of a line
    parameter BEAT_LOG2 = 5,  // log2 of the bytes of a beat
    parameter OWNER_BITS = 5,
    parameter LABEL_BITS = 15,
    parameter QUEUE_LOG2 = 6,  // log2 of the requests that may wait
    parameter COMPACT = 0,  // as in heddle.v
    parameter BEAT_BYTES = 1 << BEAT_LOG2,
    parameter REST_BITS = 5 + OWNER_BITS + LABEL_BITS,
    parameter INDEX_BITS = CACHE_LOG2 - BEAT_LOG2
) (
    input wire clk,
    input wire rst,
    input wire invalidate_i, // forget the reservation

    // the queue
    input wire queue_valid_i,
    output wire queue_ready_o,
    input wire [1:0] queue_kind_i,  // 0 load, 1 store, 2 atomic
    input wire queue_miss_i,
    input wire [INDEX_BITS-1:0] queue_index_i,  // number of the beat in the data RAM
    input wire [ADDRESS_BITS-1:0] queue_address_i,
    input wire [8*BEAT_BYTES-1:0] queue_data_i,
    input wire [BEAT_BYTES-1:0] queue_strobe_i,
    input wire [REST_BITS-1:0] queue_rest_i,  // function, owner, label
    output reg atomics_o,  // the queue holds atomics, or the last one left in the cycle before

    // a store leaves stage d of the lookup: reserved words that it writes are not reserved any more
    input wire                    stored_i,
    input wire [ADDRESS_BITS-1:0] stored_address_i,
    input wire [  BEAT_BYTES-1:0] stored_strobe_i,

    // external memory: the beats of missed lines, in order; beats that atomics write. While write_takes_o the lookup
    // waits
    input  wire                    fill_valid_i,
    output wire                    fill_ready_o,
    output wire                    filled_o,         // pulse: the last beat of a line has been received
    input  wire [8*BEAT_BYTES-1:0] fill_data_i,
    output wire                    write_takes_o,
    output wire                    write_valid_o,
    input  wire                    write_ready_i,
    output wire [ADDRESS_BITS-1:0] write_address_o,
    output wire [8*BEAT_BYTES-1:0] write_data_o,
    output wire [  BEAT_BYTES-1:0] write_strobe_o,

    // answers to loads and atomics, in order
    output wire                    response_valid_o,
    input  wire                    response_ready_i,
    output reg  [8*BEAT_BYTES-1:0] response_data_o,
    output reg  [  LABEL_BITS-1:0] response_label_o,

    output wire idle_o
);
  localparam BEAT_WORDS = BEAT_BYTES / 4;
  localparam WORD_BITS = $clog2(BEAT_WORDS);
  localparam LINE_BEATS_LOG2 = LINE_LOG2 - BEAT_LOG2;
  localparam FILL_BEAT_BITS = LINE_BEATS_LOG2 > 0 ? LINE_BEATS_LOG2 : 1;
  `include "rtl/memory/request.vh"
  integer i;
  genvar n;

  // The queue: block RAM, and two registers behind it. Whether an entry leaves is known late in a cycle, and the block
  // RAMs are many and far apart. So an entry that was read and cannot move on waits in a spare register, and reading
  // depends on registers alone. With COMPACT there is no spare register.
  localparam ENTRY_BITS = ADDRESS_BITS + REST_BITS + 9 * BEAT_BYTES, HEAD_BITS = 3 + INDEX_BITS;
  (* ram_style = "block", no_rw_check *) reg [ENTRY_BITS-1:0] entries[0:(1<<QUEUE_LOG2)-1];
  reg [QUEUE_LOG2:0] written, read;
  reg [QUEUE_LOG2:0] atomics;  // in the queue, without one that was put a cycle before
  reg atomic_put;
  reg q_valid, f_valid;
  reg [ENTRY_BITS-1:0] q_entry;
  // The heads of entries, {kind, miss, beat in the data RAM}, are in distributed RAM, because block RAM is slow: beats
  // are compared as f takes an entry, and kind and miss decide what f may do. With COMPACT they are in block RAM.
  reg [HEAD_BITS-1:0] q_head, spare_head;
  wire f_leaves;
  wire f_ready = !f_valid || f_leaves;
  reg spare_valid;
  reg [ENTRY_BITS-1:0] spare;
  wire [ENTRY_BITS-1:0] next_entry = spare_valid ? spare : q_entry;
  wire [HEAD_BITS-1:0] next_head = spare_valid ? spare_head : q_head;
  wire [INDEX_BITS-1:0] next_index = next_head[INDEX_BITS-1:0];
  wire q_ready = !q_valid || (COMPACT != 0 ? f_ready : !spare_valid);
  wire empty = written == read;
  // Whether there is room is registered, so it is a cycle late.
  reg room;
  wire [QUEUE_LOG2:0] waiting = written - read;
  wire put = queue_valid_i && room;
  wire put_atomic = put && queue_kind_i == ATOMIC;
  wire atomic_leaves;
  assign queue_ready_o = room;
  always @(posedge clk) begin
    if (put) begin
      entries[written[QUEUE_LOG2-1:0]] <= {queue_address_i, queue_rest_i, queue_strobe_i, queue_data_i};
      written <= written + 1'b1;
    end
    if (q_ready) begin
      q_entry <= entries[read[QUEUE_LOG2-1:0]];
      q_valid <= !empty;
      if (!empty) read <= read + 1'b1;
    end
    if (!spare_valid) {spare, spare_head} <= {q_entry, q_head};
    spare_valid <= COMPACT == 0 && !f_ready && (q_valid || spare_valid);
    room <= !waiting[QUEUE_LOG2] && !(&waiting[QUEUE_LOG2-1:0]);
    atomic_put <= put_atomic;
    atomics <= atomics + {{QUEUE_LOG2{1'b0}}, atomic_put} - {{QUEUE_LOG2{1'b0}}, atomic_leaves};
    atomics_o <= atomics != 0 || atomic_put || put_atomic;
    if (rst) begin
      room <= 1'b1;
      atomics_o <= 1'b0;
      written <= 0;
      read <= 0;
      atomics <= 0;
      {q_valid, spare_valid, atomic_put} <= 3'b000;
    end
  end

  generate
    if (COMPACT != 0) begin : heads_in_block_ram
      (* ram_style = "block", no_rw_check *) reg [HEAD_BITS-1:0] heads[0:(1<<QUEUE_LOG2)-1];
      always @(posedge clk) begin
        if (put) heads[written[QUEUE_LOG2-1:0]] <= {queue_kind_i, queue_miss_i, queue_index_i};
        if (q_ready) q_head <= heads[read[QUEUE_LOG2-1:0]];
      end
    end else begin : heads_in_small_ram
      (* ram_style = "distributed", no_rw_check *) reg [HEAD_BITS-1:0] heads[0:(1<<QUEUE_LOG2)-1];
      always @(posedge clk) begin
        if (put) heads[written[QUEUE_LOG2-1:0]] <= {queue_kind_i, queue_miss_i, queue_index_i};
        if (q_ready) q_head <= heads[read[QUEUE_LOG2-1:0]];
      end
    end
  endgenerate

  // f: the first request. Phases of an atomic: beat not read yet; words are computed; beat is written; it leaves.
  localparam [1:0] READ = 2'd0, COMPUTE = 2'd1, WRITE = 2'd2, LEAVE = 2'd3;
  reg [1:0] f_kind, phase;
  reg f_miss;
  (* keep *) reg f_fills;  // a line is being filled: that of f or the open one; for the words of the data RAM
  reg f_reserves;  // an lr.w or sc.w
  reg [INDEX_BITS-1:0] f_index;
  reg [ADDRESS_BITS-1:0] f_address;
  reg [4:0] f_function;
  reg [OWNER_BITS-1:0] f_owner;
  reg [LABEL_BITS-1:0] f_label;
  reg [BEAT_BYTES-1:0] f_strobe;
  reg [BEAT_WORDS-1:0] f_unwritten;  // words that a failed sc.w does not write; 0 but in its phase WRITE
  reg [8*BEAT_BYTES-1:0] f_data;
  reg [BEAT_WORDS-1:0] f_words;
  always @* for (i = 0; i < BEAT_WORDS; i = i + 1) f_words[i] = f_strobe[4*i];
  wire f_store = f_valid && f_kind == STORE;
  wire f_atomic = f_kind == ATOMIC;

  // r: the beat to read. Stage f writes the data RAM, but never the beat that r is about to read.
  reg r_valid, r_atomic;
  reg [INDEX_BITS-1:0] r_index;
  reg [LABEL_BITS-1:0] r_label;
  wire r_ready;

  // Whether r has the line or beat of f is found as f takes an entry: r then keeps its beat, or takes that of the entry
  // before.
  wire [4:0] next_function = next_entry[9*BEAT_BYTES+LABEL_BITS+OWNER_BITS+:5];
  wire [INDEX_BITS-1:0] next_to_r = next_index ^ (r_ready ? f_index : r_index);
  reg f_r_same_line, f_r_same_beat;  // they are equal
  always @(posedge clk)
    if (f_ready) begin
      f_r_same_line <= next_to_r[INDEX_BITS-1:LINE_BEATS_LOG2] == 0;
      f_r_same_beat <= next_to_r == 0;
    end

  // Filling: the beats of a line come in order. A load leaves f as soon as its own beat is there. While the other beats
  // come, the line is open, and later requests are served: a load of the open line waits for its beat; a store, an
  // atomic or a miss waits for the whole line.
  reg [FILL_BEAT_BITS-1:0] fill_beat;
  reg open;
  reg [INDEX_BITS-1:LINE_BEATS_LOG2] open_line;
  wire [INDEX_BITS-1:LINE_BEATS_LOG2] fill_line = open ? open_line : f_index[INDEX_BITS-1:LINE_BEATS_LOG2];
  reg f_in_open;  // f has the open line, if there is one
  wire [INDEX_BITS-1:0] fill_index;
  wire last_fill_beat, r_is_fill_beat, f_is_filled, f_is_fill_beat;
  generate
    if (LINE_BEATS_LOG2 > 0) begin : several_beats
      assign fill_index = {fill_line, fill_beat};
      assign last_fill_beat = &fill_beat;
      assign r_is_fill_beat = f_r_same_line && r_index[LINE_BEATS_LOG2-1:0] == fill_beat;
      assign f_is_filled = f_index[LINE_BEATS_LOG2-1:0] < fill_beat;
      assign f_is_fill_beat = f_index[LINE_BEATS_LOG2-1:0] == fill_beat;
    end else begin : one_beat
      assign fill_index = fill_line;
      assign last_fill_beat = 1'b1;
      assign r_is_fill_beat = f_r_same_line;
      assign f_is_filled = 1'b0;
      assign f_is_fill_beat = 1'b1;
    end
  endgenerate
  wire [INDEX_BITS-1:0] write_index = f_fills ? fill_index : f_index;
  // A fill must not overwrite the beat that r is about to read. It is never one of an open line.
  assign fill_ready_o = open || (f_valid && f_miss && !(r_valid && r_is_fill_beat));
  wire fill = fill_valid_i && fill_ready_o;
  assign filled_o = fill && last_fill_beat;
  wire f_beat_present = f_is_filled || (fill && f_is_fill_beat);  // counting this cycle
  wire readable = f_miss ? !open && f_beat_present : !(open && f_in_open) || f_beat_present;
  wire whole = !open && (!f_miss || filled_o);
  wire atomic_written;
  wire stored = f_store && !open && !(r_valid && f_r_same_beat);  // a store that hit
  wire write_beat = stored || atomic_written;
  wire f_to_r = f_valid && f_kind != STORE && phase == READ && (f_atomic ? whole : readable) && r_ready;
  wire atomic_done;
  // One cycle after the end of the atomic, because that is known late, and f_leaves is the slowest signal here.
  assign atomic_leaves = phase == LEAVE;
  assign f_leaves = (f_to_r && !f_atomic) || stored || atomic_leaves;

  wire opens = !filled_o && (open || (f_leaves && f_miss));  // or the line stays open

  always @(posedge clk) begin
    if (fill) fill_beat <= fill_beat + 1'b1;
    if (filled_o && !open) f_miss <= 1'b0;
    f_fills <= opens || (f_miss && (open || !filled_o));
    open <= opens;
    open_line <= fill_line;
    if (f_ready) begin
      {f_address, f_function, f_owner, f_label} <= next_entry[ENTRY_BITS-1:9*BEAT_BYTES];
      {f_kind, f_miss, f_index} <= next_head;
      f_fills <= opens || next_head[INDEX_BITS];
      f_in_open <= next_index[INDEX_BITS-1:LINE_BEATS_LOG2] == fill_line;
      f_valid <= q_valid || spare_valid;
      f_reserves <= next_function == LR || next_function == SC;
    end
    if (r_ready) begin
      r_valid  <= f_to_r;
      r_index  <= f_index;
      r_label  <= f_label;
      r_atomic <= f_atomic;
    end
    if (rst) begin
      fill_beat <= 0;
      {f_valid, r_valid, open} <= 3'b000;
    end
  end

  // The data RAM; s: its output register; then the response.
  reg s_valid, s_atomic, response_valid, response_held;  // held: an atomic computes with the beat
  reg [LABEL_BITS-1:0] s_label;
  reg [8*BEAT_BYTES-1:0] s_beat, response_beat;
  reg [BEAT_WORDS-1:0] response_failed;
  wire response_free = !response_valid || (response_ready_i && !response_held);
  wire s_free = !s_valid || response_free;
  assign r_ready = !r_valid || s_free;
  generate
    for (n = 0; n < BEAT_WORDS; n = n + 1) begin : column
      (* ram_style = "block", no_rw_check *) reg [31:0] words[0:(1<<INDEX_BITS)-1];
      wire [31:0] word = f_fills ? fill_data_i[32*n+:32] : f_data[32*n+:32];
      wire [3:0] strobe = {4{fill}} | (f_strobe[4*n+:4] & {4{write_beat && !f_unwritten[n]}});
      always @(posedge clk) begin
        if (strobe[0]) words[write_index][7:0] <= word[7:0];
        if (strobe[1]) words[write_index][15:8] <= word[15:8];
        if (strobe[2]) words[write_index][23:16] <= word[23:16];
        if (strobe[3]) words[write_index][31:24] <= word[31:24];
        if (s_free) s_beat[32*n+:32] <= words[r_index];
      end
    end
  endgenerate

  // Atomics: the old beat is in the response register; the operands are in f_data, where results replace them.
  wire computes = phase == COMPUTE && response_valid && response_held;
  wire is_lr = f_function == LR, is_sc = f_function == SC;
  wire compute_lr = computes && is_lr;
  wire compute_sc = computes && is_sc;
  wire [BEAT_WORDS-1:0] succeeds;
  wire words_done;
  wire [BEAT_WORDS-1:0] x_result_at;  // the word that gets a result, one-hot or 0
  wire [31:0] x_result;
  assign write_valid_o = phase == WRITE;
  assign write_takes_o = write_valid_o || (phase == COMPUTE && f_reserves);
  assign write_address_o = f_address;
  assign write_data_o = f_data;
  generate
    for (n = 0; n < BEAT_WORDS; n = n + 1) begin : strobes
      assign write_strobe_o[4*n+:4] = f_strobe[4*n+:4] & ~{4{f_unwritten[n]}};
    end
  endgenerate
  assign atomic_written = write_valid_o && write_ready_i;
  assign atomic_done = compute_lr || (compute_sc && succeeds == 0) || atomic_written;
  always @(posedge clk) begin
    if (f_to_r && f_atomic) phase <= COMPUTE;
    if (compute_sc || words_done) phase <= WRITE;
    if (atomic_done) phase <= LEAVE;
    if (atomic_leaves || rst) phase <= READ;
    for (i = 0; i < BEAT_WORDS; i = i + 1) begin
      // f_ready is late, and an atomic with a result does not leave: so the result comes first.
      if (f_ready || x_result_at[i]) f_data[32*i+:32] <= x_result_at[i] ? x_result : next_entry[32*i+:32];
      if (compute_sc) f_unwritten[i] <= !succeeds[i];
      if (atomic_done || rst) f_unwritten[i] <= 1'b0;
    end
    if (f_ready) f_strobe <= next_entry[8*BEAT_BYTES+:BEAT_BYTES];
  end
  atomic_words #(
      .WORDS(BEAT_WORDS),
      .WORD_BITS(WORD_BITS)
  ) atomic_words (
      .clk(clk),
      .rst(rst),
      .start_i(f_to_r && f_atomic),
      .words_i(f_words),
      .advance_i(computes && !is_lr && !is_sc),
      .done_o(words_done),
      .function_i(f_function),
      .beat_i(response_beat),
      .operands_i(f_data),
      .result_at_o(x_result_at),
      .result_o(x_result)
  );

  reg [BEAT_WORDS-1:0] written_words;
  wire [ADDRESS_BITS-BEAT_LOG2-1:0] reserved_beat;
  wire store_breaks = stored_i && stored_address_i[ADDRESS_BITS-1:BEAT_LOG2] == reserved_beat;
  wire atomic_breaks = atomic_written && !is_sc && f_address[ADDRESS_BITS-1:BEAT_LOG2] == reserved_beat;
  // Registered, since writes are taken late in a cycle. An lr.w or sc.w finds the reservation as they left it: they wait
  // (write_takes_o) from when its beat goes to r, and it is computed two cycles later at the earliest.
  always @(posedge clk)
    for (i = 0; i < BEAT_WORDS; i = i + 1)
      written_words[i] <= (store_breaks && |stored_strobe_i[4*i+:4]) || (atomic_breaks && f_words[i]);
  reservation #(
      .OWNER_BITS     (OWNER_BITS),
      .BEAT_INDEX_BITS(ADDRESS_BITS - BEAT_LOG2),
      .BEAT_WORDS     (BEAT_WORDS),
      .AHEAD          (1)
  ) reservation (
      .clk(clk),
      .rst(rst || invalidate_i),
      .lr_i(compute_lr),
      .sc_i(compute_sc),
      .owner_i(f_owner),
      .beat_i(f_address[ADDRESS_BITS-1:BEAT_LOG2]),
      .words_i(f_words),
      .succeed_o(succeeds),
      .beat_o(reserved_beat),
      .written_i(written_words)
  );

  always @(posedge clk) begin
    if (s_free) begin
      s_valid  <= r_valid;
      s_label  <= r_label;
      s_atomic <= r_atomic;
    end
    if (response_free) begin
      response_valid   <= s_valid;
      response_held    <= s_atomic;
      response_label_o <= s_label;
    end
    if (atomic_done) response_held <= 1'b0;
    if (rst) {s_valid, response_valid, response_held} <= 3'b000;
    // The result of an sc.w has registers of its own, so that no logic follows the slow block RAMs.
    if (compute_sc) {response_beat, response_failed} <= {{8 * BEAT_BYTES{1'b0}}, ~succeeds};
    else if (response_free) {response_beat, response_failed} <= {s_beat, {BEAT_WORDS{1'b0}}};
  end
  assign response_valid_o = response_valid && !response_held;
  always @* begin
    response_data_o = response_beat;
    for (i = 0; i < BEAT_WORDS; i = i + 1) response_data_o[32*i] = response_beat[32*i] || response_failed[i];
  end

  assign idle_o = empty && !q_valid && !f_valid && !open;
  wire unused = &{1'b0, LOAD, stored_address_i[BEAT_LOG2-1:0]};
endmodule

`default_nettype wire
