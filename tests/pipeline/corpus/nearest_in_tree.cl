// SPDX-License-Identifier: Apache-2.0
// The nearest point of a k-d tree of two dimensions, with a stack in private memory.
typedef struct { float x, y; int left, right; } point_node;
kernel void nearest_in_tree(global const point_node *tree, global const float2 *queries, global int *nearest) {
  int stack[12], depths[12], top = 0;
  size_t g = get_global_id(0);
  float2 q = queries[g];
  float best = FLT_MAX;
  int found = -1;
  stack[0] = 0; depths[0] = 0; top = 1;
  while (top > 0) {
    int i = stack[--top], depth = depths[top];
    if (i < 0) continue;
    point_node p = tree[i];
    float dx = p.x - q.x, dy = p.y - q.y, d = dx * dx + dy * dy;
    if (d < best) { best = d; found = i; }
    float away = depth & 1 ? -dy : -dx;
    int near = away < 0 ? p.left : p.right, far = away < 0 ? p.right : p.left;
    if (away * away < best) { stack[top] = far; depths[top++] = depth + 1; }
    stack[top] = near; depths[top++] = depth + 1;
  }
  nearest[g] = found;
}
