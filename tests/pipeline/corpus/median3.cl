// SPDX-License-Identifier: Apache-2.0
// The median of 3x3 pixels by exchanges: Paeth, Median Finding on a 3x3 Grid, Graphics Gems, 1990; the network is of 19
// exchanges.
void exchange(uchar *a, uchar *b) {
  uchar less = min(*a, *b);
  *b = max(*a, *b);
  *a = less;
}

constant uchar network[19][2] = {{1, 2}, {4, 5}, {7, 8}, {0, 1}, {3, 4}, {6, 7}, {1, 2}, {4, 5}, {7, 8}, {0, 3},
                                 {5, 8}, {4, 7}, {3, 6}, {1, 4}, {2, 5}, {4, 7}, {4, 2}, {6, 4}, {4, 2}};

kernel void median3(global const uchar *in, global uchar *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  uchar p[9];
#pragma unroll
  for (int i = 0; i < 9; i++)
    p[i] = in[clamp(y + i / 3 - 1, 0, height - 1) * width + clamp(x + i % 3 - 1, 0, width - 1)];
#pragma unroll
  for (int i = 0; i < 19; i++)
    exchange(&p[network[i][0]], &p[network[i][1]]);
  out[y * width + x] = p[4];
}
