// SPDX-License-Identifier: Apache-2.0
// Turns a picture around its centre: each pixel of the result looks where it came from, between the pixels of the
// original, of which the sampler blends four. Outside of that everything is transparent black, the border colour.
constant sampler_t between = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;

// `turn` is the cosine and the sine of the angle.
kernel void rotate_picture(read_only image2d_t from, write_only image2d_t to, float2 turn) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float2 centre = (float2)(get_image_width(to), get_image_height(to)) * 0.5f;
  float2 p = convert_float2(at) + 0.5f - centre;
  float2 source = (float2)(turn.x * p.x + turn.y * p.y, turn.x * p.y - turn.y * p.x) + centre;
  write_imagef(to, at, read_imagef(from, between, source));
}
