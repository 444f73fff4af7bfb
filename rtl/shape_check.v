// SPDX-License-Identifier: Apache-2.0
// Stops elaboration if a device cannot have this shape. The name of the module that a tool then does not find is the
// message.
`default_nettype none

module shape_check #(
    parameter LANES = 8,  // all of them as in heddle.v
    parameter SLOTS = 32,
    parameter UNITS = 1,
    parameter ALL_UNITS = 1,  // with those of other kinds
    parameter KINDS = 1,
    parameter BANKS = 1,
    parameter GLOBAL_LOG2 = 28,
    parameter LOCAL_LOG2 = 15,
    parameter FETCH_CACHE_LOG2 = 13,
    parameter CACHE_LOG2 = 16,
    parameter MUL = 1,
    parameter DIV = 1,
    parameter FPU = 1,
    parameter PROCESSOR = 0,
    parameter PAGES_LOG2 = 0
) ();
  localparam LANES_OK = LANES >= 1 && LANES <= 32 && (LANES & (LANES - 1)) == 0;
  localparam SLOTS_OK = SLOTS >= 4 && SLOTS <= 128 && (SLOTS & (SLOTS - 1)) == 0;
  localparam BANKS_OK = BANKS >= 1 && BANKS <= 8 && (BANKS & (BANKS - 1)) == 0;
  localparam BANK_LOG2 = CACHE_LOG2 - (BANKS >= 8 ? 3 : BANKS >= 4 ? 2 : BANKS >= 2 ? 1 : 0);
  generate
    if (!LANES_OK) begin : check_lanes
      heddle_LANES_must_be_a_power_of_two_from_1_to_32 stop ();
    end
    if (!SLOTS_OK) begin : check_slots
      heddle_SLOTS_must_be_a_power_of_two_from_4_to_128 stop ();
    end
    if (UNITS < 0 || UNITS > 8) begin : check_units
      heddle_UNITS_must_be_0_to_8 stop ();
    end
    if (ALL_UNITS < 1 || ALL_UNITS > 15) begin : check_all_units
      heddle_UNITS_and_KIND_TABLE_must_make_1_to_15_units stop ();
    end
    if (KINDS < 1 || KINDS > 16) begin : check_kinds
      heddle_KINDS_must_be_1_to_16 stop ();
    end
    if (!BANKS_OK) begin : check_banks
      heddle_BANKS_must_be_a_power_of_two_from_1_to_8 stop ();
    end
    if (GLOBAL_LOG2 < 16 || GLOBAL_LOG2 > 31) begin : check_global
      heddle_GLOBAL_LOG2_must_be_16_to_31 stop ();
    end
    if (PROCESSOR != 0 && GLOBAL_LOG2 > 30) begin : check_global_of_processor
      heddle_GLOBAL_LOG2_must_be_30_at_most_with_PROCESSOR stop ();
    end
    if (LOCAL_LOG2 < 10 || LOCAL_LOG2 > 20) begin : check_local_memory
      heddle_LOCAL_LOG2_must_be_10_to_20 stop ();
    end
    if (BANK_LOG2 < 12 || BANK_LOG2 > 18 || CACHE_LOG2 >= GLOBAL_LOG2) begin : check_cache
      heddle_CACHE_LOG2_must_be_12_to_18_for_each_bank_and_below_GLOBAL_LOG2 stop ();
    end
    if (FETCH_CACHE_LOG2 >= GLOBAL_LOG2) begin : check_fetch_cache
      heddle_FETCH_CACHE_LOG2_must_be_below_GLOBAL_LOG2 stop ();
    end
    if (PAGES_LOG2 < 0 || PAGES_LOG2 > 12) begin : check_pages
      heddle_PAGES_LOG2_must_be_0_to_12 stop ();
    end
    if (DIV != 0 && MUL == 0) begin : check_div
      heddle_DIV_needs_MUL stop ();
    end
    if (FPU != 0 && DIV == 0) begin : check_fpu
      heddle_FPU_needs_DIV stop ();
    end
  endgenerate
endmodule

`default_nettype wire
