// SPDX-License-Identifier: Apache-2.0
// Hands the parameters on that are the same for all compute units of a device; at the end of an instance's list.
      .LOCAL_LOG2(LOCAL_LOG2),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .FIRST_LOG2(FIRST_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .OWNER_BITS(OWNER_BITS),
      .LABEL_BITS(LABEL_BITS),
      .FETCH_CACHE_LOG2(FETCH_CACHE_LOG2),
      .MUL(MUL),
      .DIV(DIV),
      .FPU(FPU),
      .BITMANIP(BITMANIP),
      .ATOMIC(ATOMIC),
      .COMPACT(COMPACT),
      .PAGES_LOG2(PAGES_LOG2)
