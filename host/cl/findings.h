// SPDX-License-Identifier: Apache-2.0
// Checks of kernels: what the device is told of a kernel's arguments, and what it has found in words (docs/how-to/
// check-a-kernel.md).
#ifndef HEDDLE_CL_FINDINGS_H
#define HEDDLE_CL_FINDINGS_H

#include "host/cl/kernel.h"
#include "host/cl/memory.h"

// The argument pointers of a kernel, as they are gathered. All zeros at first; `pointers` is the owner's to free.
struct heddle_pointers {
  struct heddle_check_pointer *pointers;
  size_t count, room;
};

// Adds the argument number `index` of a kernel, which points to `bytes` bytes from `address` on; of local memory that
// is an offset. `flags` are those of the memory object, or 0. Without host memory it is left out, and not checked.
void heddle_pointers_add(struct heddle_pointers *pointers, const struct heddle_kernel *kernel, uint32_t index,
                         enum heddle_check_kind kind, uint32_t address, uint32_t bytes, cl_mem_flags flags);

// What findings are told of: a kernel of a build, and its NDRange.
struct heddle_findings_of {
  const struct heddle_build *build;
  const char *kernel;
};

// What was found in the last dispatch of a device that checks, in lines; NULL: nothing, or nothing but notes, which are
// no mistakes on this device. The text is the caller's to free. Each line that is new goes to the context, notes too.
// `fault`: NULL if the kernel came to its end, and what it has left undone is told, too. *tells_fault: a line says what
// it faulted by. No lock of the library may be held.
char *heddle_findings_tell(cl_context context, cl_device_id device, const struct heddle_findings_of *of,
                           const struct heddle_fault *fault, bool *tells_fault);

#endif
