// SPDX-License-Identifier: Apache-2.0
// What the soak's files share: an actor, who is one thread with a seed, the objects that it holds and what it knows of
// them, and the verdict on a call. The rules are the specification's: a call that several of its errors apply to may
// return any of them; one that none applies to has to succeed. They are written here without a look at the library.
//
// Nothing that an actor does depends on what time or other threads do, only on its seed: what is timing's shows in the
// codes that are allowed. So one line repeats a failure (soak.c).
#ifndef HEDDLE_TESTS_SOAK_SOAK_H
#define HEDDLE_TESTS_SOAK_SOAK_H

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kind { CONTEXT, QUEUE, MEMORY, PROGRAM, KERNEL, EVENT, KINDS };
enum { THINGS_MOST = 96, SHARED_MOST = 8, STALE_MOST = 64, WAITS_MOST = 4, ARGUMENTS_MOST = 4, MAPPINGS_MOST = 16 };
enum { BUFFER_BYTES_MOST = 4096 };

// What programs are made of, and which of its sources a kernel comes from.
enum content { GOOD, WRONG, CALLER, CALLEE, BINARY, OBJECT, CONTENTS };

// What an actor knows of an object. Those that threads share are constant.
struct thing {
  enum kind kind;
  void *handle;         // NULL: the place is free
  unsigned references;  // the actor's own
  bool is_shared;
  void *context;  // its handle, to compare

  // A queue.
  cl_command_queue_properties properties;
  bool is_on_device;

  // A memory object.
  cl_mem_flags flags;
  size_t size, origin;
  void *parent;  // handle of the buffer that it is a part of
  bool is_pipe;
  bool is_read_only;  // pages of the device that kernels cannot write

  // A program. `kernels` counts kernel objects that were made of it and may be there.
  enum content content;
  bool is_built, is_compiled, is_library;
  bool is_linked, links_good;  // made by linking, and of what has the kernels of the good source
  unsigned kernels;
  bool had_commands;  // some may hold kernels that are released

  // A kernel.
  const struct kernel_facts *facts;
  struct thing *program;  // NULL: it is released
  struct {
    bool is_set;
    bool is_null;  // a null pointer
    void *memory;  // handle
    size_t bytes;  // of local memory
  } arguments[ARGUMENTS_MOST];

  // An event. Whether it ends with an error is known from the start.
  bool is_user, is_set, fails;
  cl_int status;  // the error it will have
  bool has_ended;
  bool has_profile;
  void *queue;  // handle; NULL: none, or another actor's
};

// What a kernel of the sources is like.
enum argument { BUFFER_ARGUMENT, LOCAL_ARGUMENT, UINT_ARGUMENT, ULONG_ARGUMENT, PIPE_ARGUMENT };
struct kernel_facts {
  const char *name;
  cl_uint num_arguments;
  enum argument arguments[ARGUMENTS_MOST];
  size_t required[3];     // work-group size; 0: none
  size_t sub_group_size;  // 0: any
  bool faults, writes;    // always; the first argument, a buffer
};
extern const struct kernel_facts kernels_of_good[];
enum { KERNELS_OF_GOOD = 7 };

struct mapping {
  void *pointer;      // NULL: the place is free
  void *memory;       // handle of the object that was mapped
  void *root;         // and of the buffer that it is a part of, or itself
  size_t start, end;  // in that
  bool is_for_writing;
};

// What all actors share; constant while they run, but for what has a lock.
struct soak {
  uint64_t seed;
  unsigned threads, calls;
  cl_platform_id platform;
  cl_device_id device;
  size_t lanes, slots, local_bytes, most_bytes;
  struct thing shared[SHARED_MOST];
  unsigned num_shared;
  unsigned char *binary, *object;
  size_t binary_bytes, object_bytes;
  void *spirv;
  size_t spirv_bytes;
  pthread_mutex_t large;  // who takes half of the device's memory

  // Events that one actor leaves for others.
  pthread_mutex_t board_lock;
  struct thing board[8];

  atomic_uint builds, faults, callbacks, callbacks_due, buffers, destructors;
  atomic_bool stop;
};

struct entry_point {
  const char *call;
  unsigned calls, successes;
};
enum { ENTRY_POINTS_MOST = 128 };

struct actor {
  struct soak *soak;
  unsigned number;
  uint64_t random;
  pthread_t thread;
  struct thing things[THINGS_MOST];
  void *stale[STALE_MOST];  // handles of objects that were released
  enum kind stale_kind[STALE_MOST];
  unsigned num_stale;
  struct mapping mappings[MAPPINGS_MOST];
  cl_context own;         // context that no other actor uses
  unsigned calls, unset;  // user events
  struct entry_point entry_points[ENTRY_POINTS_MOST];
  const char *_Atomic now;  // the call that it is in
  atomic_uint progress;
  char failure[1024];
};

// ---- chance (actor.c)
uint32_t draw(struct actor *actor);
uint32_t below(struct actor *actor, uint32_t count);
bool one_in(struct actor *actor, uint32_t count);

// ---- the verdict (actor.c)

// Codes that the specification lists for a call as it is, and others that time decides on.
struct rules {
  cl_int errors[24], others[4];
  unsigned num_errors, num_others;
  cl_int otherwise;  // what it returns if none of the errors applies
};

// The call has an error if it is so.
void wrong_if(struct rules *rules, bool condition, cl_int error);
// This code is allowed besides, whatever else there is.
void or_else(struct rules *rules, bool condition, cl_int code);

// Whether it may only succeed.
bool succeeds(const struct rules *rules);

// Counts the call, and notes a failure if the code is none that is allowed. True: CL_SUCCESS, as it may be.
bool judge(struct actor *actor, const struct rules *rules, const char *call, cl_int got);

// Notes the first failure.
void fail_soak(struct actor *actor, const char *format, ...) __attribute__((format(printf, 2, 3)));

// A call that returns its code: TRY(actor, &rules, clFinish(queue)).
#define TRY(actor, rules, call) (atomic_store(&(actor)->now, #call), judge((actor), (rules), #call, (call)))
// One that returns an object, and its code in `error`: TRY_MAKE(actor, &rules, handle, clCreateUserEvent(c, &error)).
#define TRY_MAKE(actor, rules, made, call) \
  (error = 12345, atomic_store(&(actor)->now, #call), (made) = (call), judge((actor), (rules), #call, error))

// ---- objects (actor.c)

// An object of a kind, one of the actor's or a shared one, or now and then what is none: then `thing` is NULL.
struct picked {
  void *handle;
  struct thing *thing;
};
struct picked pick(struct actor *actor, enum kind kind);
// One that is there; NULL: there is none.
struct thing *pick_valid(struct actor *actor, enum kind kind);
// A handle that is none of this kind.
void *wrong_handle(struct actor *actor, enum kind kind);
// The actor's knowledge of a handle.
struct thing *thing_of(struct actor *actor, void *handle);

// A context to make something in: mostly that of all threads, else the actor's own.
struct picked pick_context(struct actor *actor);

bool has_room(const struct actor *actor, enum kind kind);
// Takes a new object over.
struct thing *keep(struct actor *actor, enum kind kind, void *handle, void *context);
// Gives up the actor's last reference's place; the handle may be used as a stale one once its memory was freed.
void forget(struct actor *actor, struct thing *thing);

struct waits {
  cl_uint count;
  cl_event list[WAITS_MOST];
  const cl_event *pointer;
  bool is_wrong;     // CL_INVALID_EVENT_WAIT_LIST
  bool has_foreign;  // of another context than `context`
  bool fails;
};
void pick_waits(struct actor *actor, const struct thing *queue, struct waits *waits);
void wrong_waits(struct rules *rules, const struct waits *waits);

// Sets all user events that this actor has not set, so that nobody waits for it in vain. Before all that blocks.
void set_user_events(struct actor *actor);

// Where an enqueueing call is to leave its event, or NULL; to take it over; and that there is none of a call that
// failed.
cl_event *want_event(struct actor *actor, cl_event *place);
void keep_event(struct actor *actor, const cl_event *place, const struct thing *queue, bool fails, cl_int status,
                bool has_ended);
void expect_no_event(struct actor *actor, const cl_event *place);
// The actor's events of a queue that it has waited for.
void events_have_ended(struct actor *actor, const void *queue);

// ---- graves (graves.c)

// Handles whose memory is not used again, so that a stale handle stays one. No lock of its own is taken.
void dig_grave(void *handle);
bool is_buried(void *handle);

// ---- calls, a family each: one step makes one call or a few that belong together
void step_objects(struct actor *actor);   // calls_objects.c: retain, release, queries, contexts, queues
void step_memory(struct actor *actor);    // calls_memory.c: buffers, sub-buffers, pipes
void step_transfer(struct actor *actor);  // calls_transfer.c: what moves bytes
void step_program(struct actor *actor);   // calls_program.c: programs
void step_kernel(struct actor *actor);    // calls_kernel.c: kernels, their arguments, enqueueing them
void step_event(struct actor *actor);     // calls_event.c: events, markers, waiting
void step_absent(struct actor *actor);    // calls_absent.c: what the device lacks

// Gives up one reference. The object is one of the actor's own. False: it is mapped, and there is no queue to undo that
// with, or the call failed.
bool release_thing(struct actor *actor, struct thing *thing);
// Undoes a mapping.
void unmap(struct actor *actor, struct mapping *mapping, const struct thing *queue);

#endif
