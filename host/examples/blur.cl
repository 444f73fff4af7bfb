// SPDX-License-Identifier: Apache-2.0
// A box blur of any radius at the same price: an integral image from scans, then four of its corners for each pixel.
// The picture is one plane after the other (red, green, blue, ...); dimension 2 of the range is the plane. Sums wrap at
// 2^32, and so do their differences: a box is right as long as its own sum fits, up to 16 million pixels.

// Every row of every plane is one work-group's: it takes a block of the row at a time, scans it, and carries the sum on.
kernel void scan_rows(global const uchar *picture, global uint *sums, uint width, uint height) {
  size_t row = (get_group_id(2) * height + get_group_id(1)) * width;
  uint carry = 0;
  for (uint x = 0; x < width; x += get_local_size(0)) {
    uint at = x + get_local_id(0);
    uint pixel = at < width ? picture[row + at] : 0;
    uint sum = carry + work_group_scan_inclusive_add(pixel);
    if (at < width) sums[row + at] = sum;
    carry = work_group_broadcast(sum, get_local_size(0) - 1);
  }
}

// Every column is one sub-group's, so that the sub-groups of a work-group walk down neighbouring columns.
kernel void scan_columns(global uint *sums, uint width, uint height) {
  uint x = get_group_id(0) * get_enqueued_num_sub_groups() + get_sub_group_id();
  if (x >= width) return;
  global uint *column = sums + get_group_id(2) * height * width + x;
  uint carry = 0;
  for (uint y = 0; y < height; y += get_sub_group_size()) {
    uint at = y + get_sub_group_local_id();
    uint value = at < height ? column[at * width] : 0;
    uint sum = carry + sub_group_scan_inclusive_add(value);
    if (at < height) column[at * width] = sum;
    carry = sub_group_broadcast(sum, get_sub_group_size() - 1);
  }
}

// The mean of the pixels within `radius` on each side, rounded; at the edge the box is the part inside the picture.
kernel void box(global const uint *sums, global uchar *blurred, uint width, uint height, uint radius) {
  uint x = get_global_id(0), y = get_global_id(1);
  size_t plane = get_global_id(2) * height * width;
  uint left = x > radius ? x - radius : 0, above = y > radius ? y - radius : 0;
  uint right = min(x + radius, width - 1), below = min(y + radius, height - 1);
  uint area = (right - left + 1) * (below - above + 1);
  global const uint *last = sums + plane + below * width;
  uint sum = last[right];
  if (left > 0) sum -= last[left - 1];
  if (above > 0) {
    global const uint *before = sums + plane + (above - 1) * width;
    sum -= before[right];
    if (left > 0) sum += before[left - 1];
  }
  blurred[plane + y * width + x] = (sum + area / 2) / area;
}
