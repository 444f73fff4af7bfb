// SPDX-License-Identifier: Apache-2.0
// Solutions of the n queens problem behind two queens that are placed, with a stack of bit masks.
kernel void queens(int n, global uint *solutions) {
  uint all = (1u << n) - 1, g = get_global_id(0);
  uint columns[12], left[12], right[12], free[12];
  uint count = 0;
  uint first = 1u << g % n, second = 1u << g / n % n;
  if (first == second || first << 1 == second || first >> 1 == second) { solutions[g] = 0; return; }
  int depth = 2;
  columns[2] = first | second; left[2] = (first << 1 | second) << 1; right[2] = (first >> 1 | second) >> 1;
  free[2] = all & ~(columns[2] | left[2] | right[2]);
  while (depth >= 2) {
    if (free[depth] == 0) { depth--; continue; }
    uint bit = free[depth] & -free[depth];
    free[depth] ^= bit;
    if (depth == n - 1) { count++; continue; }
    columns[depth + 1] = columns[depth] | bit;
    left[depth + 1] = (left[depth] | bit) << 1;
    right[depth + 1] = (right[depth] | bit) >> 1;
    depth++;
    free[depth] = all & ~(columns[depth] | left[depth] | right[depth]);
  }
  solutions[g] = count;
}
