// SPDX-License-Identifier: Apache-2.0
// Colours of a television picture as red, green and blue: ITU-R BT.601, with whole numbers of 1/256.
kernel void yuv_rgb(global const uchar4 *in, global uchar4 *out) {
  size_t i = get_global_id(0);
  int c = 298 * (in[i].x - 16) + 128, d = in[i].y - 128, e = in[i].z - 128;
  int4 rgb = (int4)(c + 409 * e, c - 100 * d - 208 * e, c + 516 * d, 255 << 8) >> 8;
  out[i] = convert_uchar4_sat(rgb);
}
