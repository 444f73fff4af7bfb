# SPDX-License-Identifier: Apache-2.0
"""The bugs that plant.py plants: each one textual change in one file of rtl/. Kinds of mistakes that people make: a condition
left out, a bound off by one, a sign forgotten, the wrong one of two values. `test`: the directed test that finds it, where random
programs do not come to what it changes."""
from collections import namedtuple

Bug = namedtuple("Bug", "file text replacement what units test", defaults=(1, None))

PLANTED = {
    # Which sub-group, which lanes, which instruction.
    "select_ignores_hold": Bug(
        "unit/select.v", "wire [SLOTS-1:0] chosen = hold_i ?", "wire [SLOTS-1:0] chosen = hold_i && !ready[0] ?",
        "while slot 0 is ready a slot is chosen although a launch has the turn"),
    "converge_leaves_lanes_behind": Bug(
        "unit/converge.v", "a_lanes & {LANES{a_first | same}}", "a_lanes & {LANES{a_first}}",
        "of lanes at the same PC only some go on"),
    "converge_compares_too_little": Bug(
        "unit/converge.v", "wire a_first = a < b;", "wire a_first = a[8:0] < b[8:0];",
        "which lanes are first is told from the PC's low bits"),
    "fetch_compares_no_tag": Bug(
        "unit/fetch.v", "f2_stamp = {epoch, f2_pc[GLOBAL_LOG2-1:CACHE_LOG2]}", "f2_stamp = {epoch, f2_tag[TAG_BITS-1:0]}",
        "two beats an instruction cache apart count as the same"),
    "decode_mulhsu_as_mulh": Bug(
        "unit/decode.v", "multiplier_signed = !funct3[1];", "multiplier_signed = !(&funct3[1:0]);",
        "mulhsu takes both operands as signed"),
    "turns_count_atomics_alone": Bug(
        "unit/next_pc.v", ".e1_waits_i(e1_control_i[C_WAITS]),", ".e1_waits_i(e1_control_i[C_ATOMIC]),",
        "lanes that spin with a pause in their loop do not yield"),
    "turns_end_for_those_that_leave": Bug(
        "unit/next_pc.v", ".e2_jump_i(e2_there),", ".e2_jump_i(e2_lanes),",
        "lanes that leave the loop yield with those that go on in it"),
    "turns_of_any_jump": Bug(
        "unit/next_pc.v", "((e1_control_i[C_JUMP] || e1_control_i[C_BRANCH]) && e1_control_i[C_FUNCTION+4])", "(e1_control_i[C_JUMP] || e1_control_i[C_BRANCH])",
        "a turn ends with a jump forward"),
    "unit_forgets_parked_lanes": Bug(
        "unit/next_pc.v", "e2_park ? e2_parked | e2_lanes :", "e2_park ? e2_lanes :",
        "lanes that come to a collective after others make it forget these"),
    "unit_passes_barriers": Bug(
        "unit/datapath.v", "                      !wb_arrive_o;", "                      !(wb_arrive_o && wb_instruction_o[I_CONTROL+C_COLLECTIVE]);",
        "a sub-group that has come to a barrier goes on before the others have come"),
    "fault_record_names_any_lane": Bug(
        "unit/fault_record.v", "e3_bad_fetch_i ? e3_lanes_i : e3_lane_faults_i;", "e3_bad_fetch_i ? e3_lanes_i : e3_lanes_i;",
        "the record names the lowest lane of the instruction, not the lowest that faults"),
    # Rights of pages.
    "rights_of_any_domain": Bug(
        "memory/rights.v", "unchecked || entry[6:0] == domain ||", "unchecked || entry[6:0] != 7'd0 ||",
        "a dispatch reaches pages of other domains"),
    "rights_to_load_are_rights_to_store": Bug(
        "memory/coalescer.v", "a_reads ? may_load : may_store", "may_load", "what may be read can be written"),
    "rights_of_lane_0": Bug(
        "memory/coalescer.v", "if (pending[l]) lowest_address = head_address[l*ADDRESS_BITS+:ADDRESS_BITS];",
        "if (l == 0) lowest_address = head_address[l*ADDRESS_BITS+:ADDRESS_BITS];",
        "the page that is looked up is that of lane 0, whoever is served"),
    "refusals_of_the_slots_next_work_group": Bug(
        "unit/fault_record.v", "id_word = refusal ? recalled_word_i : group_word_i;", "id_word = group_word_i;",
        "a refused store is said to be of the work-group that has the group slot now",
        test="the_work_group_of_a_refused_store_is_named_after_it_has_ended"),
    # Loads under way.
    "in_flight_destination_forgotten": Bug(
        "unit/in_flight.v", "(de_rd_used_i && de_ring[5*k+:5] == de_rd_i)", "(de_rd_used_i && de_loads_i && de_ring[5*k+:5] == de_rd_i)",
        "an instruction does not wait for a load of the register that it writes"),
    "in_flight_third_register_forgotten": Bug(
        "unit/issue.v", ".de_rs3_used_i(rs3_used),", ".de_rs3_used_i(rs3_used && control[C_STORE]),",
        "a fused multiply-add does not wait for a load of its addend"),
    # Across lanes.
    "float_sum_of_the_wrong_lane": Bug(
        "group/float_sum.v", "if (((i >> p) & 1) == 0)", "if (((i >> p) & 1) == 0 || (p == 1 && i == 2))",
        "in one lane what the block before has is left out of a sum of floats"),
    "float_sum_counts_who_has_returned": Bug(
        "unit/execute.v", "{LANES{rd_first_sum}} & ~rd_bundle[B_LANES+:LANES];", "{LANES{rd_first_sum}} & ~rd_bundle[B_LANES+:LANES] & {{(LANES - 1) {1'b1}}, 1'b0};",
        "a sum of floats counts lane 0 also when it has returned"),
    "wide_collective_forgets_its_first_words": Bug(
        "group/scan_tree.v", "!level[l-1].early_second || equal", "!level[l-1].early_second || !carried",
        "of 64-bit values the lower word decides also where the upper one of the first is less"),
    "wide_collective_of_another_slot": Bug(
        "group/scan_tree.v", "states[slot[SLOT_BITS*(l+3)+:SLOT_BITS]]", "states[slot[SLOT_BITS*(l+2)+:SLOT_BITS]]",
        "what a first word leaves is kept for the slot behind it"),
    # Memory.
    "load_align_extends_half_words": Bug(
        "memory/load_align.v", "size_i[0] ? upper[15] : lower[7]", "size_i[0] ? lower[7] : lower[7]",
        "a half-word is extended by the sign of its low byte"),
    "coalescer_bytes_in_any_order": Bug(
        "memory/coalescer.v", "if (pending[j] && head_after[j*LANES+i]) held[i] = 1'b1;",
        "if (pending[j] && head_after[j*LANES+i] && head_size != 2'd0) held[i] = 1'b1;",
        "lanes that store the same byte go together"),
    "local_memory_minimum_of_any_sign": Bug(
        "memory/local_memory.v", "(!function_i[3] && old[31] != operand[31])", "(function_i[3] && old[31] != operand[31])",
        "amomin.w and amomax.w of local memory compare as the unsigned ones"),
    "sc_succeeds_without_lr_of_the_lane": Bug(
        "memory/load_store.v", "wire [LANES-1:0] strobe = is_sc ?", "wire [LANES-1:0] strobe = is_sc && lanes_i[0] ?",
        "a lane's sc.w succeeds by another lane's lr.w"),
    "reservation_survives_stores": Bug(
        "memory/reservation.v", "words <= words & ~written_i;",
        "if (age == 0) words <= words & ~written_i;",
        "a store between lr.w and sc.w goes unnoticed"),
    "cache_reads_what_a_store_changes": Bug(
        "memory/cache_data.v", "wire stored = f_store && !open && !(r_valid && f_r_same_beat);", "wire stored = f_store && !open;",
        "a store to the cache overtakes a load of the same beat", units=2),
    "cache_lookup_old_tags": Bug(
        "memory/cache_lookup.v", "wire fill_before = b_filled && filled_way == n;", "wire fill_before = 1'b0;",
        "a request behind a miss of its set does not see the new tag"),
    # Arithmetic and addresses.
    "multiplier_of_two_negative_numbers": Bug(
        "lane/multiplier.v", "{b_negative_i, b_i[31:16]}", "{b_negative_i & !a_i[31], b_i[31:16]}",
        "the high half of a product of two negative numbers"),
    "divider_sign_by_zero": Bug(
        "lane/divider.v", " && (divisor_i != 32'd0);", ";",
        "a negative number divided by zero"),
    "index_of_another_size": Bug(
        "unit/decode.v", "shift_add = i[26:25];", "shift_add = {i[26], i[26] && i[25]};",
        "a load at an index of half-words takes it as one of bytes"),
    "store_at_an_index_of_the_base": Bug(
        "unit/decode.v", "third_is_rd = !i[6] && i[4:2] == 3'b010;", "third_is_rd = i[6:2] == 5'b00010;",
        "a store at an index stores its base"),
    "address_of_words_half_checked": Bug(
        "memory/address.v", "(size_i[1] && a[1:0] != 2'd0)", "(size_i[1] && a[1])",
        "a word at an odd address"),
    # Floating point and bit manipulation.
    "float_ties_go_up": Bug(
        "lane/float_unit.v", "(e6_even && e6_magnitude[0])", "e6_even",
        "halfway between two floats goes away from zero"),
    "float_sticky_bit_lost": Bug(
        "lane/float_unit.v", "(e2_block[4] && e2_low_23) ||", "(e2_block[4] && e2_low_7) ||",
        "an addend far below the product loses bits that decide the rounding"),
    "float_zero_of_a_difference": Bug(
        "lane/float_unit.v", "(e4_subtract ? e4_rounding == DOWN : e4_sign)", "(e4_subtract ? 1'b0 : e4_sign)",
        "x - x is +0 also when rounding down"),
    "float_subnormals_too_far": Bug(
        "lane/float_unit.v", "e4_limited ? 4'b1000 >> e4_exponent[3:2] : 4'b0000;", "4'b0000;",
        "a subnormal result is normalised"),
    "divider_root_of_odd_exponents": Bug(
        "lane/divider.v", "(!remainder[24] || (root && exponent[0]))", "(!remainder[24] || root)",
        "the root of a float whose exponent is even"),
    "divider_wakes_too_early": Bug(
        "lane/divide_control.v", "is_float && count == 6'd6;", "is_float && count == 6'd7;",
        "an instruction comes back before its quotient is there, and waits for the divider that waits for it"),
    "count_of_no_bits": Bug(
        "lane/count_bits.v", "{3'd3, count[3][2:0]} : 6'd32;", "{3'd3, count[3][2:0]} : 6'd31;",
        "clz and ctz of zero"),
    # Collectives.
    "collective_first_lane_without_carry": Bug(
        "group/collective.v", ".value_i(e1_carried_i ? e1_carry_i : identity),", ".value_i(identity),",
        "lane 0 of an exclusive scan of a work-group does not get what came before it"),
    "shuffle_from_lanes_that_are_elsewhere": Bug(
        "group/shuffle.v", "e1_shuffle_i && e1_lanes_i[j] && e1_b_i", "e1_shuffle_i && e1_b_i",
        "a shuffle brings the words of lanes that do not execute it"),
    "shuffle_makes_no_way": Bug(
        "memory/load_store.v", "!l2_valid && answer_room && !e1_shuffle_i;", "!l2_valid && answer_room;",
        "an answer of global memory uses the crossbar together with a shuffle"),
    "float_minimum_of_nans": Bug(
        "group/collective.v", "e2_lanes <= e1_lanes_i & ~e1_nan;", "e2_lanes <= e1_lanes_i;",
        "a NaN takes part in minimum and maximum"),
    "ballot_of_all_live_lanes": Bug(
        "group/collective.v", "if (fixed[i] && e2_ballot) e3_x[i*33] <= e2_true[i];", "if (fixed[i] && e2_ballot) e3_x[i*33] <= 1'b1;",
        "a ballot counts lanes whose predicate is 0"),
    "answers_merged_too_far": Bug(
        "memory/load_store.v", "r_same <= r_valid && !r_label[LABEL_BITS-1] &&", "r_same <= r_valid &&",
        "the answers of two operations for one register become one"),
    "collective_predicate_of_low_half": Bug(
        "group/collective.v", "e2_true[i] <= e1_a_i[i*32+:32] != 32'd0;", "e2_true[i] <= e1_a_i[i*32+:16] != 16'd0;",
        "all and any look at half the predicate"),
    "scan_operator_always_signed": Bug(
        "group/scan_operator.v", "wire [31:0] order = {operation_i[T_SIGNED], 31'd0};", "wire [31:0] order = {1'b1, 31'd0};",
        "minimum and maximum of uint take one operand as int"),
    "identity_of_unsigned": Bug(
        "group/identity_element.v", "{operation_i[T_SIGNED] == max, {8{!max}}", "{max, {8{!max}}",
        "minimum and maximum of uint start from the identity of int"),
    "scan_tree_takes_wrong_lane": Bug(
        "group/scan_tree.v", "((i >> (l - 1)) << (l - 1)) - 1;", "i - (1 << (l - 1));",
        "a level of the tree takes in a lane of the block before that is not its last"),
    "sequencer_operation_of_a_returned_sub_group": Bug(
        "group/sequencer.v", "q_finish ? operation : {q_operation, q_scan}", "{q_operation, q_scan}",
        "a sub-group that returns while others wait changes what they wait for"),
    "sequencer_carries_of_returned_sub_groups": Bug(
        "group/sequencer.v", "joins = visits &&", "joins = walking && !halts &&",
        "a scan carries the old total of a sub-group that has returned"),
    "sequencer_does_not_wait_for_the_adder": Bug(
        "group/sequencer.v", "halts = FPU != 0 && adding[ADD_CYCLES-2:0] != 0", "halts = FPU != 0 && adding[ADD_CYCLES-3:0] != 0",
        "a sum of floats over a work-group leaves out totals"),
    # Launch, walker, figures.
    "launch_lane_goes_on_counting": Bug(
        "unit/launch.v", "lane  <= ends ? LANE_0 : lane << 1;", "lane  <= (lane & last_lane) != 0 ? LANE_0 : lane << 1;",
        "a work-group after one that ends in a small sub-group begins in the wrong lane"),
    "launch_places_overlap_in_local_memory": Bug(
        "unit/launch.v", "local_end <= local_end + local_bytes_i[LOCAL_LOG2-1:0];",
        "local_end <= local_end + {1'b0, local_bytes_i[LOCAL_LOG2-1:1]};",
        "resident work-groups share part of their local memory"),
    "walker_full_last_row": Bug(
        "dispatch/walker.v", "last_y ? left_y[10:0] : local_y[10:0]", "last_x ? left_y[10:0] : local_y[10:0]",
        "the size in y of a work-group is decided by its place in x"),
    "control_counts_lanes_of_waiting_instructions": Bug(
        "dispatch/control.v", "if (issued_i[unit]) active =", "active =",
        "the figure of active lanes counts what did not issue"),
    # Several units.
    "units_share_private_memory": Bug(
        "compute_units.v", "WINDOWS = IN_KIND * OF_KIND_LANES * OF_KIND_SLOTS", "WINDOWS = u * SLOTS",
        "the private memory of a unit overlaps that of the one before it", units=2),
    "units_all_get_work_groups": Bug(
        "compute_units.v", "(unit_mask_i == 16'd0 || unit_mask_i[IN_KIND])", "(unit_mask_i == 16'd0 || unit_mask_i[0] || unit_mask_i[IN_KIND])",
        "a dispatch that names unit 0 runs on all", units=2, test="work_groups_run_on_the_units_that_the_dispatch_names"),
    "dispatcher_starts_for_no_unit": Bug(
        "dispatch/dispatcher.v", "kind_exists && may_run_i != 0", "kind_exists",
        "a dispatch that names units that are not there waits for ever", units=2, test="a_dispatch_that_breaks_a_rule_is_refused_and_the_next_one_runs"),
    "cache_banks_answer_whoever_waits": Bug(
        "memory/cache_banks.v", "answer_unit[from*UNIT_BITS+:UNIT_BITS] == NUMBER", "(answer_unit[from*UNIT_BITS+:UNIT_BITS] | NUMBER) == NUMBER",
        "a unit takes the answers of the units before it", units=2),
    "cache_banks_ask_for_other_lines": Bug(
        "memory/cache_banks.v", "fold(above) ^ BANK", "BANK",
        "a bank asks external memory for other lines than its own", units=2),
    "first_fault_of_the_first_unit": Bug(
        "dispatch/first_fault.v", "if (fault_i[n] && !idle_i[n])", "if (!idle_i[n])",
        "the record is that of a unit which did not fault", units=2),
}
