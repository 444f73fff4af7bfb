// SPDX-License-Identifier: Apache-2.0
// Keeps the instructions of a sub-group as words: PC, lanes, register and what follows, then a value and an address for
// each of the lanes.
#include "tests/lockstep/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_WORDS = 3, HAS_VALUE = 0x100, HAS_ADDRESS = 0x200 };

void record_begin(struct record *r, const uint32_t groups[3], uint32_t sub_groups) {
  memset(r, 0, sizeof *r);
  memcpy(r->groups, groups, sizeof r->groups);
  r->sub_groups = sub_groups;
  r->streams = (size_t)groups[0] * groups[1] * groups[2] * sub_groups;
  r->stream = calloc(r->streams, sizeof *r->stream);
  if (!r->stream)
    abort();
}

void record_end(struct record *r) {
  for (size_t i = 0; i < r->streams; i++)
    free(r->stream[i].words);
  free(r->stream);
  r->stream = NULL;
}

static void add_lanes(struct stream *s, uint32_t mask, const uint32_t *value) {
  for (; value && mask != 0; mask &= mask - 1)
    s->words[s->count++] = value[__builtin_ctz(mask)];
}

// NULL: there is no such sub-group.
static struct stream *stream_of(const struct record *r, const uint32_t group_id[3], uint32_t sub_group_id) {
  if (group_id[0] >= r->groups[0] || group_id[1] >= r->groups[1] || group_id[2] >= r->groups[2] ||
      sub_group_id >= r->sub_groups) {
    return NULL;
  }
  size_t group = ((size_t)group_id[2] * r->groups[1] + group_id[1]) * r->groups[0] + group_id[0];
  return &r->stream[group * r->sub_groups + sub_group_id];
}

void record_add(struct record *r, const uint32_t group_id[3], uint32_t sub_group_id, const struct retired *i) {
  struct stream *s = stream_of(r, group_id, sub_group_id);
  if (!s) {
    r->stray = true;
    return;
  }
  if (s->count + HEAD_WORDS + 64 > s->capacity) {
    s->capacity = 2 * s->capacity + 4096;
    s->words = realloc(s->words, s->capacity * sizeof *s->words);
    if (!s->words)
      abort();
  }
  s->words[s->count++] = i->pc;
  s->words[s->count++] = i->mask;
  s->words[s->count++] = i->rd | (i->value ? HAS_VALUE : 0) | (i->address ? HAS_ADDRESS : 0);
  add_lanes(s, i->mask, i->value);
  add_lanes(s, i->mask, i->address);
  r->instructions++;
  r->lanes += (uint64_t)__builtin_popcount(i->mask);
}

uint32_t record_zeros(const struct record *rtl, const struct record *model, const uint32_t group_id[3],
                      uint32_t sub_group_id, uint32_t pc, uint32_t mask) {
  const struct stream *of_rtl = stream_of(rtl, group_id, sub_group_id);
  const struct stream *of_model = stream_of(model, group_id, sub_group_id);
  if (!of_rtl || !of_model || of_model->count >= of_rtl->count)
    return mask;
  const uint32_t *at = of_rtl->words + of_model->count, *value = at + HEAD_WORDS;
  if (at[0] != pc || at[1] != mask || !(at[2] & HAS_VALUE))
    return mask;
  uint32_t zeros = 0;
  for (uint32_t m = mask; m != 0; m &= m - 1)
    zeros |= *value++ == 0 ? m & -m : 0;
  return zeros;
}

static size_t words_of(const uint32_t *at) {
  size_t lanes = (size_t)__builtin_popcount(at[1]);
  return HEAD_WORDS + (at[2] & HAS_VALUE ? lanes : 0) + (at[2] & HAS_ADDRESS ? lanes : 0);
}

static void tell(const char *device, const struct stream *s, size_t at) {
  if (at >= s->count) {
    fprintf(stderr, "  %s: nothing more\n", device);
    return;
  }
  const uint32_t *w = s->words + at;
  fprintf(stderr, "  %s: PC 0x%x, lanes 0x%x", device, w[0], w[1]);
  if (w[2] & 31)
    fprintf(stderr, ", x%u", w[2] & 31);
  const uint32_t *value = w + HEAD_WORDS;
  if (w[2] & HAS_VALUE) {
    fprintf(stderr, " =");
    for (uint32_t m = w[1]; m != 0; m &= m - 1)
      fprintf(stderr, " %08x", *value++);
  }
  if (w[2] & HAS_ADDRESS) {
    fprintf(stderr, " at");
    for (uint32_t m = w[1]; m != 0; m &= m - 1)
      fprintf(stderr, " %08x", *value++);
  }
  fprintf(stderr, "\n");
}

static bool same_stream(const struct record *r, size_t index, const struct stream *model, const struct stream *rtl,
                        bool only_common) {
  size_t at = 0, number = 0, before = 0;
  while (at < model->count && at < rtl->count) {
    size_t words = words_of(model->words + at);
    if (words != words_of(rtl->words + at) ||
        memcmp(model->words + at, rtl->words + at, words * sizeof *model->words) != 0) {
      break;
    }
    before = at;
    at += words;
    number++;
  }
  if ((at == model->count && at == rtl->count) || (only_common && (at == model->count || at == rtl->count)))
    return true;
  size_t group = index / r->sub_groups;
  fprintf(stderr, "work-group (%zu, %zu, %zu), sub-group %zu, instruction %zu:\n", group % r->groups[0],
          group / r->groups[0] % r->groups[1], group / r->groups[0] / r->groups[1], index % r->sub_groups, number);
  if (number > 0)
    tell("before", model, before);
  tell("model", model, at);
  tell("RTL", rtl, at);
  return false;
}

bool record_same(const struct record *model, const struct record *rtl, bool only_common) {
  if (model->stray || rtl->stray) {
    fprintf(stderr, "an instruction of a sub-group that does not exist: model %d, RTL %d\n", model->stray, rtl->stray);
    return false;
  }
  for (size_t i = 0; i < model->streams; i++)
    if (!same_stream(model, i, &model->stream[i], &rtl->stream[i], only_common))
      return false;
  return true;
}

void record_tell_behind(const struct record *model, const struct record *rtl) {
  uint32_t told = 0;
  for (size_t i = 0; i < model->streams && told < 4; i++) {
    const struct stream *m = &model->stream[i], *r = &rtl->stream[i];
    if (r->count >= m->count)
      continue;
    size_t before = 0;
    for (size_t at = 0; at < r->count; at += words_of(r->words + at))
      before = at;
    size_t group = i / model->sub_groups;
    fprintf(stderr, "work-group (%zu, %zu, %zu), sub-group %zu of the RTL has not gone on:\n", group % model->groups[0],
            group / model->groups[0] % model->groups[1], group / model->groups[0] / model->groups[1],
            i % model->sub_groups);
    if (r->count > 0)
      tell("last", r, before);
    tell("model", m, r->count);
    told++;
  }
}
