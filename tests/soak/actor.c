// SPDX-License-Identifier: Apache-2.0
// What all steps of an actor use: chance, objects, wait lists, and the verdict on a call (soak.h).
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/tools/error_name.h"
#include "tests/soak/soak.h"

// ---- chance: splitmix64

uint32_t draw(struct actor *actor) {
  uint64_t z = actor->random += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return (uint32_t)((z ^ z >> 31) >> 32);
}

uint32_t below(struct actor *actor, uint32_t count) {
  return (uint32_t)((uint64_t)draw(actor) * count >> 32);
}

bool one_in(struct actor *actor, uint32_t count) {
  return below(actor, count) == 0;
}

// ---- the verdict

void wrong_if(struct rules *rules, bool condition, cl_int error) {
  if (condition && rules->num_errors < sizeof rules->errors / sizeof *rules->errors)
    rules->errors[rules->num_errors++] = error;
}

void or_else(struct rules *rules, bool condition, cl_int code) {
  if (condition && rules->num_others < sizeof rules->others / sizeof *rules->others)
    rules->others[rules->num_others++] = code;
}

bool succeeds(const struct rules *rules) {
  return rules->num_errors == 0 && rules->num_others == 0 && rules->otherwise == CL_SUCCESS;
}

void fail_soak(struct actor *actor, const char *format, ...) {
  va_list arguments;
  if (actor->failure[0])
    return;
  va_start(arguments, format);
  vsnprintf(actor->failure, sizeof actor->failure, format, arguments);
  va_end(arguments);
  atomic_store(&actor->soak->stop, true);
}

static bool is_allowed(const struct rules *rules, cl_int code) {
  for (unsigned i = 0; i < rules->num_others; i++)
    if (rules->others[i] == code)
      return true;
  for (unsigned i = 0; i < rules->num_errors; i++)
    if (rules->errors[i] == code)
      return true;
  return rules->num_errors == 0 && code == rules->otherwise;
}

static void count(struct actor *actor, const char *call, bool success) {
  const size_t length = strcspn(call, "(");
  struct entry_point *at = actor->entry_points;
  while (at->call && (strncmp(at->call, call, length) != 0 || at->call[length] != '('))
    at++;
  at->call = call;
  at->calls++;
  at->successes += success;
}

// The names of codes, one after the other.
static void name_codes(char *text, size_t bytes, const cl_int *codes, unsigned num_codes) {
  for (unsigned i = 0; i < num_codes; i++) {
    const size_t used = strlen(text);
    snprintf(text + used, bytes - used, "%s%s", used > 0 ? " or " : "", error_name(codes[i]));
  }
}

bool judge(struct actor *actor, const struct rules *rules, const char *call, cl_int got) {
  actor->calls++;
  atomic_fetch_add(&actor->progress, 1);
  atomic_store(&actor->now, NULL);
  count(actor, call, got == CL_SUCCESS);
  const bool is_right = is_allowed(rules, got);
  if (!is_right) {
    char allowed[512] = "";
    name_codes(allowed, sizeof allowed, rules->errors, rules->num_errors);
    if (rules->num_errors == 0)
      name_codes(allowed, sizeof allowed, &rules->otherwise, 1);
    name_codes(allowed, sizeof allowed, rules->others, rules->num_others);
    fail_soak(actor, "thread %u, call %u, %s: expected %s, got %s", actor->number, actor->calls, call, allowed,
              error_name(got));
  }
  return got == CL_SUCCESS && is_right;
}

// ---- objects

struct thing *thing_of(struct actor *actor, void *handle) {
  for (unsigned i = 0; i < THINGS_MOST; i++)
    if (handle && actor->things[i].handle == handle)
      return &actor->things[i];
  for (unsigned i = 0; i < actor->soak->num_shared; i++)
    if (handle && actor->soak->shared[i].handle == handle)
      return &actor->soak->shared[i];
  return NULL;
}

struct thing *pick_valid(struct actor *actor, enum kind kind) {
  struct thing *all[THINGS_MOST + SHARED_MOST];
  unsigned count = 0;
  for (unsigned i = 0; i < THINGS_MOST; i++)
    if (actor->things[i].handle && actor->things[i].kind == kind)
      all[count++] = &actor->things[i];
  for (unsigned i = 0; i < actor->soak->num_shared; i++)
    if (actor->soak->shared[i].kind == kind)
      all[count++] = &actor->soak->shared[i];
  const uint32_t which = draw(actor);
  return count > 0 ? all[which % count] : NULL;
}

void *wrong_handle(struct actor *actor, enum kind kind) {
  static const char some_memory[64];
  const uint32_t which = draw(actor);
  const struct thing *other = pick_valid(actor, (enum kind)((kind + 1 + which / 8 % (KINDS - 1)) % KINDS));
  switch (which % 8) {
    case 0:
      return (void *)(uintptr_t)(draw(actor) | 1);
    case 1:
      return (void *)(uintptr_t)some_memory;
    case 2:
      return actor->soak->device;
    case 3:
      return other ? other->handle : NULL;
    case 4:
    case 5:
    case 6:
      for (unsigned i = 0; i < actor->num_stale; i++) {
        const unsigned at = (which / 8 + i) % actor->num_stale;
        if (actor->stale_kind[at] == kind && is_buried(actor->stale[at]))
          return actor->stale[at];
      }
      return NULL;
    default:
      return NULL;
  }
}

struct picked pick(struct actor *actor, enum kind kind) {
  if (one_in(actor, 20))
    return (struct picked){.handle = wrong_handle(actor, kind)};
  struct thing *thing = pick_valid(actor, kind);
  return (struct picked){thing ? thing->handle : NULL, thing};
}

struct picked pick_context(struct actor *actor) {
  const uint32_t which = below(actor, 24);
  if (which == 0)
    return (struct picked){.handle = wrong_handle(actor, CONTEXT)};
  void *handle = which < 5 ? (void *)actor->own : actor->soak->shared[0].handle;
  return (struct picked){handle, thing_of(actor, handle)};
}

bool has_room(const struct actor *actor, enum kind kind) {
  static const unsigned most[KINDS] = {[CONTEXT] = 4,  [QUEUE] = 8,   [MEMORY] = 20,
                                       [PROGRAM] = 12, [KERNEL] = 16, [EVENT] = 32};
  unsigned count = 0;
  for (unsigned i = 0; i < THINGS_MOST; i++)
    count += actor->things[i].handle && actor->things[i].kind == kind;
  return count < most[kind];
}

struct thing *keep(struct actor *actor, enum kind kind, void *handle, void *context) {
  struct thing *thing = actor->things;
  while (thing->handle)
    thing++;
  *thing = (struct thing){.kind = kind, .handle = handle, .references = 1, .context = context};
  return thing;
}

void forget(struct actor *actor, struct thing *thing) {
  const unsigned place = actor->num_stale < STALE_MOST ? actor->num_stale++ : below(actor, STALE_MOST);
  actor->stale[place] = thing->handle;
  actor->stale_kind[place] = thing->kind;
  thing->handle = NULL;
}

// ---- events

void pick_waits(struct actor *actor, const struct thing *queue, struct waits *waits) {
  const uint32_t which = below(actor, 32);
  *waits = (struct waits){0};
  if (which < 18)
    return;
  const cl_uint count = 1 + below(actor, WAITS_MOST);
  for (cl_uint i = 0; i < count; i++) {
    const struct thing *event = pick_valid(actor, EVENT);
    if (!event)
      return;
    // Mostly of the queue's context.
    for (int tries = 0; tries < 3 && queue && event->context != queue->context; tries++)
      event = pick_valid(actor, EVENT);
    waits->list[i] = event->handle;
    waits->has_foreign = waits->has_foreign || (queue && event->context != queue->context);
    waits->fails = waits->fails || event->fails;
  }
  waits->count = which == 29 ? 0 : count;
  waits->pointer = which == 30 ? NULL : waits->list;
  if (which == 31)
    waits->list[below(actor, count)] = wrong_handle(actor, EVENT);
  waits->is_wrong = which >= 29;
}

void wrong_waits(struct rules *rules, const struct waits *waits) {
  wrong_if(rules, waits->is_wrong, CL_INVALID_EVENT_WAIT_LIST);
  wrong_if(rules, waits->has_foreign, CL_INVALID_CONTEXT);
}

static void set_user_event(struct actor *actor, struct thing *event) {
  const struct rules rules = {0};
  event->is_set = true;
  event->has_ended = true;
  actor->unset--;
  TRY(actor, &rules, clSetUserEventStatus(event->handle, event->fails ? event->status : CL_COMPLETE));
}

void set_user_events(struct actor *actor) {
  for (unsigned i = 0; i < THINGS_MOST && actor->unset > 0; i++) {
    struct thing *thing = &actor->things[i];
    if (thing->handle && thing->kind == EVENT && thing->is_user && !thing->is_set)
      set_user_event(actor, thing);
  }
}

cl_event *want_event(struct actor *actor, cl_event *place) {
  *place = NULL;
  const bool wanted = below(actor, 4) != 0;
  return wanted && has_room(actor, EVENT) ? place : NULL;
}

void expect_no_event(struct actor *actor, const cl_event *place) {
  if (place && *place)
    fail_soak(actor, "thread %u, call %u: an event, although the call failed", actor->number, actor->calls);
}

void keep_event(struct actor *actor, const cl_event *place, const struct thing *queue, bool fails, cl_int status,
                bool has_ended) {
  if (!place)
    return;
  if (!*place) {
    fail_soak(actor, "thread %u, call %u: no event", actor->number, actor->calls);
    return;
  }
  struct thing *event = keep(actor, EVENT, *place, queue->context);
  event->fails = fails;
  event->status = status;
  event->has_ended = has_ended;
  event->queue = queue->handle;
  event->has_profile = (queue->properties & CL_QUEUE_PROFILING_ENABLE) != 0;
}

void events_have_ended(struct actor *actor, const void *queue) {
  for (unsigned i = 0; i < THINGS_MOST; i++) {
    struct thing *thing = &actor->things[i];
    if (thing->handle && thing->kind == EVENT && thing->queue == queue)
      thing->has_ended = true;
  }
}
