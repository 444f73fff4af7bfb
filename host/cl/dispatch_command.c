// SPDX-License-Identifier: Apache-2.0
// The command that runs a kernel: how it is enqueued, and what the worker does with it (dispatch_command.h).
#include "host/cl/dispatch_command.h"

#include <CL/cl_heddle.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "host/cl/autorun.h"
#include "host/cl/device_time.h"
#include "host/cl/dispatch_arguments.h"
#include "host/cl/dispatch_failures.h"
#include "host/cl/enqueue_check.h"
#include "host/cl/image.h"
#include "host/cl/pipe.h"
#include "host/cl/shared.h"
#include "host/cl/streams.h"
#include "host/cl/worker.h"
#include "host/device/device_queue.h"

// Called by the driver now and then: shows how far the dispatch is, and whether it may go on.
static bool report_progress(void *user, const struct heddle_figures *figures) {
  const struct dispatch_command *this = user;
  cl_event event = this->command.event;
  pthread_mutex_lock(&heddle_lock);
  event->dispatch.figures = *figures;
  const bool go_on = !event->queue->device->root->stop;
  pthread_mutex_unlock(&heddle_lock);
  return go_on;
}

// ---- what kernels enqueue

// Whether the kernel or what it may enqueue prints.
static bool prints(const struct dispatch_command *this) {
  const struct heddle_build *build = &this->kernel->program->builds[this->index];
  bool any = kernel_of(this)->prints;
  for (uint32_t i = 1; kernel_of(this)->enqueues && i <= build->file->num_blocks; i++)
    any = any || heddle_kernel_file_block(build->file, i)->prints;
  return any;
}

static int open_queue(struct dispatch_command *this) {
  const struct heddle_build *build = &this->kernel->program->builds[this->index];
  const cl_command_queue queue = this->command.event->queue;
  const cl_device_id device = queue->device;
  // A command that was recorded gets the queue that there is when it runs.
  const struct heddle_on_device_queue now = heddle_on_device_queue_of(queue->context, device);
  if (queue->recorded && now.size != 0)
    this->queue = now;
  const uint32_t count = build->file->num_blocks;
  struct heddle_block_limits *limits = calloc(count ? count : 1, sizeof *limits);
  if (!limits)
    return -ENOMEM;
  for (uint32_t i = 0; i < count; i++) {
    const struct heddle_kernel *block = heddle_kernel_file_block(build->file, i + 1);
    limits[i].work_group_size = heddle_kernel_work_group_size(block, heddle_capabilities_of(device));
    limits[i].sub_group_size = heddle_kernel_sub_group_size(block, heddle_capabilities_of(device));
  }
  const cl_uint root = (cl_uint)heddle_context_root(this->command.event->context, device);
  const struct heddle_device_queue_setup setup = {
      .file = build->file,
      .base = build->address,
      .blocks = limits,
      .units = heddle_capabilities_of(device)->units,
      .rights = heddle_context_rights(this->command.event->context, root, true),
      .size = this->queue.size,
      .is_default = this->queue.is_default,
      .uniform = build->file->is_uniform,
  };
  const int result = heddle_device_queue_open(device->root->driver, &setup, &this->device_queue);
  free(limits);
  return result;
}

static void close_queue(struct dispatch_command *this) {
  heddle_device_queue_close(this->command.event->queue->device->root->driver, this->device_queue);
  this->device_queue = 0;
}

// All work-items of a dispatch have private memory of one size: what the deepest stack needs; 0: not known.
static uint32_t stack_bytes(const struct dispatch_command *this) {
  const struct heddle_build *build = &this->kernel->program->builds[this->index];
  uint32_t most = kernel_of(this)->stack_bytes;
  for (uint32_t i = 1; kernel_of(this)->enqueues && i <= build->file->num_blocks; i++) {
    const uint32_t needs = heddle_kernel_file_block(build->file, i)->stack_bytes;
    most = needs == 0 || most == 0 ? 0 : needs > most ? needs : most;
  }
  return most;
}

static int prepare_memories(const struct dispatch_command *this) {
  int result = 0;
  for (uint32_t i = 0; i < this->num_memories && result == 0; i++) {
    const struct heddle_used_memory *used = &this->memories[i];
    result = heddle_shared_push(used->memory, this->command.event->queue->device);
    if (result == 0)
      result = heddle_memory_prepare(used->memory, this->command.event->queue->device, used->use);
    if (result == 0 && used->memory->image)
      result = heddle_image_describe(used->memory, this->command.event->queue->device);
  }
  return result;
}

// What depends on where its program is on the device, which has been loaded.
static void place(struct dispatch_command *this, struct heddle_dispatch *dispatch) {
  const struct heddle_build *build = &this->kernel->program->builds[this->index];
  dispatch->changes = build->changes;
  dispatch->entry = build->address + kernel_of(this)->entry;
  heddle_dispatch_command_put_variables(this, build->address);
}

// An autorun kernel begins anew: so what it wrote before and nobody has read is gone, as in a queue on the chip.
static int empty_channels(const struct dispatch_command *this) {
  const struct heddle_kernel *kernel = kernel_of(this);
  int result = 0;
  for (uint32_t i = heddle_first_channel(kernel); i < kernel->num_arguments && result == 0; i++) {
    cl_mem pipe = heddle_kernel_memory(this->kernel, i, this->index);
    if (kernel->arguments[i].access == HEDDLE_WRITE_ONLY && pipe->is_used)
      result = heddle_pipe_empty(pipe, this->command.event->queue->device);
  }
  return result;
}

// Program and memory objects go where the kernel wants them; what is only known now becomes part of the dispatch.
static int prepare(struct dispatch_command *this, struct heddle_dispatch *dispatch) {
  cl_device_id device = this->command.event->queue->device;
  int result = heddle_budget_cycles(device, &this->budget, &this->why);
  if (result == 0)
    result = heddle_program_load(this->kernel->program, this->index);
  if (result == 0)
    result = prepare_memories(this);
  if (result == 0 && kernel_of(this)->is_autorun)
    result = empty_channels(this);
  for (uint32_t i = 0; i < this->num_memories; i++)
    this->memories[i].memory->is_used = true;
  if (result == 0 && kernel_of(this)->enqueues)
    result = open_queue(this);
  if (result != 0)
    return result;
  *dispatch = this->dispatch;
  place(this, dispatch);
  dispatch->budget = this->budget;
  dispatch->device_queue = this->device_queue;
  if (this->device_queue != 0)
    heddle_dispatch_command_put_queue(this, this->device_queue);
  return 0;
}

// What the device has found in it that is wrong, told before what it faulted by. False: nothing. `fault` and
// *tells_fault as heddle_findings_tell() has them.
static bool tell_findings(struct dispatch_command *this, const struct heddle_fault *fault, bool *tells_fault) {
  const cl_event event = this->command.event;
  if (!this->dispatch.check)
    return false;
  const struct heddle_findings_of of = {.build = &this->kernel->program->builds[this->index],
                                        .kernel = kernel_of(this)->name};
  char *text = heddle_findings_tell(event->context, event->queue->device, &of, fault, tells_fault);
  const bool any = text;
  if (text)
    heddle_dispatch_command_keep_text(event, text);
  return any;
}

// Shared memory comes to the host as the kernel has left it.
static cl_int pull_memories(const struct dispatch_command *this) {
  int result = 0;
  for (uint32_t i = 0; i < this->num_memories && result == 0; i++)
    if (this->memories[i].use != HEDDLE_READS)
      result = heddle_shared_pull(this->memories[i].memory, this->command.event->queue->device);
  return result == 0 ? CL_COMPLETE : heddle_code_of(result);
}

// What became of it.
static cl_int finish(struct dispatch_command *this, const struct heddle_record *record) {
  struct heddle_command *command = &this->command;
  if (record->status == HEDDLE_RECORD_DID_NOT_RUN)
    return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  if (record->status == HEDDLE_RECORD_REFUSED)
    return heddle_dispatch_command_refused(this, record->refused_why);
  const cl_int pulled = pull_memories(this);
  pthread_mutex_lock(&heddle_lock);
  command->event->dispatch.figures = record->figures;
  // Of what kernels enqueue it is not known before.
  if (record->figures.groups_done > command->event->dispatch.groups_total)
    command->event->dispatch.groups_total = record->figures.groups_done;
  pthread_mutex_unlock(&heddle_lock);
  command->nanoseconds = 1 + heddle_device_nanoseconds(command->event->queue->device, record->cycles);
  command->nanoseconds_with_children =
      1 + heddle_device_nanoseconds(command->event->queue->device, record->figures.cycles);
  const bool is_complete = record->status == HEDDLE_RECORD_COMPLETE;
  bool is_told = false;
  const bool is_wrong = tell_findings(this, is_complete ? NULL : &record->fault, &is_told);
  if (!is_complete)
    return heddle_dispatch_command_keep_fault(this, record, is_told);
  return is_wrong ? CL_EVENT_STATUS_FAULT_HEDDLE : pulled;
}

// ---- chains

static struct dispatch_command *of_member(const struct heddle_chain_member *member) {
  return (struct dispatch_command *)member->command;
}

// Whether the command's kernel runs with the others of a chain. The first of them says so for all.
static bool is_of_whole_chain(struct dispatch_command *this) {
  struct heddle_chain *chain = this->member.chain;
  if (!chain)
    return false;
  bool can = true;
  for (uint32_t p = 0; p < HEDDLE_CHAIN_PIPES && !chain->ran && chain->members[0] == &this->member; p++)
    can = can && (!chain->pipes[p] || !chain->pipes[p]->is_used);
  pthread_mutex_lock(&heddle_lock);
  if (!can || !heddle_chain_is_whole(chain))
    heddle_chain_ran(chain, true);
  const bool is_whole = heddle_chain_is_whole(chain);
  pthread_mutex_unlock(&heddle_lock);
  return is_whole;
}

// What a kernel's dispatch tells of a pipe.
static struct heddle_dispatch_pipe told_of(const struct heddle_chain *chain, uint32_t pipe, cl_device_id device) {
  cl_mem memory = pipe < HEDDLE_CHAIN_PIPES ? chain->pipes[pipe] : NULL;
  if (!memory)
    return (struct heddle_dispatch_pipe){0};
  return (struct heddle_dispatch_pipe){.address = heddle_memory_address(memory, device),
                                       .packets_offset = heddle_pipe_packets_offset(memory),
                                       .most_packets = memory->max_packets,
                                       .makes_room = chain->makes_room[pipe]};
}

// The dispatches of a chain's kernels by their numbers, each with the next one.
static int prepare_chain(struct dispatch_command *this, struct heddle_dispatch dispatches[HEDDLE_CHAIN_KERNELS],
                         struct heddle_printed printed[HEDDLE_CHAIN_KERNELS]) {
  const struct heddle_chain *chain = this->member.chain;
  int result = heddle_budget_cycles(this->command.event->queue->device, &this->budget, &this->why);
  for (uint32_t i = 0; i < chain->count && result == 0; i++) {
    const struct heddle_chain_member *member = chain->members[i];
    struct dispatch_command *other = of_member(member);
    const cl_device_id device = other->command.event->queue->device;
    result = heddle_program_load(other->kernel->program, other->index);
    if (result == 0)
      result = prepare_memories(other);
    other->budget = this->budget;
    other->dispatch.kind = member->shape.kinds[member->number];
    struct heddle_dispatch *dispatch = &dispatches[member->number];
    *dispatch = other->dispatch;
    place(other, dispatch);
    dispatch->budget = this->budget;
    dispatch->printed = prints(other) ? &printed[member->number] : NULL;
    dispatch->next = member->number + 1 < chain->count ? dispatch + 1 : NULL;
    for (uint32_t p = 0; p < HEDDLE_DISPATCH_PIPE_COUNT && result == 0; p++)
      dispatch->pipes[p] = told_of(chain, member->number + p * chain->count, device);
  }
  return result;
}

// What became of the chain is that of each of its kernels, but for a fault, which is of one alone.
static cl_int finish_member(struct dispatch_command *this) {
  const struct heddle_chain *chain = this->member.chain;
  struct heddle_record record = chain->record;
  if (chain->result != 0)
    return heddle_dispatch_command_failed(this, chain->result);
  const uint32_t number = this->member.number;
  if (record.status == HEDDLE_RECORD_FAULTED && record.fault.pc >> HEDDLE_CHAIN_KERNEL_SHIFT != number)
    return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  record.fault.pc &= (1u << HEDDLE_CHAIN_KERNEL_SHIFT) - 1;
  if (number != 0 && record.status == HEDDLE_RECORD_COMPLETE)
    record.figures.groups_done = this->command.event->dispatch.groups_total;
  pthread_mutex_lock(&heddle_lock);
  this->command.event->times.start = chain->start;
  pthread_mutex_unlock(&heddle_lock);
  return finish(this, &record);
}

// The first kernel's command runs the whole chain. What is left in the pipes is then in their memory.
static cl_int run_chain(struct dispatch_command *this) {
  struct heddle_chain *chain = this->member.chain;
  struct heddle_dispatch dispatches[HEDDLE_CHAIN_KERNELS];
  struct heddle_printed printed[HEDDLE_CHAIN_KERNELS] = {{0}};
  const cl_device_id device = this->command.event->queue->device;
  chain->start = this->command.event->times.start;
  chain->result = prepare_chain(this, dispatches, printed);
  if (chain->result == 0)
    chain->result = heddle_device_run(device->root->driver, &dispatches[0], report_progress, this, &chain->record);
  for (uint32_t i = 0; i < chain->count; i++) {
    const struct dispatch_command *member = of_member(chain->members[i]);
    const struct heddle_printed *text = &printed[chain->members[i]->number];
    if (chain->result == 0 && prints(member))
      heddle_dispatch_command_print(member, text);
    free(text->records);
  }
  for (uint32_t p = 0; p < HEDDLE_CHAIN_PIPES && chain->result == 0; p++)
    if (chain->pipes[p])
      chain->result = heddle_streams_settle(chain->pipes[p], device);
  const cl_int status = finish_member(this);
  pthread_mutex_lock(&heddle_lock);
  heddle_chain_ran(chain, false);
  pthread_mutex_unlock(&heddle_lock);
  return status;
}

static bool runs_in_chain_alone(const struct dispatch_command *this) {
  return this->member.command && kernel_of(this)->kind != 0;
}

static void become_member(struct dispatch_command *this, cl_device_id device) {
  const struct heddle_capabilities *capabilities = heddle_capabilities_of(device);
  const struct heddle_kernel *kernel = kernel_of(this);
  if (!heddle_kernel_chain_kind(kernel, capabilities) || device->unit_mask != 0)
    return;
  struct heddle_chain_member *member = &this->member;
  *member = (struct heddle_chain_member){.command = &this->command,
                                         .capabilities = capabilities,
                                         .memories = this->memories,
                                         .num_memories = this->num_memories};
  if (!heddle_chain_shape(capabilities, kernel->chain_kind, &member->shape))
    return;
  member->number = heddle_chain_number(&member->shape, kernel->chain_kind);
  for (uint32_t p = 0; p < member->shape.num_pipes; p++) {
    const struct heddle_chain_pipe *pipe = &member->shape.pipes[p];
    const uint32_t argument = pipe->writer == member->number ? pipe->writer_argument : pipe->reader_argument;
    if ((pipe->writer == member->number || pipe->reader == member->number) && argument < kernel->num_arguments)
      member->ends[p] = heddle_kernel_memory(this->kernel, argument, this->index);
  }
  this->command.member = member;
}

static void become_channel_user(struct dispatch_command *this) {
  const struct heddle_kernel *kernel = kernel_of(this);
  if (kernel->num_channels == 0)
    return;
  this->channel_user = (struct heddle_channel_user){.command = &this->command,
                                                    .kernel = kernel,
                                                    .file = this->kernel->program->builds[this->index].file,
                                                    .object = this->kernel,
                                                    .build = this->index};
  this->command.channel_user = &this->channel_user;
}

// ----

// What goes wrong here goes wrong again in `run`, which tells.
static bool begin(struct heddle_command *command, const struct heddle_waits *waits) {
  struct dispatch_command *this = (struct dispatch_command *)command;
  struct heddle_dispatch dispatch;
  // What a kernel leaves in streams is looked at when it has ended, before any other runs; and what an autorun kernel
  // has written is taken away when no other runs.
  if (is_of_whole_chain(this) || runs_in_chain_alone(this) || heddle_streams_any(this->memories, this->num_memories))
    return false;
  if (prepare(this, &dispatch) == 0 && heddle_device_submit_dispatch(command->event->queue->device->root->driver,
                                                                     &dispatch, waits, &command->number) == 0)
    return true;
  close_queue(this);
  return false;
}

static cl_int run(struct heddle_command *command) {
  struct dispatch_command *this = (struct dispatch_command *)command;
  struct heddle_dispatch dispatch;
  struct heddle_printed printed = {0};
  struct heddle_record record = {0};
  if (is_of_whole_chain(this))
    return this->member.chain->members[0] == &this->member ? run_chain(this) : finish_member(this);
  if (runs_in_chain_alone(this))
    return heddle_dispatch_command_has_one_end(this);
  const cl_device_id device = command->event->queue->device;
  if (!heddle_streams_begin(this->memories, this->num_memories, device)) {
    heddle_streams_end(this->memories, this->num_memories, device, true);
    return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  }
  int result = prepare(this, &dispatch);
  if (result == 0) {
    dispatch.printed = prints(this) ? &printed : NULL;
    result = heddle_device_run(device->root->driver, &dispatch, report_progress, this, &record);
  }
  if (result >= 0 && prints(this))
    heddle_dispatch_command_print(this, &printed);
  free(printed.records);
  const cl_int status = result == 0 ? finish(this, &record) : heddle_dispatch_command_failed(this, result);
  heddle_streams_end(this->memories, this->num_memories, device, status < 0);
  close_queue(this);
  return status;
}

// One that was held back runs now: what has to be there is written again.
static cl_int end(struct heddle_command *command) {
  struct dispatch_command *this = (struct dispatch_command *)command;
  struct heddle_record record = {0};
  const int result = heddle_device_collect(command->event->queue->device->root->driver, command->number,
                                           report_progress, this, &record);
  const bool held_back = result == 0 && heddle_is_held_back(command, &record);
  const cl_int status = held_back     ? CL_COMPLETE
                        : result == 0 ? finish(this, &record)
                                      : heddle_dispatch_command_failed(this, result);
  close_queue(this);
  return held_back ? run(command) : status;
}

static void drop(struct heddle_command *command) {
  struct dispatch_command *this = (struct dispatch_command *)command;
  heddle_chain_forget(&this->member);
  heddle_channels_forget(&this->channel_user);
  for (uint32_t i = 0; i < this->num_memories; i++)
    heddle_memory_release(this->memories[i].memory);
  free(this->memories);
  free(this->arguments);
  free(this->pointers.pointers);
  if (this->kernel)
    heddle_kernel_release(this->kernel);
}

static void rest(struct heddle_command *command, bool rests) {
  const struct dispatch_command *this = (const struct dispatch_command *)command;
  for (uint32_t i = 0; i < this->num_memories; i++)
    if (this->memories[i].memory->shared)
      this->memories[i].memory->shared->resting += rests ? 1 : (cl_uint)-1;
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
  this->command.name = on_device->name;
  this->command.drop = drop;
  this->command.rest = rest;
  this->command.run = range->empty ? NULL : run;
  // What is printed, or found by checks, the host reads when the kernel has ended, before any other runs.
  const bool checks = heddle_device_checks(queue->device->root->driver);
  if (!range->empty && !prints(this) && !checks) {
    this->command.begin = begin;
    this->command.end = end;
  }
  const size_t argument_bytes = heddle_kernel_packet_bytes(on_device);
  this->arguments = calloc(1, argument_bytes ? argument_bytes : 1);
  cl_mem *all;
  cl_uint num_all;
  const cl_int error = heddle_shared_list(queue->context, kernel->reached_kinds, &all, &num_all);
  this->memories =
      calloc(1 + on_device->num_arguments + (size_t)kernel->reached[0].count + kernel->reached[1].count + num_all,
             sizeof *this->memories);
  if (this->memories)
    heddle_dispatch_command_gather_reached(this, all, num_all);
  for (cl_uint i = 0; i < num_all; i++)
    heddle_memory_release(all[i]);
  free(all);
  if (error != CL_SUCCESS || !this->arguments || !this->memories) {
    heddle_command_discard(&this->command);
    return NULL;
  }
  struct heddle_dispatch *dispatch = &this->dispatch;
  dispatch->work_dim = range->work_dim;
  memcpy(dispatch->global_size, range->global_size, sizeof range->global_size);
  memcpy(dispatch->global_offset, range->global_offset, sizeof range->global_offset);
  memcpy(dispatch->local_size, range->local_size, sizeof range->local_size);
  dispatch->sub_group_size = heddle_kernel_sub_group_size(on_device, heddle_capabilities_of(queue->device));
  dispatch->stack_bytes = stack_bytes(this);
  dispatch->arguments = this->arguments;
  dispatch->argument_bytes = argument_bytes;
  this->queue = heddle_on_device_queue_of(queue->context, queue->device);
  heddle_dispatch_command_gather(this, queue->device);
  if (!range->empty)
    become_member(this, queue->device);
  become_channel_user(this);  // without work-items, too: it is an end of its channels that sends nothing
  const struct heddle_unit_kind *kind = heddle_kernel_kind(on_device, heddle_capabilities_of(queue->device));
  dispatch->kind = heddle_kernel_kind_number(on_device, heddle_capabilities_of(queue->device));
  dispatch->unit_mask = queue->device->unit_mask;
  dispatch->domain = queue->context->domains[heddle_context_root(queue->context, queue->device)];
  if (checks && dispatch->kind == 0) {
    this->check = (struct heddle_dispatch_check){.pointers = this->pointers.pointers,
                                                 .num_pointers = this->pointers.count,
                                                 .has_orders = kernel->program->builds[index].file->has_checks};
    dispatch->check = &this->check;
  }
  this->command.event->dispatch.groups_total = heddle_ndrange_groups(range);
  this->command.event->dispatch.lanes = kind->lanes;
  this->command.event->dispatch.units = kind->units;
  return this;
}

// A kernel as a program or, with `is_autorun`, the library enqueues it.
static cl_int enqueue(cl_command_queue queue, cl_command_type type, cl_kernel kernel, cl_uint work_dim,
                      const size_t *offset, const size_t *global, const size_t *local, cl_uint num_waits,
                      const cl_event *waits, bool is_autorun, cl_event *event) {
  struct heddle_launch launch;
  struct heddle_ndrange range;
  int index;
  cl_int error = heddle_enqueue_check(queue, kernel, &index, &launch);
  if (error == CL_SUCCESS && launch.kernel->is_autorun != is_autorun) {
    heddle_context_report_kernel(queue->context, launch.kernel->name,
                                 "it is an autorun kernel, which runs beside those that it has channels with: no "
                                 "program enqueues it");
    error = CL_INVALID_OPERATION;
  }
  if (error == CL_SUCCESS)
    error = heddle_ndrange_make(&launch, work_dim, offset, global, local, &range);
  if (error == CL_SUCCESS)
    error = heddle_local_memory_check(kernel, &launch);
  if (error == CL_SUCCESS)
    error = heddle_check_wait_list(queue->context, num_waits, waits);
  if (error == CL_SUCCESS)
    error = heddle_program_place(kernel->program, index);
  if (error != CL_SUCCESS)
    return error;

  struct dispatch_command *command = create(queue, type, kernel, index, &range, num_waits, waits);
  if (!command)
    return CL_OUT_OF_HOST_MEMORY;
  const bool is_recorded = queue->recorded;
  error = heddle_enqueue(&command->command, false, event);
  if (error == CL_SUCCESS && !is_autorun && !is_recorded)
    heddle_autorun_enqueue(kernel->program, index, launch.kernel, queue);
  return error;
}

cl_int heddle_enqueue_kernel(cl_command_queue queue, cl_command_type type, cl_kernel kernel, cl_uint work_dim,
                             const size_t *offset, const size_t *global, const size_t *local, cl_uint num_waits,
                             const cl_event *waits, cl_event *event) {
  return enqueue(queue, type, kernel, work_dim, offset, global, local, num_waits, waits, false, event);
}

cl_int heddle_enqueue_autorun(cl_command_queue queue, cl_kernel kernel) {
  const size_t one = 1;
  return enqueue(queue, CL_COMMAND_TASK, kernel, 1, NULL, &one, &one, 0, NULL, true, NULL);
}
