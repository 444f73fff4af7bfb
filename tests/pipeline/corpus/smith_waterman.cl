// SPDX-License-Identifier: Apache-2.0
// The best match of parts of two sequences: Smith and Waterman, Identification of Common Molecular Subsequences, 1981.
// A work-item a letter of the first; the diagonals of the matrix come one after the other.
kernel void smith_waterman(global const uchar *first, global const uchar *second, global int *best, uint length) {
  local int scores[3][33];
  uint i = get_local_id(0), n = get_local_size(0);
  uchar mine = first[get_global_id(0)];
  int most = 0;
  for (uint d = 0; d < 3; d++) {
    scores[d][i + 1] = 0;
    if (i == 0)
      scores[d][0] = 0;
  }
  for (uint diagonal = 0; diagonal < n + length - 1; diagonal++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint now = diagonal % 3, before = (diagonal + 2) % 3, earlier = (diagonal + 1) % 3;
    int score = 0, column = (int)diagonal - (int)i;
    if (column >= 0 && column < (int)length) {
      int match = scores[earlier][i] + (mine == second[get_group_id(0) * length + column] ? 3 : -3);
      score = max(max(match, 0), max(scores[before][i], scores[before][i + 1]) - 2);
    }
    scores[now][i + 1] = score;
    most = max(most, score);
  }
  most = work_group_reduce_max(most);
  if (i == 0)
    best[get_group_id(0)] = most;
}
