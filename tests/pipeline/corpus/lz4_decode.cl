// SPDX-License-Identifier: Apache-2.0
// Blocks of LZ4, decoded: one a work-item, as the LZ4 Block Format Description has it.
kernel void lz4_decode(global const uchar *in, global const uint *starts, global uchar *out,
                       uint room, global uint *lengths) {
  size_t g = get_global_id(0);
  uint at = starts[g], end = starts[g + 1], to = 0;
  global uchar *mine = out + g * room;
  while (at < end) {
    uchar token = in[at++];
    uint literals = token >> 4;
    if (literals == 15) { uchar more; do { more = in[at++]; literals += more; } while (more == 255); }
    for (uint i = 0; i < literals && to < room; i++) mine[to++] = in[at++];
    if (at >= end) break;
    uint distance = in[at] | in[at + 1] << 8;
    at += 2;
    uint length = token & 15;
    if (length == 15) { uchar more; do { more = in[at++]; length += more; } while (more == 255); }
    length += 4;
    for (uint i = 0; i < length && to < room; i++, to++) mine[to] = mine[to - distance];
  }
  lengths[g] = to;
}
