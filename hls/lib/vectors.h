// SPDX-License-Identifier: Apache-2.0
// Vector forms of built-in functions, made from their scalar forms.
#ifndef HEDDLE_HLS_LIB_VECTORS_H
#define HEDDLE_HLS_LIB_VECTORS_H

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define OVERLOAD __attribute__((overloadable))

// For each width. `what` takes the width first.
#define FOR_WIDTHS(what, ...) \
  what(2, __VA_ARGS__) what(3, __VA_ARGS__) what(4, __VA_ARGS__) what(8, __VA_ARGS__) what(16, __VA_ARGS__)

#define FOR_SIGNED(what) what(char) what(short) what(int) what(long)
#define FOR_UNSIGNED(what) what(uchar) what(ushort) what(uint) what(ulong)
#define FOR_INTEGERS(what) FOR_SIGNED(what) FOR_UNSIGNED(what)

// One to three arguments, each element of the result from the same elements of the arguments.
#define ELEMENTS_1_N(n, R, name, A) \
  R##n OVERLOAD name(A##n a) {      \
    R##n result;                    \
    for (int i = 0; i < n; i++) {   \
      result[i] = name(a[i]);       \
    }                               \
    return result;                  \
  }
#define ELEMENTS_2_N(n, R, name, A, B) \
  R##n OVERLOAD name(A##n a, B##n b) { \
    R##n result;                       \
    for (int i = 0; i < n; i++) {      \
      result[i] = name(a[i], b[i]);    \
    }                                  \
    return result;                     \
  }
#define ELEMENTS_3_N(n, R, name, A, B, C)      \
  R##n OVERLOAD name(A##n a, B##n b, C##n c) { \
    R##n result;                               \
    for (int i = 0; i < n; i++) {              \
      result[i] = name(a[i], b[i], c[i]);      \
    }                                          \
    return result;                             \
  }
#define ELEMENTS_1(R, name, A) FOR_WIDTHS(ELEMENTS_1_N, R, name, A)
#define ELEMENTS_2(R, name, A, B) FOR_WIDTHS(ELEMENTS_2_N, R, name, A, B)
#define ELEMENTS_3(R, name, A, B, C) FOR_WIDTHS(ELEMENTS_3_N, R, name, A, B, C)

// The last argument (the last two) a scalar that goes with every element.
#define ELEMENTS_2S_N(n, R, name, A, B) \
  R##n OVERLOAD name(A##n a, B b) {     \
    R##n result;                        \
    for (int i = 0; i < n; i++) {       \
      result[i] = name(a[i], b);        \
    }                                   \
    return result;                      \
  }
#define ELEMENTS_3S_N(n, R, name, A, B, C) \
  R##n OVERLOAD name(A##n a, B b, C c) {   \
    R##n result;                           \
    for (int i = 0; i < n; i++) {          \
      result[i] = name(a[i], b, c);        \
    }                                      \
    return result;                         \
  }
#define ELEMENTS_2S(R, name, A, B) FOR_WIDTHS(ELEMENTS_2S_N, R, name, A, B)
#define ELEMENTS_3S(R, name, A, B, C) FOR_WIDTHS(ELEMENTS_3S_N, R, name, A, B, C)

// A function with a second result through a pointer, from its scalar form: element(x, private pointer).
#define SECOND_RESULT_N(n, T, name, element, space) \
  T##n OVERLOAD name(T##n x, space T##n *second) {  \
    T##n result, seconds;                           \
    for (int i = 0; i < n; i++) {                   \
      T one;                                        \
      result[i] = element(x[i], &one);              \
      seconds[i] = one;                             \
    }                                               \
    *second = seconds;                              \
    return result;                                  \
  }
#define SECOND_RESULT(T, name, element, space) \
  T OVERLOAD name(T x, space T *second) {      \
    T one, result = element(x, &one);          \
    *second = one;                             \
    return result;                             \
  }                                            \
  FOR_WIDTHS(SECOND_RESULT_N, T, name, element, space)

#endif
