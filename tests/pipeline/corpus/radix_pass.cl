// SPDX-License-Identifier: Apache-2.0
// One digit of a radix sort of 64 values, a bit at a time: the split of Blelloch, Prefix Sums and Their Applications,
// 1990. It keeps the order of equal digits.
kernel void radix_pass(global const uint *in, global uint *out, uint shift) {
  local uint values[64];
  uint i = get_local_id(0), n = get_local_size(0);
  values[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint bit = shift; bit < shift + 4; bit++) {
    uint value = values[i], is_one = value >> bit & 1;
    uint ones_before = work_group_scan_exclusive_add(is_one), ones = work_group_reduce_add(is_one);
    uint place = is_one ? n - ones + ones_before : i - ones_before;
    values[place] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = values[i];
}
