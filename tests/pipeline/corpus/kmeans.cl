// SPDX-License-Identifier: Apache-2.0
// To which of some means each point is nearest, and how many there are: Lloyd, Least Squares Quantization in PCM, 1982,
// the first half of a step.
kernel void kmeans(global const int2 *points, constant int2 *means, global uint *nearest, global uint *counts,
                   uint count) {
  size_t i = get_global_id(0);
  int least = INT_MAX;
  uint which = 0;
  for (uint k = 0; k < count; k++) {
    int2 d = points[i] - means[k];
    int square = d.x * d.x + d.y * d.y;
    if (square < least) {
      least = square;
      which = k;
    }
  }
  nearest[i] = which;
  atomic_inc(&counts[which]);
}
