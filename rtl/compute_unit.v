// SPDX-License-Identifier: Apache-2.0
// A compute unit as the device sees it: one list of ports for every kind of unit. heddle.v and the command processor
// instantiate this module alone; KIND chooses what is behind the ports. The rules that every kind keeps:
//
// Dispatch. start_i is a pulse, given while the unit is idle and not stopped. The constants of the dispatch are stable
//   from then until the unit is idle again. No work-group is taken in the cycle of start_i. A unit gets dispatches of
//   its own kind only.
// Work-groups. A work-group is transferred in a cycle with group_valid_i and group_ready_o; the unit is not ready while
//   it has no room. group_done_o is a pulse for each completed work-group, one a cycle at most, when the request port
//   has taken all its stores. idle_o: the unit has no work-group, and no request of one is in flight.
// Faults. The first fault of a unit sets fault_o. stop_i has the same effect, with stop_reason_i as the reason, unless
//   a fault came before it. From then on the unit drains: it starts nothing new and finishes the requests in flight.
//   Then drained_o is set, and the record is complete. Both stay set until clear_i, a pulse after drained_o, or
//   start_i. start_i is never given in the cycle after clear_i.
// Requests for beats. Valid and ready; a request stays until it is taken. Loads and atomics are answered in the order
//   of their requests, each with its label; stores are not answered. The device returns labels unread. The owner says
//   whose reservation an lr.w makes.
`include "rtl/shape.vh"
`default_nettype none

module compute_unit #(
    parameter KIND = `HEDDLE_KIND_IS_PROGRAMMABLE,  // HEDDLE_KIND_IS_* of contract/device_map.vh
    parameter NUMBER = 0,  // of its kind in the device's table of kinds: which kernel a pipeline carries out
    parameter LANES = 8,  // largest sub-group: power of two, 1 to 32
    parameter SLOTS = 32,  // resident sub-groups: power of two; of a programmable unit 4 to 128
    parameter LOCAL_LOG2 = 15,  // log2 of the bytes of local memory
    parameter GLOBAL_LOG2 = 28,  // log2 of the bytes of global memory, 16 to 31
    parameter FIRST_LOG2 = 12,  // log2 of its first address
    parameter BEAT_LOG2 = 5,  // log2 of the bytes of a beat
    parameter OWNER_BITS = 5,  // the same for all kinds of a device: log2(SLOTS) at least
    parameter LABEL_BITS = 63,  // the same for all kinds: those of the kind that needs most
    // of a programmable unit
    parameter CONTROL = 0,  // 1: control registers are memory, the upper half of GLOBAL_LOG2 bits
    parameter FETCH_CACHE_LOG2 = 13,  // log2 of the bytes of the instruction cache
    parameter MUL = 1,  // as in heddle.v, like those that follow
    parameter DIV = 1,
    parameter FPU = 1,
    parameter BITMANIP = 1,
    parameter ATOMIC = 1,
    parameter COMPACT = 0,
    parameter PAGES_LOG2 = 0,
    parameter BEAT_BYTES = 1 << BEAT_LOG2  // derived
) (
    input wire clk,
    input wire rst,

    // of the dispatch: only a programmable unit reads these
    input wire [           31:2] entry_i,         // PC of the kernel
    input wire [GLOBAL_LOG2-1:0] private_base_i,  // of this unit's private memory
    input wire [            4:0] private_log2_i,  // log2 of the bytes of a work-item's private memory
    input wire [           63:0] clock_i,         // the device clock

    `include "rtl/compute_unit_ports.vh"
);
  generate
    if (KIND == `HEDDLE_KIND_IS_PROGRAMMABLE) begin : programmable
      if (LABEL_BITS < `HEDDLE_UNIT_LABEL_BITS(LANES, SLOTS, BEAT_LOG2) || OWNER_BITS < $clog2(SLOTS)) begin : check
        compute_unit_LABEL_BITS_or_OWNER_BITS_too_small_for_LANES_and_SLOTS stop ();
      end
      unit #(
          .LANES  (LANES),
          .SLOTS  (SLOTS),
          .CONTROL(CONTROL),
          `include "rtl/compute_unit_parameters_passed.vh"
      ) unit (
          .clk(clk),
          .rst(rst),
          .entry_i(entry_i),
          .private_base_i(private_base_i),
          .private_log2_i(private_log2_i),
          .clock_i(clock_i),
          `include "rtl/compute_unit_connections.vh"
      );
      wire unused = NUMBER[0];
    end else if (KIND == `HEDDLE_KIND_IS_PIPELINE) begin : pipeline
`ifdef HEDDLE_PIPELINES
      pipelines #(
          .NUMBER(NUMBER),
          .GLOBAL_LOG2(GLOBAL_LOG2),
          .FIRST_LOG2(FIRST_LOG2),
          .LOCAL_LOG2(LOCAL_LOG2),
          .BEAT_LOG2(BEAT_LOG2),
          .OWNER_BITS(OWNER_BITS),
          .LABEL_BITS(LABEL_BITS),
          .PAGES_LOG2(PAGES_LOG2)
      ) pipelines (
          .clk(clk),
          .rst(rst),
          `include "rtl/compute_unit_connections.vh"
      );
      wire unused = &{1'b0, entry_i, private_base_i, private_log2_i, clock_i};
`else
      compute_unit_KIND_is_that_of_pipelines_and_there_are_none stop ();
`endif
    end else if (KIND == `HEDDLE_KIND_IS_TEST) begin : test
`ifdef HEDDLE_TEST_UNIT
      test_unit #(
          .NUMBER(NUMBER),
          .GLOBAL_LOG2(GLOBAL_LOG2),
          .BEAT_LOG2(BEAT_LOG2),
          .OWNER_BITS(OWNER_BITS),
          .LABEL_BITS(LABEL_BITS)
      ) test_unit (
          .clk(clk),
          .rst(rst),
          `include "rtl/compute_unit_connections.vh"
      );
      wire unused = &{1'b0, entry_i, private_base_i, private_log2_i, clock_i};
`else
      compute_unit_KIND_is_that_of_tests_in_simulation stop ();
`endif
    end else begin : none
      compute_unit_KIND_is_not_known stop ();
    end
  endgenerate
endmodule

`default_nettype wire
