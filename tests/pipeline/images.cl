// SPDX-License-Identifier: Apache-2.0
// Kernels of images.py: pixels as floats and as integers, by samplers and without, and what is asked of an image.
constant sampler_t repeated = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST;

kernel void sample(read_only image2d_t from, sampler_t sampler, global const float2 *at, global float4 *to) {
  size_t i = get_global_id(0);
  to[i] = read_imagef(from, sampler, at[i]);
}

kernel void move_floats(read_only image2d_t from, write_only image2d_t to, global const float2 *at, global int4 *sizes) {
  int2 place = (int2)((int)get_global_id(0), (int)get_global_id(1));
  write_imagef(to, place, read_imagef(from, repeated, at[place.x]) + read_imagef(from, place) * 0.5f);
  if (place.x == 0)
    sizes[place.y] = (int4)(get_image_dim(from), get_image_channel_order(to), get_image_channel_data_type(to));
}

kernel void move_integers(read_only image2d_t from, write_only image2d_t to, int is_signed, int shift) {
  int2 place = (int2)((int)get_global_id(0) - 1, (int)get_global_id(1) - 1);
  if (is_signed)
    write_imagei(to, place, read_imagei(from, place.yx) << shift);
  else
    write_imageui(to, place, read_imageui(from, place.yx) << (uint)shift);
}

kernel void move_slices(read_only image3d_t from, global uint4 *to, read_write image1d_buffer_t words) {
  int4 place = (int4)((int)get_global_id(0), (int)get_global_id(1), (int)get_global_id(2), 0);
  int4 size = get_image_dim(from);
  int index = place.x + size.x * (place.y + size.y * place.z);
  to[index] = read_imageui(from, place);
  write_imageui(words, index, read_imageui(words, index) + to[index].x);
}
