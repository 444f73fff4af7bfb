// SPDX-License-Identifier: Apache-2.0
// The platform and its devices. Root devices are static objects. A device is opened by the first query that needs it.
// Boards on USB and PCIe are looked for each time a program asks for devices; other devices are found once.
//
// When a board is pulled out, its cl_device_id stays as long as a context or a sub-device has it, and is not available.
// After that the object is used for a board that is plugged in later.
//
// A sub-device (sub_device.h) is some of the programmable units of its root device. That has the driver, the worker and
// the clock, and carries out the commands of all.
//
// Threads: a device is opened at most once, under its own mutex. heddle_lock (event.h) guards its queues, its worker
// and its clock. A mutex of platform.c guards the list of boards; it is taken before those two.
#ifndef HEDDLE_CL_PLATFORM_H
#define HEDDLE_CL_PLATFORM_H

#include <pthread.h>
#include <time.h>

#include "contract/fat_binary.h"
#include "contract/version.h"
#include "host/cl/object.h"
#include "host/device/driver.h"
#include "host/transport/bus_location.h"
#include "host/transport/mmio.h"
#include "host/transport/serial.h"

#define HEDDLE_ICD_SUFFIX "HEDDLE"

// The most commands of queues that are in flight on a device at a time, and the most of them that one may wait for. The
// device has room for 64 commands (driver.h); a command of a queue takes up to four.
enum { HEDDLE_MAX_IN_FLIGHT = 8, HEDDLE_MAX_DEVICE_WAITS = 4 };

// Alignment of every buffer and sub-buffer, bytes: that of the largest built-in type, long16.
enum { HEDDLE_BUFFER_ALIGNMENT = 128 };

// The most boards on USB and PCIe, including those that were pulled out while a context has them; the most devices.
enum { HEDDLE_MAX_BOARDS = 16, HEDDLE_MAX_DEVICES = 2 + HEDDLE_SERIAL_MOST + HEDDLE_MMIO_MOST + HEDDLE_MAX_BOARDS };

// The most devices of a context, sub-devices included.
enum { HEDDLE_MAX_CONTEXT_DEVICES = 128 };

// The most bytes of a kernel's arguments, and the bytes of an argument that is a memory object.
enum { HEDDLE_PARAMETER_BYTES = 4096, HEDDLE_POINTER_BYTES = 4 };

struct heddle_command;

// Of a sub-device the members up to `capabilities` are in use.
struct _cl_device_id {
  struct heddle_object object;
  cl_device_id root;                        // of a root device itself; constant
  cl_device_id parent;                      // of a sub-device, which holds it; NULL: a root device
  uint32_t unit_mask;                       // of a sub-device: its units, a bit for each of the root's; 0: all units
  cl_device_partition_property *partition;  // of a sub-device: how it was made, with the final 0
  size_t partition_bytes;
  struct heddle_capabilities capabilities;  // of the driver; a sub-device's units are its own

  const char *name;
  int (*open)(cl_device_id device, struct heddle_link *link, struct heddle_error *error);  // by its transport
  cl_ulong budget;  // default, cycles of a dispatch

  unsigned port;  // of a board behind a serial port or by UIO: which one of HEDDLE_SERIAL, or HEDDLE_UIO

  // Of a board on USB or PCIe.
  bool there;                           // it is plugged in; true for other devices; changed under both mutexes
  struct heddle_bus_location location;  // its bus location, or the last one
  cl_ulong since;                       // number of the last plugging or unplugging, to find the oldest
  cl_uint num_holders;                  // contexts and sub-devices that have it

  pthread_mutex_t opening;
  bool tried;
  struct heddle_device *driver;  // NULL: not opened, or opening failed
  struct heddle_error error;     // why opening failed
  char full_name[96];            // name and shape

  // Guarded by heddle_lock.
  struct heddle_command *ready;  // heap of the commands that may begin (schedule.c)
  bool working, stop;
  bool busy;          // a command has begun since the worker waited; guarded by heddle_lock
  time_t idle_since;  // else; seconds of CLOCK_MONOTONIC
  pthread_t worker;
  struct heddle_command *in_flight[HEDDLE_MAX_IN_FLIGHT];  // in flight, oldest first; only the worker changes it
  cl_uint num_in_flight;
  // Device time (device_time.h): how far it is ahead of the host's, and when the last command ended.
  cl_ulong ahead, last_end;
};

enum { HEDDLE_PLATFORM_NAME_BYTES = 101 };

struct _cl_platform_id {
  struct heddle_object object;
  char name[HEDDLE_PLATFORM_NAME_BYTES];
  bool name_is_misspelled;         // $HEDDLE_PLATFORM_NAME has no valid value
  cl_device_type device_type;      // of all devices
  bool device_type_is_misspelled;  // $HEDDLE_DEVICE_TYPE has no valid value
  bool offers_double;              // on all devices
  bool checks;                     // HEDDLE_CHECK: the only device is the model
  bool double_is_misspelled;       // $HEDDLE_DOUBLE has no valid value
  cl_uint num_devices;             // entries of `devices` that are or were in use
  struct _cl_device_id devices[HEDDLE_MAX_DEVICES];
};

// The one platform. The first call finds the devices that are not on USB or PCIe. Never NULL.
cl_platform_id heddle_platform(void);

bool heddle_is_platform(cl_platform_id platform);
bool heddle_is_device(cl_device_id device);

// The driver of a device, which is opened if it is not open yet. NULL: opening failed, device->root->error says why.
struct heddle_device *heddle_open(cl_device_id device);

// The device's capabilities, valid until the process ends. Opens the device as above; NULL: opening failed.
const struct heddle_capabilities *heddle_capabilities_of(cl_device_id device);

// Gives a board behind a serial port another bitstream (driver.h); then its capabilities are other ones. 0, or a
// negative errno with *error in words; -ENOTSUP: it is no such board.
int heddle_reload(cl_device_id device, const struct heddle_fat_part *part, struct heddle_error *error);

// Whether the device can be used. Opens it as above. False: opening failed (device->root->error says why), the board
// was pulled out, or the device is lost (heddle_device_lost).
bool heddle_available(cl_device_id device);

// Why a device is not available; empty if it is.
void heddle_unavailable_text(cl_device_id device, char *text, size_t bytes);

// Makes a device stay for a context, which lets go of it in the end. False, and nothing is counted: it is not
// available.
bool heddle_device_take(cl_device_id device);

// Makes a device stay, and undoes that: a sub-device ends with the last holder.
void heddle_device_hold(cl_device_id device);
void heddle_device_let_go(cl_device_id device);

// The OpenCL error for a negative errno value of the driver: CL_DEVICE_NOT_AVAILABLE if the device is lost, else
// CL_OUT_OF_RESOURCES.
cl_int heddle_code_of(int result);

// Whether kernels may use double, which is computed in software: $HEDDLE_DOUBLE, read when the devices were found. With
// a value other than 0 and 1 no device opens.
bool heddle_offers_double(void);

// Cycles after which a dispatch is stopped; 0: never. $HEDDLE_BUDGET_CYCLES, or the device's default if it is unset.
// -EINVAL: its value is not a number of cycles; then no device opens and no kernel runs.
int heddle_budget_cycles(cl_device_id device, cl_ulong *cycles, struct heddle_error *error);

// The largest buffer that the device accepts, bytes.
cl_ulong heddle_max_allocation(const struct heddle_capabilities *capabilities);

// The devices of a type that are present now, in the platform's order. Returns how many; `devices` may be NULL.
cl_uint heddle_devices_of_type(cl_device_type type, cl_device_id *devices);

// Extensions that add calls and nothing to OpenCL C, so that kernels have no macro for them; what the calls of images
// do beyond OpenCL 1.2; and those of SPIR-V, which are offered where SPIR-V is accepted.
#define HEDDLE_CALL_EXTENSIONS                                                          \
  "cl_khr_create_command_queue cl_khr_suggested_local_work_size cl_khr_command_buffer " \
  "cl_intel_unified_shared_memory"
#define HEDDLE_IMAGE_EXTENSIONS "cl_khr_image2d_from_buffer"
#define HEDDLE_IL_EXTENSIONS "cl_khr_spirv_linkonce_odr"

// Whether `name` is a word of a list separated by spaces (HEDDLE_EXTENSIONS, HEDDLE_FEATURES).
bool heddle_list_has(const char *list, const char *name);

// Joins lists of words separated by spaces; an entry that is NULL is left out. `buffer` has HEDDLE_LIST_BYTES.
enum { HEDDLE_LIST_BYTES = 4096 };
const char *heddle_list_join(char *buffer, const char *const *lists, size_t count);

// Answers a query with the words of a list as cl_name_version[]: all with the given version, or extensions with the
// version of each.
struct heddle_answer;
cl_int heddle_answer_names(const struct heddle_answer *answer, const char *list, cl_version version);
cl_int heddle_answer_extensions(const struct heddle_answer *answer, const char *list);

#endif
