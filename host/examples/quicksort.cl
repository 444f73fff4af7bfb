// SPDX-License-Identifier: Apache-2.0
// Quicksort, a work-group to a segment. What is left to sort after a round are the segments that it made, and how many
// these are nobody knows before: the host looks and starts the next round (sort_round), or the last work-group of a
// round enqueues it (sort_all).

// Where the values of a segment go that are less than its pivot, and those that are greater: in front and at the end of
// its part of `temp`, in their order. The numbers of both.
uint2 split(global const uint *data, global uint *temp, uint2 segment) {
  const uint first = segment.x, count = segment.y, size = get_local_size(0), i = get_local_id(0);
  const uint pivot = data[first + count / 2];
  uint less = 0, greater = 0;
  for (uint at = i; at < count; at += size) {
    less += data[first + at] < pivot;
    greater += data[first + at] > pivot;
  }
  const uint2 all = (uint2)(work_group_reduce_add(less), work_group_reduce_add(greater));
  uint before_less = 0, before_greater = 0;
  for (uint start = 0; start < count; start += size) {
    const bool is_there = start + i < count;
    const uint value = is_there ? data[first + start + i] : pivot;
    const uint is_less = value < pivot, is_greater = value > pivot;
    // Two sums in one: both are less than 65,536.
    const uint packed = is_less | is_greater << 16;
    const uint before = work_group_scan_exclusive_add(packed), sum = work_group_reduce_add(packed);
    if (is_less)
      temp[first + before_less + (before & 0xFFFF)] = value;
    if (is_greater)
      temp[first + count - all.y + before_greater + (before >> 16)] = value;
    before_less += sum & 0xFFFF;
    before_greater += sum >> 16;
  }
  for (uint at = all.x + i; at < count - all.y; at += size)
    temp[first + at] = pivot;
  return all;
}

// A segment of at most as many values as there are work-items: each value finds its place by itself.
void place(global uint *data, uint2 segment) {
  const uint i = get_local_id(0);
  uint value = 0, rank = 0;
  if (i < segment.y) {
    value = data[segment.x + i];
    for (uint j = 0; j < segment.y; j++) {
      const uint other = data[segment.x + j];
      rank += other < value || (other == value && j < i);
    }
  }
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  if (i < segment.y)
    data[segment.x + rank] = value;
}

// One segment. What is left of it goes to the list `next`, whose length is *num_next.
void sort_segment(global uint *data, global uint *temp, uint2 segment, global uint2 *next, global uint *num_next) {
  const uint first = segment.x, count = segment.y;
  if (count <= get_local_size(0)) {
    place(data, segment);
    return;
  }
  const uint2 sizes = split(data, temp, segment);
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint at = get_local_id(0); at < count; at += get_local_size(0))
    data[first + at] = temp[first + at];
  if (get_local_id(0) == 0) {
    if (sizes.x > 1)
      next[atomic_inc(num_next)] = (uint2)(first, sizes.x);
    if (sizes.y > 1)
      next[atomic_inc(num_next)] = (uint2)(first + count - sizes.y, sizes.y);
  }
}

// lists: two of `length` segments, in turn what is to be sorted and what is left. counts: segments that are left,
// work-groups that are done, whether a round could not be enqueued.
kernel void sort_round(global uint *data, global uint *temp, global uint2 *lists, global uint *counts, uint length,
                       uint round) {
  const uint2 segment = lists[(round & 1) * length + get_group_id(0)];
  sort_segment(data, temp, segment, lists + (~round & 1) * length, counts);
}

#ifdef __opencl_c_device_enqueue
void sort_on(global uint *data, global uint *temp, global uint2 *lists, global uint *counts, uint length, uint round) {
  const uint2 segment = lists[(round & 1) * length + get_group_id(0)];
  sort_segment(data, temp, segment, lists + (~round & 1) * length, counts);
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0 && atomic_inc(counts + 1) == get_num_groups(0) - 1) {
    const uint left = atomic_xchg(counts, 0u), size = get_local_size(0);
    counts[1] = 0;
    if (left > 0 && enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(left * size, size), ^{
                      sort_on(data, temp, lists, counts, length, round + 1);
                    }) != CLK_SUCCESS)
      counts[2] = 1;
  }
}

kernel void sort_all(global uint *data, global uint *temp, global uint2 *lists, global uint *counts, uint length) {
  sort_on(data, temp, lists, counts, length, 0);
}
#endif
