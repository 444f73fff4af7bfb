// SPDX-License-Identifier: Apache-2.0
// The mutexes that the driver asks for, where there is one thread: they do nothing.
#ifndef HEDDLE_BARE_METAL_PTHREAD_H
#define HEDDLE_BARE_METAL_PTHREAD_H

typedef struct {
  char unused;
} heddle_no_mutex;
#define pthread_mutex_t heddle_no_mutex

static inline int heddle_no_mutex_call(heddle_no_mutex *mutex) {
  (void)mutex;
  return 0;
}
#define pthread_mutex_init(mutex, attributes) heddle_no_mutex_call(mutex)
#define pthread_mutex_lock(mutex) heddle_no_mutex_call(mutex)
#define pthread_mutex_unlock(mutex) heddle_no_mutex_call(mutex)
#define pthread_mutex_destroy(mutex) heddle_no_mutex_call(mutex)

#endif
