// SPDX-License-Identifier: Apache-2.0
// The soak's calls on kernels: made, cloned, asked, given arguments, enqueued.
#include <stdlib.h>
#include <string.h>

#include "tests/soak/soak.h"

const struct kernel_facts kernels_of_good[KERNELS_OF_GOOD] = {
    {.name = "none"},
    {.name = "add", .num_arguments = 2, .arguments = {BUFFER_ARGUMENT, UINT_ARGUMENT}, .writes = true},
    {.name = "wild", .num_arguments = 1, .arguments = {BUFFER_ARGUMENT}, .faults = true},
    {.name = "fixed", .num_arguments = 1, .arguments = {UINT_ARGUMENT}, .required = {8, 2, 1}},
    {.name = "narrow", .num_arguments = 1, .arguments = {ULONG_ARGUMENT}, .sub_group_size = 2},
    {.name = "locals", .num_arguments = 3, .arguments = {LOCAL_ARGUMENT, LOCAL_ARGUMENT, UINT_ARGUMENT}},
    {.name = "piped", .num_arguments = 2, .arguments = {PIPE_ARGUMENT, UINT_ARGUMENT}},
};

static bool has_good_kernels(const struct thing *program) {
  if (program->is_linked)
    return program->is_built && program->links_good;
  return program->is_built && (program->content == GOOD || program->content == BINARY);
}

static void make_kernel(struct actor *actor) {
  const struct picked program = pick(actor, PROGRAM);
  const struct kernel_facts *facts = &kernels_of_good[below(actor, KERNELS_OF_GOOD)];
  const uint32_t odd = below(actor, 16);
  struct rules rules = {0};
  cl_int error;
  cl_kernel kernel;
  if (!has_room(actor, KERNEL))
    return;
  wrong_if(&rules, !program.thing, CL_INVALID_PROGRAM);
  wrong_if(&rules, program.thing && !program.thing->is_built, CL_INVALID_PROGRAM_EXECUTABLE);
  wrong_if(&rules, odd == 0, CL_INVALID_VALUE);
  wrong_if(&rules, odd == 1 || (program.thing && !has_good_kernels(program.thing)), CL_INVALID_KERNEL_NAME);
  if (!TRY_MAKE(actor, &rules, kernel,
                clCreateKernel(program.handle,
                               odd == 0   ? NULL
                               : odd == 1 ? "missing"
                                          : facts->name,
                               &error)) ||
      !program.thing)
    return;
  struct thing *thing = keep(actor, KERNEL, kernel, program.thing->context);
  thing->facts = facts;
  if (!program.thing->is_shared) {
    thing->program = program.thing;
    program.thing->kernels++;
  }
}

static void make_all_kernels(struct actor *actor) {
  const struct picked program = pick(actor, PROGRAM);
  const bool is_good = program.thing && has_good_kernels(program.thing);
  const uint32_t odd = below(actor, 4);
  cl_kernel kernels[KERNELS_OF_GOOD] = {NULL};
  cl_uint count = 0;
  struct rules rules = {0};
  wrong_if(&rules, !program.thing, CL_INVALID_PROGRAM);
  wrong_if(&rules, program.thing && !program.thing->is_built, CL_INVALID_PROGRAM_EXECUTABLE);
  wrong_if(&rules, odd == 0 && is_good, CL_INVALID_VALUE);
  if (!TRY(actor, &rules,
           clCreateKernelsInProgram(program.handle, odd == 0 ? KERNELS_OF_GOOD - 1 : KERNELS_OF_GOOD,
                                    odd == 1 ? NULL : kernels, &count)))
    return;
  if (is_good && count != KERNELS_OF_GOOD)
    fail_soak(actor, "thread %u, call %u: %u kernels", actor->number, actor->calls, count);
  const struct rules fine = {0};
  for (cl_uint i = 0; i < count && odd != 1; i++)
    TRY(actor, &fine, clReleaseKernel(kernels[i]));
}

static void clone_kernel(struct actor *actor) {
  const struct picked kernel = pick(actor, KERNEL);
  struct rules rules = {0};
  cl_int error;
  cl_kernel copy;
  if (!has_room(actor, KERNEL))
    return;
  wrong_if(&rules, !kernel.thing, CL_INVALID_KERNEL);
  if (!TRY_MAKE(actor, &rules, copy, clCloneKernel(kernel.handle, &error)) || !kernel.thing)
    return;
  struct thing *thing = keep(actor, KERNEL, copy, kernel.thing->context);
  thing->facts = kernel.thing->facts;
  thing->program = kernel.thing->program;
  memcpy(thing->arguments, kernel.thing->arguments, sizeof thing->arguments);
  if (thing->program)
    thing->program->kernels++;
}

// ---- arguments

static void set_argument(struct actor *actor, struct picked kernel, cl_uint index) {
  static const char zeros[16];
  const uint32_t odd = below(actor, 24);
  const struct kernel_facts *facts = kernel.thing ? kernel.thing->facts : &kernels_of_good[1];
  struct rules rules = {0};
  if (odd == 0)
    index = facts->num_arguments;
  const enum argument type = index < facts->num_arguments ? facts->arguments[index] : UINT_ARGUMENT;
  const struct picked memory = pick(actor, MEMORY);
  const bool is_null = type == BUFFER_ARGUMENT && one_in(actor, 24);
  size_t size = sizeof(cl_uint), bytes = 0;
  const void *value = zeros;
  wrong_if(&rules, !kernel.thing, CL_INVALID_KERNEL);
  wrong_if(&rules, index >= facts->num_arguments, CL_INVALID_ARG_INDEX);
  switch (type) {
    case ULONG_ARGUMENT:
      size = sizeof(cl_ulong);
      break;
    case UINT_ARGUMENT:
      break;
    case LOCAL_ARGUMENT:
      size = bytes = 16 + below(actor, 64);
      // More than there is shows when it is enqueued.
      if (odd == 5)
        size = bytes = actor->soak->local_bytes;
      value = NULL;
      break;
    default:
      size = sizeof memory.handle;
      value = is_null ? NULL : &memory.handle;
      wrong_if(&rules,
               !is_null && kernel.thing && (memory.handle || type == PIPE_ARGUMENT) &&
                   (!memory.thing || memory.thing->context != kernel.thing->context),
               CL_INVALID_MEM_OBJECT);
      wrong_if(&rules, !is_null && memory.thing && memory.thing->is_pipe != (type == PIPE_ARGUMENT),
               CL_INVALID_ARG_VALUE);
      wrong_if(&rules, !is_null && memory.thing && memory.thing->is_pipe != (type == PIPE_ARGUMENT),
               CL_INVALID_MEM_OBJECT);
  }
  if (odd == 1) {
    size = type == LOCAL_ARGUMENT ? 0 : size + 1;
    wrong_if(&rules, true, CL_INVALID_ARG_SIZE);
  } else if (odd == 2 && type != BUFFER_ARGUMENT) {
    value = type == LOCAL_ARGUMENT ? zeros : NULL;
    wrong_if(&rules, true, CL_INVALID_ARG_VALUE);
  }
  if (!TRY(actor, &rules, clSetKernelArg(kernel.handle, index, size, value)) || !kernel.thing)
    return;
  kernel.thing->arguments[index].is_set = true;
  kernel.thing->arguments[index].is_null = type == BUFFER_ARGUMENT && (is_null || !memory.handle);
  kernel.thing->arguments[index].memory =
      !is_null && (type == BUFFER_ARGUMENT || type == PIPE_ARGUMENT) ? memory.handle : NULL;
  kernel.thing->arguments[index].bytes = bytes;
}

static void set_some_argument(struct actor *actor) {
  const struct picked kernel = pick(actor, KERNEL);
  const cl_uint count = kernel.thing ? kernel.thing->facts->num_arguments : 1;
  const cl_uint first = below(actor, count ? count : 1);
  set_argument(actor, kernel, first);
  // Mostly all of them, so that it can be enqueued.
  for (cl_uint i = 0; kernel.thing && i < count && below(actor, 8) != 0; i++)
    if (!kernel.thing->arguments[i].is_set)
      set_argument(actor, kernel, i);
}

// ---- queries

static void query_kernel(struct actor *actor) {
  static const cl_kernel_work_group_info group[] = {CL_KERNEL_WORK_GROUP_SIZE, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                                    CL_KERNEL_LOCAL_MEM_SIZE, CL_KERNEL_PRIVATE_MEM_SIZE,
                                                    CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE};
  static const cl_kernel_arg_info argument[] = {CL_KERNEL_ARG_ADDRESS_QUALIFIER, CL_KERNEL_ARG_ACCESS_QUALIFIER,
                                                CL_KERNEL_ARG_TYPE_NAME, CL_KERNEL_ARG_TYPE_QUALIFIER,
                                                CL_KERNEL_ARG_NAME};
  static const cl_kernel_sub_group_info sub_group[] = {
      CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
      CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, CL_KERNEL_MAX_NUM_SUB_GROUPS, CL_KERNEL_COMPILE_NUM_SUB_GROUPS};
  const struct picked kernel = pick(actor, KERNEL);
  const uint32_t odd = below(actor, 16), which = below(actor, 5);
  void *device = odd == 0 ? wrong_handle(actor, EVENT) : one_in(actor, 3) ? NULL : actor->soak->device;
  const size_t sizes[3] = {4, 2, 1};
  char value[256];
  struct rules rules = {0};
  wrong_if(&rules, !kernel.thing, CL_INVALID_KERNEL);
  wrong_if(&rules, odd == 1 || odd == 2, CL_INVALID_VALUE);
  const size_t room = odd == 2 ? 0 : sizeof value;
  if (one_in(actor, 3)) {
    const cl_uint index = below(actor, 4);
    wrong_if(&rules, kernel.thing && index >= kernel.thing->facts->num_arguments, CL_INVALID_ARG_INDEX);
    TRY(actor, &rules,
        clGetKernelArgInfo(kernel.handle, index, odd == 1 ? 0x7001 : argument[which], room, value, NULL));
    return;
  }
  wrong_if(&rules, device && device != actor->soak->device, CL_INVALID_DEVICE);
  if (one_in(actor, 2)) {
    TRY(actor, &rules,
        clGetKernelWorkGroupInfo(kernel.handle, device, odd == 1 ? 0x7001 : group[which], room, value, NULL));
    return;
  }
  const bool takes_input = which < 3;
  wrong_if(&rules, takes_input && (odd == 3 || odd == 4), CL_INVALID_VALUE);
  const size_t input_bytes = odd == 4 ? 3 : which == 2 ? sizeof *sizes : sizeof *sizes * (1 + below(actor, 3));
  TRY(actor, &rules,
      clGetKernelSubGroupInfo(kernel.handle, device, odd == 1 ? 0x7001 : sub_group[which], input_bytes,
                              odd == 3 ? NULL : sizes, room, value, NULL));
}

// ---- enqueueing

// Whether a kernel that writes its first argument faults: kernels cannot write what was made with CL_MEM_READ_ONLY.
static bool has_no_right(struct actor *actor, const struct thing *kernel) {
  const struct thing *memory =
      kernel->facts->writes && kernel->arguments[0].memory ? thing_of(actor, kernel->arguments[0].memory) : NULL;
  return memory && memory->is_read_only;
}

// Whether an argument's memory object was released since it was set. Until it is sure that it is no object any more the
// answer is not known, and false in *is_known.
static bool has_lost_argument(struct actor *actor, const struct thing *kernel, bool *is_known) {
  bool lost = false;
  *is_known = true;
  for (cl_uint i = 0; i < kernel->facts->num_arguments; i++) {
    void *memory = kernel->arguments[i].memory;
    if (memory && kernel->arguments[i].is_set && !thing_of(actor, memory)) {
      lost = true;
      *is_known = *is_known && is_buried(memory);
    }
  }
  return lost;
}

static size_t local_bytes(const struct thing *kernel) {
  size_t bytes = 0;
  for (cl_uint i = 0; i < kernel->facts->num_arguments; i++)
    bytes += (kernel->arguments[i].bytes + 127) / 128 * 128;
  return bytes;
}

struct ndrange {
  cl_uint dim;
  size_t global[3], local[3], offset[3];
  const size_t *globals, *locals, *offsets;
};

static void draw_ndrange(struct actor *actor, const struct thing *kernel, struct ndrange *range, struct rules *rules) {
  const struct soak *soak = actor->soak;
  const uint32_t odd = below(actor, 24);
  const size_t required = kernel ? kernel->facts->required[0] : 0;
  *range = (struct ndrange){.dim = 1 + below(actor, 3)};
  size_t items = 1;
  bool fits_required = true;
  for (cl_uint i = 0; i < 3; i++) {
    range->global[i] = 1 + below(actor, i == 0 ? 40 : 4);
    range->local[i] = 1 + below(actor, i == 0 ? 16 : 2);
    range->offset[i] = below(actor, 100);
  }
  range->globals = odd == 0 ? NULL : range->global;
  range->offsets = one_in(actor, 3) ? range->offset : NULL;
  range->locals = one_in(actor, 2) ? range->local : NULL;
  if (required && one_in(actor, 2)) {
    range->dim = 2 + below(actor, 2);
    memcpy(range->local, kernel->facts->required, sizeof range->local);
    range->locals = range->local;
  }
  const cl_uint dim = range->dim;
  if (odd == 1)
    range->global[below(actor, dim)] = 0;
  else if (odd == 2)
    range->dim = one_in(actor, 2) ? 0 : 4;
  else if (odd == 3)
    range->global[below(actor, dim)] = (size_t)1 << 32;
  else if (odd == 4)
    range->local[below(actor, dim)] = 0;
  else if (odd == 5)
    range->local[below(actor, dim)] = soak->lanes * soak->slots + 1;
  else if (odd == 6)
    range->offset[below(actor, dim)] = UINT32_MAX;
  wrong_if(rules, odd == 2, CL_INVALID_WORK_DIMENSION);
  for (cl_uint i = 0; i < 3; i++) {
    if (i < dim && range->globals) {
      wrong_if(rules, range->global[i] > UINT32_MAX, CL_INVALID_GLOBAL_WORK_SIZE);
      wrong_if(rules, range->offsets && range->offset[i] + range->global[i] > UINT32_MAX, CL_INVALID_GLOBAL_OFFSET);
    }
    // No sizes at all are as zeros; the text does not say what an offset is added to then.
    or_else(rules, i < dim && !range->globals && range->offsets && range->offset[i] == UINT32_MAX,
            CL_INVALID_GLOBAL_OFFSET);
    if (i < dim && range->locals)
      items *= range->local[i];
    if (required)
      fits_required = fits_required && kernel->facts->required[i] == (i < dim ? range->local[i] : 1);
  }
  // A required size that the dimensions do not hold cannot be met without local sizes either.
  const bool is_short = required && dim < 2;
  wrong_if(rules, required && range->locals && !fits_required, CL_INVALID_WORK_GROUP_SIZE);
  wrong_if(rules, is_short, CL_INVALID_WORK_GROUP_SIZE);
  const size_t most =
      soak->slots * (kernel && kernel->facts->sub_group_size ? kernel->facts->sub_group_size : soak->lanes);
  wrong_if(rules, range->locals && (items == 0 || items > most), CL_INVALID_WORK_GROUP_SIZE);
  wrong_if(rules, range->locals && odd == 5, CL_INVALID_WORK_ITEM_SIZE);
}

static void enqueue(struct actor *actor) {
  struct soak *soak = actor->soak;
  const struct picked queue = pick(actor, QUEUE), kernel = pick(actor, KERNEL);
  struct waits waits;
  pick_waits(actor, queue.thing, &waits);
  const bool is_task = one_in(actor, 16);
  struct rules rules = {0};
  struct ndrange range;
  cl_event place, *event = want_event(actor, &place);
  bool is_empty = false, faults = false, is_known = true;
  const bool is_host = queue.thing && !queue.thing->is_on_device;
  wrong_if(&rules, !is_host, CL_INVALID_COMMAND_QUEUE);
  wrong_if(&rules, !kernel.thing, CL_INVALID_KERNEL);
  wrong_waits(&rules, &waits);
  if (is_task) {
    range = (struct ndrange){.dim = 1, .global = {1}, .local = {1}};
    range.globals = range.global;
    wrong_if(&rules, kernel.thing && kernel.thing->facts->required[0] != 0, CL_INVALID_WORK_GROUP_SIZE);
  } else {
    draw_ndrange(actor, kernel.thing, &range, &rules);
  }
  if (kernel.thing) {
    const struct thing *thing = kernel.thing;
    bool all_set = true, is_null = false;
    for (cl_uint i = 0; i < thing->facts->num_arguments; i++) {
      all_set = all_set && thing->arguments[i].is_set;
      is_null = is_null || thing->arguments[i].is_null;
    }
    wrong_if(&rules, is_host && thing->context != queue.thing->context, CL_INVALID_CONTEXT);
    wrong_if(&rules, !all_set, CL_INVALID_KERNEL_ARGS);
    wrong_if(&rules, has_lost_argument(actor, thing, &is_known), CL_INVALID_KERNEL_ARGS);
    wrong_if(&rules, local_bytes(thing) > soak->local_bytes, CL_OUT_OF_RESOURCES);
    faults = thing->facts->faults || is_null || has_no_right(actor, thing);
  }
  // A released object that commands still use may not be used: what becomes of that is nobody's promise.
  if (!is_known)
    return;
  for (cl_uint i = 0; i < range.dim && i < 3; i++)
    is_empty = is_empty || !range.globals || range.global[i] == 0;
  const bool done =
      is_task ? TRY(actor, &rules, clEnqueueTask(queue.handle, kernel.handle, waits.count, waits.pointer, event))
              : TRY(actor, &rules,
                    clEnqueueNDRangeKernel(queue.handle, kernel.handle, range.dim, range.offsets, range.globals,
                                           range.locals, waits.count, waits.pointer, event));
  if (!done || !kernel.thing) {
    expect_no_event(actor, event);
    return;
  }
  if (kernel.thing->program)
    kernel.thing->program->had_commands = true;
  faults = faults && !is_empty && !waits.fails;
  if (faults)
    atomic_fetch_add(&soak->faults, 1);
  keep_event(actor, event, queue.thing, faults || waits.fails,
             waits.fails ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_EVENT_STATUS_FAULT_HEDDLE, false);
}

void step_kernel(struct actor *actor) {
  const uint32_t which = below(actor, 24);
  if (which < 4)
    make_kernel(actor);
  else if (which == 4)
    make_all_kernels(actor);
  else if (which == 5)
    clone_kernel(actor);
  else if (which < 11)
    set_some_argument(actor);
  else if (which < 14)
    query_kernel(actor);
  else
    enqueue(actor);
}
