// SPDX-License-Identifier: Apache-2.0
// The soak's calls that all kinds of objects have, and those on platform, device, contexts and queues.
#include <stdlib.h>
#include <string.h>

#include "tests/soak/soak.h"

static const cl_int invalid[KINDS] = {[CONTEXT] = CL_INVALID_CONTEXT,   [QUEUE] = CL_INVALID_COMMAND_QUEUE,
                                      [MEMORY] = CL_INVALID_MEM_OBJECT, [PROGRAM] = CL_INVALID_PROGRAM,
                                      [KERNEL] = CL_INVALID_KERNEL,     [EVENT] = CL_INVALID_EVENT};

// ---- references

static bool retain(struct actor *actor, enum kind kind, void *handle, const struct rules *rules) {
  switch (kind) {
    case CONTEXT:
      return TRY(actor, rules, clRetainContext(handle));
    case QUEUE:
      return TRY(actor, rules, clRetainCommandQueue(handle));
    case MEMORY:
      return TRY(actor, rules, clRetainMemObject(handle));
    case PROGRAM:
      return TRY(actor, rules, clRetainProgram(handle));
    case KERNEL:
      return TRY(actor, rules, clRetainKernel(handle));
    default:
      return TRY(actor, rules, clRetainEvent(handle));
  }
}

static bool release(struct actor *actor, enum kind kind, void *handle, const struct rules *rules) {
  switch (kind) {
    case CONTEXT:
      return TRY(actor, rules, clReleaseContext(handle));
    case QUEUE:
      return TRY(actor, rules, clReleaseCommandQueue(handle));
    case MEMORY:
      return TRY(actor, rules, clReleaseMemObject(handle));
    case PROGRAM:
      return TRY(actor, rules, clReleaseProgram(handle));
    case KERNEL:
      return TRY(actor, rules, clReleaseKernel(handle));
    default:
      return TRY(actor, rules, clReleaseEvent(handle));
  }
}

// What others know of an object that goes.
static void part_from(struct actor *actor, const struct thing *thing) {
  for (unsigned i = 0; i < THINGS_MOST; i++) {
    struct thing *other = &actor->things[i];
    if (other->handle && other->kind == KERNEL && other->program == thing)
      other->program = NULL;
  }
  if (thing->kind == KERNEL && thing->program)
    thing->program->kernels--;
}

// A host queue of a context; NULL: the actor has none.
static const struct thing *queue_of_context(const struct actor *actor, const void *context) {
  for (unsigned i = 0; i < THINGS_MOST; i++) {
    const struct thing *at = &actor->things[i];
    if (at->handle && at->kind == QUEUE && !at->is_on_device && at->context == context)
      return at;
  }
  for (unsigned i = 0; i < actor->soak->num_shared; i++) {
    const struct thing *at = &actor->soak->shared[i];
    if (at->kind == QUEUE && at->context == context)
      return at;
  }
  return NULL;
}

bool release_thing(struct actor *actor, struct thing *thing) {
  const struct rules rules = {0};
  // A user event has to be set, and a mapping undone, before they go.
  if (thing->references == 1 && thing->kind == EVENT && thing->is_user && !thing->is_set)
    set_user_events(actor);
  for (unsigned i = 0; i < MAPPINGS_MOST && thing->references == 1; i++) {
    struct mapping *mapping = &actor->mappings[i];
    if (!mapping->pointer || mapping->memory != thing->handle)
      continue;
    const struct thing *queue = queue_of_context(actor, thing->context);
    if (!queue)
      return false;
    unmap(actor, mapping, queue);
  }
  if (thing->references == 1)
    dig_grave(thing->handle);
  if (!release(actor, thing->kind, thing->handle, &rules))
    return false;
  if (--thing->references == 0) {
    part_from(actor, thing);
    forget(actor, thing);
  }
  return true;
}

static void step_retain(struct actor *actor) {
  const enum kind kind = (enum kind)below(actor, KINDS);
  const struct picked picked = pick(actor, kind);
  struct rules rules = {0};
  wrong_if(&rules, !picked.thing, invalid[kind]);
  if (picked.thing && (picked.thing->is_shared || picked.thing->references > 3))
    return;
  if (retain(actor, kind, picked.handle, &rules) && picked.thing)
    picked.thing->references++;
}

static void step_release(struct actor *actor) {
  const enum kind kind = (enum kind)below(actor, KINDS);
  const struct picked picked = pick(actor, kind);
  struct rules rules = {0};
  if (picked.thing && !picked.thing->is_shared) {
    release_thing(actor, picked.thing);
  } else if (!picked.thing) {
    wrong_if(&rules, true, invalid[kind]);
    release(actor, kind, picked.handle, &rules);
  }
}

// ---- queries

struct query {
  enum kind kind;
  cl_uint name;
};

static const struct query queries[] = {
    {CONTEXT, CL_CONTEXT_REFERENCE_COUNT},
    {CONTEXT, CL_CONTEXT_NUM_DEVICES},
    {CONTEXT, CL_CONTEXT_DEVICES},
    {CONTEXT, CL_CONTEXT_PROPERTIES},
    {QUEUE, CL_QUEUE_CONTEXT},
    {QUEUE, CL_QUEUE_DEVICE},
    {QUEUE, CL_QUEUE_REFERENCE_COUNT},
    {QUEUE, CL_QUEUE_PROPERTIES},
    {QUEUE, CL_QUEUE_PROPERTIES_ARRAY},
    {QUEUE, CL_QUEUE_DEVICE_DEFAULT},
    {QUEUE, CL_QUEUE_SIZE},
    {MEMORY, CL_MEM_TYPE},
    {MEMORY, CL_MEM_FLAGS},
    {MEMORY, CL_MEM_SIZE},
    {MEMORY, CL_MEM_HOST_PTR},
    {MEMORY, CL_MEM_MAP_COUNT},
    {MEMORY, CL_MEM_REFERENCE_COUNT},
    {MEMORY, CL_MEM_CONTEXT},
    {MEMORY, CL_MEM_ASSOCIATED_MEMOBJECT},
    {MEMORY, CL_MEM_OFFSET},
    {MEMORY, CL_MEM_USES_SVM_POINTER},
    {MEMORY, CL_MEM_PROPERTIES},
    {PROGRAM, CL_PROGRAM_REFERENCE_COUNT},
    {PROGRAM, CL_PROGRAM_CONTEXT},
    {PROGRAM, CL_PROGRAM_NUM_DEVICES},
    {PROGRAM, CL_PROGRAM_DEVICES},
    {PROGRAM, CL_PROGRAM_SOURCE},
    {PROGRAM, CL_PROGRAM_IL},
    {PROGRAM, CL_PROGRAM_BINARY_SIZES},
    {PROGRAM, CL_PROGRAM_NUM_KERNELS},
    {PROGRAM, CL_PROGRAM_KERNEL_NAMES},
    {PROGRAM, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT},
    {KERNEL, CL_KERNEL_FUNCTION_NAME},
    {KERNEL, CL_KERNEL_NUM_ARGS},
    {KERNEL, CL_KERNEL_REFERENCE_COUNT},
    {KERNEL, CL_KERNEL_CONTEXT},
    {KERNEL, CL_KERNEL_PROGRAM},
    {KERNEL, CL_KERNEL_ATTRIBUTES},
    {EVENT, CL_EVENT_COMMAND_QUEUE},
    {EVENT, CL_EVENT_CONTEXT},
    {EVENT, CL_EVENT_COMMAND_TYPE},
    {EVENT, CL_EVENT_COMMAND_EXECUTION_STATUS},
    {EVENT, CL_EVENT_REFERENCE_COUNT},
};

static bool get_info(struct actor *actor, const struct rules *rules, const struct query *query, void *handle,
                     size_t size, void *value, size_t *size_ret) {
  switch (query->kind) {
    case CONTEXT:
      return TRY(actor, rules, clGetContextInfo(handle, query->name, size, value, size_ret));
    case QUEUE:
      return TRY(actor, rules, clGetCommandQueueInfo(handle, query->name, size, value, size_ret));
    case MEMORY:
      return TRY(actor, rules, clGetMemObjectInfo(handle, query->name, size, value, size_ret));
    case PROGRAM:
      return TRY(actor, rules, clGetProgramInfo(handle, query->name, size, value, size_ret));
    case KERNEL:
      return TRY(actor, rules, clGetKernelInfo(handle, query->name, size, value, size_ret));
    default:
      return TRY(actor, rules, clGetEventInfo(handle, query->name, size, value, size_ret));
  }
}

static void check_event_status(struct actor *actor, const struct thing *event, cl_int status) {
  const cl_int expected = event->fails ? event->status : CL_COMPLETE;
  if (event->has_ended ? status != expected : status <= CL_COMPLETE && status != expected)
    fail_soak(actor, "thread %u, call %u: status of an event: expected %d%s, got %d", actor->number, actor->calls,
              expected, event->has_ended ? "" : " or none yet", status);
}

static void step_query(struct actor *actor) {
  const struct query *query = &queries[below(actor, sizeof queries / sizeof *queries)];
  const struct picked picked = pick(actor, query->kind);
  const bool is_unknown = one_in(actor, 16);
  const struct query asked = {query->kind, is_unknown ? 0x7001u : query->name};
  struct rules rules = {0};
  wrong_if(&rules, !picked.thing, invalid[query->kind]);
  wrong_if(&rules, is_unknown, CL_INVALID_VALUE);
  if (picked.thing && !is_unknown) {
    const struct thing *thing = picked.thing;
    wrong_if(&rules, query->name == CL_QUEUE_SIZE && query->kind == QUEUE && !thing->is_on_device,
             CL_INVALID_COMMAND_QUEUE);
    wrong_if(&rules,
             query->kind == PROGRAM && !thing->is_built &&
                 (query->name == CL_PROGRAM_NUM_KERNELS || query->name == CL_PROGRAM_KERNEL_NAMES),
             CL_INVALID_PROGRAM_EXECUTABLE);
  }
  size_t size = 0, again = 0;
  if (!get_info(actor, &rules, &asked, picked.handle, 0, NULL, &size))
    return;
  // Once more with room for all of it, or too little.
  const bool is_short = size > 0 && one_in(actor, 4);
  const size_t room = is_short ? below(actor, (uint32_t)size) : size + below(actor, 3);
  unsigned char *value = malloc(room ? room : 1);
  if (!value)
    abort();
  wrong_if(&rules, is_short, CL_INVALID_VALUE);
  if (get_info(actor, &rules, &asked, picked.handle, room, value, &again)) {
    if (again != size)
      fail_soak(actor, "thread %u, call %u: query %x: %zu bytes, then %zu", actor->number, actor->calls, asked.name,
                size, again);
    if (picked.thing && asked.kind == EVENT && asked.name == CL_EVENT_COMMAND_EXECUTION_STATUS) {
      cl_int status;
      memcpy(&status, value, sizeof status);
      check_event_status(actor, picked.thing, status);
    }
  }
  free(value);
}

// ---- platform and device

static void step_platform(struct actor *actor) {
  static const cl_platform_info platform_names[] = {CL_PLATFORM_NAME, CL_PLATFORM_VERSION, CL_PLATFORM_EXTENSIONS,
                                                    CL_PLATFORM_NUMERIC_VERSION, CL_PLATFORM_EXTENSIONS_WITH_VERSION};
  static const cl_device_info device_names[] = {CL_DEVICE_NAME,
                                                CL_DEVICE_TYPE,
                                                CL_DEVICE_MAX_WORK_GROUP_SIZE,
                                                CL_DEVICE_EXTENSIONS,
                                                CL_DEVICE_LOCAL_MEM_SIZE,
                                                CL_DEVICE_IL_VERSION,
                                                CL_DEVICE_SUB_GROUP_SIZES_INTEL,
                                                CL_DEVICE_PLATFORM,
                                                CL_DEVICE_OPENCL_C_FEATURES};
  struct soak *soak = actor->soak;
  const bool is_wrong = one_in(actor, 6);
  void *wrong = wrong_handle(actor, CONTEXT);
  void *platform = is_wrong ? wrong : soak->platform, *device = is_wrong ? wrong : soak->device;
  const bool is_device = device == soak->device;
  const uint32_t name = draw(actor), odd = below(actor, 8);
  char value[4096];
  size_t size;
  cl_uint count;
  cl_device_id found[4];
  struct rules rules = {0};
  switch (below(actor, 8)) {
    case 0:
      wrong_if(&rules, is_wrong && platform, CL_INVALID_PLATFORM);
      wrong_if(&rules, odd == 0, CL_INVALID_VALUE);
      TRY(actor, &rules,
          clGetPlatformInfo(platform, odd == 0 ? 0x7001 : platform_names[name % 5], sizeof value, value, &size));
      break;
    case 1:
      wrong_if(&rules, !is_device, CL_INVALID_DEVICE);
      wrong_if(&rules, odd <= 1, CL_INVALID_VALUE);
      TRY(actor, &rules,
          clGetDeviceInfo(device, odd == 0 ? 0x7001 : device_names[name % 9], odd == 1 ? 1 : sizeof value, value,
                          &size));
      break;
    case 2: {
      const cl_device_type type = odd == 0 ? 1 << 10 : odd == 1 ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_ALL;
      const cl_uint room = odd == 2 ? 0 : 4;
      wrong_if(&rules, is_wrong && platform, CL_INVALID_PLATFORM);
      wrong_if(&rules, odd == 0, CL_INVALID_DEVICE_TYPE);
      wrong_if(&rules, odd == 1, CL_DEVICE_NOT_FOUND);
      wrong_if(&rules, odd == 2, CL_INVALID_VALUE);
      TRY(actor, &rules, clGetDeviceIDs(platform, type, room, found, &count));
      break;
    }
    case 3:
      wrong_if(&rules, !is_device, CL_INVALID_DEVICE);
      if (odd < 4)
        TRY(actor, &rules, clRetainDevice(device));
      else
        TRY(actor, &rules, clReleaseDevice(device));
      break;
    case 4: {
      const cl_device_partition_property halves[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
      wrong_if(&rules, !is_device, CL_INVALID_DEVICE);
      wrong_if(&rules, true, CL_DEVICE_PARTITION_FAILED);  // of one unit
      TRY(actor, &rules, clCreateSubDevices(device, halves, 4, found, &count));
      break;
    }
    case 5:
      wrong_if(&rules, is_wrong, CL_INVALID_PLATFORM);
      TRY(actor, &rules, clUnloadPlatformCompiler(platform));
      break;
    case 6: {
      cl_platform_id platforms[2];
      wrong_if(&rules, odd < 2, CL_INVALID_VALUE);
      TRY(actor, &rules, clGetPlatformIDs(odd == 0 ? 0 : 2, odd == 1 ? NULL : platforms, odd == 1 ? NULL : &count));
      break;
    }
    default: {
      cl_ulong first, second;
      wrong_if(&rules, !is_device, CL_INVALID_DEVICE);
      wrong_if(&rules, odd == 0, CL_INVALID_VALUE);
      if (odd % 2)
        TRY(actor, &rules, clGetHostTimer(device, &first));
      else
        TRY(actor, &rules, clGetDeviceAndHostTimer(device, odd == 0 ? NULL : &first, &second));
    }
  }
}

// ---- contexts

static void CL_CALLBACK on_destruction(cl_context context, void *user) {
  (void)context;
  atomic_fetch_add((atomic_uint *)user, 1);
}

static void CL_CALLBACK on_notice(const char *text, const void *info, size_t bytes, void *user) {
  (void)text, (void)info, (void)bytes, (void)user;
}

static void step_context(struct actor *actor) {
  struct soak *soak = actor->soak;
  const uint32_t odd = below(actor, 24);
  void *wrong = wrong_handle(actor, CONTEXT);
  const cl_context_properties properties[] = {odd == 0 ? 0x7001 : CL_CONTEXT_PLATFORM,
                                              (cl_context_properties)(odd == 1 ? wrong : soak->platform), 0};
  const cl_device_id devices[] = {odd == 2 ? wrong : soak->device};
  const bool from_type = odd % 2 == 1 && odd > 8;
  struct rules rules = {0};
  cl_context context;
  cl_int error;
  if (one_in(actor, 3)) {
    const struct picked picked = pick(actor, CONTEXT);
    wrong_if(&rules, !picked.thing, CL_INVALID_CONTEXT);
    wrong_if(&rules, odd == 0, CL_INVALID_VALUE);
    if (TRY(actor, &rules,
            clSetContextDestructorCallback(picked.handle, odd == 0 ? NULL : on_destruction, &soak->callbacks)))
      atomic_fetch_add(&soak->callbacks_due, 1);
    return;
  }
  if (!has_room(actor, CONTEXT))
    return;
  wrong_if(&rules, odd == 0, CL_INVALID_PROPERTY);
  wrong_if(&rules, odd == 1 && wrong != (void *)soak->platform, CL_INVALID_PLATFORM);
  wrong_if(&rules, odd == 2 && wrong != (void *)soak->device, CL_INVALID_DEVICE);
  wrong_if(&rules, odd == 3 || odd == 4 || odd == 5, CL_INVALID_VALUE);
  wrong_if(&rules, odd == 9, CL_INVALID_DEVICE_TYPE);
  wrong_if(&rules, odd == 11, CL_DEVICE_NOT_FOUND);
  const cl_device_type type = odd == 9 ? 0 : odd == 11 ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_ACCELERATOR;
  const bool made =
      from_type ? TRY_MAKE(actor, &rules, context, clCreateContextFromType(properties, type, on_notice, NULL, &error))
                : TRY_MAKE(actor, &rules, context,
                           clCreateContext(odd == 6 ? NULL : properties, odd == 3 ? 0 : 1, odd == 4 ? NULL : devices,
                                           odd == 5 ? NULL : on_notice, odd == 5 ? &error : NULL, &error));
  if (made)
    keep(actor, CONTEXT, context, context);
}

// ---- queues

static bool has_on_device_queue(const struct actor *actor) {
  for (unsigned i = 0; i < THINGS_MOST; i++)
    if (actor->things[i].handle && actor->things[i].kind == QUEUE && actor->things[i].is_on_device)
      return true;
  return false;
}

static void make_queue(struct actor *actor) {
  const uint32_t odd = below(actor, 24);
  const struct picked context = pick_context(actor);
  // On-device queues in the actor's own context only: there may be one of them.
  const bool on_device = odd >= 16 && context.handle == actor->own;
  cl_queue_properties bits = below(actor, 4);
  const bool old_call = odd >= 10 && odd < 14;
  struct rules rules = {0};
  cl_command_queue queue;
  cl_int error;
  if (!has_room(actor, QUEUE))
    return;
  if (on_device)
    bits |= CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  if (odd == 0)
    bits |= 1 << 12;
  cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, bits, on_device || odd == 1 ? CL_QUEUE_SIZE : 0, 16384, 0};
  void *device = odd == 2 ? wrong_handle(actor, PROGRAM) : actor->soak->device;
  if (odd == 3)
    list[0] = 0x7001;
  wrong_if(&rules, !context.thing, CL_INVALID_CONTEXT);
  wrong_if(&rules, device != actor->soak->device, CL_INVALID_DEVICE);
  wrong_if(&rules, odd == 0 || odd == 3 || (odd == 1 && !on_device), CL_INVALID_VALUE);
  wrong_if(&rules, on_device && has_on_device_queue(actor), CL_OUT_OF_RESOURCES);
  const bool made =
      old_call ? TRY_MAKE(actor, &rules, queue, clCreateCommandQueue(context.handle, device, bits, &error))
               : TRY_MAKE(actor, &rules, queue,
                          clCreateCommandQueueWithProperties(context.handle, device, odd == 4 ? NULL : list, &error));
  if (!made)
    return;
  struct thing *thing = keep(actor, QUEUE, queue, context.handle);
  thing->properties = odd == 4 && !old_call ? 0 : bits;
  thing->is_on_device = on_device;
}

static void step_queue(struct actor *actor) {
  const struct picked queue = pick(actor, QUEUE);
  const uint32_t which = below(actor, 8);
  struct rules rules = {0};
  if (which < 2) {
    make_queue(actor);
    return;
  }
  wrong_if(&rules, !queue.thing || queue.thing->is_on_device, CL_INVALID_COMMAND_QUEUE);
  if (which < 5) {
    TRY(actor, &rules, clFlush(queue.handle));
  } else if (which == 5) {
    cl_command_queue_properties before;
    struct rules old = {0};
    wrong_if(&old, !queue.thing, CL_INVALID_COMMAND_QUEUE);
    wrong_if(&old, true, CL_INVALID_OPERATION);
    TRY(actor, &old, clSetCommandQueueProperty(queue.handle, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, &before));
  } else if (which == 6) {
    struct picked context = pick_context(actor);
    if (queue.thing && queue.thing->is_on_device && !one_in(actor, 4))
      context = (struct picked){queue.thing->context, queue.thing};
    void *device = one_in(actor, 6) ? wrong_handle(actor, QUEUE) : actor->soak->device;
    struct rules set = {0};
    wrong_if(&set, !context.thing, CL_INVALID_CONTEXT);
    wrong_if(&set, device != actor->soak->device, CL_INVALID_DEVICE);
    wrong_if(&set, true, CL_INVALID_OPERATION);
    TRY(actor, &set, clSetDefaultDeviceCommandQueue(context.handle, device, queue.handle));
  } else {
    set_user_events(actor);
    if (TRY(actor, &rules, clFinish(queue.handle)))
      events_have_ended(actor, queue.handle);
  }
}

void step_objects(struct actor *actor) {
  switch (below(actor, 12)) {
    case 0:
    case 1:
      step_retain(actor);
      break;
    case 2:
    case 3:
    case 4:
    case 5:
      step_release(actor);
      break;
    case 6:
    case 7:
    case 8:
      step_query(actor);
      break;
    case 9:
      step_platform(actor);
      break;
    case 10:
      step_context(actor);
      break;
    default:
      step_queue(actor);
  }
}
