// SPDX-License-Identifier: Apache-2.0
// What the tree and the sequencer have to know of a collective's operation, `HEDDLE_COLLECTIVE_BITS bits, made by
// rtl/unit/decode_collective.v. How an instruction says it: contract/collectives.h. To be included in a module.
//
//   T_BITS T_ADD T_MAX    operation     identity
//     0      0     0      minimum       the type's maximum, of floats +INF
//     0      0     1      maximum       the type's minimum, of floats -INF
//     0      1     0      sum           0
//     1      0     0      bitwise and   all ones, as of a minimum of uint
//     1      1     0      bitwise or    0
//     1      1     1      exclusive or  0
//
// Without T_SIGNED and T_FLOAT a value is a uint. Bitwise operators have neither. A sum with T_FLOAT is one of floats,
// which the lanes make and the tree does not.
// verilator lint_off UNUSEDPARAM
// Not every module uses all of these.
localparam T_SIGNED = 0;  // compares as int; of a sum it may be either
localparam T_MAX = 1;
localparam T_ADD = 2;
localparam T_BITS = 3;
localparam T_FLOAT = 4;  // of floats; T_SIGNED, too
// verilator lint_on UNUSEDPARAM
