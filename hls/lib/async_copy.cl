// SPDX-License-Identifier: Apache-2.0
// Async copies and prefetch: OpenCL C 3.0, section 6.15.12. The work-items of the group share the copy; it has been
// made when all have come to wait_group_events.
#include "hls/lib/device.h"
#include "hls/lib/shared_copy.h"
#include "hls/lib/vectors.h"

#define COPY(TO, FROM, to_stride, from_stride)                                 \
  {                                                                            \
    TO *to = (TO *)to_t;                                                       \
    const FROM *from = (const FROM *)from_t;                                   \
    for (size_t i = first_element(); i < count; i += group_size()) {     \
      to[i * (to_stride)] = from[i * (from_stride)];                           \
    }                                                                          \
    return event;                                                              \
  }

// Elements of type T, which are copied as such of type C.
#define FUNCTIONS_AS(T, C)                                                                                          \
  event_t OVERLOAD async_work_group_copy(local T *to_t, const global T *from_t, size_t count, event_t event)        \
      COPY(local C, global C, 1, 1)                                                                                 \
  event_t OVERLOAD async_work_group_copy(global T *to_t, const local T *from_t, size_t count, event_t event)        \
      COPY(global C, local C, 1, 1)                                                                                 \
  event_t OVERLOAD async_work_group_strided_copy(local T *to_t, const global T *from_t, size_t count, size_t stride, \
                                                 event_t event) COPY(local C, global C, 1, stride)                  \
  event_t OVERLOAD async_work_group_strided_copy(global T *to_t, const local T *from_t, size_t count, size_t stride, \
                                                 event_t event) COPY(global C, local C, stride, 1)                  \
  void OVERLOAD prefetch(const global T *from, size_t count) {                                                      \
  }
#define FUNCTIONS(T) FUNCTIONS_AS(T, T)
// Vectors of 3 are copied like those of 4: what lies in the place of a fourth is copied, too.
#define ALL_WIDTHS(T) \
  FUNCTIONS(T) FUNCTIONS(T##2) FUNCTIONS_AS(T##3, T##4) FUNCTIONS(T##4) FUNCTIONS(T##8) FUNCTIONS(T##16)
FOR_INTEGERS(ALL_WIDTHS)
ALL_WIDTHS(float)
ALL_WIDTHS(half)
ALL_WIDTHS(double)

#define WAIT(space)                                                                \
  void BUILTIN wait_group_events(int count, space event_t *events) {               \
    BARRIER(HEDDLE_SCOPE_WORK_GROUP);                                                     \
  }
WAIT(global)
WAIT(local)
WAIT(private)
WAIT(generic)
