# SPDX-License-Identifier: Apache-2.0
"""The bugs that plant.py plants: each one textual change in one file of rtl/. Kinds of mistakes that people make: a condition
left out, a bound off by one, a sign forgotten, the wrong one of two values."""
from collections import namedtuple

Bug = namedtuple("Bug", "file text replacement what")

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
    "fetch_compares_half_the_tag": Bug(
        "unit/fetch.v", "f2_tag == f2_pc[GLOBAL_LOG2-1:CACHE_LOG2]", "f2_tag[TAG_BITS-1:1] == f2_pc[GLOBAL_LOG2-1:CACHE_LOG2+1]",
        "two rows an instruction cache apart count as the same"),
    # Collectives.
    "collective_first_lane_without_carry": Bug(
        "group/collective.v", ".value_i(e1_carried_i ? e1_carry_i : identity),", ".value_i(identity),",
        "lane 0 of an exclusive scan of a work-group does not get what came before it"),
    "collective_predicate_of_low_half": Bug(
        "group/collective.v", "e1_a_i[i*32+:32] != 32'd0}", "e1_a_i[i*32+:16] != 16'd0}",
        "all and any look at half the predicate"),
    "scan_operator_always_signed": Bug(
        "group/scan_operator.v", "{signed_i & a_i[31], a_i, 1'b1}", "{a_i[31], a_i, 1'b1}",
        "minimum and maximum of uint take one operand as int"),
    "identity_of_unsigned": Bug(
        "group/identity_element.v", "{signed_i == max_i, {31{!max_i}}}", "{max_i, {31{!max_i}}}",
        "minimum and maximum of uint start from the identity of int"),
    "scan_tree_takes_wrong_lane": Bug(
        "group/scan_tree.v", "((i >> (l - 1)) << (l - 1)) - 1;", "i - (1 << (l - 1));",
        "a level of the tree takes in a lane of the block before that is not its last"),
    "sequencer_operation_of_a_returned_sub_group": Bug(
        "group/sequencer.v", "q_finish ? operation : {q_add, q_max, q_signed, q_scan}", "{q_add, q_max, q_signed, q_scan}",
        "a sub-group that returns while others wait changes what they wait for"),
    "sequencer_carries_of_returned_sub_groups": Bug(
        "group/sequencer.v", "if (releasing && walk_operation[0]) carry", "if (walk_operation[0]) carry",
        "a scan carries the old total of a sub-group that has returned"),
    # Launch, walker, figures.
    "launch_lane_goes_on_counting": Bug(
        "unit/launch.v", "if (left == 11'd1) lane <= {LANE_BITS{1'b0}};", "if (left == 11'd0) lane <= {LANE_BITS{1'b0}};",
        "a work-group after one that ends in a small sub-group begins in the wrong lane"),
    "launch_places_overlap_in_local_memory": Bug(
        "unit/launch.v", "local_end <= local_next[LOCAL_LOG2:0];",
        "local_end <= {1'b0, local_next[LOCAL_LOG2:1]};",
        "resident work-groups share part of their local memory"),
    "walker_full_last_row": Bug(
        "dispatch/walker.v", "last_y ? left_y[10:0] : local_y[10:0]", "last_x ? left_y[10:0] : local_y[10:0]",
        "the size in y of a work-group is decided by its place in x"),
}
