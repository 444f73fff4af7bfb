// SPDX-License-Identifier: Apache-2.0
// What each call of the API begins with: HEDDLE_CALL. Until it returns its thread is not cancelled (pthread_cancel),
// which would leave locks behind, and a timeline shows it on the track of its thread. Without a timeline that is two
// tests; a library for embedded hosts (HEDDLE_NO_TIMELINE) has none.
#ifndef HEDDLE_CL_TRACED_CALL_H
#define HEDDLE_CL_TRACED_CALL_H

#include <pthread.h>
#include <stdint.h>

#include "host/observe/observe.h"

struct heddle_traced_call {
  const char *name;
  uint64_t start;    // 0: there is no timeline
  int cancellation;  // the thread's before
};

static inline struct heddle_traced_call heddle_traced_call_begin(const char *name) {
  struct heddle_traced_call call = {.name = name};
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &call.cancellation);
#ifndef HEDDLE_NO_TIMELINE
  call.start = heddle_trace_clock();
#endif
  return call;
}

static inline void heddle_traced_call_end(const struct heddle_traced_call *call) {
#ifndef HEDDLE_NO_TIMELINE
  if (call->start != 0)
    heddle_trace_call(call->name, call->start);
#endif
  int disabled;
  pthread_setcancelstate(call->cancellation, &disabled);
}

#define HEDDLE_CALL                                                                         \
  const struct heddle_traced_call traced __attribute__((cleanup(heddle_traced_call_end))) = \
      heddle_traced_call_begin(__func__)

#endif
