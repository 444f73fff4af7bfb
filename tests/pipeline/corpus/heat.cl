// SPDX-License-Identifier: Apache-2.0
// Heat that spreads: the explicit scheme of Courant, Friedrichs and Lewy, 1928, forward in time and central in space.
// The edge keeps its heat.
kernel void heat(global const float *in, global float *out, float rate) {
  int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0), height = get_global_size(1),
      at = y * width + x;
  float here = in[at];
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
    here += rate * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width] - 4 * here);
  out[at] = here;
}
