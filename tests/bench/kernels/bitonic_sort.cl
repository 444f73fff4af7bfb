// SPDX-License-Identifier: Apache-2.0
// One step of a bitonic sort: a work-item orders one pair, `distance` apart, upwards or downwards by its block.
kernel void bitonic_sort(global uint *keys, uint block, uint distance) {
  uint i = get_global_id(0);
  uint low = 2 * i - (i & (distance - 1)), high = low + distance;
  uint a = keys[low], b = keys[high];
  bool upwards = (low & block) == 0;
  if (upwards ? a > b : a < b) {
    keys[low] = b;
    keys[high] = a;
  }
}
