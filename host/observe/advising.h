// SPDX-License-Identifier: Apache-2.0
// What rules of advice stand on (advice.c, advice_pipelines.c): figures as shares, lines by name, sentences.
#ifndef HEDDLE_OBSERVE_ADVISING_H
#define HEDDLE_OBSERVE_ADVISING_H

#include "host/observe/profile.h"

struct advising {
  const struct heddle_profile_view *view;
  void (*say)(void *user, const char *advice);
  void *user;
};

enum { LINE_NAME_BYTES = 64 };

// Says a sentence, of up to 511 characters; its first letter becomes a capital.
void heddle_advising_say(const struct advising *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

// 0 of nothing.
double heddle_advising_part(double of, double all);

// Of all cycles of the kernel's units, or pipelines.
double heddle_advising_share(const struct advising *a, uint64_t cycles);

// Of what external memory can give: what the kernel asked for.
double heddle_advising_external(const struct advising *a);

// The line that has most of a figure; NULL: none has a line.
const struct heddle_profile_line *heddle_advising_most(const struct advising *a,
                                                       uint64_t (*figure)(const struct heddle_profile_line *line));

// "line 12 of sum.cl", or "the kernel".
const char *heddle_advising_name(const struct heddle_profile_line *line, char text[LINE_NAME_BYTES]);

// The rules of kernels that ran on pipelines.
void heddle_advise_pipelines(const struct advising *a);

#endif
