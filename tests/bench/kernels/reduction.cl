// SPDX-License-Identifier: Apache-2.0
// The sum of a work-group's elements by halves, through local memory; a second launch adds the work-groups' sums.
kernel void reduction(global const float *in, global float *sums) {
  local float part[64];
  int i = get_local_id(0);
  part[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
    if (i < half_size) part[i] += part[i + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i == 0) sums[get_group_id(0)] = part[0];
}
