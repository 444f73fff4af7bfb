// SPDX-License-Identifier: Apache-2.0
// cl_khr_integer_dot_product, and the names that llvm-spirv gives SPIR-V's instructions (SPV_KHR_integer_dot_product).
#include "hls/lib/vectors.h"

// Elements are widened to the result's type and multiplied in it.
#define SUM(R, a, b) ((R)(a).x * (R)(b).x + (R)(a).y * (R)(b).y + (R)(a).z * (R)(b).z + (R)(a).w * (R)(b).w)

#define DOT(R, A, B)                                           \
  R OVERLOAD dot(A##4 a, B##4 b) {                             \
    return SUM(R, a, b);                                       \
  }                                                            \
  R OVERLOAD dot_acc_sat(A##4 a, B##4 b, R sum) {              \
    return add_sat(SUM(R, a, b), sum);                         \
  }
DOT(uint, uchar, uchar)
DOT(int, char, char)
DOT(int, uchar, char)
DOT(int, char, uchar)

// The lowest byte is the first element.
#define PACKED(R, form, A, B)                                                   \
  R OVERLOAD dot_4x8packed_##form##_##R(uint a, uint b) {                       \
    return dot(as_##A##4(a), as_##B##4(b));                                     \
  }                                                                             \
  R OVERLOAD dot_acc_sat_4x8packed_##form##_##R(uint a, uint b, R sum) {        \
    return dot_acc_sat(as_##A##4(a), as_##B##4(b), sum);                        \
  }
PACKED(uint, uu, uchar, uchar)
PACKED(int, ss, char, char)
PACKED(int, us, uchar, char)
PACKED(int, su, char, uchar)

// SPIR-V: signedness is the instruction's, the operands have no sign, and the result has any width. Packed operands come
// with the number of their format, of which there is one.
#define SPIRV(S, R, instruction, A, B)                                                                          \
  S OVERLOAD __spirv_##instruction##KHR_R##R(char4 a, char4 b) {                                                \
    return (S)SUM(R, as_##A##4(a), as_##B##4(b));                                                               \
  }                                                                                                             \
  S OVERLOAD __spirv_##instruction##KHR_R##R(int a, int b, int format) {                                        \
    return (S)SUM(R, as_##A##4(a), as_##B##4(b));                                                               \
  }                                                                                                             \
  S OVERLOAD __spirv_##instruction##AccSatKHR_R##R(char4 a, char4 b, S sum) {                                   \
    return (S)add_sat((R)SUM(R, as_##A##4(a), as_##B##4(b)), (R)sum);                                           \
  }                                                                                                             \
  S OVERLOAD __spirv_##instruction##AccSatKHR_R##R(int a, int b, S sum, int format) {                           \
    return (S)add_sat((R)SUM(R, as_##A##4(a), as_##B##4(b)), (R)sum);                                           \
  }
#define WIDTH(S, U)                     \
  SPIRV(S, S, SDot, char, char)         \
  SPIRV(S, S, SUDot, char, uchar)       \
  SPIRV(S, U, UDot, uchar, uchar)
WIDTH(char, uchar)
WIDTH(short, ushort)
WIDTH(int, uint)
WIDTH(long, ulong)
