// SPDX-License-Identifier: Apache-2.0
// The soak: several threads make random OpenCL calls, right and wrong, from a seed, and each call has to return a code
// that the specification lists for it (soak.h). At the end all is given back, and there has to be nothing left: no
// object, no device memory, no callback that was not called.
//
// HEDDLE_SOAK_SEED, HEDDLE_SOAK_CALLS (of all threads together) and HEDDLE_SOAK_THREADS say what runs; `make soak` sets
// them. The library is linked in, without the ICD loader, which would follow wrong handles.
#include "tests/soak/soak.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host/tools/error_name.h"
#include "tests/soak/sources.h"
#include "tests/temporary.h"

enum { DEFAULT_SEED = 1, DEFAULT_CALLS = 4000, LONG_CALLS = 100000, DEFAULT_THREADS = 4, THREADS_MOST = 64 };
// Without a call that returns it hangs. Builds have limits of their own that are shorter.
enum { SILENT_SECONDS_MOST = 180 };
// Of 256 KiB, that the driver may keep for later kernels.
enum { KEPT_BUFFERS_MOST = 8 };

static struct soak soak = {.large = PTHREAD_MUTEX_INITIALIZER, .board_lock = PTHREAD_MUTEX_INITIALIZER};
static struct actor actors[THREADS_MOST];

#define OK(call)                                                           \
  do {                                                                     \
    const cl_int code = (call);                                            \
    cr_assert_eq(code, CL_SUCCESS, "%s: got %s", #call, error_name(code)); \
  } while (0)

static unsigned long long number_of(const char *name, unsigned long long otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

static size_t device_size(cl_device_info name) {
  cl_ulong value = 0;
  size_t bytes;
  OK(clGetDeviceInfo(soak.device, name, sizeof value, &value, &bytes));
  return (size_t)value;
}

static struct thing *share(enum kind kind, void *handle) {
  struct thing *thing = &soak.shared[soak.num_shared++];
  *thing = (struct thing){
      .kind = kind, .handle = handle, .references = 1, .is_shared = true, .context = soak.shared[0].handle};
  return thing;
}

// How many buffers of 256 KiB the device has room for.
static unsigned room_for_buffers(void) {
  static cl_mem buffers[1 << 14];
  unsigned count = 0;
  cl_int error;
  cl_context context = clCreateContext(NULL, 1, &soak.device, NULL, NULL, &error);
  while (error == CL_SUCCESS && count < sizeof buffers / sizeof *buffers)
    buffers[count++] = clCreateBuffer(context, 0, 1 << 18, NULL, &error);
  cr_assert_eq(error, CL_MEM_OBJECT_ALLOCATION_FAILURE, "the last of %u buffers: %s", count, error_name(error));
  for (unsigned i = 0; i + 1 < count; i++)
    OK(clReleaseMemObject(buffers[i]));
  OK(clReleaseContext(context));
  return count - 1;
}

static cl_program program_of(const char *source) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(soak.shared[0].handle, 1, &source, NULL, &error);
  OK(error);
  return program;
}

static unsigned char *binary_of(cl_program program, size_t *bytes) {
  OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *bytes, bytes, NULL));
  unsigned char *binary = malloc(*bytes);
  OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
  return binary;
}

static atomic_uint context_destructions;
static void CL_CALLBACK on_context_destruction(cl_context context, void *user) {
  (void)context, (void)user;
  atomic_fetch_add(&context_destructions, 1);
}

// What all threads share. The program has a kernel, so that nobody can build it anew.
static cl_kernel set_up(void) {
  static uint32_t spirv[] = {0x07230203, 0x00010000, 0, 1, 0, 3 << 16 | 14, 1, 2};  // OpMemoryModel Physical32 OpenCL
  const cl_queue_properties out_of_order[] = {CL_QUEUE_PROPERTIES,
                                              CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int error;
  cl_context context = clCreateContext(NULL, 1, &soak.device, NULL, NULL, &error);
  OK(error);
  OK(clSetContextDestructorCallback(context, on_context_destruction, NULL));
  share(CONTEXT, context)->context = context;
  cl_uint lanes = 0;
  OK(clGetDeviceInfo(soak.device, CL_DEVICE_LANES_HEDDLE, sizeof lanes, &lanes, NULL));
  soak.lanes = lanes;
  soak.slots = device_size(CL_DEVICE_MAX_WORK_GROUP_SIZE) / lanes;
  soak.local_bytes = device_size(CL_DEVICE_LOCAL_MEM_SIZE);
  soak.most_bytes = device_size(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  soak.spirv = spirv;
  soak.spirv_bytes = sizeof spirv;

  cl_program object = program_of(good_source);
  OK(clCompileProgram(object, 0, NULL, good_options, 0, NULL, NULL, NULL, NULL));
  soak.object = binary_of(object, &soak.object_bytes);
  OK(clReleaseProgram(object));
  cl_program program = program_of(good_source);
  OK(clBuildProgram(program, 0, NULL, good_options, NULL, NULL));
  soak.binary = binary_of(program, &soak.binary_bytes);
  cl_kernel kernel = clCreateKernel(program, "none", &error);
  OK(error);
  struct thing *shared = share(PROGRAM, program);
  shared->content = GOOD;
  shared->is_built = true;
  shared->kernels = 1;
  share(QUEUE, clCreateCommandQueueWithProperties(context, soak.device, NULL, &error));
  OK(error);
  shared = share(QUEUE, clCreateCommandQueueWithProperties(context, soak.device, out_of_order, &error));
  OK(error);
  shared->properties = out_of_order[1];
  shared = share(MEMORY, clCreateBuffer(context, 0, BUFFER_BYTES_MOST, NULL, &error));
  OK(error);
  shared->size = BUFFER_BYTES_MOST;
  return kernel;
}

// The library looks for the compiler beside itself, and is in this program.
static void use_compiler_of_build(void) {
  char path[PATH_MAX] = "";
  if (getenv("HEDDLEC") || readlink("/proc/self/exe", path, sizeof path - 32) < 0)
    return;
  strcpy(strrchr(path, '/'), "/../bin/heddlec");
  setenv("HEDDLEC", path, 1);
}

// ---- actors

static void step(struct actor *actor) {
  static void (*const steps[])(struct actor *) = {
      step_objects, step_objects, step_objects, step_memory, step_transfer, step_transfer, step_transfer, step_kernel,
      step_kernel,  step_kernel,  step_kernel,  step_event,  step_event,    step_event,    step_program,  step_absent};
  const uint32_t which = below(actor, 64 * sizeof steps / sizeof *steps);
  steps[which % (sizeof steps / sizeof *steps)](actor);
  // Now and then many commands wait for one event.
  for (unsigned i = 0; which == 0 && i < 100; i++)
    step_transfer(actor);
}

// Gives back all that the actor has, in any order.
static void give_back(struct actor *actor) {
  const struct rules fine = {0};
  set_user_events(actor);
  for (int kind = EVENT; kind >= CONTEXT; kind--) {
    for (unsigned i = 0; i < THINGS_MOST; i++) {
      struct thing *thing = &actor->things[(i * 37 + actor->number) % THINGS_MOST];
      const enum kind wanted = (enum kind)((kind + (int)actor->number) % KINDS);
      while (thing->handle && thing->kind == wanted && thing->kind != QUEUE && !thing->is_shared &&
             release_thing(actor, thing))
        continue;
    }
  }
  // Queues last: mappings are undone with them. What is left of mappings has none any more, and goes with its buffer.
  for (unsigned i = 0; i < THINGS_MOST && !actor->failure[0]; i++) {
    struct thing *thing = &actor->things[i];
    if (!thing->handle || thing->kind != QUEUE)
      continue;
    if (!thing->is_on_device)
      TRY(actor, &fine, clFinish(thing->handle));
    while (thing->handle && release_thing(actor, thing))
      continue;
  }
  for (unsigned i = 0; i < THINGS_MOST; i++) {
    struct thing *thing = &actor->things[i];
    for (; thing->handle && thing->kind == MEMORY && thing->references > 0; thing->references--)
      TRY(actor, &fine, clReleaseMemObject(thing->handle));
  }
  TRY(actor, &fine, clReleaseContext(actor->own));
}

static void *act(void *user) {
  struct actor *actor = user;
  cl_int error;
  actor->own = clCreateContext(NULL, 1, &soak.device, NULL, NULL, &error);
  if (error != CL_SUCCESS) {
    fail_soak(actor, "no context of its own: %s", error_name(error));
    return NULL;
  }
  struct thing *own = keep(actor, CONTEXT, actor->own, actor->own);
  own->is_shared = true;  // it stays to the end
  while (actor->calls < soak.calls / soak.threads && !atomic_load(&soak.stop))
    step(actor);
  if (!actor->failure[0])
    give_back(actor);
  return NULL;
}

// Ends the process when no thread gets on.
static void *watch(void *user) {
  const atomic_bool *done = user;
  unsigned before = 0;
  for (int silent = 0; !atomic_load(done); silent++) {
    unsigned now = 0;
    for (unsigned i = 0; i < soak.threads; i++)
      now += atomic_load(&actors[i].progress);
    if (now != before)
      silent = 0;
    before = now;
    if (silent == 10 * SILENT_SECONDS_MOST) {
      for (unsigned i = 0; i < soak.threads; i++) {
        const char *call = atomic_load(&actors[i].now);
        fprintf(stderr, "soak: thread %u hangs in %s\n", i, call ? call : "no call");
      }
      fprintf(stderr, "soak: again with: make soak SEED=%llu CALLS=%u THREADS=%u\n", (unsigned long long)soak.seed,
              soak.calls, soak.threads);
      abort();
    }
    usleep(100000);
  }
  return NULL;
}

static void run_actors(void) {
  pthread_t watcher;
  atomic_bool done = false;
  for (unsigned i = 0; i < soak.threads; i++) {
    actors[i].soak = &soak;
    actors[i].number = i;
    actors[i].random = soak.seed * UINT64_C(0xD1342543DE82EF95) + i;
  }
  cr_assert_eq(pthread_create(&watcher, NULL, watch, &done), 0);
  for (unsigned i = 0; i < soak.threads; i++)
    cr_assert_eq(pthread_create(&actors[i].thread, NULL, act, &actors[i]), 0);
  for (unsigned i = 0; i < soak.threads; i++)
    pthread_join(actors[i].thread, NULL);
  atomic_store(&done, true);
  pthread_join(watcher, NULL);
}

// Calls, those that succeeded, and entry points: of all threads.
static void tell(void) {
  struct entry_point all[ENTRY_POINTS_MOST] = {0};
  unsigned calls = 0, successes = 0, count = 0;
  for (unsigned i = 0; i < soak.threads; i++) {
    for (const struct entry_point *at = actors[i].entry_points; at->call; at++) {
      const size_t length = strcspn(at->call, "(") + 1;
      struct entry_point *same = all;
      while (same->call && strncmp(same->call, at->call, length) != 0)
        same++;
      count += !same->call;
      same->call = at->call;
      same->calls += at->calls;
      same->successes += at->successes;
      calls += at->calls;
      successes += at->successes;
    }
  }
  fprintf(stderr, "soak: %u calls of %u entry points, %u succeeded; %u kernels faulted, %u callbacks\n", calls, count,
          successes, atomic_load(&soak.faults), atomic_load(&soak.callbacks));
  for (const struct entry_point *at = all; getenv("HEDDLE_SOAK_TELL") && at->call; at++)
    fprintf(stderr, "%8u %8u  %.*s\n", at->calls, at->successes, (int)strcspn(at->call, "("), at->call);
}

Test(soak, every_code_is_one_that_the_specification_lists) {
  soak.seed = number_of("HEDDLE_SOAK_SEED", DEFAULT_SEED);
  soak.calls = (unsigned)number_of("HEDDLE_SOAK_CALLS", getenv("HEDDLE_TEST_LONG") ? LONG_CALLS : DEFAULT_CALLS);
  soak.threads = (unsigned)number_of("HEDDLE_SOAK_THREADS", DEFAULT_THREADS);
  cr_assert(soak.threads >= 1 && soak.threads <= THREADS_MOST, "HEDDLE_SOAK_THREADS: 1 to %d", THREADS_MOST);
  // The model alone, and a cache of its own: most builds have been made before.
  char folder[TEMPORARY_BYTES];
  cr_assert_not_null(mkdtemp(temporary_name(folder)));
  setenv("HEDDLE_CACHE_DIR", folder, 1);
  setenv("HEDDLE_CACHE_BYTES", "16777216", 1);
  setenv("HEDDLE_RTL_DIR", "/nonexistent", 1);

  use_compiler_of_build();
  OK(clGetPlatformIDs(1, &soak.platform, NULL));
  OK(clGetDeviceIDs(soak.platform, CL_DEVICE_TYPE_DEFAULT, 1, &soak.device, NULL));
  const unsigned room = room_for_buffers();
  cl_kernel kernel = set_up();
  run_actors();
  for (unsigned i = 0; i < soak.threads; i++) {
    if (actors[i].failure[0])
      fprintf(stderr, "soak: %s\nsoak: again with: make soak SEED=%llu CALLS=%u THREADS=%u\n", actors[i].failure,
              (unsigned long long)soak.seed, soak.calls, soak.threads);
    cr_assert(actors[i].failure[0] == 0, "%s; again with: make soak SEED=%llu CALLS=%u THREADS=%u", actors[i].failure,
              (unsigned long long)soak.seed, soak.calls, soak.threads);
  }
  tell();

  // Nothing is left.
  for (size_t i = 0; i < sizeof soak.board / sizeof *soak.board; i++)
    if (soak.board[i].handle)
      OK(clReleaseEvent(soak.board[i].handle));
  for (unsigned i = 0; i < soak.num_shared; i++)
    if (soak.shared[i].kind == QUEUE)
      OK(clFinish(soak.shared[i].handle));
  OK(clReleaseKernel(kernel));
  for (unsigned i = soak.num_shared; i-- > 0;) {
    void *handle = soak.shared[i].handle;
    const enum kind kind = soak.shared[i].kind;
    OK(kind == QUEUE     ? clReleaseCommandQueue(handle)
       : kind == MEMORY  ? clReleaseMemObject(handle)
       : kind == PROGRAM ? clReleaseProgram(handle)
                         : clReleaseContext(handle));
  }
  // Events' callbacks are called before anybody sees that a queue is empty but for those of the last command.
  for (int i = 0; i < 100 && atomic_load(&context_destructions) == 0; i++)
    usleep(10000);
  cr_assert_eq(atomic_load(&context_destructions), 1, "the context of all threads is still there");
  cr_assert_eq(atomic_load(&soak.destructors), atomic_load(&soak.buffers), "destructor callbacks: %u of %u",
               atomic_load(&soak.destructors), atomic_load(&soak.buffers));
  cr_assert_eq(atomic_load(&soak.callbacks), atomic_load(&soak.callbacks_due), "callbacks: %u of %u",
               atomic_load(&soak.callbacks), atomic_load(&soak.callbacks_due));
  const unsigned room_after = room_for_buffers();
  // The driver keeps what it made for private memory and arguments.
  cr_assert_geq(room_after + KEPT_BUFFERS_MOST, room, "room for %u buffers of 256 KiB before, %u after", room,
                room_after);
  free(soak.binary);
  free(soak.object);
  char command[TEMPORARY_BYTES + 16];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  cr_assert_eq(system(command), 0);
}
