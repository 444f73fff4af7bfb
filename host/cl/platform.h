// SPDX-License-Identifier: Apache-2.0
// The platform and its devices: static objects, opened when first asked something only they know. Boards on USB and
// PCIe are looked for each time a program asks for devices; the others are found once.
//
// A board that was pulled out keeps its device, which is not available any more, as long as a context has it. Then the
// device is kept for a board that is plugged in later.
//
// Threads: a device is opened at most once, under its own mutex. Its queues, its worker and its clock are guarded by
// heddle_lock (event.h). Which boards there are is guarded by a mutex of platform.c, taken before those two.
#ifndef HEDDLE_CL_PLATFORM_H
#define HEDDLE_CL_PLATFORM_H

#include <pthread.h>

#include "contract/version.h"
#include "host/cl/object.h"
#include "host/device/driver.h"
#include "host/transport/place.h"

#define HEDDLE_ICD_SUFFIX "HEDDLE"

// Kernels that are on a device at a time, of its 64 commands (driver.h), and events of kernels there that one waits
// for.
enum { HEDDLE_MAX_FLYING = 8, HEDDLE_MAX_DEVICE_WAITS = 4 };

// 128 bytes: the largest built-in type, long16. Start of every buffer and of every sub-buffer.
enum { HEDDLE_BUFFER_ALIGNMENT = 128 };

// Boards on USB and PCIe, those included that were pulled out while a context has them; and with them all devices.
enum { HEDDLE_MAX_BOARDS = 16, HEDDLE_MAX_DEVICES = 3 + HEDDLE_MAX_BOARDS };

// A kernel's arguments, and one that is a memory object.
enum { HEDDLE_PARAMETER_BYTES = 4096, HEDDLE_POINTER_BYTES = 4 };

struct heddle_command;

struct _cl_device_id {
  struct heddle_object object;
  const char *name;
  int (*open)(cl_device_id device, struct heddle_link *link, struct heddle_error *error);  // its transport's
  cl_ulong budget;  // cycles of a dispatch, by default

  // Of a board on USB or PCIe.
  bool there;                 // it is plugged in, true of other devices; changed under both mutexes
  struct heddle_place place;  // where it is, or was
  cl_ulong since;             // number of the change that brought or took it, to find the oldest
  cl_uint num_contexts;       // that have it

  pthread_mutex_t opening;
  bool tried;
  struct heddle_device *driver;             // NULL until opened, or when it cannot be
  struct heddle_capabilities capabilities;  // the driver's
  struct heddle_error error;                // why it cannot be
  char full_name[96];                       // name and shape

  // Guarded by heddle_lock.
  struct heddle_command *ready;  // those that may begin (schedule.c)
  bool working, stop;
  pthread_t worker;
  struct heddle_command *flying[HEDDLE_MAX_FLYING];  // of queue.h, oldest first; only the worker changes it
  cl_uint num_flying;
  // Device time (device_time.h): how far it is ahead of the host's, and the end of what ended last.
  cl_ulong ahead, last_end;
};

struct _cl_platform_id {
  struct heddle_object object;
  cl_device_type device_type;      // of all devices alike
  bool device_type_is_misspelled;  // $HEDDLE_DEVICE_TYPE is none
  bool offers_double;              // for all devices alike
  bool double_is_misspelled;       // $HEDDLE_DOUBLE is no answer to that
  cl_uint num_devices;             // places that are in use, or were: not all of them are there
  struct _cl_device_id devices[HEDDLE_MAX_DEVICES];
};

// The one platform. Finds what is not on USB or PCIe at the first call. Never NULL.
cl_platform_id heddle_platform(void);

bool heddle_is_platform(cl_platform_id platform);
bool heddle_is_device(cl_device_id device);

// The driver of a device, opening it if nobody did; NULL when it cannot be opened (device->error says why).
struct heddle_device *heddle_open(cl_device_id device);

// NULL as above. What it points to stays.
const struct heddle_capabilities *heddle_capabilities_of(cl_device_id device);

// Whether it can be used, opening it if nobody did. False: device->error says why, the board was pulled out, or the
// device was lost since (heddle_device_lost).
bool heddle_available(cl_device_id device);

// Why a device is not available; empty if it is.
void heddle_unavailable_text(cl_device_id device, char *text, size_t bytes);

// A context has the device from now on, and no longer. heddle_device_take: false when it is not available, and nobody
// has it then.
bool heddle_device_take(cl_device_id device);
void heddle_device_give(cl_device_id device);

// What it means to an OpenCL program that a call of the driver failed (a negative errno value): CL_DEVICE_NOT_AVAILABLE
// when the device is gone or answers as none does, else `otherwise`.
cl_int heddle_code_of(int result, cl_int otherwise);

// Whether kernels are offered double, which is computed in software: $HEDDLE_DOUBLE as it was when the devices were
// found. A value that is neither 0 nor 1 keeps them from being opened.
bool heddle_offers_double(void);

// Cycles after which a dispatch is stopped; 0: never. $HEDDLE_BUDGET_CYCLES, else the device's default. -EINVAL: that
// is no number of cycles; devices do not open then, and kernels do not run.
int heddle_budget_cycles(cl_device_id device, cl_ulong *cycles, struct heddle_error *error);

// The largest buffer a device takes.
cl_ulong heddle_max_allocation(const struct heddle_capabilities *capabilities);

// Devices of the platform that `type` asks for and that are there now, in order; devices == NULL: counts only.
cl_uint heddle_devices_of_type(cl_device_type type, cl_device_id *devices);

// Extensions that add calls, not something to OpenCL C: kernels have no macro of theirs. And what is of SPIR-V only,
// where that is taken.
#define HEDDLE_CALL_EXTENSIONS "cl_khr_create_command_queue cl_khr_suggested_local_work_size cl_khr_command_buffer"
#define HEDDLE_IL_EXTENSIONS "cl_khr_spirv_linkonce_odr"

// Whether `name` is a word of a list separated by spaces (HEDDLE_EXTENSIONS, HEDDLE_FEATURES).
bool heddle_list_has(const char *list, const char *name);

// Whichever lists there are (NULL: it is not), separated by spaces as they are, in a buffer of HEDDLE_LIST_BYTES.
enum { HEDDLE_LIST_BYTES = 4096 };
const char *heddle_list_join(char *buffer, const char *const *lists, size_t count);

// Answers with a list separated by spaces as cl_name_version[], each of this version. Extensions have versions of their
// own.
struct heddle_answer;
cl_int heddle_answer_names(const struct heddle_answer *answer, const char *list, cl_version version);
cl_int heddle_answer_extensions(const struct heddle_answer *answer, const char *list);

#endif
