// SPDX-License-Identifier: Apache-2.0
// The three nearest of some points: Fix and Hodges, 1951, and Cover and Hart, Nearest Neighbor Pattern Classification,
// 1967. Squares of distances, least first.
kernel void knn(global const int2 *asked, global const int2 *points, global int *out, uint count) {
  size_t i = get_global_id(0);
  int a = INT_MAX, b = INT_MAX, c = INT_MAX;
  for (uint p = 0; p < count; p++) {
    int2 d = asked[i] - points[p];
    int square = d.x * d.x + d.y * d.y;
    c = min(c, max(b, square));
    b = min(b, max(a, square));
    a = min(a, square);
  }
  vstore3((int3)(a, b, c), i, out);
}
