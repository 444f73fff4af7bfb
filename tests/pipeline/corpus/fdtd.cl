// SPDX-License-Identifier: Apache-2.0
// Maxwell's equations in one dimension: Yee's leapfrog in local memory.
kernel void fdtd(global float *ez, global float *hy, int steps) {
  local float e[33], h[33];
  int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
  e[l] = ez[g]; h[l] = hy[g];
  if (l == 0) { e[n] = 0; h[n] = 0; }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int t = 0; t < steps; t++) {
    h[l] += 0.5f * (e[l + 1] - e[l]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l > 0) e[l] += 0.5f * (h[l] - h[l - 1]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  ez[g] = e[l]; hy[g] = h[l];
}
