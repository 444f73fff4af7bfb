// SPDX-License-Identifier: Apache-2.0
// How the work-items of a group share an asynchronous copy: element by element, in the order of their numbers.
#ifndef HEDDLE_HLS_LIB_SHARED_COPY_H
#define HEDDLE_HLS_LIB_SHARED_COPY_H

#include "hls/lib/misuse.h"

static inline size_t group_size(void) {
  return get_local_size(0) * get_local_size(1) * get_local_size(2);
}

// The first element of this work-item; the next is group_size() further on. Checked, a work-item copies what the next
// one is wont to write or read, so that a barrier that is missing is found.
static inline size_t first_element(void) {
  const size_t id = get_local_linear_id();
  return !__heddle_is_checked ? id : id + 1 < group_size() ? id + 1 : 0;
}

#endif
