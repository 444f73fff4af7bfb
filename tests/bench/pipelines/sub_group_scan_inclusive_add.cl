// SPDX-License-Identifier: Apache-2.0
// A scan of each sub-group: one load, one collective, one store.
kernel void sub_group_scan(global const int *in, global int *out) {
  out[get_global_id(0)] = sub_group_scan_inclusive_add(in[get_global_id(0)]);
}
