// SPDX-License-Identifier: Apache-2.0
// What a kernel that is enqueued gets: its argument block, and the memory objects that it uses (dispatch_arguments.h).
#include "host/cl/dispatch_arguments.h"

#include <string.h>

#include "contract/device_map.h"
#include "contract/little_endian.h"
#include "host/cl/image.h"
#include "host/cl/pipe.h"
#include "host/cl/shared.h"
#include "host/cl/streams.h"

enum { LOCAL_ALIGNMENT = 128 };

static uint32_t align_local(uint32_t end) {
  return (end + LOCAL_ALIGNMENT - 1) / LOCAL_ALIGNMENT * LOCAL_ALIGNMENT;
}

// Queues that the kernel was given are the one that there is, or none.
void heddle_dispatch_command_put_queue(const struct dispatch_command *this, uint32_t address) {
  const struct heddle_kernel *kernel = kernel_of(this);
  for (uint32_t i = 0; i < kernel->num_arguments; i++)
    if (kernel->arguments[i].kind == HEDDLE_QUEUE)
      heddle_put32(this->arguments + kernel->arguments[i].offset, address);
}

// Behind the argument block (contract/DEVICE.md, "Kernel files").
void heddle_dispatch_command_put_variables(const struct dispatch_command *this, uint32_t image) {
  const struct heddle_kernel *kernel = kernel_of(this);
  unsigned char *at = this->arguments + heddle_kernel_packet_bytes(kernel) - 4 * (size_t)kernel->num_variables;
  for (uint32_t i = 0; i < kernel->num_variables; i++)
    heddle_put32(at + 4 * (size_t)i, image + heddle_get32(kernel->variables + 4 * (size_t)i));
}

// A kernel cannot write through a pointer to const or constant, nor into a buffer made read-only, nor what it declares
// read_only.
static enum heddle_use use_of(const struct heddle_argument *argument, cl_mem memory) {
  const bool reads = argument->address_space == HEDDLE_CONSTANT ||
                     (heddle_argument_is_image(argument) && argument->access == HEDDLE_READ_ONLY) ||
                     (argument->type_qualifiers & HEDDLE_CONST) != 0 || (memory->flags & CL_MEM_READ_ONLY) != 0;
  return reads ? HEDDLE_READS : HEDDLE_WRITES;
}

static enum heddle_check_kind check_kind_of(cl_mem memory) {
  return memory->image ? HEDDLE_CHECK_IMAGE : heddle_is_pipe(memory) ? HEDDLE_CHECK_PIPE : HEDDLE_CHECK_BUFFER;
}

// A memory object in the argument block: its address; of an image, that of its descriptor. What kernels find by that
// one has no argument of its own.
static void gather_memory(struct dispatch_command *this, cl_device_id device, uint32_t index) {
  const struct heddle_kernel *kernel = kernel_of(this);
  const struct heddle_argument *argument = &kernel->arguments[index];
  cl_mem memory = heddle_kernel_memory(this->kernel, index, this->index);
  unsigned char *at = this->arguments + argument->offset;
  if (!memory) {
    heddle_put32(at, 0);
    return;
  }
  const uint32_t address =
      memory->image ? heddle_image_descriptor(memory, device) : heddle_memory_address(memory, device);
  heddle_put32(at, address + (uint32_t)this->kernel->arguments[index].offset);
  if (heddle_device_checks(device->root->driver))
    heddle_pointers_add(&this->pointers, kernel, index, check_kind_of(memory), heddle_memory_address(memory, device),
                        (uint32_t)memory->size, heddle_is_pipe(memory) ? 0 : memory->flags);
  heddle_object_retain(memory);
  this->memories[this->num_memories++] = (struct heddle_used_memory){
      .memory = memory, .use = use_of(argument, memory), .stream = heddle_stream_end_of(memory, argument)};
}

// A value of 8 bytes may be a pointer that a SYCL program captures: its lower half is the address on the device, and
// its upper half is not 0, which the runtime sees to. Whether there is a buffer the driver knows when the kernel
// starts.
static void gather_capture(struct dispatch_command *this, uint32_t index) {
  const struct heddle_kernel *kernel = kernel_of(this);
  const struct heddle_argument *argument = &kernel->arguments[index];
  const unsigned char *at = this->arguments + argument->offset;
  if (argument->size == 8 && heddle_get32(at + 4) != 0)
    heddle_pointers_add(&this->pointers, kernel, index, HEDDLE_CHECK_NONE, heddle_get32(at), 0, 0);
}

// The argument block, as the kernel will find it, and the memory objects in it.
void heddle_dispatch_command_gather(struct dispatch_command *this, cl_device_id device) {
  const struct heddle_kernel *kernel = kernel_of(this);
  uint32_t local_end = heddle_kernel_variable_bytes(kernel);
  const bool checks = heddle_device_checks(device->root->driver);
  for (uint32_t i = 0; i < kernel->num_arguments; i++) {
    const struct heddle_argument *argument = &kernel->arguments[i];
    const struct heddle_kernel_argument *given = &this->kernel->arguments[i];
    unsigned char *at = this->arguments + argument->offset;
    if (heddle_argument_is_local(argument)) {
      local_end = align_local(local_end);
      heddle_put32(at, HEDDLE_LOCAL_BASE + local_end);
      if (checks)
        heddle_pointers_add(&this->pointers, kernel, i, HEDDLE_CHECK_LOCAL, local_end, (uint32_t)given->size, 0);
      local_end += (uint32_t)given->size;
    } else if (heddle_argument_is_memory(argument)) {
      gather_memory(this, device, i);
    } else if (argument->kind != HEDDLE_QUEUE) {  // a queue has no address before the kernel runs
      memcpy(at, given->value, argument->size);
      if (checks)
        gather_capture(this, i);
    }
  }
  this->dispatch.local_bytes = (local_end + 3) / 4 * 4;  // the walker takes whole words
}

static void add_reached(struct dispatch_command *this, cl_mem memory) {
  heddle_object_retain(memory);
  this->memories[this->num_memories++] = (struct heddle_used_memory){.memory = memory, .use = HEDDLE_WRITES};
}

// Shared memory that is reached by pointers in memory. What was named and is freed meanwhile is left out.
void heddle_dispatch_command_gather_reached(struct dispatch_command *this, const cl_mem *all, cl_uint num_all) {
  for (size_t i = 0; i < sizeof this->kernel->reached / sizeof *this->kernel->reached; i++)
    for (cl_uint k = 0; k < this->kernel->reached[i].count; k++)
      if (heddle_is_memory(this->kernel->reached[i].memories[k]))
        add_reached(this, this->kernel->reached[i].memories[k]);
  for (cl_uint i = 0; i < num_all; i++)
    add_reached(this, all[i]);
}
