// SPDX-License-Identifier: Apache-2.0
// The command that runs a kernel, and what that enqueues: what enqueueing gathers, and what the worker does with it
// (ndrange.h).
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
#include "host/device/device_queue.h"
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
  struct heddle_on_device_queue queue;  // of the context, as it was when the command was enqueued

  // While it runs: figures and cycles of the dispatches before, the kernel's own time.
  struct heddle_figures before;
};

static const struct heddle_kernel *kernel_of(const struct dispatch_command *this) {
  return this->kernel->on_device[this->index];
}

// Figures of one dispatch after another.
static struct heddle_figures sum(const struct heddle_figures *one, const struct heddle_figures *other) {
  return (struct heddle_figures){
      .cycles = one->cycles + other->cycles,
      .issues = one->issues + other->issues,
      .active_lanes = one->active_lanes + other->active_lanes,
      .groups_done = one->groups_done + other->groups_done,
      .memory_requests = one->memory_requests + other->memory_requests,
      .memory_wait_cycles = one->memory_wait_cycles + other->memory_wait_cycles,
      .conflict_cycles = one->conflict_cycles + other->conflict_cycles,
      .cache_requests = one->cache_requests + other->cache_requests,
      .cache_misses = one->cache_misses + other->cache_misses,
  };
}

// Called by the driver now and then: shows how far the dispatch is, and whether it may go on.
static bool report_progress(void *user, const struct heddle_figures *figures) {
  const struct dispatch_command *this = user;
  cl_event event = this->command.event;
  pthread_mutex_lock(&heddle_lock);
  event->dispatch.figures = sum(&this->before, figures);
  const bool go_on = !event->queue->device->stop;
  pthread_mutex_unlock(&heddle_lock);
  return go_on;
}

// A dispatch of the command has ended.
static void add_figures(struct dispatch_command *this, const struct heddle_figures *figures) {
  this->before = sum(&this->before, figures);
  pthread_mutex_lock(&heddle_lock);
  this->command.event->dispatch.figures = this->before;
  pthread_mutex_unlock(&heddle_lock);
}

// A dispatch, of the command's kernel or of a block.
struct one_kernel {
  const struct heddle_kernel *kernel;
  struct heddle_dispatch dispatch;
};

// One line: kernel, reason, line of source where it is known, place in the NDRange, place in the code.
static char *describe_fault(const struct dispatch_command *this, const struct one_kernel *one,
                            const struct heddle_fault *fault, cl_ulong offset) {
  const struct heddle_dispatch *dispatch = &one->dispatch;
  uint32_t id[3];
  char *text = malloc(FAULT_TEXT_BYTES);
  if (!text)
    return NULL;
  int used = snprintf(text, FAULT_TEXT_BYTES, "kernel '%.200s': %s", one->kernel->name, heddle_fault_words(fault));
  if (fault->reason == HEDDLE_FAULT_BAD_DISPATCH)
    return text;
  const struct heddle_build *build = &this->kernel->program->builds[this->index];
  char line[HEDDLE_SOURCE_LINE_BYTES];
  if (heddle_source_line(build->binary, build->binary_bytes, offset, line))
    used += snprintf(text + used, FAULT_TEXT_BYTES - (size_t)used, ", %s", line);
  if (fault->reason == HEDDLE_FAULT_BUDGET_SPENT)
    used += snprintf(text + used, FAULT_TEXT_BYTES - (size_t)used,
                     " (%" PRIu64 " cycles; HEDDLE_BUDGET_CYCLES sets it)", (uint64_t)heddle_budget_cycles());
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
static cl_int report_failure(const struct dispatch_command *this, const struct heddle_kernel *kernel, int result) {
  char text[512];
  const bool no_room = result == -ENOMEM;
  snprintf(text, sizeof text, "kernel '%.200s': %s", kernel->name,
           no_room ? "no room in device memory for its private memory, its arguments, printf or the device queue"
                   : strerror(-result));
  heddle_context_report(this->command.event->context, text);
  return no_room ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_OUT_OF_RESOURCES;
}

static cl_int keep_fault(struct dispatch_command *this, const struct one_kernel *one,
                         const struct heddle_fault *fault) {
  cl_event event = this->command.event;
  const cl_ulong offset = fault->pc - this->kernel->program->builds[this->index].address;
  char *text = describe_fault(this, one, fault, offset);
  pthread_mutex_lock(&heddle_lock);
  event->dispatch.fault_text = text;
  event->dispatch.fault_offset = offset;
  pthread_mutex_unlock(&heddle_lock);
  heddle_context_report(event->context, text ? text : "a kernel faulted");
  return CL_EVENT_STATUS_FAULT_HEDDLE;
}

// What the kernel printed goes to stdout, and what of it cannot to the context's callback.
static void print(const struct dispatch_command *this, const struct heddle_kernel *kernel,
                  const struct heddle_printed *printed) {
  const struct heddle_build *build = &this->kernel->program->builds[this->index];
  char text[512];
  flockfile(stdout);
  const int result = heddle_printf_write(build->file, build->address, printed, stdout);
  fflush(stdout);
  funlockfile(stdout);
  if (result != 0) {
    snprintf(text, sizeof text, "kernel '%.200s': printf: %s", kernel->name,
             result == -EBADMSG ? "the kernel wrote over what it printed; the rest is lost" : "out of host memory");
    heddle_context_report(this->command.event->context, text);
  }
  if (printed->lost != 0) {
    snprintf(text, sizeof text,
             "kernel '%.200s': printf: the buffer (%" PRIu32 " bytes) was full; what %" PRIu32 " calls print is lost",
             kernel->name, heddle_printf_capacity(heddle_capabilities_of(this->command.event->queue->device)),
             printed->lost);
    heddle_context_report(this->command.event->context, text);
  }
}

// Runs one kernel to its end.
static cl_int run_one(struct dispatch_command *this, struct one_kernel *one) {
  cl_event event = this->command.event;
  struct heddle_device *driver = event->queue->device->driver;
  struct heddle_figures figures = {0};
  struct heddle_fault fault = {0};
  struct heddle_printed printed = {0};
  const uint64_t budget = heddle_budget_cycles();
  one->dispatch.printed = one->kernel->prints ? &printed : NULL;
  one->dispatch.entry = this->kernel->program->builds[this->index].address + one->kernel->entry;
  // One budget for a kernel and all that it enqueues: what is enqueued without end is an endless loop too.
  one->dispatch.budget = budget == 0 ? 0 : this->before.cycles >= budget ? 1 : budget - this->before.cycles;
  const int result = heddle_device_dispatch(driver, &one->dispatch, report_progress, this, &figures, &fault);
  if (result >= 0 && one->dispatch.printed)
    print(this, one->kernel, &printed);
  free(printed.records);
  if (result < 0)
    return report_failure(this, one->kernel, result);
  add_figures(this, &figures);
  return result == 0 ? CL_COMPLETE : keep_fault(this, one, &fault);
}

// Of all dispatches so far, in the device's time.
static cl_ulong nanoseconds_so_far(const struct dispatch_command *this) {
  const cl_device_id device = this->command.event->queue->device;
  const double nanoseconds_a_cycle = 1e6 / heddle_device_capability(device->driver)->clock_khz;
  return (cl_ulong)((double)this->before.cycles * nanoseconds_a_cycle);
}

static void put_word(unsigned char *at, uint32_t value) {
  for (int i = 0; i < 4; i++)
    at[i] = (unsigned char)(value >> (8 * i));
}

static uint32_t align_local(uint32_t end) {
  return (end + LOCAL_ALIGNMENT - 1) / LOCAL_ALIGNMENT * LOCAL_ALIGNMENT;
}

// ---- what kernels enqueue

static cl_int report_queue(const struct dispatch_command *this, const char *what) {
  char text[512];
  snprintf(text, sizeof text, "kernel '%.200s': %s", kernel_of(this)->name, what);
  heddle_context_report(this->command.event->context, text);
  return CL_OUT_OF_RESOURCES;
}

// The device has checked a range and sizes of local arguments already, but what it says is not believed.
static cl_int make_range(const struct dispatch_command *this, const struct heddle_kernel *block,
                         const struct heddle_child *child, struct heddle_ndrange *range) {
  const struct heddle_launch launch = {
      .kernel = block,
      .capabilities = heddle_capabilities_of(this->command.event->queue->device),
      .uniform = heddle_build_uniform(&this->kernel->program->builds[this->index]),
  };
  size_t offset[3], global[3], local[3];
  for (int i = 0; i < 3; i++) {
    offset[i] = child->global_offset[i];
    global[i] = child->global_size[i];
    local[i] = child->local_size[i];
  }
  const bool has_local = local[0] != 0 || local[1] != 0 || local[2] != 0;
  return heddle_ndrange_make(&launch, child->work_dim, offset, global, has_local ? local : NULL, range);
}

static cl_int run_block(struct dispatch_command *this, struct heddle_device_queue *queue,
                        const struct heddle_child *child, const struct heddle_ndrange *range,
                        const struct heddle_kernel *block) {
  const struct heddle_capabilities *capabilities = heddle_capabilities_of(this->command.event->queue->device);
  struct one_kernel one = {.kernel = block};
  unsigned char *arguments = calloc(1, block->argument_bytes);
  uint32_t literal = 0;
  uint64_t local_end = block->local_bytes;
  if (!arguments)
    return report_failure(this, block, -ENOMEM);
  const int result = heddle_device_queue_place_literal(queue, child, &literal);
  put_word(arguments + block->arguments[0].offset, literal);
  for (uint32_t i = 0; i < child->num_locals && local_end <= capabilities->local_memory_bytes; i++) {
    local_end = align_local((uint32_t)local_end);
    put_word(arguments + block->arguments[i + 1].offset, HEDDLE_LOCAL_BASE + (uint32_t)local_end);
    local_end += child->locals[i];
  }
  struct heddle_dispatch *dispatch = &one.dispatch;
  dispatch->work_dim = range->work_dim;
  memcpy(dispatch->global_size, range->global_size, sizeof range->global_size);
  memcpy(dispatch->global_offset, range->global_offset, sizeof range->global_offset);
  memcpy(dispatch->local_size, range->local_size, sizeof range->local_size);
  dispatch->sub_group_size = heddle_kernel_sub_group_size(block, capabilities);
  dispatch->local_bytes = (uint32_t)(local_end + 3) / 4 * 4;
  dispatch->stack_bytes = block->stack_bytes;
  dispatch->arguments = arguments;
  dispatch->argument_bytes = block->argument_bytes;
  dispatch->device_queue = heddle_device_queue_address(queue);
  cl_int status;
  if (result != 0)
    status = report_failure(this, block, result);
  else if (local_end > capabilities->local_memory_bytes)
    status = report_queue(this, "the device queue is damaged: more local memory than there is");
  else
    status = run_one(this, &one);
  free(arguments);
  return status;
}

// Runs a command and takes what it enqueued.
static cl_int run_child(struct dispatch_command *this, struct heddle_device_queue *queue, struct heddle_child *child) {
  const struct heddle_build *build = &this->kernel->program->builds[this->index];
  const struct heddle_kernel *block = heddle_kernel_file_block(build->file, child->block);
  struct heddle_ndrange range;
  child->started = nanoseconds_so_far(this);
  cl_int status = make_range(this, block, child, &range);
  if (status != CL_SUCCESS)
    return report_queue(this, "the device queue is damaged: a range that cannot be");
  if (!range.empty) {
    pthread_mutex_lock(&heddle_lock);
    this->command.event->dispatch.groups_total += heddle_ndrange_groups(&range);
    pthread_mutex_unlock(&heddle_lock);
    status = run_block(this, queue, child, &range, block);
  }
  child->ended = nanoseconds_so_far(this);
  if (status != CL_COMPLETE || !block->enqueues)
    return status;
  struct heddle_error error;
  return heddle_device_queue_take(queue, child, &error) == 0 ? CL_COMPLETE : report_queue(this, error.text);
}

// Runs what the kernel enqueued, what that enqueued, and so on.
static cl_int run_children(struct dispatch_command *this, struct heddle_device_queue *queue) {
  struct heddle_error error;
  struct heddle_child *child;
  bool failed;
  if (heddle_device_queue_take(queue, NULL, &error) != 0)
    return report_queue(this, error.text);
  while ((child = heddle_device_queue_next(queue, &failed)) != NULL) {
    const cl_int status = failed || child->kind == HEDDLE_COMMAND_MARKER ? CL_COMPLETE : run_child(this, queue, child);
    if (status != CL_COMPLETE) {
      heddle_device_queue_drop(child);
      return status;
    }
    const cl_int ended = failed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_COMPLETE;
    const int result = heddle_device_queue_finish(queue, child, ended, nanoseconds_so_far(this));
    if (result != 0)
      return report_failure(this, kernel_of(this), result);
  }
  if (heddle_device_queue_count(queue) != 0)
    return report_queue(this, "what it enqueued waits for an event that nobody sets");
  return CL_COMPLETE;
}

static int open_queue(const struct dispatch_command *this, struct heddle_device_queue **queue) {
  const struct heddle_build *build = &this->kernel->program->builds[this->index];
  const cl_device_id device = this->command.event->queue->device;
  const uint32_t count = build->file->num_blocks;
  struct heddle_block_limits *limits = calloc(count ? count : 1, sizeof *limits);
  if (!limits)
    return -ENOMEM;
  for (uint32_t i = 0; i < count; i++) {
    const struct heddle_kernel *block = heddle_kernel_file_block(build->file, i + 1);
    limits[i].work_group_size = heddle_kernel_work_group_size(block, heddle_capabilities_of(device));
    limits[i].sub_group_size = heddle_kernel_sub_group_size(block, heddle_capabilities_of(device));
  }
  const struct heddle_device_queue_setup setup = {
      .file = build->file,
      .blocks = limits,
      .size = this->queue.size,
      .is_default = this->queue.is_default,
      .uniform = heddle_build_uniform(build),
  };
  const int result = heddle_device_queue_open(device->driver, &setup, queue);
  free(limits);
  return result;
}

// Queues that the kernel was given are the one that there is, or none.
static void put_queue(const struct dispatch_command *this, uint32_t address) {
  const struct heddle_kernel *kernel = kernel_of(this);
  for (uint32_t i = 0; i < kernel->num_arguments; i++) {
    if (kernel->arguments[i].kind == HEDDLE_QUEUE)
      put_word(this->arguments + kernel->arguments[i].offset, address);
  }
}

// Program and memory objects go where the kernel wants them.
static int prepare(const struct dispatch_command *this) {
  cl_device_id device = this->command.event->queue->device;
  int result = heddle_program_load(this->kernel->program, this->index);
  for (uint32_t i = 0; i < this->num_memories && result == 0; i++)
    result = heddle_memory_prepare(this->memories[i].memory, device, this->memories[i].use);
  return result;
}

// What goes wrong here goes wrong again in `run`, which tells.
static bool begin(struct heddle_command *command, const struct heddle_waits *waits) {
  struct dispatch_command *this = (struct dispatch_command *)command;
  struct heddle_dispatch dispatch = this->dispatch;
  if (prepare(this) != 0)
    return false;
  dispatch.entry = this->kernel->program->builds[this->index].address + kernel_of(this)->entry;
  dispatch.budget = heddle_budget_cycles();
  return heddle_device_submit_dispatch(command->event->queue->device->driver, &dispatch, waits, &command->number) == 0;
}

static cl_int end(struct heddle_command *command) {
  struct dispatch_command *this = (struct dispatch_command *)command;
  const struct one_kernel one = {.kernel = kernel_of(this), .dispatch = this->dispatch};
  struct heddle_record record = {0};
  const int result =
      heddle_device_collect(command->event->queue->device->driver, command->number, report_progress, this, &record);
  if (result != 0)
    return report_failure(this, one.kernel, result);
  if (record.status == HEDDLE_RECORD_DID_NOT_RUN)
    return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  if (record.status == HEDDLE_RECORD_REFUSED)
    return report_failure(this, one.kernel, -EINVAL);
  add_figures(this, &record.figures);
  command->nanoseconds = command->nanoseconds_with_children = 1 + nanoseconds_so_far(this);
  return record.status == HEDDLE_RECORD_COMPLETE ? CL_COMPLETE : keep_fault(this, &one, &record.fault);
}

static cl_int run(struct heddle_command *command) {
  struct dispatch_command *this = (struct dispatch_command *)command;
  struct heddle_device_queue *queue = NULL;
  int result = prepare(this);
  if (result == 0 && kernel_of(this)->enqueues)
    result = open_queue(this, &queue);
  if (result != 0)
    return report_failure(this, kernel_of(this), result);
  struct one_kernel one = {.kernel = kernel_of(this), .dispatch = this->dispatch};
  if (queue) {
    one.dispatch.device_queue = heddle_device_queue_address(queue);
    put_queue(this, one.dispatch.device_queue);
  }
  cl_int status = run_one(this, &one);
  command->nanoseconds = 1 + nanoseconds_so_far(this);
  // What a kernel enqueued before it faulted does not run.
  if (queue && status == CL_COMPLETE)
    status = run_children(this, queue);
  command->nanoseconds_with_children = 1 + nanoseconds_so_far(this);
  heddle_device_queue_close(queue);
  return status;
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

// The argument block, as the kernel will find it, and the memory objects in it.
static void gather_arguments(struct dispatch_command *this, cl_device_id device) {
  const struct heddle_kernel *kernel = kernel_of(this);
  uint32_t local_end = kernel->local_bytes;
  for (uint32_t i = 0; i < kernel->num_arguments; i++) {
    const struct heddle_argument *argument = &kernel->arguments[i];
    const struct heddle_kernel_argument *given = &this->kernel->arguments[i];
    unsigned char *at = this->arguments + argument->offset;
    if (heddle_argument_is_local(argument)) {
      local_end = align_local(local_end);
      put_word(at, HEDDLE_LOCAL_BASE + local_end);
      local_end += (uint32_t)given->size;
    } else if (heddle_argument_is_memory(argument)) {
      put_word(at, given->memory ? heddle_memory_address(given->memory, device) : 0);
      if (given->memory) {
        heddle_object_retain(given->memory);
        this->memories[this->num_memories++] =
            (struct used_memory){.memory = given->memory, .use = use_of(argument, given->memory)};
      }
    } else if (argument->kind != HEDDLE_QUEUE) {  // a queue has no address before the kernel runs
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
    if (given->queue && (!heddle_is_on_device_queue(given->queue) || given->queue->context != context))
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
  // What is printed, and what it enqueues, the host deals with when the kernel has ended, before any other runs.
  if (!range->empty && !on_device->prints && !on_device->enqueues) {
    this->command.begin = begin;
    this->command.end = end;
  }
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
  this->queue = heddle_on_device_queue_of(queue->context, queue->device);
  gather_arguments(this, queue->device);
  this->command.event->dispatch.groups_total = heddle_ndrange_groups(range);
  return this;
}

cl_int heddle_enqueue_kernel(cl_command_queue queue, cl_command_type type, cl_kernel kernel, cl_uint work_dim,
                             const size_t *offset, const size_t *global, const size_t *local, cl_uint num_waits,
                             const cl_event *waits, cl_event *event) {
  if (!heddle_is_host_queue(queue))
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
