// SPDX-License-Identifier: Apache-2.0
// Destructor callbacks of contexts and memory objects: called in the reverse order of their registration, once.
#ifndef HEDDLE_CL_CALLBACKS_H
#define HEDDLE_CL_CALLBACKS_H

#include <CL/cl.h>

// All of OpenCL's destructor callbacks have this shape; the handle's type differs.
typedef void(CL_CALLBACK *heddle_destructor)(void *handle, void *user_data);

struct heddle_callback {
  struct heddle_callback *next;
  heddle_destructor call;
  void *user_data;
};

// Thread-safe: one mutex for all lists. CL_SUCCESS or CL_OUT_OF_HOST_MEMORY.
cl_int heddle_callbacks_push(struct heddle_callback **list, heddle_destructor call, void *user_data);

// Calls and frees all of them. Only the thread that took the last reference of `handle` may do so.
void heddle_callbacks_run(struct heddle_callback *list, void *handle);

// In a child of fork: nobody has the lock.
void heddle_callbacks_forked(void);

#endif
