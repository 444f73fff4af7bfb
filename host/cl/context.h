// SPDX-License-Identifier: Apache-2.0
// Contexts: a set of devices, and where to tell the application what no error code says.
#ifndef HEDDLE_CL_CONTEXT_H
#define HEDDLE_CL_CONTEXT_H

#include "host/cl/callbacks.h"
#include "host/cl/platform.h"

typedef void(CL_CALLBACK *heddle_notify)(const char *errinfo, const void *private_info, size_t cb, void *user_data);

// The on-device queue of a device, as far as kernels see it.
struct heddle_on_device_queue {
  cl_uint size;     // bytes; 0: there is none
  bool is_default;  // what kernels get from get_default_queue()
};

// Constant once made, but for the destructor callbacks and the on-device queues. Everything made in a context holds a
// reference.
struct _cl_context {
  struct heddle_object object;
  cl_uint num_devices;
  cl_device_id devices[HEDDLE_MAX_CONTEXT_DEVICES];
  cl_uint num_roots;
  cl_device_id roots[HEDDLE_MAX_DEVICES];  // of the devices, each once
  cl_uint domains[HEDDLE_MAX_DEVICES];     // by root: whose rights its kernels have there (host/device/driver.h)
  cl_context_properties *properties;       // as given, with the final 0
  size_t properties_bytes;
  heddle_notify notify;
  void *user_data;
  struct heddle_callback *destructors;

  // By place of the device in the list, guarded by heddle_lock. A queue holds the context, not the other way round.
  struct {
    cl_command_queue queue;  // NULL: none
    bool is_default;
  } on_device[HEDDLE_MAX_CONTEXT_DEVICES];
};

bool heddle_is_context(cl_context context);

// Creates a context of at most HEDDLE_MAX_CONTEXT_DEVICES devices that differ and heddle_context_available said it has;
// gives them back when it cannot; checks the properties (CL_INVALID_PROPERTY, CL_INVALID_PLATFORM) and pfn_notify
// against user_data (CL_INVALID_VALUE).
cl_context heddle_context_create(const cl_context_properties *properties, cl_uint num_devices,
                                 const cl_device_id *devices, heddle_notify notify, void *user_data, cl_int *error);
cl_int heddle_context_check(const cl_context_properties *properties, heddle_notify notify, const void *user_data);

// Opens a device for a context that is to be made, and which has it from then on. False: it cannot be, and the
// application was told why.
bool heddle_context_available(cl_device_id device, heddle_notify notify, void *user_data);

// Gives back devices of a context that is not made after all.
void heddle_context_give(cl_uint num_devices, const cl_device_id *devices);

void heddle_context_release(cl_context context);

// Place of a device in the context's list; -1: it is not one of them.
int heddle_context_index(cl_context context, cl_device_id device);

// Place of the root of a device of the context in the list of roots.
int heddle_context_root(cl_context context, cl_device_id device);

// What kernels may do, by its place, on a root of the context: an entry of the table of rights, for
// heddle_device_allocate_for.
uint8_t heddle_context_rights(cl_context context, cl_uint root, bool is_written);

// CL_INVALID_DEVICE unless all of them are the context's, each once.
cl_int heddle_context_check_devices(cl_context context, cl_uint num_devices, const cl_device_id *devices);

// Tells the application, on the calling thread; no lock of the library may be held. Without a callback it goes to
// standard error (log.h).
void heddle_context_report(cl_context context, const char *text);
// The same of a kernel, by its name.
void heddle_context_report_kernel(cl_context context, const char *kernel, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
