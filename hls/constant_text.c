// SPDX-License-Identifier: Apache-2.0
#include "hls/constant_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 64 };  // of parentheses and signs

struct reader {
  const char *at;
  bool is_good;
  unsigned depth;
};

static bool take(struct reader *r, const char *sign) {
  while (isspace((unsigned char)*r->at))
    r->at++;
  if (strncmp(r->at, sign, strlen(sign)) != 0)
    return false;
  r->at += strlen(sign);
  return true;
}

static int64_t checked(struct reader *r, int64_t value) {
  r->is_good = r->is_good && value >= INT32_MIN && value <= INT32_MAX;
  return r->is_good ? value : 0;
}

static int64_t shifts(struct reader *r);

static int64_t number(struct reader *r) {
  while (isspace((unsigned char)*r->at))
    r->at++;
  if (!r->is_good || !isdigit((unsigned char)*r->at)) {
    r->is_good = false;
    return 0;
  }
  char *end;
  const unsigned long long value = strtoull(r->at, &end, 0);
  r->at = end;
  while (*r->at != 0 && strchr("uUlL", *r->at))
    r->at++;
  r->is_good = value <= INT32_MAX && !isalnum((unsigned char)*r->at) && *r->at != '.' && *r->at != '_';
  return r->is_good ? (int64_t)value : 0;
}

static int64_t unary(struct reader *r) {
  int64_t value;
  if (++r->depth > MOST_DEPTH)
    r->is_good = false;
  if (!r->is_good) {
    value = 0;
  } else if (take(r, "(")) {
    value = shifts(r);
    r->is_good = take(r, ")") && r->is_good;
  } else if (take(r, "-")) {
    value = -unary(r);
  } else if (take(r, "+")) {
    value = unary(r);
  } else {
    value = number(r);
  }
  r->depth--;
  return value;
}

static int64_t products(struct reader *r) {
  int64_t value = unary(r);
  while (r->is_good) {
    const bool is_product = take(r, "*"), is_quotient = !is_product && take(r, "/");
    if (!is_product && !is_quotient && !take(r, "%"))
      break;
    const int64_t by = unary(r);
    r->is_good = r->is_good && (is_product || by != 0);
    if (r->is_good)
      value = checked(r, is_product ? value * by : is_quotient ? value / by : value % by);
  }
  return value;
}

static int64_t sums(struct reader *r) {
  int64_t value = products(r);
  while (r->is_good) {
    const bool is_sum = take(r, "+");
    if (!is_sum && !take(r, "-"))
      break;
    const int64_t by = products(r);
    value = checked(r, is_sum ? value + by : value - by);
  }
  return value;
}

static int64_t shifts(struct reader *r) {
  int64_t value = sums(r);
  while (r->is_good) {
    const bool is_left = take(r, "<<");
    if (!is_left && !take(r, ">>"))
      break;
    const int64_t by = sums(r);
    r->is_good = r->is_good && by >= 0 && by < 32 && value >= 0;
    if (r->is_good)
      value = checked(r, is_left ? value << by : value >> by);
  }
  return value;
}

bool constant_of_text(const char *text, int64_t *value) {
  struct reader r = {.at = text, .is_good = true};
  *value = shifts(&r);
  while (isspace((unsigned char)*r.at))
    r.at++;
  return r.is_good && *r.at == 0;
}
