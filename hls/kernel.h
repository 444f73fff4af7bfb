// SPDX-License-Identifier: Apache-2.0
// What the kernel pass knows about one kernel: gathered by kernel.c, local_memory.c, printf.c and device_queue.c,
// written down by note.c.
#ifndef HEDDLE_HLS_KERNEL_H
#define HEDDLE_HLS_KERNEL_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/status.h"
#include "hls/strings.h"

// No device has larger sub-groups.
enum { SUB_GROUP_SIZE_MAX = 32 };

// The fields have the meaning and the values of the argument record in contract/DEVICE.md.
struct kernel_argument {
  uint32_t offset, size, alignment;
  uint32_t address_space, access, type_qualifiers, kind;
  uint32_t channel;  // of a channel (hls/channels.h): bytes of a packet | packets << 16; else 0
  uint32_t image;    // of an image: its type
  uint32_t depth;    // of a pipe: packets that its queue on the chip has to hold, as the program says; 0: it does not
  char *name, *type_name;
};

struct kernel {
  char *name;
  LLVMValueRef body;   // the function with the kernel's own parameters
  LLVMValueRef entry;  // the function the device starts
  struct kernel_argument *arguments;
  uint32_t argument_count, argument_bytes;
  uint32_t local_bytes;
  uint32_t reqd_work_group_size[3], work_group_size_hint[3], sub_group_size;
  bool is_autorun;                          // nobody enqueues it (autorun.h)
  uint32_t simd_work_items, compute_units;  // what the source wants of hardware (kernel_hints.h); 0: it does not say
  uint32_t num_sub_groups;                  // that a work-group has to have; 0: it does not matter
  char *attributes;
  uint32_t hash[4];            // hls/pipeline/hash.h; zeros where nobody asked for it
  struct strings variables;    // of a pipeline: those of the program that it has in memory (hls/pipeline/variables.h)
  bool is_block;               // of a block that is enqueued: no kernel to the host's program
  bool prints;                 // calls printf, itself or through others
  bool enqueues;               // needs a device queue, itself or through others
  bool is_task;                // of a pipeline: all its work-items would do the same (hls/pipeline/tasks.h)
  uint32_t nests;              // of a pipeline for one work-item: loops that may become one, a coalesce_plan; else 0
  bool has_exclusive;          // of a pipeline: exclusive branches could share, and do not (hls/pipeline/exclusive.h)
  uint32_t exclusive, joined;  // of a pipeline: so many accesses and operations of exclusive branches became so many
};

struct kernels {
  struct kernel *items;
  size_t count;
};

// Prefix of the entries' symbols in the object file: a kernel may have a name that the compiler or the run-time library
// uses, too (sqrtf, memcpy). The finished kernel file has the plain name.
#define KERNEL_ENTRY_PREFIX "__heddle_kernel_"

// Finds the kernels of a module that is still as the spir front end made it, and checks that a device of this ISA can
// run them: arguments and attributes that it cannot have are explained on stderr (STATUS_REJECTED). Those of blocks
// come last.
enum status kernels_find(LLVMModuleRef module, LLVMTargetDataRef layout, const char *isa, struct kernels *kernels);
void kernels_free(struct kernels *kernels);

// Whether a pipeline of it is to be made for one work-item: the source requires work-groups of one, or it is a task.
bool kernel_is_of_one(const struct kernel *kernel);
// Whether such a pipeline has one lane, whatever options say, since other lanes would be idle. Not where the source
// requires a size of sub-groups.
bool kernel_has_one_lane(const struct kernel *kernel);

#endif
