// SPDX-License-Identifier: Apache-2.0
// A sorting network of 64 values: Batcher, Sorting Networks and Their Applications, 1968, odd-even merge sort.
kernel void odd_even_merge(global const int *in, global int *out) {
  local int values[64];
  uint i = get_local_id(0), n = get_local_size(0);
  values[i] = in[get_global_id(0)];
  for (uint p = 1; p < n; p *= 2)
    for (uint k = p; k > 0; k /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint from = k % p, other = i + k;
      if (i >= from && (i - from) / k % 2 == 0 && other < n && i / (2 * p) == other / (2 * p)) {
        int a = values[i], b = values[other];
        values[i] = min(a, b);
        values[other] = max(a, b);
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = values[i];
}
