// SPDX-License-Identifier: Apache-2.0
// What the suites use of Criterion, for builds with ThreadSanitizer: Criterion puts memory of its own where that has
// its shadow, and does not start. Each test is a child of fork() as well (runner.c); a report of ThreadSanitizer is its
// failure.
#ifndef HEDDLE_TESTS_SANITIZERS_CRITERION_H
#define HEDDLE_TESTS_SANITIZERS_CRITERION_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sanitized_options {
  void (*init)(void);
  void (*fini)(void);
  double timeout;  // seconds; 0: none
};

// A test, or without `run` a suite, for its options.
struct sanitized_test {
  const char *suite, *name;
  void (*run)(void);
  struct sanitized_options options;
  struct sanitized_test *next;
};

void sanitized_add(struct sanitized_test *test);
// Notes that this test has failed; ends it unless it is to go on.
void sanitized_fail(bool goes_on, const char *file, int line, const char *what, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void sanitized_skip(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#define SANITIZED_ADD(Name, ...)                              \
  static struct sanitized_test Name##_entry = __VA_ARGS__;    \
  __attribute__((constructor)) static void Name##_add(void) { \
    sanitized_add(&Name##_entry);                             \
  }
#define TestSuite(Suite, ...)                                             \
  SANITIZED_ADD(Suite##_suite, {#Suite, NULL, NULL, {__VA_ARGS__}, NULL}) \
  extern int Suite##_suite_ends_with_a_semicolon
#define Test(Suite, Name, ...)                                                              \
  static void Suite##_##Name##_run(void);                                                   \
  SANITIZED_ADD(Suite##_##Name, {#Suite, #Name, Suite##_##Name##_run, {__VA_ARGS__}, NULL}) \
  static void Suite##_##Name##_run(void)

#define SANITIZED_CHECK(goes_on, what, condition, ...) \
  ((condition) ? (void)0 : sanitized_fail(goes_on, __FILE__, __LINE__, what, "" __VA_ARGS__))

#define cr_assert(condition, ...) SANITIZED_CHECK(false, #condition, condition, __VA_ARGS__)
#define cr_expect(condition, ...) SANITIZED_CHECK(true, #condition, condition, __VA_ARGS__)
#define cr_assert_fail(...) sanitized_fail(false, __FILE__, __LINE__, "failed", "" __VA_ARGS__)
#define cr_skip_test(...) sanitized_skip("" __VA_ARGS__)

#define cr_assert_not(a, ...) cr_assert(!(a), __VA_ARGS__)
#define cr_expect_not(a, ...) cr_expect(!(a), __VA_ARGS__)
#define cr_assert_null(a, ...) cr_assert(!(a), __VA_ARGS__)
#define cr_assert_not_null(a, ...) cr_assert((a), __VA_ARGS__)
#define cr_assert_eq(a, b, ...) cr_assert((a) == (b), __VA_ARGS__)
#define cr_assert_neq(a, b, ...) cr_assert((a) != (b), __VA_ARGS__)
#define cr_assert_lt(a, b, ...) cr_assert((a) < (b), __VA_ARGS__)
#define cr_assert_leq(a, b, ...) cr_assert((a) <= (b), __VA_ARGS__)
#define cr_assert_gt(a, b, ...) cr_assert((a) > (b), __VA_ARGS__)
#define cr_assert_geq(a, b, ...) cr_assert((a) >= (b), __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...) cr_assert(strcmp(a, b) == 0, __VA_ARGS__)
#define cr_assert_arr_eq(a, b, bytes, ...) cr_assert(memcmp(a, b, bytes) == 0, __VA_ARGS__)
#define cr_assert_float_eq(a, b, most, ...) cr_assert(fabs((double)(a) - (double)(b)) <= (most), __VA_ARGS__)
#define cr_expect_null(a, ...) cr_expect(!(a), __VA_ARGS__)
#define cr_expect_eq(a, b, ...) cr_expect((a) == (b), __VA_ARGS__)
#define cr_expect_neq(a, b, ...) cr_expect((a) != (b), __VA_ARGS__)
#define cr_expect_lt(a, b, ...) cr_expect((a) < (b), __VA_ARGS__)
#define cr_expect_gt(a, b, ...) cr_expect((a) > (b), __VA_ARGS__)
#define cr_expect_geq(a, b, ...) cr_expect((a) >= (b), __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...) cr_expect(strcmp(a, b) == 0, __VA_ARGS__)
#define cr_expect_str_neq(a, b, ...) cr_expect(strcmp(a, b) != 0, __VA_ARGS__)

#endif
