// SPDX-License-Identifier: Apache-2.0
// What the objects of SYCL are references to: objects of OpenCL, which every one of these owns, and what is noted
// beside. One lock, `runtime_lock`, guards all that changes; nothing waits for the device with it held but transfers of
// buffers and shared memory. `changed` tells that a command was handed to OpenCL, or a buffer is no longer held.
#ifndef HEDDLE_SYCL_RUNTIME_IMPL_HPP
#define HEDDLE_SYCL_RUNTIME_IMPL_HPP

#include <CL/cl_heddle.h>

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <sycl/sycl.hpp>

namespace sycl::detail {

extern std::recursive_mutex runtime_lock;
extern std::condition_variable_any changed;
using locked = std::lock_guard<std::recursive_mutex>;

// ---- errors

// Throws unless `error` is CL_SUCCESS; `what` is the call, or a sentence.
void check(cl_int error, const std::string &what, errc code = errc::runtime);
const char *error_name(cl_int error);
[[noreturn]] void fail(errc code, const std::string &what);
std::string describe(const code_location &at);

// ---- kernels (kernels.cpp)

struct image {
  const unsigned char *begin, *end;
};

// What a kernel reads or writes.
struct pipe_end {
  bool is_read;
  cl_uint bytes, capacity;  // of a packet; packets
  std::string name;         // one of the program
};

// One line of heddle-sycl-link's list.
struct kernel_record {
  const image *file;  // nullptr: no device has its sub-groups
  std::string name, readable, size, place, captures;
  bool size_is_standard;           // its size is by [[sycl::reqd_sub_group_size]], not by the extension's attribute
  std::uint64_t aspects;           // that it demands, a bit each
  std::uint64_t hash;              // of its name
  unsigned work_group_dimensions;  // 0: of any size
  std::size_t work_group[3];       // dimension 0 fastest
  std::vector<pipe_end> pipes;     // its last arguments
};

// By the name that the host pass made. Throws where there is none that has the same captures.
const kernel_record &find_kernel(const std::string &name);
// By the hash of its name; nullptr: there is none.
const kernel_record *find_kernel(std::uint64_t hash);
std::vector<const kernel_record *> all_kernels();
// The first aspect that it demands and the device does not have.
std::optional<aspect> missing_aspect(const kernel_record &, const device &);
// "kernel 'Scale' (x.cpp:12)"
std::string describe(const kernel_record &);

struct kernel_id_impl {
  const kernel_record *record;
};

struct kernel_impl {
  const kernel_record *record;  // nullptr: it is OpenCL's
  std::shared_ptr<context_impl> context;
  cl_kernel native = nullptr;

  kernel_impl(const kernel_record *r, std::shared_ptr<context_impl> c) : record(r), context(std::move(c)) {}
  // Of an OpenCL kernel of the context, which gets a reference more.
  kernel_impl(cl_kernel, std::shared_ptr<context_impl> c);
  kernel_impl(const kernel_impl &) = delete;
  kernel_impl &operator=(const kernel_impl &) = delete;
  ~kernel_impl();
  // OpenCL's on a device.
  cl_kernel on(device_impl &) const;
};
// What OpenCL calls it.
std::string name_of(cl_kernel);

struct kernel_bundle_impl {
  std::shared_ptr<context_impl> context;
  std::vector<std::shared_ptr<device_impl>> devices;
  std::vector<const kernel_record *> kernels;
  std::vector<cl_program> natives;  // OpenCL's programs, of make_kernel_bundle
  specializations constants;

  kernel_bundle_impl() = default;
  kernel_bundle_impl(const kernel_bundle_impl &) = delete;
  kernel_bundle_impl &operator=(const kernel_bundle_impl &) = delete;
  ~kernel_bundle_impl();
};

// ---- platform, device

struct platform_impl {
  cl_platform_id id;
  std::vector<std::shared_ptr<device_impl>> devices;
};

struct device_impl {
  cl_device_id id;
  std::weak_ptr<platform_impl> of;
  std::string name;
  std::vector<std::size_t> sub_group_sizes;
};

// ---- context

// Unified shared memory. Of that which the host has too there are three copies: the device's, the host's, and what both
// had when they were last made the same (runtime/shared.cpp).
struct allocation {
  cl_mem memory;
  std::size_t bytes;
  device_impl *device;
  usm::alloc kind = usm::alloc::device;
  char *on_host = nullptr;
  std::vector<char> agreed;
};

// Where an address of unified shared memory is.
struct place {
  const allocation *found;  // nullptr: in host memory
  std::size_t offset;       // in the memory object
  std::size_t left;         // bytes from there on
};

constexpr std::size_t page = 4096;
inline bool is_alignment(std::size_t alignment) {  // 0: any
  return alignment <= page && (alignment & (alignment - 1)) == 0;
}

struct context_impl : std::enable_shared_from_this<context_impl> {
  cl_context id = nullptr;
  std::vector<std::shared_ptr<device_impl>> devices;
  async_handler handler;
  std::map<std::pair<const image *, device_impl *>, cl_program> programs;
  std::map<std::pair<const kernel_record *, device_impl *>, cl_kernel> kernels;
  std::map<device_impl *, char *> regions;              // of host addresses, 4 GiB each, that stand for device memory
  std::map<std::uintptr_t, allocation> memory;          // unified shared memory, by its first address
  std::map<device_impl *, cl_command_queue> transfers;  // for shared memory
  std::map<std::string, cl_mem> pipes;                  // by name
  // Kernels that are kept until those at the other ends of their pipes have come (runtime/pipes.cpp).
  std::deque<std::shared_ptr<command>> held;
  // Commands of which it is not known that the host has what they changed in shared memory.
  std::vector<cl_event> in_flight;

  context_impl(std::vector<std::shared_ptr<device_impl>> d, async_handler h);
  // Of an OpenCL context, which gets a reference more.
  context_impl(cl_context, std::vector<std::shared_ptr<device_impl>> d, async_handler h);
  context_impl(const context_impl &) = delete;
  context_impl &operator=(const context_impl &) = delete;
  ~context_impl();

  // Throws errc::feature_not_supported where the device has no such sub-groups.
  cl_kernel kernel_of(const kernel_record &, device_impl &);
  // The allocation that a pointer is in, or is right behind.
  place find(const void *pointer) const;
  bool in_region(const void *pointer) const;
  // The context of queues that the program gives none: all of a device have one.
  static std::shared_ptr<context_impl> shared_by_queues(const device &);
  cl_command_queue transfer_queue(device_impl &);
  cl_mem pipe_of(const pipe_end &);
  // Keeps a kernel that has pipes. What is wrong with it is thrown, if it goes to OpenCL at once.
  void hold(const std::shared_ptr<command> &);
  // Kernels that are held go to OpenCL, whoever else is to come: somebody waits for them, or for what comes behind.
  void let_go(const command *newest = nullptr);
  // Shared memory: what the host has changed goes to the device, ahead of a command; and what the device has changed to
  // the host, behind one.
  void push_shared(queue_impl &);
  void note_in_flight(cl_event);
  void pull_shared();
};

// Whether a pointer is to memory of a device, of some context.
bool in_any_region(const void *pointer);
// Whether the OpenCL library checks kernels (HEDDLE_CHECK).
bool are_kernels_checked();

// ---- events

struct event_impl {
  enum { deferred, held, enqueued, done_by_host } state = deferred;
  cl_event id = nullptr;              // of what is enqueued
  std::shared_ptr<queue_impl> queue;  // nullptr: of OpenCL's events
  std::vector<cl_event> natives;      // these
  std::shared_ptr<context_impl> context;
  std::string what;                               // the command, for messages
  std::vector<std::weak_ptr<event_impl>> waited;  // what it waits for

  explicit event_impl(std::shared_ptr<queue_impl> q);
  // Of OpenCL events of a context, each of which gets a reference more.
  event_impl(std::vector<cl_event>, std::shared_ptr<context_impl>);
  event_impl(const event_impl &) = delete;
  event_impl &operator=(const event_impl &) = delete;
  ~event_impl();
  // OpenCL's events that it stands for: of a command that is not with OpenCL yet none.
  std::vector<cl_event> ids() const;
  // For the end of the command. The lock is not held.
  void wait() const;
};

// ---- queue

struct queue_impl : std::enable_shared_from_this<queue_impl> {
  cl_command_queue id = nullptr;
  std::shared_ptr<context_impl> context;
  std::shared_ptr<device_impl> device;
  async_handler handler;
  property_list properties;
  // Commands whose end nobody has looked at. They are kept by their OpenCL events, as an event keeps its queue.
  struct pending {
    cl_event id;
    std::string what;
    std::function<void()> behind;  // done when the command has ended well
  };
  std::deque<pending> commands;
  // Commands that wait for what OpenCL does not know: the host. A thread hands them on in their order, as long as there
  // are any (runtime/deferred.cpp).
  std::deque<std::shared_ptr<command>> deferred;
  bool has_thread = false;
  std::vector<std::exception_ptr> errors;

  queue_impl(std::shared_ptr<context_impl>, std::shared_ptr<device_impl>, async_handler, const property_list &);
  // Of an OpenCL queue, which gets a reference more.
  queue_impl(cl_command_queue, std::shared_ptr<context_impl>, std::shared_ptr<device_impl>, async_handler);
  queue_impl(const queue_impl &) = delete;
  queue_impl &operator=(const queue_impl &) = delete;
  ~queue_impl();
  void note(cl_event, const std::string &what, std::function<void()> behind);
  // Of commands that have ended, errors are taken and what comes behind them is done.
  void collect();
  void defer(const std::shared_ptr<command> &);
  // Until all commands are with OpenCL, and have ended. The lock is not held.
  void finish();
  void deliver();
};

// ---- buffers

struct buffer_cell {
  std::weak_ptr<buffer_impl> of;        // of a placeholder, which the buffer keeps
  std::shared_ptr<buffer_impl> buffer;  // nullptr: this is a placeholder
  bool reads, writes;
  std::size_t first;      // byte
  char *place = nullptr;  // in a host task
  bool is_array = false;  // of an image: an array of those of an axis less
};
// Whether this is a placeholder of a buffer that is there. It is not looked at.
bool is_known_placeholder(const buffer_cell *);
struct local_cell {
  std::size_t bytes;
};

struct buffer_impl : std::enable_shared_from_this<buffer_impl> {
  struct copy {
    std::shared_ptr<context_impl> context;
    cl_mem memory;
    bool is_valid;
    std::map<std::size_t, cl_mem> parts;  // from a byte on
    bool is_array = false;                // of an image, which OpenCL has as one kind of object or another
  };
  std::size_t bytes = 0;
  std::optional<image_shape> shape;  // of an image
  char *host = nullptr;              // the copy in host memory
  std::vector<char> own;             // it, unless it is the user's
  bool is_host_valid = true, is_users = false, writes_back = true;
  bool is_unwritten = false;         // nobody has written it, and kernels are checked: devices do not get its zeros
  std::mutex *users_lock = nullptr;  // property::buffer::use_mutex
  std::shared_ptr<const void> kept;
  std::function<void(const void *)> final_data;
  std::vector<copy> copies;
  std::deque<buffer_cell> placeholders;
  // Since the last write, of commands that may not be with OpenCL yet.
  std::vector<std::shared_ptr<event_impl>> writers, readers;
  // The last write that is with OpenCL. It is no event_impl, which would keep its queue.
  cl_event written = nullptr;
  std::shared_ptr<context_impl> written_in;
  device_impl *written_by = nullptr;
  cl_mem native = nullptr;                       // the first of the copies: it was there before the buffer
  bool is_of_one_command = false;                // nobody else can use it
  bool written_natively = false;                 // a host task has got the memory object, to write
  unsigned open_to_read = 0, open_to_write = 0;  // host_accessors

  buffer_impl() = default;
  buffer_impl(const buffer_impl &) = delete;
  buffer_impl &operator=(const buffer_impl &) = delete;
  ~buffer_impl();
  // For all that uses it. The lock is not held.
  void wait();
  // The contents come to host memory.
  void bring_to_host();
  void note_write(queue_impl &, cl_event, bool is_array = false);
  // The host writes: what others have is old.
  void take_for_host();
  // An OpenCL memory object of the context becomes the first of the copies, and has the contents.
  void be_of(cl_mem, const context &, const event &available);
  // The contents go to an OpenCL memory object that the buffer is of.
  void bring_to_native();
  // The memory in a context, with the contents if they are wanted; from a byte on.
  cl_mem bring_to(queue_impl &, bool reads, std::size_t first, bool is_array = false);

 private:
  // Between a copy and that in host memory, until it is done.
  void move(cl_command_queue, const copy &, bool is_to_host);
};

// OpenCL's image (image.cpp).
cl_mem make_native_image(cl_context, const image_shape &, bool is_array);
void move_image(cl_command_queue, cl_mem, const image_shape &, bool is_array, char *host, bool is_to_host);

// ---- command groups

struct command {
  const std::shared_ptr<queue_impl> queue_kept;
  queue_impl &queue;
  code_location at;
  std::vector<std::shared_ptr<event_impl>> after;
  std::deque<buffer_cell> buffers;
  std::deque<local_cell> locals;
  std::vector<const buffer_cell *> required;  // placeholders
  enum { nothing, kernel, copy, fill, barrier, host } kind = nothing;
  std::shared_ptr<event_impl> event;
  std::function<void()> behind;  // done when it has ended
  specializations constants;

  // kernel; or one of OpenCL's, with its arguments
  std::shared_ptr<kernel_impl> native;
  std::shared_ptr<kernel_bundle_impl> bundle;  // nullptr: of any
  struct native_argument {
    std::vector<char> value;  // bytes, unless it is one of these
    bool is_pointer = false;
    const buffer_cell *buffer = nullptr;
    const local_cell *local = nullptr;
  };
  std::map<unsigned, native_argument> arguments;
  std::vector<cl_mem> of_arguments;  // until the kernel is with OpenCL
  const char *name = nullptr, *kinds = nullptr;
  mutable const kernel_record *found = nullptr;  // by its name, once it is asked for
  std::vector<std::uint64_t> words;
  std::vector<const buffer_cell *> buffer_arguments;
  std::vector<const local_cell *> local_arguments;
  std::vector<const buffer_cell *> image_arguments;
  launch_range range{};
  // What a variable gets ahead of it, in unified shared memory or in a buffer.
  struct early_fill {
    const void *variable;
    const buffer_cell *cell;
    std::vector<char> value;
  };
  std::vector<early_fill> fills;

  // copy, fill
  void *to = nullptr;
  const void *from = nullptr;
  std::size_t bytes = 0;
  std::vector<char> pattern;

  // host
  std::function<void()> function;

  command(const std::shared_ptr<queue_impl> &q, code_location a) : queue_kept(q), queue(*q), at(a) {}
  void take(decltype(kind) k);
  // To OpenCL at once where that can be, else when it can. Throws what is wrong with it if it is at once.
  std::shared_ptr<event_impl> submit(const std::shared_ptr<command> &self);
  // Whether nothing of the host has to come first.
  bool is_ready() const;
  void enqueue();
  // Of a kernel; nullptr: it is OpenCL's. Throws where there is none.
  const kernel_record *record() const;
  // Whether it is a kernel that has pipes.
  bool has_pipes() const;
  // The contents of its buffers go to the device.
  void bring_buffers();
  // What is a host task; the lock is let go while the user's function runs.
  void run_on_host(std::unique_lock<std::recursive_mutex> &);

 private:
  std::vector<cl_event> wait_list(bool for_host) const;
  void find_dependencies();
  void register_in_buffers();
  bool waits_for_held() const;
  const buffer_cell &cell_of(const buffer_cell *argument, const std::string &where) const;
  cl_event enqueue_kernel();
  void set_captures(cl_kernel, const std::string &where);
  void set_arguments(cl_kernel, const std::string &where);
  void fail_too_large(cl_kernel, bool is_demanded, const std::string &where) const;
  void fail_no_local_memory(cl_kernel, const std::string &where) const;
  void enqueue_early_fill(const early_fill &, const std::vector<cl_event> &waits);
  cl_event enqueue_copy();
  cl_event enqueue_fill();
  cl_event enqueue_barrier();
  // Of a pointer to unified shared memory of the queue's device, its address there.
  std::uint64_t address_of(std::uint64_t pointer, const std::string &what) const;
  void check_work_group(const kernel_record &, const std::string &where);
  void choose_work_group(cl_kernel);
};

}  // namespace sycl::detail

#endif
