// SPDX-License-Identifier: Apache-2.0
// The soak's calls on events: user events, markers, barriers, callbacks, profiling, waiting; and events of other
// actors.
#include <string.h>

#include "tests/soak/soak.h"

static void make_user_event(struct actor *actor) {
  const struct picked context = pick_context(actor);
  struct rules rules = {0};
  cl_int error;
  cl_event event;
  if (!has_room(actor, EVENT))
    return;
  wrong_if(&rules, !context.thing, CL_INVALID_CONTEXT);
  if (!TRY_MAKE(actor, &rules, event, clCreateUserEvent(context.handle, &error)))
    return;
  struct thing *thing = keep(actor, EVENT, event, context.handle);
  thing->is_user = true;
  // What it will be set to is settled here, so that the fate of what waits for it is known.
  thing->fails = one_in(actor, 4);
  thing->status = -1 - (cl_int)below(actor, 50);
  actor->unset++;
}

static void set_status(struct actor *actor) {
  const struct picked event = pick(actor, EVENT);
  const bool is_positive = one_in(actor, 6);
  struct rules rules = {0};
  wrong_if(&rules, !event.thing || !event.thing->is_user, CL_INVALID_EVENT);
  wrong_if(&rules, is_positive, CL_INVALID_VALUE);
  wrong_if(&rules, event.thing && event.thing->is_user && event.thing->is_set, CL_INVALID_OPERATION);
  const cl_int status = is_positive                         ? CL_SUBMITTED
                        : event.thing && event.thing->fails ? event.thing->status
                                                            : CL_COMPLETE;
  if (TRY(actor, &rules, clSetUserEventStatus(event.handle, status)) && event.thing) {
    event.thing->is_set = true;
    event.thing->has_ended = true;
    actor->unset--;
  }
}

static void mark(struct actor *actor) {
  const struct picked queue = pick(actor, QUEUE);
  struct waits waits;
  pick_waits(actor, queue.thing, &waits);
  const uint32_t which = below(actor, 8);
  struct rules rules = {0};
  cl_event place, *event = want_event(actor, &place);
  struct waits none = {0};
  const struct waits *fate = &waits;
  bool done;
  wrong_if(&rules, !queue.thing || queue.thing->is_on_device, CL_INVALID_COMMAND_QUEUE);
  if (which < 3) {
    wrong_waits(&rules, &waits);
    done = TRY(actor, &rules, clEnqueueMarkerWithWaitList(queue.handle, waits.count, waits.pointer, event));
  } else if (which < 6) {
    wrong_waits(&rules, &waits);
    done = TRY(actor, &rules, clEnqueueBarrierWithWaitList(queue.handle, waits.count, waits.pointer, event));
  } else if (which == 6) {
    fate = &none;
    wrong_if(&rules, !event, CL_INVALID_VALUE);
    done = TRY(actor, &rules, clEnqueueMarker(queue.handle, event));
  } else if (one_in(actor, 2)) {
    event = NULL;
    done = TRY(actor, &rules, clEnqueueBarrier(queue.handle));
  } else {
    event = NULL;
    wrong_if(&rules, waits.count == 0 || !waits.pointer, CL_INVALID_VALUE);
    wrong_if(&rules, waits.is_wrong, CL_INVALID_EVENT);
    wrong_if(&rules, waits.has_foreign, CL_INVALID_CONTEXT);
    done = TRY(actor, &rules, clEnqueueWaitForEvents(queue.handle, waits.count, waits.pointer));
  }
  if (done)
    keep_event(actor, event, queue.thing, fate->fails, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, false);
  else
    expect_no_event(actor, event);
}

static void CL_CALLBACK on_event(cl_event event, cl_int status, void *user) {
  cl_uint count;
  (void)status;
  // What does not block may be called here.
  if (clRetainEvent(event) == CL_SUCCESS &&
      clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof count, &count, NULL) == CL_SUCCESS &&
      clReleaseEvent(event) == CL_SUCCESS)
    atomic_fetch_add((atomic_uint *)user, 1);
}

static void set_callback(struct actor *actor) {
  const struct picked event = pick(actor, EVENT);
  const uint32_t odd = below(actor, 12);
  const cl_int when = odd == 0 ? CL_QUEUED : odd == 1 ? -1 : (cl_int)below(actor, 3);
  struct rules rules = {0};
  wrong_if(&rules, !event.thing, CL_INVALID_EVENT);
  wrong_if(&rules, odd < 3, CL_INVALID_VALUE);
  // It may be called before the call returns.
  atomic_fetch_add(&actor->soak->callbacks_due, 1);
  if (!TRY(actor, &rules, clSetEventCallback(event.handle, when, odd == 2 ? NULL : on_event, &actor->soak->callbacks)))
    atomic_fetch_sub(&actor->soak->callbacks_due, 1);
}

static void wait(struct actor *actor) {
  const uint32_t odd = below(actor, 16);
  const cl_uint count = odd == 0 ? 0 : 1 + below(actor, WAITS_MOST);
  cl_event list[WAITS_MOST];
  struct thing *things[WAITS_MOST];
  struct rules rules = {0};
  bool fails = false;
  for (cl_uint i = 0; i < count; i++) {
    const struct picked event = pick(actor, EVENT);
    list[i] = event.handle;
    things[i] = event.thing;
    fails = fails || (event.thing && event.thing->fails);
    wrong_if(&rules, !event.thing, CL_INVALID_EVENT);
    wrong_if(&rules, event.thing && i > 0 && things[0] && things[0]->context != event.thing->context,
             CL_INVALID_CONTEXT);
  }
  wrong_if(&rules, odd < 2, CL_INVALID_VALUE);
  set_user_events(actor);
  rules.otherwise = fails ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
  TRY(actor, &rules, clWaitForEvents(count, odd == 1 ? NULL : list));
  for (cl_uint i = 0; i < count && rules.num_errors == 0; i++)
    if (things[i])
      things[i]->has_ended = true;
}

static void profile(struct actor *actor) {
  static const cl_profiling_info names[] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                            CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END,
                                            CL_PROFILING_COMMAND_COMPLETE};
  const struct picked event = pick(actor, EVENT);
  const uint32_t odd = below(actor, 12);
  cl_ulong value;
  struct rules rules = {0};
  wrong_if(&rules, !event.thing, CL_INVALID_EVENT);
  wrong_if(&rules, odd < 2, CL_INVALID_VALUE);
  if (event.thing) {
    const struct thing *thing = event.thing;
    wrong_if(&rules, thing->is_user || !thing->has_profile || thing->fails, CL_PROFILING_INFO_NOT_AVAILABLE);
    or_else(&rules, !thing->has_ended, CL_PROFILING_INFO_NOT_AVAILABLE);
  }
  TRY(actor, &rules,
      clGetEventProfilingInfo(event.handle, odd == 0 ? 0x7001 : names[below(actor, 5)], odd == 1 ? 4 : sizeof value,
                              &value, NULL));
}

// ---- events of other actors

// Leaves an event for others, and takes one. Which one, time decides: that changes what calls return, never which.
static void exchange(struct actor *actor) {
  struct soak *soak = actor->soak;
  const struct rules rules = {0};
  struct thing *mine = pick_valid(actor, EVENT);
  const uint32_t place = below(actor, sizeof soak->board / sizeof *soak->board);
  // A user event would be set by its actor alone; that others wait for it comes about by what waits for it.
  if (!mine || mine->is_user || mine->context != soak->shared[0].handle || !has_room(actor, EVENT))
    return;
  pthread_mutex_lock(&soak->board_lock);
  const struct thing taken = soak->board[place];
  TRY(actor, &rules, clRetainEvent(mine->handle));
  soak->board[place] = *mine;
  pthread_mutex_unlock(&soak->board_lock);
  if (!taken.handle)
    return;
  struct thing *known = thing_of(actor, taken.handle);
  if (known && !known->is_shared) {
    known->references++;
    return;
  }
  struct thing *thing = keep(actor, EVENT, taken.handle, taken.context);
  thing->fails = taken.fails;
  thing->status = taken.status;
  thing->has_profile = taken.has_profile;
}

void step_event(struct actor *actor) {
  const uint32_t which = below(actor, 24);
  if (which < 4)
    make_user_event(actor);
  else if (which < 7)
    set_status(actor);
  else if (which < 13)
    mark(actor);
  else if (which < 16)
    set_callback(actor);
  else if (which < 18)
    wait(actor);
  else if (which < 21)
    profile(actor);
  else
    exchange(actor);
}
