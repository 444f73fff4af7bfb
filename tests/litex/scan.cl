// SPDX-License-Identifier: Apache-2.0
// What the program of tests/litex runs: each sub-group leaves the prefix sums of its words.
kernel void scan(global const int *from, global int *to) {
  const size_t i = get_global_id(0);
  to[i] = sub_group_scan_inclusive_add(from[i]);
}
