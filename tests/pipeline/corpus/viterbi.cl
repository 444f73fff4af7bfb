// SPDX-License-Identifier: Apache-2.0
// The likeliest states behind what was seen: Viterbi, 1967, as Rabiner tells it in A Tutorial on Hidden Markov Models,
// 1989. A work-item a state; whole numbers for logarithms. from[t] has where each state came from.
kernel void viterbi(global const int *change, global const int *emit, global const uint *seen, global int *score,
                    global uint *from, uint steps) {
  local int scores[2][16];
  uint state = get_local_id(0), states = get_local_size(0);
  scores[0][state] = emit[state * states + seen[0]];
  for (uint t = 1; t < steps; t++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int best = INT_MIN;
    uint which = 0;
    for (uint s = 0; s < states; s++) {
      int way = scores[(t - 1) & 1][s] + change[s * states + state];
      if (way > best) {
        best = way;
        which = s;
      }
    }
    scores[t & 1][state] = best + emit[state * states + seen[t]];
    from[t * states + state] = which;
  }
  score[state] = scores[(steps - 1) & 1][state];
}
