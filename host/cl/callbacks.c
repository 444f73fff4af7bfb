// SPDX-License-Identifier: Apache-2.0
// Destructor callbacks (callbacks.h).
#include "host/cl/callbacks.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void heddle_callbacks_forked(void) {
  pthread_mutex_init(&lock, NULL);
}

cl_int heddle_callbacks_push(struct heddle_callback **list, heddle_destructor call, void *user_data) {
  struct heddle_callback *callback = malloc(sizeof *callback);
  if (!callback)
    return CL_OUT_OF_HOST_MEMORY;
  pthread_mutex_lock(&lock);
  *callback = (struct heddle_callback){.next = *list, .call = call, .user_data = user_data};
  *list = callback;
  pthread_mutex_unlock(&lock);
  return CL_SUCCESS;
}

void heddle_callbacks_run(struct heddle_callback *list, void *handle) {
  while (list) {
    struct heddle_callback *next = list->next;
    list->call(handle, list->user_data);
    free(list);
    list = next;
  }
}
