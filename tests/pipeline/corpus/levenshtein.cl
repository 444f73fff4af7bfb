// SPDX-License-Identifier: Apache-2.0
// How many letters two words differ in: Wagner and Fischer, The String-to-String Correction Problem, 1974, with one row
// kept.
kernel void levenshtein(global const uchar *a, global const uchar *b, global uint *out, uint n) {
  size_t item = get_global_id(0);
  uint row[17];
  for (uint j = 0; j <= n; j++)
    row[j] = j;
  for (uint i = 0; i < n; i++) {
    uint corner = row[0];
    row[0] = i + 1;
    for (uint j = 0; j < n; j++) {
      uint above = row[j + 1], changed = corner + (a[item * n + i] != b[item * n + j]);
      row[j + 1] = min(changed, min(above, row[j]) + 1);
      corner = above;
    }
  }
  out[item] = row[n];
}
