// SPDX-License-Identifier: Apache-2.0
// What every OpenCL object shares: the header the ICD loader expects, a reference count, and a registry of live
// handles.
//
// Threads: everything here may be called from any thread. The registry has a mutex of its own, taken last and never
// held while anything else is called. Reference counts are atomic.
#ifndef HEDDLE_CL_OBJECT_H
#define HEDDLE_CL_OBJECT_H

#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

// Visible outside the library; everything else is not.
#define HEDDLE_EXPORT __attribute__((visibility("default")))

enum heddle_kind {
  HEDDLE_PLATFORM_OBJECT,
  HEDDLE_DEVICE_OBJECT,
  HEDDLE_CONTEXT_OBJECT,
  HEDDLE_QUEUE_OBJECT,
  HEDDLE_MEMORY_OBJECT,
  HEDDLE_PROGRAM_OBJECT,
  HEDDLE_KERNEL_OBJECT,
  HEDDLE_EVENT_OBJECT,
  HEDDLE_COMMAND_BUFFER_OBJECT,
  HEDDLE_SAMPLER_OBJECT,
};

// First member of every object.
struct heddle_object {
  const cl_icd_dispatch *dispatch;  // first: the ICD loader calls through it
  enum heddle_kind kind;
  atomic_uint references;
};

// The table of all calls (dispatch.c).
extern const cl_icd_dispatch heddle_dispatch_table;

// A zeroed object of `bytes` (its struct begins with a heddle_object) with one reference, known to the registry.
// NULL when host memory is out.
void *heddle_object_create(enum heddle_kind kind, size_t bytes);

// Makes a static object known (platform, devices).
bool heddle_object_register(struct heddle_object *object, enum heddle_kind kind);

// Whether `handle` is a live object of this kind. Any pointer may be asked about: it is looked up, not followed.
bool heddle_object_valid(const void *handle, enum heddle_kind kind);

// In a child of fork: no handle is valid any more.
void heddle_objects_forked(void);

void heddle_object_retain(void *object);

// Takes one reference away. True for the last: the handle is no longer valid, and the caller tears the object down and
// frees it.
bool heddle_object_release(void *object);

cl_uint heddle_object_references(const void *object);

// Ends a clCreate…: stores the error if anybody wants it; returns the object, or NULL on error.
void *heddle_created(cl_int *errcode_ret, cl_int error, void *object);

#endif
