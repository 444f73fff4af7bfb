// SPDX-License-Identifier: Apache-2.0
// Calls of the API in a timeline: each begins with HEDDLE_CALL, which shows it on the track of its thread until it
// returns. Without a timeline that is two tests; a library for embedded hosts (HEDDLE_NO_TIMELINE) has none of it.
#ifndef HEDDLE_CL_TRACED_CALL_H
#define HEDDLE_CL_TRACED_CALL_H

#include <stdint.h>

#include "host/observe/observe.h"

#ifdef HEDDLE_NO_TIMELINE
#define HEDDLE_CALL (void)0
#else

struct heddle_traced_call {
  const char *name;
  uint64_t start;  // 0: there is no timeline
};

static inline struct heddle_traced_call heddle_traced_call_begin(const char *name) {
  return (struct heddle_traced_call){name, heddle_trace_clock()};
}

static inline void heddle_traced_call_end(const struct heddle_traced_call *call) {
  if (call->start != 0)
    heddle_trace_call(call->name, call->start);
}

#define HEDDLE_CALL                                                                         \
  const struct heddle_traced_call traced __attribute__((cleanup(heddle_traced_call_end))) = \
      heddle_traced_call_begin(__func__)

#endif
#endif
