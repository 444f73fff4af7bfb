// SPDX-License-Identifier: Apache-2.0
// Tables of queries with the right answers (query_table.h).
#include "tests/query_table.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>

enum { SPARE = 16, CANARY = 0xA5 };

static cl_ulong number_of(const unsigned char *answer, size_t bytes) {
  cl_ulong value = 0;  // both sides are little-endian
  memcpy(&value, answer, bytes < sizeof value ? bytes : sizeof value);
  return value;
}

static bool has_word(const char *list, const char *word, size_t length) {
  for (const char *at = list; (at = strstr(at, word)); at++)
    if ((at == list || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' '))
      return true;
  return false;
}

static void check_words(const char *what, const struct query *row, const char *answer) {
  char *words = strdup(row->exact), *rest = words;
  cr_assert_not_null(words);
  for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
    cr_assert(has_word(answer, word, strlen(word)), "%s, %s: expected %s among \"%s\"", what, row->text, word, answer);
  free(words);
}

static void check_answer(const char *what, const struct query *row, const unsigned char *answer, size_t bytes) {
  switch (row->kind) {
    case QUERY_BETWEEN: {
      const cl_ulong got = number_of(answer, bytes);
      cr_assert(got >= row->low && got <= row->high, "%s, %s: expected 0x%llx%s, got 0x%llx", what, row->text,
                (unsigned long long)row->low, row->low == row->high ? "" : " or more, up to its bound",
                (unsigned long long)got);
      break;
    }
    case QUERY_INCLUDES:
      cr_assert_eq(number_of(answer, bytes) & row->low, row->low, "%s, %s: expected the bits 0x%llx, got 0x%llx", what,
                   row->text, (unsigned long long)row->low, (unsigned long long)number_of(answer, bytes));
      break;
    case QUERY_BYTES:
      for (size_t i = 0; i < bytes; i++)
        cr_assert_eq(answer[i], ((const unsigned char *)row->exact)[i],
                     "%s, %s: byte %zu of %zu: expected 0x%02x, got 0x%02x", what, row->text, i, bytes,
                     ((const unsigned char *)row->exact)[i], answer[i]);
      break;
    case QUERY_BEGINS:
      cr_assert(strncmp((const char *)answer, row->exact, row->bytes) == 0,
                "%s, %s: expected a text that begins with \"%s\", got \"%s\"", what, row->text,
                (const char *)row->exact, (const char *)answer);
      break;
    case QUERY_WORDS:
      check_words(what, row, (const char *)answer);
      break;
  }
}

static void check_query(const char *what, query_call ask, const void *object, const struct query *row) {
  const bool is_text = row->kind == QUERY_BEGINS || row->kind == QUERY_WORDS;
  size_t bytes = 9999;
  cl_int error = ask(object, row->name, 0, NULL, &bytes);
  cr_assert_eq(error, CL_SUCCESS, "%s, %s: the size: code %d", what, row->text, error);
  if (is_text)
    cr_assert_geq(bytes, row->bytes + 1, "%s, %s: %zu bytes", what, row->text, bytes);
  else
    cr_assert_eq(bytes, row->bytes, "%s, %s: expected %zu bytes, got %zu", what, row->text, row->bytes, bytes);
  // With room to spare, which is left alone.
  unsigned char *answer = malloc(bytes + SPARE);
  cr_assert_not_null(answer);
  memset(answer, CANARY, bytes + SPARE);
  size_t again = 9999;
  error = ask(object, row->name, bytes + SPARE, answer, &again);
  cr_assert_eq(error, CL_SUCCESS, "%s, %s: code %d", what, row->text, error);
  cr_assert_eq(again, bytes, "%s, %s: %zu bytes, then %zu", what, row->text, bytes, again);
  for (size_t i = bytes; i < bytes + SPARE; i++)
    cr_assert_eq(answer[i], CANARY, "%s, %s: wrote behind its %zu bytes", what, row->text, bytes);
  if (is_text)
    cr_assert_eq(strlen((char *)answer), bytes - 1, "%s, %s: a text of %zu bytes ends after %zu", what, row->text,
                 bytes, strlen((char *)answer) + 1);
  check_answer(what, row, answer, bytes);
  // Without the size, and with too little room.
  cr_assert_eq(ask(object, row->name, bytes, answer, NULL), CL_SUCCESS, "%s, %s: without a place for the size", what,
               row->text);
  if (bytes > 0) {
    error = ask(object, row->name, bytes - 1, answer, NULL);
    cr_assert_eq(error, CL_INVALID_VALUE, "%s, %s, with a byte too little: expected CL_INVALID_VALUE, got %d", what,
                 row->text, error);
  }
  free(answer);
}

void check_queries(const char *what, query_call ask, const void *object, const struct query *rows, size_t count) {
  for (size_t i = 0; i < count; i++)
    check_query(what, ask, object, &rows[i]);
  const cl_int error = ask(object, 0xBAD, 0, NULL, NULL);
  cr_assert_eq(error, CL_INVALID_VALUE, "%s, a query that there is none of: expected CL_INVALID_VALUE, got %d", what,
               error);
}
