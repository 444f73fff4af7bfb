// SPDX-License-Identifier: Apache-2.0
// The first place of a pattern in a text: Knuth, Morris and Pratt.
kernel void kmp(global const uchar *text, uint n, global const uchar *patterns, uint m, global int *first) {
  uchar fail[16], p[16];
  size_t g = get_global_id(0);
  for (uint i = 0; i < m; i++) p[i] = patterns[g * m + i];
  fail[0] = 0;
  for (uint i = 1, k = 0; i < m; i++) {
    while (k > 0 && p[k] != p[i]) k = fail[k - 1];
    if (p[k] == p[i]) k++;
    fail[i] = k;
  }
  int at = -1;
  for (uint i = 0, k = 0; i < n; i++) {
    while (k > 0 && p[k] != text[i]) k = fail[k - 1];
    if (p[k] == text[i]) k++;
    if (k == m) { at = i + 1 - m; break; }
  }
  first[g] = at;
}
