// SPDX-License-Identifier: Apache-2.0
// Enqueuing kernels: OpenCL C 3.0, section 6.15.18. A call leaves a command in the device queue (contract/DEVICE.md, "The
// device queue"): a dispatch as the walker takes it, which is run once the kernel has ended. No work-item waits for
// another: room and events are taken by atomic instructions.
//
// A queue_t and a clk_event_t are addresses, which OpenCL C has no way to say: functions with such parameters or
// results have pointers here, under the names that the compiler gives them.
#include "contract/device_map.h"
#include "hls/lib/device.h"
#include "hls/lib/misuse.h"

#define HOW memory_order_relaxed, memory_scope_device
#define ATOMIC(word) ((volatile global atomic_uint *)(word))
typedef volatile global uint *words;
typedef private void *opaque;

// Whether kernels are told why a call failed (build option -g). heddlec says so. The checker is told in any case.
extern constant int __heddle_has_debug;
#define FAILURE(code) (__heddle_has_debug || __heddle_is_checked ? (code) : CLK_ENQUEUE_FAILURE)

// Word `index` of a command's dispatch packet.
#define IN_PACKET(index) (HEDDLE_DISPATCH_PACKET + (index))
enum { LOCAL_ALIGNMENT = 128 };  // bytes, of a local argument

// A kernel that reaches this function is one that needs a device queue: heddlec looks for its name.
__attribute__((noinline)) words __heddle_device_queue(void) {
  return (words)((constant const uint *)CSR(HEDDLE_CSR_PACKET))[-1];
}

// ---- events

// Where the event is, or 0 if there is none of that name.
static words event_at(words queue, uint event) {
  if (queue == 0)
    return 0;
  const uint offset = event - queue[HEDDLE_QUEUE_EVENTS];
  if (offset % (HEDDLE_EVENT_WORDS * 4) != 0 || offset / (HEDDLE_EVENT_WORDS * 4) >= queue[HEDDLE_QUEUE_NUM_EVENTS])
    return 0;
  words found = (words)event;
  return __opencl_atomic_load(ATOMIC(found + HEDDLE_EVENT_REFERENCES), HOW) != 0 ? found : 0;
}

static words new_event(words queue, uint references, uint status, uint is_user) {
  const uint count = queue[HEDDLE_QUEUE_NUM_EVENTS];
  uint at = __opencl_atomic_fetch_add(ATOMIC(queue + HEDDLE_QUEUE_NEXT_EVENT), 1u, HOW) % count;
  for (uint i = 0; i < count; i++, at = at + 1 == count ? 0 : at + 1) {
    words event = (words)queue[HEDDLE_QUEUE_EVENTS] + at * HEDDLE_EVENT_WORDS;
    uint none = 0;
    if (__opencl_atomic_compare_exchange_strong(ATOMIC(event + HEDDLE_EVENT_REFERENCES), &none, references,
                                                memory_order_relaxed, HOW)) {
      event[HEDDLE_EVENT_STATUS] = status;
      event[HEDDLE_EVENT_IS_USER] = is_user;
      event[HEDDLE_EVENT_CAPTURES] = 0;
      return event;
    }
  }
  return 0;
}

static void add_references(words event, uint references) {
  __opencl_atomic_fetch_add(ATOMIC(event + HEDDLE_EVENT_REFERENCES), references, HOW);
}

opaque create_user_event_(void) __asm__("_Z17create_user_eventv");
__attribute__((noinline)) opaque create_user_event_(void) {
  words queue = __heddle_device_queue();
  return queue == 0 ? 0 : (opaque)(uint)new_event(queue, 1, CL_SUBMITTED, 1);
}

opaque null_event(void) __asm__("_Z19__heddle_null_eventv");
opaque null_event(void) {
  return 0;
}

bool is_valid_event_(opaque event) __asm__("_Z14is_valid_event12ocl_clkevent");
__attribute__((noinline)) bool is_valid_event_(opaque event) {
  return event_at(__heddle_device_queue(), (uint)event) != 0;
}

void retain_event_(opaque event) __asm__("_Z12retain_event12ocl_clkevent");
__attribute__((noinline)) void retain_event_(opaque event) {
  words found = event_at(__heddle_device_queue(), (uint)event);
  MISUSED_IF(found == 0, HEDDLE_MISUSE_EVENT);
  if (found != 0)
    add_references(found, 1);
}

void release_event_(opaque event) __asm__("_Z13release_event12ocl_clkevent");
__attribute__((noinline)) void release_event_(opaque event) {
  words found = event_at(__heddle_device_queue(), (uint)event);
  MISUSED_IF(found == 0, HEDDLE_MISUSE_EVENT);
  if (found != 0)
    add_references(found, -1u);
}

void set_user_event_status_(opaque event, int status) __asm__("_Z21set_user_event_status12ocl_clkeventi");
__attribute__((noinline)) void set_user_event_status_(opaque event, int status) {
  words found = event_at(__heddle_device_queue(), (uint)event);
  const bool waits = found != 0 && found[HEDDLE_EVENT_IS_USER] && found[HEDDLE_EVENT_STATUS] == CL_SUBMITTED;
  MISUSED_IF(!waits, HEDDLE_MISUSE_EVENT);
  if (waits && status <= CL_COMPLETE)
    found[HEDDLE_EVENT_STATUS] = (uint)status;
}

// Whoever runs commands writes the times when the command has ended; until then the places that want them are a list.
void capture_(opaque event, int name, global void *value)
    __asm__("_Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v");
__attribute__((noinline)) void capture_(opaque event, int name, global void *value) {
  words queue = __heddle_device_queue(), found = event_at(queue, (uint)event), place = value;
  MISUSED_IF(found == 0, HEDDLE_MISUSE_EVENT);
  if (found == 0 || found[HEDDLE_EVENT_IS_USER] || name != CLK_PROFILING_COMMAND_EXEC_TIME)
    return;
  if (found[HEDDLE_EVENT_STATUS] == CL_COMPLETE) {
    for (uint i = 0; i < 4; i += 2) {
      const ulong cycles = (ulong)found[HEDDLE_EVENT_TIMES + i + 1] << 32 | found[HEDDLE_EVENT_TIMES + i];
      const ulong nanoseconds = cycles * queue[HEDDLE_QUEUE_CYCLE] >> HEDDLE_QUEUE_CYCLE_LOG2;
      place[i] = (uint)nanoseconds;
      place[i + 1] = (uint)(nanoseconds >> 32);
    }
  } else {
    place[0] = __opencl_atomic_exchange(ATOMIC(found + HEDDLE_EVENT_CAPTURES), (uint)place, HOW);
  }
}

// ---- ranges

ndrange_t BUILTIN ndrange_1D(size_t global_size) {
  return (ndrange_t){.workDimension = 1, .globalWorkSize = {global_size}};
}
ndrange_t BUILTIN ndrange_1D(size_t global_size, size_t local_size) {
  return (ndrange_t){.workDimension = 1, .globalWorkSize = {global_size}, .localWorkSize = {local_size}};
}
ndrange_t BUILTIN ndrange_1D(size_t offset, size_t global_size, size_t local_size) {
  return (ndrange_t){.workDimension = 1,
                     .globalWorkOffset = {offset},
                     .globalWorkSize = {global_size},
                     .localWorkSize = {local_size}};
}

static inline ndrange_t range_of(uint dimensions, const generic size_t *offset, const generic size_t *global_size,
                                 const generic size_t *local_size) {
  ndrange_t range = {.workDimension = dimensions};
  for (uint i = 0; i < dimensions; i++) {
    range.globalWorkOffset[i] = offset ? offset[i] : 0;
    range.globalWorkSize[i] = global_size[i];
    range.localWorkSize[i] = local_size ? local_size[i] : 0;
  }
  return range;
}

// An array may be in any address space. clang declares the functions for private memory alone, heddle.h for all others:
// G stands for what is generic, C for constant, which is not. Where both fit, as for NULL, G is preferred.
#define G const generic size_t *
#define C constant const size_t *
#define P const private size_t *
#define PREFERRED __attribute__((enable_if(1, "")))
#define FLAT(pointer) ((G)(uint)(pointer))
#define RANGE(dimensions, how, type)                                              \
  ndrange_t BUILTIN how ndrange_##dimensions##D(type global_size) {               \
    return range_of(dimensions, 0, FLAT(global_size), 0);                         \
  }
#define RANGE_LOCAL(dimensions, how, global_type, local_type)                                         \
  ndrange_t BUILTIN how ndrange_##dimensions##D(global_type global_size, local_type local_size) {     \
    return range_of(dimensions, 0, FLAT(global_size), FLAT(local_size));                              \
  }
#define RANGE_OFFSET(dimensions, how, offset_type, global_type, local_type)                           \
  ndrange_t BUILTIN how ndrange_##dimensions##D(offset_type offset, global_type global_size,          \
                                                local_type local_size) {                              \
    return range_of(dimensions, FLAT(offset), FLAT(global_size), FLAT(local_size));                   \
  }
#define RANGES(dimensions)                    \
  RANGE(dimensions, , P)                      \
  RANGE(dimensions, PREFERRED, G)             \
  RANGE(dimensions, , C)                      \
  RANGE_LOCAL(dimensions, , P, P)             \
  RANGE_LOCAL(dimensions, PREFERRED, G, G)    \
  RANGE_LOCAL(dimensions, , G, C)             \
  RANGE_LOCAL(dimensions, , C, G)             \
  RANGE_LOCAL(dimensions, , C, C)             \
  RANGE_OFFSET(dimensions, , P, P, P)         \
  RANGE_OFFSET(dimensions, PREFERRED, G, G, G) \
  RANGE_OFFSET(dimensions, , G, G, C)         \
  RANGE_OFFSET(dimensions, , G, C, G)         \
  RANGE_OFFSET(dimensions, , G, C, C)         \
  RANGE_OFFSET(dimensions, , C, G, G)         \
  RANGE_OFFSET(dimensions, , C, G, C)         \
  RANGE_OFFSET(dimensions, , C, C, G)         \
  RANGE_OFFSET(dimensions, , C, C, C)
RANGES(2)
RANGES(3)
#undef G
#undef C
#undef P

// Of a block that a command names; the number comes from heddlec.
static words block_at(words queue, uint block) {
  return (words)queue[HEDDLE_QUEUE_BLOCKS] + (block - 1) * HEDDLE_BLOCK_WORDS;
}

// A dimension that is not used may hold anything.
static bool has_local_size(const ndrange_t *range) {
  bool has = false;
  for (uint i = 0; i < range->workDimension; i++)
    has |= range->localWorkSize[i] != 0;
  return has;
}

static bool is_valid_range(words queue, uint block, const ndrange_t *range) {
  const uint most = block_at(queue, block)[HEDDLE_BLOCK_WORK_GROUP_SIZE];
  if (range->workDimension < 1 || range->workDimension > 3)
    return false;
  const bool has_local = has_local_size(range);
  uint work_items = 1;
  for (uint i = 0; i < range->workDimension; i++) {
    const uint size = range->globalWorkSize[i], local_size = range->localWorkSize[i];
    if (size != 0 && range->globalWorkOffset[i] > 0u - size)
      return false;
    if (!has_local)
      continue;
    if (local_size == 0 || local_size > HEDDLE_LOCAL_SIZE_MAX || local_size > most || (work_items *= local_size) > most)
      return false;
    if (queue[HEDDLE_QUEUE_UNIFORM] && size % local_size != 0)
      return false;
  }
  return true;
}

// ---- commands

// Room for a command; 0 when there is none. While the queue is full TAIL does not grow, so that it never wraps.
static words reserve(words queue, uint bytes) {
  const uint limit = queue[HEDDLE_QUEUE_LIMIT];
  if (bytes <= limit && __opencl_atomic_load(ATOMIC(queue + HEDDLE_QUEUE_TAIL), HOW) <= limit - bytes) {
    const uint offset = __opencl_atomic_fetch_add(ATOMIC(queue + HEDDLE_QUEUE_TAIL), bytes, HOW);
    if (offset <= limit - bytes)
      return (words)queue[HEDDLE_QUEUE_COMMANDS] + offset / 4;
    __opencl_atomic_fetch_min(ATOMIC(queue + HEDDLE_QUEUE_END), offset, HOW);
  }
  return 0;
}

static bool are_valid_events(words queue, uint count, const uint *events) {
  if ((count == 0) != (events == 0) || count > queue[HEDDLE_QUEUE_NUM_EVENTS])
    return false;
  for (uint i = 0; i < count; i++)
    if (event_at(queue, events[i]) == 0)
      return false;
  return true;
}

static uint align(uint value, uint alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

// What the local arguments leave of a work-group's local memory; each starts at a multiple of LOCAL_ALIGNMENT.
static int check_locals(words queue, uint block, uint count, const uint *sizes) {
  const uint most = queue[HEDDLE_QUEUE_LOCAL_MEMORY];
  uint end = block_at(queue, block)[HEDDLE_BLOCK_LOCAL_BYTES];
  for (uint i = 0; i < count; i++) {
    end = align(end, LOCAL_ALIGNMENT);
    if (sizes[i] == 0)
      return CLK_INVALID_ARG_SIZE;
    if (end > most || sizes[i] > most - end)
      return CLK_OUT_OF_RESOURCES;
    end += sizes[i];
  }
  return CLK_SUCCESS;
}

// What a call asks for. Pointers of any address space, which are one.
struct request {
  uint kind, block, flags;
  const ndrange_t *range;
  uint num_waits, num_locals;
  const uint *waits, *locals, *literal;  // a block literal begins with its size and its alignment
  uint *event;                           // 0: none wanted
};

static int check(words queue, uint given_queue, const struct request *request) {
  if (queue == 0 || given_queue != (uint)queue)
    return CLK_INVALID_QUEUE;
  if (request->flags > CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP)
    return CLK_ENQUEUE_FAILURE;
  if (request->kind == HEDDLE_COMMAND_IS_KERNEL && !is_valid_range(queue, request->block, request->range))
    return CLK_INVALID_NDRANGE;
  if (!are_valid_events(queue, request->num_waits, request->waits) ||
      (request->kind == HEDDLE_COMMAND_IS_MARKER && request->num_waits == 0))
    return CLK_INVALID_EVENT_WAIT_LIST;
  return request->kind == HEDDLE_COMMAND_IS_KERNEL
             ? check_locals(queue, request->block, request->num_locals, request->locals)
             : CLK_SUCCESS;
}

static void write(words to, const uint *from, uint count) {
  for (uint i = 0; i < count; i++)
    to[i] = from[i];
}

static uint ceiling_divide(uint value, uint by) {
  return value / by + (value % by != 0);
}

static void choose_local_size(words queue, uint sub_group, const ndrange_t *range, uint *best);

// The range as the walker takes it. Returns whether there is a work-item in it.
static bool write_range(words queue, words command, uint sub_group, const ndrange_t *range) {
  uint local_size[3] = {1, 1, 1}, work_items = 1;
  bool is_empty = false;
  for (uint i = 0; i < range->workDimension; i++)
    is_empty |= range->globalWorkSize[i] == 0;
  if (is_empty)
    return false;
  if (!has_local_size(range))
    choose_local_size(queue, sub_group, range, local_size);
  else
    for (uint i = 0; i < range->workDimension; i++)
      local_size[i] = range->localWorkSize[i];
  command[IN_PACKET(HEDDLE_PACKET_WORK_DIM)] = range->workDimension;
  for (uint i = 0; i < 3; i++) {
    const bool is_used = i < range->workDimension;
    const uint size = is_used ? range->globalWorkSize[i] : 1;
    command[IN_PACKET(HEDDLE_PACKET_GLOBAL_SIZE + i)] = size;
    command[IN_PACKET(HEDDLE_PACKET_GLOBAL_OFFSET + i)] = is_used ? range->globalWorkOffset[i] : 0;
    command[IN_PACKET(HEDDLE_PACKET_LOCAL_SIZE + i)] = local_size[i];
    command[IN_PACKET(HEDDLE_PACKET_NUM_GROUPS + i)] = ceiling_divide(size, local_size[i]);
    work_items *= local_size[i];
  }
  command[IN_PACKET(HEDDLE_PACKET_NUM_SUB_GROUPS)] = ceiling_divide(work_items, sub_group);
  return true;
}

// All of a dispatch but its budget and where the literal is, which whoever runs it knows.
static bool write_dispatch(words queue, words command, const struct request *request) {
  words block = block_at(queue, request->block);
  const uint sub_group = block[HEDDLE_BLOCK_SUB_GROUP_SIZE];
  uint local_end = block[HEDDLE_BLOCK_LOCAL_BYTES];
  for (uint i = 0; i < request->num_locals; i++) {
    local_end = align(local_end, LOCAL_ALIGNMENT);
    command[HEDDLE_DISPATCH_WORDS + 1 + i] = HEDDLE_LOCAL_BASE + local_end;
    local_end += request->locals[i];
  }
  command[HEDDLE_DISPATCH_ENTRY] = block[HEDDLE_BLOCK_ENTRY];
  command[HEDDLE_DISPATCH_SUB_GROUP_LOG2] = 31 - clz(sub_group);
  command[HEDDLE_DISPATCH_LOCAL_BYTES] = align(local_end, 4);
  command[HEDDLE_DISPATCH_PRIVATE_BASE] = queue[HEDDLE_QUEUE_PRIVATE_BASE];
  command[HEDDLE_DISPATCH_PRIVATE_LOG2] = queue[HEDDLE_QUEUE_PRIVATE_LOG2];
  command[HEDDLE_DISPATCH_QUEUE] = (uint)queue;
  command[IN_PACKET(HEDDLE_PACKET_MAX_SUB_GROUP_SIZE)] = sub_group;
  command[IN_PACKET(HEDDLE_PACKET_PRINTF)] = queue[HEDDLE_QUEUE_PRINTF];
  return write_range(queue, command, sub_group, request->range);
}

__attribute__((noinline)) static int enqueue(uint given_queue, const struct request *request) {
  words queue = __heddle_device_queue(), event = 0;
  const int error = check(queue, given_queue, request);
  if (error != CLK_SUCCESS)
    return FAILURE(error);
  const uint literal_bytes = request->literal ? (request->literal[0] + 3) & ~3u : 0;
  // The dispatch, the literal's address, local arguments.
  const uint literal_at =
      align(4 * (HEDDLE_DISPATCH_WORDS + 1 + request->num_locals), request->literal ? request->literal[1] : 4);
  const uint waits_at = literal_at + literal_bytes;
  const uint bytes = align(waits_at + 4 * request->num_waits, HEDDLE_DISPATCH_ALIGNMENT);
  // Two references: the kernel's and the command's.
  if (request->event && (event = new_event(queue, 2, CL_QUEUED, 0)) == 0)
    return FAILURE(CLK_EVENT_ALLOCATION_FAILURE);
  words command = reserve(queue, bytes);
  if (command == 0) {
    if (event)
      add_references(event, -2u);
    return FAILURE(CLK_DEVICE_QUEUE_FULL);
  }
  const bool is_kernel = request->kind == HEDDLE_COMMAND_IS_KERNEL && write_dispatch(queue, command, request);
  command[HEDDLE_COMMAND_BYTES] = bytes;
  // Of a range without work-items there is only an end.
  command[HEDDLE_COMMAND_KIND] = is_kernel ? HEDDLE_COMMAND_IS_KERNEL : HEDDLE_COMMAND_IS_MARKER;
  command[HEDDLE_COMMAND_EVENT] = (uint)event;
  command[HEDDLE_COMMAND_NUM_WAITS] = request->num_waits;
  command[HEDDLE_COMMAND_WAITS] = waits_at;
  command[HEDDLE_COMMAND_LITERAL] = literal_at;
  command[HEDDLE_COMMAND_FLAGS] = request->flags;
  for (uint i = 0; i < request->num_waits; i++) {
    add_references((words)request->waits[i], 1);
    command[waits_at / 4 + i] = request->waits[i];
  }
  write(command + literal_at / 4, request->literal, literal_bytes / 4);
  if (event)
    *request->event = (uint)event;
  return CLK_SUCCESS;
}

#define ANY(pointer) ((uint *)(uint)(pointer))

// What a call of a kernel gives. That the queue is full is no mistake, and no event being free is none.
static inline int told(int error) {
  MISUSED_IF(error == CLK_INVALID_QUEUE, HEDDLE_MISUSE_QUEUE);
  MISUSED_IF(error == CLK_INVALID_NDRANGE, HEDDLE_MISUSE_RANGE);
  MISUSED_IF(error == CLK_INVALID_EVENT_WAIT_LIST, HEDDLE_MISUSE_WAIT_LIST);
  MISUSED_IF(error == CLK_INVALID_ARG_SIZE || error == CLK_OUT_OF_RESOURCES, HEDDLE_MISUSE_LOCAL_ARGUMENT);
  return __heddle_is_checked && !__heddle_has_debug && error != CLK_SUCCESS ? CLK_ENQUEUE_FAILURE : error;
}

__attribute__((noinline)) int __enqueue_kernel_events_varargs(opaque queue, uint flags, private ndrange_t *range,
                                                              uint num_waits, const generic void *waits,
                                                              generic void *event, generic void *kernel_,
                                                              generic void *literal, uint num_locals,
                                                              private uint *locals) {
  const struct request request = {HEDDLE_COMMAND_IS_KERNEL, (uint)kernel_, flags, range, num_waits, num_locals,
                                  ANY(waits), locals, ANY(literal), ANY(event)};
  return told(enqueue((uint)queue, &request));
}

int __enqueue_kernel_basic(opaque queue, uint flags, private ndrange_t *range, generic void *kernel_,
                           generic void *literal) {
  return __enqueue_kernel_events_varargs(queue, flags, range, 0, 0, 0, kernel_, literal, 0, 0);
}

int __enqueue_kernel_varargs(opaque queue, uint flags, private ndrange_t *range, generic void *kernel_,
                             generic void *literal, uint num_locals, private uint *locals) {
  return __enqueue_kernel_events_varargs(queue, flags, range, 0, 0, 0, kernel_, literal, num_locals, locals);
}

int __enqueue_kernel_basic_events(opaque queue, uint flags, private ndrange_t *range, uint num_waits,
                                  const generic void *waits, generic void *event, generic void *kernel_,
                                  generic void *literal) {
  return __enqueue_kernel_events_varargs(queue, flags, range, num_waits, waits, event, kernel_, literal, 0, 0);
}

int enqueue_marker_(opaque queue, uint num_waits, const generic void *waits, generic void *event)
    __asm__("_Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_");
__attribute__((noinline)) int enqueue_marker_(opaque queue, uint num_waits, const generic void *waits,
                                              generic void *event) {
  const struct request request = {HEDDLE_COMMAND_IS_MARKER, 0, 0, 0, num_waits, 0, ANY(waits), 0, 0, ANY(event)};
  return told(enqueue((uint)queue, &request));
}

opaque get_default_queue_(void) __asm__("_Z17get_default_queuev");
opaque get_default_queue_(void) {
  words queue = __heddle_device_queue();
  return queue == 0 ? 0 : (opaque)queue[HEDDLE_QUEUE_DEFAULT];
}

// ---- what can be asked about a block

__attribute__((noinline)) uint __get_kernel_work_group_size_impl(generic void *kernel_, generic void *literal) {
  words queue = __heddle_device_queue();
  return queue == 0 ? 0 : block_at(queue, (uint)kernel_)[HEDDLE_BLOCK_WORK_GROUP_SIZE];
}

__attribute__((noinline)) uint __get_kernel_preferred_work_group_size_multiple_impl(generic void *kernel_,
                                                                                   generic void *literal) {
  words queue = __heddle_device_queue();
  return queue == 0 ? 0 : block_at(queue, (uint)kernel_)[HEDDLE_BLOCK_SUB_GROUP_SIZE];
}

// The largest divisor of `size` up to `most` that is a multiple of `multiple`; 0: none.
static uint divisor(uint size, uint most, uint multiple) {
  for (uint candidate = most / multiple * multiple; candidate != 0; candidate -= multiple)
    if (size % candidate == 0)
      return candidate;
  return 0;
}

// What follows is how the host chooses a local size where none is given (host/cl/ndrange.c): whoever asks for the
// sub-groups of such a range is to be told what it will have.
static void fill_local(words queue, uint sub_group, uint left, const ndrange_t *range, uint *local_size) {
  for (uint i = 0; i < range->workDimension; i++) {
    const uint size = range->globalWorkSize[i], most = min(min(left, (uint)HEDDLE_LOCAL_SIZE_MAX), size);
    uint chosen = i == 0 ? divisor(size, most, sub_group) : 0;
    if (chosen == 0)
      chosen = divisor(size, most, 1);
    if (!queue[HEDDLE_QUEUE_UNIFORM] && chosen < most / 2)
      chosen = most;
    local_size[i] = chosen;
    left /= chosen;
  }
}

static uint busiest_unit(words queue, uint sub_group, const ndrange_t *range, const uint *local_size) {
  ulong groups = 1;
  uint work_items = 1;
  for (uint i = 0; i < range->workDimension; i++) {
    groups *= ceiling_divide(range->globalWorkSize[i], local_size[i]);
    work_items *= local_size[i];
  }
  const uint units = queue[HEDDLE_QUEUE_UNITS];
  return (uint)((groups + units - 1) / units) * ceiling_divide(work_items, sub_group);
}

// *best is all ones.
static void choose_local_size(words queue, uint sub_group, const ndrange_t *range, uint *best) {
  const uint slots = queue[HEDDLE_QUEUE_SLOTS], units = queue[HEDDLE_QUEUE_UNITS];
  const uint most = sub_group * (slots >= 4 ? slots / 4 : slots);
  fill_local(queue, sub_group, most, range, best);
  ulong work_items = 1;
  for (uint i = 0; i < range->workDimension && work_items <= (ulong)most * units * 4; i++)
    work_items *= range->globalWorkSize[i];
  for (uint groups = 1; groups <= 4 && units > 1; groups++) {
    const uint share =
        ceiling_divide(ceiling_divide((uint)min(work_items, (ulong)INT_MAX), units * groups), sub_group) * sub_group;
    uint spread[3] = {best[0], best[1], best[2]};
    if (share < most)
      fill_local(queue, sub_group, share, range, spread);
    if (busiest_unit(queue, sub_group, range, spread) < busiest_unit(queue, sub_group, range, best))
      for (uint i = 0; i < 3; i++)
        best[i] = spread[i];
  }
}

// Work-items of a full work-group; 0 if there is none.
static uint work_items_of(words queue, uint block, const ndrange_t *range) {
  if (queue == 0 || !is_valid_range(queue, block, range))
    return 0;
  uint work_items = 1;
  for (uint i = 0; i < range->workDimension; i++) {
    if (range->globalWorkSize[i] == 0)
      return 0;
    work_items *= range->localWorkSize[i];
  }
  if (has_local_size(range))
    return work_items;
  uint chosen[3] = {1, 1, 1};
  choose_local_size(queue, block_at(queue, block)[HEDDLE_BLOCK_SUB_GROUP_SIZE], range, chosen);
  return chosen[0] * chosen[1] * chosen[2];
}

__attribute__((noinline)) uint __get_kernel_sub_group_count_for_ndrange_impl(private ndrange_t *range,
    generic void *kernel_, generic void *literal) {
  words queue = __heddle_device_queue();
  const uint work_items = work_items_of(queue, (uint)kernel_, range);
  return work_items == 0 ? 0 : ceiling_divide(work_items, block_at(queue, (uint)kernel_)[HEDDLE_BLOCK_SUB_GROUP_SIZE]);
}

__attribute__((noinline)) uint __get_kernel_max_sub_group_size_for_ndrange_impl(private ndrange_t *range,
    generic void *kernel_, generic void *literal) {
  words queue = __heddle_device_queue();
  return queue == 0 ? 0 : block_at(queue, (uint)kernel_)[HEDDLE_BLOCK_SUB_GROUP_SIZE];  // whatever the local size
}
