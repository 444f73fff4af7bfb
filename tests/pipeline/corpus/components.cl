// SPDX-License-Identifier: Apache-2.0
// Connected components of a tile, each labelled with its largest pixel, until no label changes.
kernel void components(global const uchar *image, global int *labels) {
  local int l[12 * 13];
  int x = get_local_id(0), y = get_local_id(1), at = (y + 1) * 10 + x + 1, size = 8 * get_local_size(1);
  int g = get_group_id(1) * size + y * 8 + x, me = image[g] ? y * 8 + x : -1;
  if (y == 0) { l[x + 1] = -1; if (x == 0) l[0] = l[9] = -1; }
  if (y == (int)get_local_size(1) - 1) l[at + 10] = -1;
  if (x == 0) l[at - 1] = l[at + 8] = -1;
  l[at] = me;
  bool changed = true;
  while (work_group_any(changed)) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int best = me;
    if (me >= 0) best = max(max(max(l[at - 1], l[at + 1]), max(l[at - 10], l[at + 10])), me);
    changed = best != me;
    me = best;
    barrier(CLK_LOCAL_MEM_FENCE);
    l[at] = me;
  }
  labels[g] = me;
}
