// SPDX-License-Identifier: Apache-2.0
// Keeps the values above a limit, close together and in order, and counts them: Horn, Stream Reduction Operations for
// GPGPU Applications, GPU Gems 2, 2005.
kernel void compaction(global const int *in, global int *out, global uint *counts, int limit) {
  size_t first = get_group_id(0) * get_local_size(0);
  int value = in[get_global_id(0)];
  uint is_kept = value > limit, place = work_group_scan_exclusive_add(is_kept), all = work_group_reduce_add(is_kept);
  if (is_kept)
    out[first + place] = value;
  if (get_local_id(0) == 0)
    counts[get_group_id(0)] = all;
}
