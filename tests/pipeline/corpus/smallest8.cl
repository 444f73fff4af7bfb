// SPDX-License-Identifier: Apache-2.0
// The eight smallest of many numbers, in a binary heap in private memory.
kernel void smallest8(global const int *x, uint n, global int *out) {
  int heap[8];
  size_t g = get_global_id(0);
  uint size = 0;
  for (uint i = 0; i < n; i++) {
    int v = x[g * n + i];
    uint at;
    if (size < 8) {
      at = size++;
      while (at > 0 && heap[(at - 1) / 2] < v) { heap[at] = heap[(at - 1) / 2]; at = (at - 1) / 2; }
    } else {
      if (v >= heap[0]) continue;
      at = 0;
      for (;;) {
        uint child = 2 * at + 1;
        if (child >= 8) break;
        if (child + 1 < 8 && heap[child + 1] > heap[child]) child++;
        if (heap[child] <= v) break;
        heap[at] = heap[child];
        at = child;
      }
    }
    heap[at] = v;
  }
  long sum = 0;
  for (uint i = 0; i < 8; i++) sum += heap[i];
  out[2 * g] = heap[0];
  out[2 * g + 1] = (int)sum;
}
