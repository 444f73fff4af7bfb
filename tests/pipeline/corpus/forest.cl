// SPDX-License-Identifier: Apache-2.0
// The mean of a forest of decision trees, in nodes that are structures.
struct branch { float threshold; short feature, left, right; ushort pad; };
kernel void forest(global const struct branch *trees, uint each, uint count,
                   global const float *x, uint features, global float *out) {
  size_t g = get_global_id(0);
  float sum = 0;
  for (uint t = 0; t < count; t++) {
    int node = 0;
    global const struct branch *tree = trees + t * each;
    while (tree[node].feature >= 0)
      node = x[g * features + tree[node].feature] < tree[node].threshold ? tree[node].left : tree[node].right;
    sum += tree[node].threshold;
  }
  out[g] = sum / count;
}
