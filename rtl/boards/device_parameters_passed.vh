// SPDX-License-Identifier: Apache-2.0
// Hands the parameters of device_parameters.vh on to an instance, in front of others: each line ends with a comma.
      .LANES(LANES),
      .SLOTS(SLOTS),
      .LOCAL_LOG2(LOCAL_LOG2),
      .FETCH_CACHE_LOG2(FETCH_CACHE_LOG2),
      .CACHE_LOG2(CACHE_LOG2),
      .MUL(MUL),
      .DIV(DIV),
      .FPU(FPU),
      .BITMANIP(BITMANIP),
      .ATOMIC(ATOMIC),
      .PROCESSOR(PROCESSOR),
      .COMPACT(COMPACT),
