// SPDX-License-Identifier: Apache-2.0
// The OpenCL text's definitions of work-items and collectives (reference.h).
#include "tests/opencl/reference.h"

#include "tests/opencl/harness.h"

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

struct work_item *reference_items(const struct ndrange *range, uint32_t max_sub_group_size, size_t *count) {
  size_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1}, offset[3] = {0, 0, 0}, groups[3];
  for (unsigned d = 0; d < range->dim; d++) {
    global[d] = range->global[d];
    local[d] = range->local[d];
    offset[d] = range->offset[d];
  }
  for (int d = 0; d < 3; d++)
    groups[d] = (global[d] + local[d] - 1) / local[d];

  *count = global[0] * global[1] * global[2];
  struct work_item *items = allocate(*count * sizeof *items);
  size_t full = local[0] * local[1] * local[2];
  size_t next = 0;
  for (size_t wz = 0; wz < groups[2]; wz++)
    for (size_t wy = 0; wy < groups[1]; wy++)
      for (size_t wx = 0; wx < groups[0]; wx++) {
        const size_t w[3] = {wx, wy, wz};
        size_t size[3];
        for (int d = 0; d < 3; d++)
          size[d] = least(local[d], global[d] - w[d] * local[d]);
        const size_t group_first = next, group_count = size[0] * size[1] * size[2];
        for (size_t linear = 0; linear < group_count; linear++) {
          struct work_item *item = &items[next++];
          const size_t s[3] = {linear % size[0], linear / size[0] % size[1], linear / size[0] / size[1]};
          for (int d = 0; d < 3; d++) {
            item->local_id[d] = s[d];
            item->group_id[d] = w[d];
            item->local_size[d] = size[d];
            item->num_groups[d] = groups[d];
            item->global_id[d] = w[d] * local[d] + s[d] + offset[d];
          }
          item->local_linear_id = linear;
          item->global_linear_id =
              ((item->global_id[2] - offset[2]) * global[1] + item->global_id[1] - offset[1]) * global[0] +
              item->global_id[0] - offset[0];
          // "All sub-groups within a work-group will be the same size, apart from the sub-group with the maximum
          // index." Which work-item is where is ours to choose: by increasing local linear id.
          const size_t m = max_sub_group_size;
          item->max_sub_group_size = max_sub_group_size;
          item->num_sub_groups = (uint32_t)((group_count + m - 1) / m);
          item->enqueued_num_sub_groups = (uint32_t)((full + m - 1) / m);
          item->sub_group_id = (uint32_t)(linear / m);
          item->sub_group_local_id = (uint32_t)(linear % m);
          item->sub_group_size = (uint32_t)least(m, group_count - item->sub_group_id * m);
          item->group_first = group_first;
          item->group_count = group_count;
          item->sub_group_first = group_first + item->sub_group_id * m;
        }
      }
  return items;
}

static uint32_t apply(enum reference_op op, int is_signed, uint32_t a, uint32_t b) {
  if (op == OP_ADD)
    return a + b;
  const int a_is_less = is_signed ? (int32_t)a < (int32_t)b : a < b;
  return (op == OP_MIN) == a_is_less ? a : b;
}

static uint32_t identity(enum reference_op op, int is_signed) {
  if (op == OP_ADD)
    return 0;
  if (op == OP_MIN)
    return is_signed ? (uint32_t)INT32_MAX : UINT32_MAX;
  return is_signed ? (uint32_t)INT32_MIN : 0;
}

void reference_collective(enum reference_mode mode, enum reference_op op, int is_signed, const uint32_t *values,
                          uint32_t *result, size_t n) {
  uint32_t so_far = identity(op, is_signed);
  for (size_t i = 0; i < n; i++) {
    if (mode == MODE_SCAN_EXCLUSIVE)
      result[i] = so_far;
    so_far = i == 0 ? values[0] : apply(op, is_signed, so_far, values[i]);
    if (mode == MODE_SCAN_INCLUSIVE)
      result[i] = so_far;
  }
  if (mode == MODE_REDUCE)
    for (size_t i = 0; i < n; i++)
      result[i] = so_far;
}
