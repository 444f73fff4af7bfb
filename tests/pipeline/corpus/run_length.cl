// SPDX-License-Identifier: Apache-2.0
// Runs of equal values as value and length: Robinson and Cherry, Results of a Prototype Television Bandwidth
// Compression Scheme, 1967.
kernel void run_length(global const uchar *in, global uint2 *runs, global uint *counts) {
  local uint starts[65];
  uint i = get_local_id(0), n = get_local_size(0), first = get_group_id(0) * n;
  uint begins = i == 0 || in[first + i] != in[first + i - 1];
  uint number = work_group_scan_inclusive_add(begins), all = work_group_reduce_add(begins);
  if (begins)
    starts[number - 1] = i;
  if (i == 0)
    starts[all] = n;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (begins)
    runs[first + number - 1] = (uint2)(in[first + i], starts[number] - i);
  if (i == 0)
    counts[get_group_id(0)] = all;
}
