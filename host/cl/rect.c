// SPDX-License-Identifier: Apache-2.0
// Boxes of bytes: what clEnqueue…BufferRect ask of them, and whether two overlap (rect.h).
#include "host/cl/rect.h"

// sum + count * pitch. False: it is no size_t.
static bool add_product(size_t *sum, size_t count, size_t pitch) {
  size_t product;
  return !__builtin_mul_overflow(count, pitch, &product) && !__builtin_add_overflow(*sum, product, sum);
}

bool heddle_rect_complete(struct heddle_end *end, const size_t origin[3], const size_t region[3]) {
  size_t slice = 0, last = 0, bytes = region[0], offset = origin[0];
  if (region[0] == 0 || region[1] == 0 || region[2] == 0)
    return false;
  if (end->row_pitch == 0)
    end->row_pitch = region[0];
  if (end->row_pitch < region[0] || !add_product(&slice, region[1], end->row_pitch))
    return false;
  if (end->slice_pitch == 0)
    end->slice_pitch = slice;
  // A slice has whole rows; with one slice its pitch only places the origin.
  if (end->slice_pitch < slice || end->slice_pitch % end->row_pitch != 0)
    return false;
  if (!add_product(&bytes, region[1] - 1, end->row_pitch) || !add_product(&bytes, region[2] - 1, end->slice_pitch) ||
      !add_product(&offset, origin[1], end->row_pitch) || !add_product(&offset, origin[2], end->slice_pitch))
    return false;
  end->offset = offset;
  if (end->memory)
    return heddle_range_inside(end->memory, offset, bytes);
  return !__builtin_add_overflow((size_t)(uintptr_t)end->host, offset, &last) &&
         !__builtin_add_overflow(last, bytes - 1, &last);
}

// A row of a box, by its place in the whole buffer.
struct row {
  struct heddle_box box;
  size_t row_pitch, slice_pitch, number, slice, start;
};

static struct row first_row(const struct heddle_end *end, const size_t region[3]) {
  return (struct row){.box = {region[0], region[1], region[2]},
                      .row_pitch = end->row_pitch,
                      .slice_pitch = end->slice_pitch,
                      .start = end->memory->origin + end->offset};
}

// False: it was the last one.
static bool next_row(struct row *row) {
  row->start += row->row_pitch;
  if (++row->number < row->box.rows)
    return true;
  row->start += row->slice_pitch - row->box.rows * row->row_pitch;
  row->number = 0;
  return ++row->slice < row->box.slices;
}

// Rows of a box do not overlap and follow each other upwards: of two boxes the row that ends first is left behind.
static bool rows_meet(struct row a, struct row b) {
  for (bool more = true; more;) {
    const size_t end_a = a.start + a.box.bytes, end_b = b.start + b.box.bytes;
    if (a.start < end_b && b.start < end_a)
      return true;
    more = next_row(end_a < end_b ? &a : &b);
  }
  return false;
}

bool heddle_mappings_overlap(const struct heddle_mapping *one, const struct heddle_mapping *other) {
  const struct row a = {
      .box = one->box, .row_pitch = one->row_pitch, .slice_pitch = one->slice_pitch, .start = one->offset};
  const struct row b = {
      .box = other->box, .row_pitch = other->row_pitch, .slice_pitch = other->slice_pitch, .start = other->offset};
  return rows_meet(a, b);
}

bool heddle_boxes_overlap(const struct heddle_end *one, const struct heddle_end *other, const size_t region[3]) {
  const size_t row_pitch = one->row_pitch, slice_pitch = one->slice_pitch;
  if (row_pitch != other->row_pitch || slice_pitch != other->slice_pitch)
    return rows_meet(first_row(one, region), first_row(other, region));
  const size_t a = first_row(one, region).start, b = first_row(other, region).start, apart = a < b ? b - a : a - b;
  const size_t slice = (region[1] - 1) * row_pitch + region[0], box = (region[2] - 1) * slice_pitch + slice;
  const size_t in_row = apart % row_pitch, in_slice = apart % slice_pitch;
  // Apart as a whole; or the rows of one lie in the gaps between the other's rows; or slices between slices.
  if (apart >= box)
    return false;
  if (in_row >= region[0] && in_row + region[0] <= row_pitch)
    return false;
  return in_slice < slice || in_slice + slice > slice_pitch;
}
