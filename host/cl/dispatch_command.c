// SPDX-License-Identifier: Apache-2.0
// The command that runs a kernel: what enqueueing gathers, and what the worker does with it (ndrange.h).
#include <CL/cl_heddle.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/cl/ndrange.h"
#include "host/cl/pipe.h"
#include "host/cl/source_line.h"
#include "host/device/device_map.h"
#include "host/device/printf_records.h"

enum { LOCAL_ALIGNMENT = 128, FAULT_TEXT_BYTES = 1024 };

// A memory object the kernel may touch.
struct used_memory {
  cl_mem memory;  // retained
  enum heddle_use use;
};

struct dispatch_command {
  struct heddle_command command;
  cl_kernel kernel;  // retained
  int index;         // of the device in the program's list
  struct heddle_dispatch dispatch;
  unsigned char *arguments;
  struct used_memory *memories;
  uint32_t num_memories;
};

static const struct heddle_kernel *kernel_of(const struct dispatch_command *this) {
  return this->kernel->on_device[this->index];
}

// Called by the driver now and then: shows how far the dispatch is, and whether it may go on.
static bool report_progress(void *user, const struct heddle_figures *figures) {
  cl_event event = user;
  pthread_mutex_lock(&heddle_lock);
  event->dispatch.figures = *figures;
  const bool go_on = !event->queue->device->stop;
  pthread_mutex_unlock(&heddle_lock);
  return go_on;
}

// One line: kernel, reason, line of source where it is known, place in the NDRange, place in the code.
static char *describe_fault(const struct dispatch_command *this, const struct heddle_fault *fault, cl_ulong offset) {
  const struct heddle_dispatch *dispatch = &this->dispatch;
  uint32_t id[3];
  char *text = malloc(FAULT_TEXT_BYTES);
  if (!text)
    return NULL;
  int used = snprintf(text, FAULT_TEXT_BYTES, "kernel '%.200s': %s", kernel_of(this)->name, heddle_fault_words(fault));
  if (fault->reason == HEDDLE_FAULT_BAD_DISPATCH)
    return text;
  const struct heddle_build *build = &this->kernel->program->builds[this->index];
  char line[HEDDLE_SOURCE_LINE_BYTES];
  if (heddle_source_line(build->binary, build->binary_bytes, offset, line))
    used += snprintf(text + used, FAULT_TEXT_BYTES - (size_t)used, ", %s", line);
  if (fault->reason == HEDDLE_FAULT_BUDGET_SPENT)
    used += snprintf(text + used, FAULT_TEXT_BYTES - (size_t)used,
                     " (%" PRIu64 " cycles; HEDDLE_BUDGET_CYCLES sets it)", dispatch->budget);
  if (fault->address != 0 || fault->reason == HEDDLE_FAULT_UNMAPPED)
    used += snprintf(text + used, FAULT_TEXT_BYTES - (size_t)used, ", address 0x%08x", fault->address);
  heddle_fault_global_id(dispatch, fault, id);
  snprintf(text + used, FAULT_TEXT_BYTES - (size_t)used,
           ", work-item (%u, %u, %u), work-group (%u, %u, %u), sub-group %u, lane %u, PC 0x%08x (program 0x%" PRIx64
           ")",
           id[0], id[1], id[2], fault->group_id[0], fault->group_id[1], fault->group_id[2], fault->sub_group_id,
           fault->lane, fault->pc, (uint64_t)offset);
  return text;
}

// The driver could not be made to run it: tells the application why and finds the status.
static cl_int report_failure(const struct dispatch_command *this, int result) {
  char text[512];
  const bool no_room = result == -ENOMEM;
  snprintf(text, sizeof text, "kernel '%.200s': %s", kernel_of(this)->name,
           no_room ? "no room in device memory for its private memory, its arguments or printf" : strerror(-result));
  heddle_context_report(this->command.event->context, text);
  return no_room ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_OUT_OF_RESOURCES;
}

static cl_int keep_fault(struct dispatch_command *this, const struct heddle_fault *fault) {
  cl_event event = this->command.event;
  const cl_ulong offset = fault->pc - this->kernel->program->builds[this->index].address;
  char *text = describe_fault(this, fault, offset);
  pthread_mutex_lock(&heddle_lock);
  event->dispatch.fault_text = text;
  event->dispatch.fault_offset = offset;
  pthread_mutex_unlock(&heddle_lock);
  heddle_context_report(event->context, text ? text : "a kernel faulted");
  return CL_EVENT_STATUS_FAULT_HEDDLE;
}

// What the kernel printed goes to stdout, and what of it cannot to the context's callback.
static void print(const struct dispatch_command *this, const struct heddle_printed *printed) {
  const struct heddle_build *build = &this->kernel->program->builds[this->index];
  char text[512];
  flockfile(stdout);
  const int result = heddle_printf_write(build->file, build->address, printed, stdout);
  fflush(stdout);
  funlockfile(stdout);
  if (result != 0) {
    snprintf(text, sizeof text, "kernel '%.200s': printf: %s", kernel_of(this)->name,
             result == -EBADMSG ? "the kernel wrote over what it printed; the rest is lost" : "out of host memory");
    heddle_context_report(this->command.event->context, text);
  }
  if (printed->lost != 0) {
    snprintf(text, sizeof text,
             "kernel '%.200s': printf: the buffer (%" PRIu32 " bytes) was full; what %" PRIu32 " calls print is lost",
             kernel_of(this)->name, heddle_printf_capacity(heddle_capabilities_of(this->command.event->queue->device)),
             printed->lost);
    heddle_context_report(this->command.event->context, text);
  }
}

static cl_int run(struct heddle_command *command) {
  struct dispatch_command *this = (struct dispatch_command *)command;
  cl_device_id device = command->event->queue->device;
  struct heddle_figures figures = {0};
  struct heddle_fault fault = {0};
  struct heddle_printed printed = {0};
  int result = heddle_program_load(this->kernel->program, this->index);
  for (uint32_t i = 0; i < this->num_memories && result == 0; i++)
    result = heddle_memory_prepare(this->memories[i].memory, device, this->memories[i].use);
  if (result == 0) {
    this->dispatch.printed = kernel_of(this)->prints ? &printed : NULL;
    this->dispatch.entry = this->kernel->program->builds[this->index].address + kernel_of(this)->entry;
    result = heddle_device_dispatch(device->driver, &this->dispatch, report_progress, command->event, &figures, &fault);
  }
  if (result >= 0 && this->dispatch.printed)
    print(this, &printed);
  free(printed.records);
  if (result < 0)
    return report_failure(this, result);
  pthread_mutex_lock(&heddle_lock);
  command->event->dispatch.figures = figures;
  pthread_mutex_unlock(&heddle_lock);
  const double nanoseconds_a_cycle = 1e6 / heddle_device_capability(device->driver)->clock_khz;
  command->nanoseconds = 1 + (cl_ulong)((double)figures.cycles * nanoseconds_a_cycle);
  return result == 0 ? CL_COMPLETE : keep_fault(this, &fault);
}

static void drop(struct heddle_command *command) {
  struct dispatch_command *this = (struct dispatch_command *)command;
  for (uint32_t i = 0; i < this->num_memories; i++)
    heddle_memory_release(this->memories[i].memory);
  free(this->memories);
  free(this->arguments);
  if (this->kernel)
    heddle_kernel_release(this->kernel);
}

// A kernel cannot write through a pointer to const or constant, nor into a buffer made read-only.
static enum heddle_use use_of(const struct heddle_argument *argument, cl_mem memory) {
  const bool reads = argument->address_space == HEDDLE_CONSTANT || (argument->type_qualifiers & HEDDLE_CONST) != 0 ||
                     (memory->flags & CL_MEM_READ_ONLY) != 0;
  return reads ? HEDDLE_READS : HEDDLE_WRITES;
}

static void put_word(unsigned char *at, uint32_t value) {
  for (int i = 0; i < 4; i++)
    at[i] = (unsigned char)(value >> (8 * i));
}

// The argument block, as the kernel will find it, and the memory objects in it.
static void gather_arguments(struct dispatch_command *this, cl_device_id device) {
  const struct heddle_kernel *kernel = kernel_of(this);
  uint32_t local_end = kernel->local_bytes;
  for (uint32_t i = 0; i < kernel->num_arguments; i++) {
    const struct heddle_argument *argument = &kernel->arguments[i];
    const struct heddle_kernel_argument *given = &this->kernel->arguments[i];
    unsigned char *at = this->arguments + argument->offset;
    if (heddle_argument_is_local(argument)) {
      local_end = (local_end + LOCAL_ALIGNMENT - 1) / LOCAL_ALIGNMENT * LOCAL_ALIGNMENT;
      put_word(at, HEDDLE_LOCAL_BASE + local_end);
      local_end += (uint32_t)given->size;
    } else if (heddle_argument_is_memory(argument)) {
      put_word(at, given->memory ? heddle_memory_address(given->memory, device) : 0);
      if (given->memory) {
        heddle_object_retain(given->memory);
        this->memories[this->num_memories++] =
            (struct used_memory){.memory = given->memory, .use = use_of(argument, given->memory)};
      }
    } else {
      memcpy(at, given->value, argument->size);
    }
  }
  this->dispatch.local_bytes = (local_end + 3) / 4 * 4;  // the walker takes whole words
}

static cl_int check_arguments(cl_kernel kernel, const struct heddle_kernel *on_device, cl_context context) {
  for (uint32_t i = 0; i < on_device->num_arguments; i++) {
    const struct heddle_kernel_argument *given = &kernel->arguments[i];
    if (!given->set)
      return CL_INVALID_KERNEL_ARGS;
    // It may have been released since, and another be in its place: kernels hold no references.
    if (given->memory && (!heddle_is_memory(given->memory) || given->memory->context != context ||
                          heddle_is_pipe(given->memory) != heddle_argument_is_pipe(&on_device->arguments[i])))
      return CL_INVALID_KERNEL_ARGS;
  }
  return CL_SUCCESS;
}

static struct dispatch_command *create(cl_command_queue queue, cl_command_type type, cl_kernel kernel, int index,
                                       const struct heddle_ndrange *range, cl_uint num_waits, const cl_event *waits) {
  struct dispatch_command *this = heddle_command_create(sizeof *this, queue, type, num_waits, waits);
  if (!this)
    return NULL;
  const struct heddle_kernel *on_device = kernel->on_device[index];
  heddle_object_retain(kernel);
  this->kernel = kernel;
  this->index = index;
  this->command.drop = drop;
  this->command.run = range->empty ? NULL : run;
  this->arguments = calloc(1, on_device->argument_bytes ? on_device->argument_bytes : 1);
  this->memories = calloc(on_device->num_arguments ? on_device->num_arguments : 1, sizeof *this->memories);
  if (!this->arguments || !this->memories) {
    heddle_command_discard(&this->command);
    return NULL;
  }
  struct heddle_dispatch *dispatch = &this->dispatch;
  dispatch->work_dim = range->work_dim;
  memcpy(dispatch->global_size, range->global_size, sizeof range->global_size);
  memcpy(dispatch->global_offset, range->global_offset, sizeof range->global_offset);
  memcpy(dispatch->local_size, range->local_size, sizeof range->local_size);
  dispatch->sub_group_size = heddle_kernel_sub_group_size(on_device, heddle_capabilities_of(queue->device));
  dispatch->stack_bytes = on_device->stack_bytes;
  dispatch->arguments = this->arguments;
  dispatch->argument_bytes = on_device->argument_bytes;
  dispatch->budget = heddle_budget_cycles();
  gather_arguments(this, queue->device);
  this->command.event->dispatch.groups_total = heddle_ndrange_groups(range);
  return this;
}

cl_int heddle_enqueue_kernel(cl_command_queue queue, cl_command_type type, cl_kernel kernel, cl_uint work_dim,
                             const size_t *offset, const size_t *global, const size_t *local, cl_uint num_waits,
                             const cl_event *waits, cl_event *event) {
  if (!heddle_is_queue(queue))
    return CL_INVALID_COMMAND_QUEUE;
  if (!heddle_is_kernel(kernel))
    return CL_INVALID_KERNEL;
  if (kernel->program->context != queue->context)
    return CL_INVALID_CONTEXT;
  const int index = heddle_program_index(kernel->program, queue->device);
  if (index < 0 || !kernel->on_device[index])
    return CL_INVALID_PROGRAM_EXECUTABLE;

  const struct heddle_launch launch = {
      .kernel = kernel->on_device[index],
      .capabilities = heddle_capabilities_of(queue->device),
      .uniform = heddle_build_uniform(&kernel->program->builds[index]),
  };
  struct heddle_ndrange range;
  cl_int error = check_arguments(kernel, launch.kernel, queue->context);
  if (error == CL_SUCCESS)
    error = heddle_ndrange_make(&launch, work_dim, offset, global, local, &range);
  if (error == CL_SUCCESS && heddle_kernel_local_bytes(kernel, launch.kernel) > launch.capabilities->local_memory_bytes)
    error = CL_OUT_OF_RESOURCES;
  if (error == CL_SUCCESS)
    error = heddle_check_wait_list(queue->context, num_waits, waits);
  if (error == CL_SUCCESS)
    error = heddle_program_place(kernel->program, index);
  if (error != CL_SUCCESS)
    return error;

  struct dispatch_command *command = create(queue, type, kernel, index, &range, num_waits, waits);
  return command ? heddle_enqueue(&command->command, false, event) : CL_OUT_OF_HOST_MEMORY;
}
