// SPDX-License-Identifier: Apache-2.0
// handler: SYCL 2020, section 4.9.4. What starts a kernel is here: the device pass makes its entry, the host pass
// writes down what it captures.
#ifndef HEDDLE_SYCL_HANDLER_HPP
#define HEDDLE_SYCL_HANDLER_HPP

#include "buffer.hpp"
#include "detail/kernel_name.hpp"
#include "event.hpp"
#include "h_item.hpp"
#include "kernel_handler.hpp"
#include "nd_item.hpp"
#include "stream.hpp"

namespace sycl {

class queue;

namespace detail {

struct command;
struct kernel_impl;
struct kernel_bundle_impl;
struct queue_impl;

// Where a program submits something, for messages.
struct code_location {
  const char *file;
  unsigned line;
  static constexpr code_location current(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {file, line};
  }
};

// A range of any number of dimensions, fastest first as OpenCL has it. No local size: the device chooses. Of a
// hierarchical kernel the range may be of work-groups.
struct launch_range {
  unsigned dimensions;
  bool has_local;
  std::size_t global[3], local[3], offset[3];
  bool counts_groups = false;
  bool is_single_task = false;
};

// One kernel with what it captured.
struct launch {
  const char *name;            // detail/kernel_name.hpp
  const char *kinds;           // of the words
  const std::uint64_t *words;  // leaves, in order
  unsigned word_count;
  const void *const *buffers;  // buffer_cell, in order
  unsigned buffer_count;
  const void *const *locals;  // local_cell, in order
  unsigned local_count;
  const void *const *images;  // buffer_cell, in order
  unsigned image_count;
  launch_range range;
};

// How a kernel is called: with nothing, an item, an id or an nd_item.
template <int D>
struct call_with_item {
  static constexpr int dimensions = D;
};
template <int D>
struct call_with_offset_item {
  static constexpr int dimensions = D;
};
template <int D>
struct call_with_nd_item {
  static constexpr int dimensions = D;
};
template <int D>
struct call_with_group {
  static constexpr int dimensions = D;
};
struct call_with_nothing {
  static constexpr int dimensions = 1;
};

// Kernels that get reducers (reduction.hpp).
template <typename F>
struct is_reduction_kernel : std::false_type {};
// A kernel is called with a variable, which it may take by reference: `auto &i`.
// Whether a function takes a kernel_handler behind what it is called with.
template <typename F, typename How>
struct takes_handler : std::false_type {};
template <typename F>
struct takes_handler<F, call_with_nothing> : std::is_invocable<const F &, kernel_handler> {};
template <typename F, int D>
struct takes_handler<F, call_with_nd_item<D>> : std::is_invocable<const F &, nd_item<D> &, kernel_handler> {};
template <typename F, int D>
struct takes_handler<F, call_with_group<D>> : std::is_invocable<const F &, group<D> &, kernel_handler> {};
template <typename F, int D>
struct takes_handler<F, call_with_item<D>>
    : std::disjunction<std::is_invocable<const F &, item<D, true> &, kernel_handler>,
                       std::is_invocable<const F &, item<D, false> &, kernel_handler>> {};
template <typename F, int D>
struct takes_handler<F, call_with_offset_item<D>> : takes_handler<F, call_with_item<D>> {};
template <typename F, typename... Reductions>
struct reduction_kernel;
// Whether the user's function takes what says the work-item, and reducers.
template <typename F, typename How, typename... Reducers>
struct takes_reducers;
template <typename F, int D, typename... Reducers>
struct takes_reducers<F, call_with_nd_item<D>, Reducers...> : std::is_invocable<F, nd_item<D>, Reducers...> {};
template <typename F, int D, typename... Reducers>
struct takes_reducers<F, call_with_item<D>, Reducers...>
    : std::disjunction<std::is_invocable<F, item<D, true>, Reducers...>,
                       std::is_invocable<F, item<D, false>, Reducers...>, std::is_invocable<F, id<D>, Reducers...>> {};
template <typename F, int D, typename... Reducers>
struct takes_reducers<F, call_with_offset_item<D>, Reducers...> : takes_reducers<F, call_with_item<D>, Reducers...> {};
// Whether a function can be called so.
template <typename F, typename How>
struct is_called : std::is_invocable<F &> {};
template <typename F, int D>
struct is_called<F, call_with_nd_item<D>>
    : std::disjunction<is_reduction_kernel<F>, std::is_invocable<F &, nd_item<D> &>> {};
template <typename F, int D>
struct is_called<F, call_with_group<D>> : std::is_invocable<F &, group<D> &> {};
template <typename F, int D>
struct is_called<F, call_with_item<D>>
    : std::disjunction<is_reduction_kernel<F>, std::is_invocable<F &, item<D, true> &>,
                       std::is_invocable<F &, item<D, false> &>, std::is_invocable<F &, id<D> &>> {};
template <typename F, int D>
struct is_called<F, call_with_offset_item<D>> : is_called<F, call_with_item<D>> {};

#ifdef __SYCL_DEVICE_ONLY__

// heddle-sycl++ looks at its callee for attributes, and takes its line for the kernel's.
template <typename F, typename... Arguments>
HEDDLE_INLINE void user_kernel(F &closure, Arguments... arguments) {
  closure(arguments...);
}

// The same with arguments that are references: an item and reducers.
template <typename F, typename Item, typename... Reducers>
HEDDLE_INLINE void user_kernel_with(const F &closure, const Item &item, Reducers &...reducers) {
  closure(item, reducers...);
}
template <typename Kernel, typename Item, typename Group>
HEDDLE_INLINE void run_with_reducers(Kernel &kernel, const Item &item, const Group &group);

struct kernel_maker {
  template <typename F>
  static HEDDLE_INLINE void call(F &closure, call_with_nothing) {
    user_kernel(closure);
  }
  template <typename F, int D>
  static HEDDLE_INLINE void call(F &closure, call_with_nd_item<D>) {
    if constexpr (is_reduction_kernel<F>::value)
      run_with_reducers(closure, nd_item<D>(), nd_item<D>().get_group());
    else
      user_kernel(closure, nd_item<D>());
  }
  template <typename F, int D>
  static HEDDLE_INLINE void call(F &closure, call_with_group<D>) {
    const group<D> g;
    device::group_scope_begin(g.leader());
    user_kernel(closure, g);
    device::group_scope_end();
  }
  template <typename F, int D>
  static HEDDLE_INLINE void call(F &closure, call_with_item<D>) {
    call_at(closure, id<D>());
  }
  template <typename F, int D>
  static HEDDLE_INLINE void call(F &closure, call_with_offset_item<D>) {
    call_at(closure, numbers_of<id<D>>([](std::uint32_t i)
                                           __attribute__((always_inline)) { return device::get_global_offset(i); }));
  }

 private:
  // With the first that the function takes.
  template <typename F, int D>
  static HEDDLE_INLINE void call_at(F &closure, const id<D> &offset) {
    const item<D, true> with_offset(offset);
    const item<D, false> without(offset);
    if constexpr (is_reduction_kernel<F>::value)
      run_with_reducers(closure, with_offset, nd_item<D>().get_group());
    else if constexpr (std::is_invocable_v<F &, item<D, true> &>)
      user_kernel(closure, with_offset);
    else if constexpr (std::is_invocable_v<F &, item<D, false> &>)
      user_kernel(closure, without);
    else
      user_kernel(closure, with_offset.get_id());
  }
};

template <typename F, typename How>
HEDDLE_INLINE void run_kernel(const std::uint64_t *words, char HEDDLE_GLOBAL *const *buffers,
                              char HEDDLE_LOCAL *const *locals, const image_pointer *images) {
  closure_room<F> room;
  leaf_reader reader{words, buffers, locals, images};
  walk(reader, room.closure);
  kernel_maker::call(room.closure, How());
  give_streams(room.closure);
}

// The arguments of an entry: a number for each word, pointers and images. Nobody writes to numbers while the kernel
// runs, and the compiler knows: each is read where it is needed.
template <std::size_t>
using word_argument = std::uint64_t;
template <std::size_t>
using global_argument = char HEDDLE_GLOBAL *;
template <std::size_t>
using local_argument = char HEDDLE_LOCAL *;
template <std::size_t>
using image_argument = image_pointer;

template <typename F, typename How, typename Words, typename Buffers, typename Locals, typename Images>
struct entry;
template <typename F, typename How, std::size_t... W, std::size_t... B, std::size_t... L, std::size_t... Kinds>
struct entry<F, How, std::index_sequence<W...>, std::index_sequence<B...>, std::index_sequence<L...>,
             std::index_sequence<Kinds...>> {
  static HEDDLE_INLINE void run(word_argument<W>... words, global_argument<B>... buffers, local_argument<L>... locals,
                                image_argument<Kinds>... images) {
    (device::image_argument(images, Kinds), ...);
    const std::uint64_t all_words[] = {words..., 0};
    char HEDDLE_GLOBAL *all_buffers[] = {buffers..., nullptr};
    char HEDDLE_LOCAL *all_locals[] = {locals..., nullptr};
    const image_pointer all_images[] = {images..., nullptr};
    run_kernel<F, How>(all_words, all_buffers, all_locals, all_images);
  }
  // Of the body clang 22 understands expressions only, so it is one.
  template <typename Letters>
  [[clang::sycl_kernel_entry_point(Letters)]] static void start(word_argument<W>... words,
                                                                global_argument<B>... buffers,
                                                                local_argument<L>... locals,
                                                                image_argument<Kinds>... images) {
    run(words..., buffers..., locals..., images...);
  }
  template <typename Letters>
  static void make() {
    start<Letters>(word_argument<W>()..., static_cast<global_argument<B>>(nullptr)...,
                   static_cast<local_argument<L>>(nullptr)..., static_cast<image_argument<Kinds>>(nullptr)...);
  }
};

#endif

// What kernels capture goes to the device leaf by leaf, which is a copy only where copying and destroying does nothing.
template <typename F>
constexpr bool check_leaves() {
  if constexpr (std::is_trivially_destructible_v<F>) {
    static_assert(!has_bit_fields<F>,
                  "a kernel cannot capture a structure with bit-fields; in a buffer or shared memory it is the same on "
                  "both sides");
    static_assert(has_bit_fields<F> || has_leaves<F>,
                  "a kernel captures a reference, which is to memory of the host (capture by value, with [=]), or "
                  "something else that another error names");
    return !has_bit_fields<F> && has_leaves<F>;
  } else {
    return false;
  }
}

// The elements of an accessor in the host's copy of the buffer, in a host task.
template <typename T, int D>
class host_elements {
 public:
  template <access_mode Mode, target Target, access::placeholder P>
  explicit host_elements(const accessor<T, D, Mode, Target, P> &of)
      : cell_(of.cell()), part_(of.get_range()), whole_(of.whole_range()) {}
  std::size_t size() const {
    return part_.size();
  }
  T &operator[](std::size_t n) const {
    id<D> index;
    for (int i = D - 1; i >= 0; i--) {
      index[i] = i == 0 ? n : n % part_[i];
      n /= part_[i];
    }
    return static_cast<T *>(place_on_host(cell_))[linear(index, whole_)];
  }

 private:
  const buffer_cell *cell_;
  range<D> part_, whole_;
};

template <typename T>
class host_elements<T, 0> {
 public:
  template <access_mode Mode, target Target, access::placeholder P>
  explicit host_elements(const accessor<T, 0, Mode, Target, P> &of) : cell_(of.cell()) {}
  std::size_t size() const {
    return 1;
  }
  T &operator[](std::size_t) const {
    return *static_cast<T *>(place_on_host(cell_));
  }

 private:
  const buffer_cell *cell_;
};

}  // namespace detail

class kernel;
enum class bundle_state;
template <bundle_state State>
class kernel_bundle;
template <backend Backend>
class backend_traits;
enum class image_target;
template <typename T, int D, access_mode Mode, image_target Target>
class unsampled_image_accessor;
template <typename T, int D, image_target Target>
class sampled_image_accessor;

// What a host task may be called with: OpenCL's objects of the queue that it was submitted to. They are the queue's;
// the task does not release them. The members are in backend.hpp.
class interop_handle {
 public:
  backend get_backend() const noexcept {
    return backend::opencl;
  }
  template <backend Backend>
  auto get_native_queue() const;
  template <backend Backend>
  auto get_native_device() const;
  template <backend Backend>
  auto get_native_context() const;
  // The buffer's memory on the device, from the accessor's first byte on. Commands that the task gives to the native
  // queue are waited for when it has ended.
  template <backend Backend, typename T, int D, access_mode Mode, target Target, access::placeholder P>
  auto get_native_mem(const accessor<T, D, Mode, Target, P> &) const;
  // The same of an image.
  template <backend Backend, typename T, int D, access_mode Mode, image_target Target>
  auto get_native_mem(const unsampled_image_accessor<T, D, Mode, Target> &) const;
  template <backend Backend, typename T, int D, image_target Target>
  auto get_native_mem(const sampled_image_accessor<T, D, Target> &) const;
  explicit interop_handle(std::shared_ptr<detail::queue_impl> q) : queue_(std::move(q)) {}  // for the runtime only

 private:
  std::shared_ptr<detail::queue_impl> queue_;
};

class handler {
 public:
  void depends_on(const event &);
  void depends_on(const std::vector<event> &);

  template <typename Name = void, typename F>
  void single_task(const F &f) {
    detail::launch_range once{1, true, {1, 1, 1}, {1, 1, 1}, {}};
    once.is_single_task = true;
    start<Name, detail::call_with_nothing>(f, once);
  }
  // Behind the range come reductions, if any, and the function, which gets an item, id or number and a reducer for
  // each. Ranges are no template parameters, so that numbers and lists of numbers convert.
#define HEDDLE_PARALLEL_FOR(D)                                                                     \
  template <typename Name = void, typename... Rest>                                                \
  void parallel_for(range<D> r, const Rest &...rest) {                                             \
    of_range<Name, detail::call_with_item<D>>(make_range(r, range<D>(), id<D>(), false), rest...); \
  }                                                                                                \
  template <typename Name = void, typename F>                                                      \
  void parallel_for(range<D> r, id<D> offset, const F &f) {                                        \
    start<Name, detail::call_with_offset_item<D>>(f, make_range(r, range<D>(), offset, false));    \
  }
  HEDDLE_PARALLEL_FOR(1)
  HEDDLE_PARALLEL_FOR(2)
  HEDDLE_PARALLEL_FOR(3)
#undef HEDDLE_PARALLEL_FOR
  template <typename Name = void, int D, typename... Rest>
  void parallel_for(nd_range<D> r, const Rest &...rest) {
    of_range<Name, detail::call_with_nd_item<D>>(
        make_range(r.get_global_range(), r.get_local_range(), r.get_offset(), true), rest...);
  }

  void memcpy(void *to, const void *from, std::size_t bytes);
  void memset(void *to, int value, std::size_t bytes);
  template <typename T>
  void copy(const T *from, T *to, std::size_t count) {
    memcpy(to, from, count * sizeof(T));
  }
  template <typename T>
  void fill(void *to, const T &pattern, std::size_t count) {
    static_assert(is_device_copyable_v<T>, "a pattern is copied by its bytes");
    fill_bytes(to, &pattern, sizeof pattern, count);
  }

  // The command group's kernel is one of these: another is errc::kernel_not_supported.
  template <bundle_state State>
  void use_kernel_bundle(const kernel_bundle<State> &bundle) {
    use_bundle(bundle.impl());
  }

  // Ahead of the kernel.
  template <auto &Id>
  void set_specialization_constant(typename std::remove_reference_t<decltype(Id)>::value_type value) {
    specialize(detail::specialization_hash<Id>, &value, sizeof value);
  }
  template <auto &Id>
  typename std::remove_reference_t<decltype(Id)>::value_type get_specialization_constant() const {
    detail::room_of<typename std::remove_reference_t<decltype(Id)>::value_type> room;
    return is_specialized(detail::specialization_hash<Id>, &room.value, sizeof room.value) ? room.value
                                                                                           : Id.default_value();
  }

  // Of a kernel that was made of OpenCL's (make_kernel): its arguments, numbered from 0.
  template <typename T, int D, access_mode Mode, target Target, access::placeholder P>
  void set_arg(int index, const accessor<T, D, Mode, Target, P> &a) {
    if constexpr (Target == target::local)
      set_cell(index, nullptr, a.cell());
    else
      set_cell(index, a.cell(), nullptr);
  }
  template <typename T, int D>
  void set_arg(int index, const local_accessor<T, D> &a) {
    set_cell(index, nullptr, a.cell());
  }
  template <typename T>
  void set_arg(int index, const T &value) {
    static_assert(is_device_copyable_v<T>, "an argument is copied by its bytes");
    set_bytes(index, &value, sizeof value, std::is_pointer_v<T>);
  }
  template <typename... T>
  void set_args(const T &...values) {
    int index = 0;
    (set_arg(index++, values), ...);
  }

  // Hierarchical kernels. The first work-item of each work-group runs the work-group's code. Without a local range the
  // work-groups are as large as suits the device.
  template <typename Name = void, int D, typename F>
  void parallel_for_work_group(range<D> groups, const F &f) {
    detail::launch_range range = make_range(groups, groups, id<D>(), false);
    range.counts_groups = true;
    start<Name, detail::call_with_group<D>>(f, range);
  }
  template <typename Name = void, int D, typename F>
  void parallel_for_work_group(range<D> groups, range<D> local, const F &f) {
    start<Name, detail::call_with_group<D>>(f, make_range(groups * local, local, id<D>(), true));
  }

  // Accessors that are placeholders, or of SYCL 1.2.1's kind, are told to the command group.
  template <typename T, int D, access_mode Mode, target Target, access::placeholder P>
  void require(const accessor<T, D, Mode, Target, P> &a) {
    detail::require(*this, a.cell());
  }

  // Runs in the host when what it needs has ended. Its accessors are those of target::host_task.
  template <typename F>
  void host_task(const F &f) {
#ifndef __SYCL_DEVICE_ONLY__
    if constexpr (std::is_invocable_v<F &, interop_handle>)
      run_on_host([f, q = command_queue()]() mutable { f(interop_handle(q)); });
    else
      run_on_host([f]() mutable { f(); });
#else
    (void)f;
#endif
  }

  // Elements of buffers move through the host's copy. What is copied to has at least as many elements.
  template <typename T, int D, access_mode Mode, target Target, access::placeholder P, typename U>
  void copy(const accessor<T, D, Mode, Target, P> &from, U *to) {
    on_elements(from, [to](std::size_t i, T &element) { to[i] = element; });
  }
  template <typename T, int D, access_mode Mode, target Target, access::placeholder P, typename U>
  void copy(const accessor<T, D, Mode, Target, P> &from, std::shared_ptr<U> to) {
    on_elements(from, [to](std::size_t i, T &element) { to.get()[i] = element; });
  }
  template <typename U, typename T, int D, access_mode Mode, target Target, access::placeholder P>
  void copy(const U *from, const accessor<T, D, Mode, Target, P> &to) {
    on_elements(to, [from](std::size_t i, T &element) { element = from[i]; });
  }
  template <typename U, typename T, int D, access_mode Mode, target Target, access::placeholder P>
  void copy(std::shared_ptr<U> from, const accessor<T, D, Mode, Target, P> &to) {
    on_elements(to, [from](std::size_t i, T &element) { element = from.get()[i]; });
  }
  template <typename T, int D, access_mode Mode, target Target, access::placeholder P, typename U, int E,
            access_mode OtherMode, target OtherTarget, access::placeholder OtherP>
  void copy(const accessor<T, D, Mode, Target, P> &from, const accessor<U, E, OtherMode, OtherTarget, OtherP> &to) {
    const detail::host_elements<T, D> elements(from);
    on_elements(to, [elements](std::size_t i, U &element) { element = elements[i]; });
  }
  template <typename T, int D, access_mode Mode, target Target, access::placeholder P, typename U>
  void fill(const accessor<T, D, Mode, Target, P> &to, const U &value) {
    const T pattern = value;
    on_elements(to, [pattern](std::size_t, T &element) { element = pattern; });
  }
  // The user's memory of the buffer gets what the device has.
  template <typename T, int D, access_mode Mode, target Target, access::placeholder P>
  void update_host(const accessor<T, D, Mode, Target, P> &a) {
    update_on_host(a.cell());
  }
  // Waits for events, or for all that the queue has before it.
  void ext_oneapi_barrier();
  void ext_oneapi_barrier(const std::vector<event> &after) {
    depends_on(after);
    ext_oneapi_barrier();
  }
  void prefetch(const void *, std::size_t) {  // there is no memory in between
    ext_oneapi_barrier();
  }
  void mem_advise(const void *, std::size_t, int) {
    ext_oneapi_barrier();
  }

  explicit handler(detail::command &c) : command(&c) {}
  detail::command *command;  // for the runtime only

 private:
  handler(const handler &) = delete;
  handler &operator=(const handler &) = delete;

  template <int D>
  static detail::launch_range make_range(range<D> global, range<D> local, id<D> offset, bool has_local) {
    detail::launch_range result{D, has_local, {1, 1, 1}, {1, 1, 1}, {}};
    for (int i = 0; i < D; i++)
      result.global[i] = global[D - 1 - i], result.local[i] = local[D - 1 - i], result.offset[i] = offset[D - 1 - i];
    return result;
  }

  template <typename Name, typename How, typename... Rest>
  void of_range(const detail::launch_range &range, const Rest &...rest) {
    static_assert(sizeof...(Rest) != 0, "parallel_for() needs a function");
    if constexpr (sizeof...(Rest) == 1)
      start<Name, How>(rest..., range);
    else
      reduce<Name, How>(range, std::make_index_sequence<sizeof...(Rest) - 1>(), std::tie(rest...));
  }

  // Of all: reductions and, last, the user's function. A kernel is called as the user calls it, or else as the user's
  // function is.
  template <typename Name, typename How, std::size_t... I, typename... All>
  void reduce(const detail::launch_range &range, std::index_sequence<I...>, const std::tuple<All &...> &all) {
    using F = std::remove_const_t<std::tuple_element_t<sizeof...(I), std::tuple<All...>>>;
    using kernel = detail::reduction_kernel<F, std::remove_const_t<std::tuple_element_t<I, std::tuple<All...>>>...>;
    constexpr bool takes_reducers = detail::takes_reducers<
        const F &, How,
        typename std::remove_const_t<std::tuple_element_t<I, std::tuple<All...>>>::reducer_type &...>::value;
    static_assert(takes_reducers,
                  "the function of a parallel_for() with reductions takes what says the work-item, and for each "
                  "reduction a reducer, by reference: [=](sycl::id<1> i, auto &sum) { ... }");
    if constexpr (takes_reducers)
      start_reduction<Name, How, F, kernel>(range, std::index_sequence<I...>(), all);
  }
  template <typename Name, typename How, typename F, typename kernel, std::size_t... I, typename... All>
  void start_reduction(const detail::launch_range &range, std::index_sequence<I...>, const std::tuple<All &...> &all) {
    start<std::conditional_t<std::is_void_v<Name>, F, Name>, How>(
        kernel{std::get<sizeof...(I)>(all), {std::get<I>(all)...}}, range);
#ifndef __SYCL_DEVICE_ONLY__
    (start_anew(std::get<I>(all)), ...);
#endif
  }
#ifndef __SYCL_DEVICE_ONLY__
  template <typename Reduction>
  void start_anew(const Reduction &each) {
    for (std::size_t i = 0; each.starts_anew && i < Reduction::count; i++)
      fill_before(each.place(i), &each.identity, sizeof each.identity);
  }
#endif
  // Ahead of the kernel the variable gets a value.
  void fill_before(const void *variable, const void *value, std::size_t bytes);
  void fill_before(const detail::buffer_cell *variable, const void *value, std::size_t bytes);

  template <typename Name, typename How, typename F>
  void start(const F &f, const detail::launch_range &range) {
    if constexpr (std::is_same_v<F, kernel>)
      launch(f.impl, range);
    else
      start_function<Name, How>(f, range);
  }

  template <typename Name, typename How, typename F>
  void start_function(const F &f, const detail::launch_range &range) {
    static_assert(std::is_trivially_destructible_v<F>,
                  "a kernel captures something that is not device copyable: it has a destructor");
    constexpr bool takes_handler = detail::takes_handler<F, How>::value;
    constexpr bool is_kernel = takes_handler || detail::is_called<F, How>::value;
    static_assert(is_kernel,
                  "a kernel over a range is called with an id or an item of its dimensions, one over an "
                  "nd_range with an nd_item, one of parallel_for_work_group with a group, and one of "
                  "single_task with nothing");
    if constexpr (!is_kernel)
      return;
    else if constexpr (takes_handler)
      start<std::conditional_t<std::is_void_v<Name>, F, Name>, How>(detail::handled_kernel<F>{f, specializations()},
                                                                    range);
    else if constexpr (detail::check_leaves<F>())
      start_closure<std::conditional_t<std::is_void_v<Name>, F, Name>, How>(f, range);
  }

  template <typename Named, typename How, typename F>
  void start_closure(const F &f, const detail::launch_range &range) {
    static_assert(!detail::kinds_of_leaves<F>().has_union,
                  "a kernel cannot capture a union: which of its members is to cross is not known");
    constexpr detail::leaf_count count = detail::count_leaves<F>();
#ifdef __SYCL_DEVICE_ONLY__
    (void)f, (void)range;
    detail::entry<F, How, std::make_index_sequence<count.words>, std::make_index_sequence<count.buffers>,
                  std::make_index_sequence<count.locals>,
                  detail::image_kinds_of<F>>::template make<detail::kernel_letters_of<Named, F>>();
#else
    static constexpr auto name = detail::make_kernel_name<Named, F>();
    static constexpr auto kinds = detail::kinds_of_leaves<F>();
    std::uint64_t words[count.words + 1];
    const void *buffers[count.buffers + 1], *locals[count.locals + 1], *images[count.images + 1];
    detail::leaf_writer writer{words, buffers, locals, images};
    detail::walk(writer, const_cast<F &>(f));
    launch({name.letters, kinds.kinds, words, count.words, buffers, count.buffers, locals, count.locals, images,
            count.images, range});
#endif
  }

  // The table of specialization constants, as a buffer of this command.
  const detail::buffer_cell *specializations();
  void specialize(std::uint64_t hash, const void *value, std::size_t bytes);
  bool is_specialized(std::uint64_t hash, void *value, std::size_t bytes) const;
  void run_on_host(std::function<void()>);
  void update_on_host(const detail::buffer_cell *);
  template <typename T, int D, access_mode Mode, target Target, access::placeholder P, typename F>
  void on_elements(const accessor<T, D, Mode, Target, P> &of, const F &f) {
    const detail::host_elements<T, D> elements(of);
    run_on_host([=] {
      for (std::size_t i = 0; i < elements.size(); i++)
        f(i, elements[i]);
    });
  }
  void launch(const detail::launch &);
  void launch(const std::shared_ptr<detail::kernel_impl> &, const detail::launch_range &);
  void use_bundle(const std::shared_ptr<detail::kernel_bundle_impl> &);
  void set_bytes(int index, const void *value, std::size_t bytes, bool is_pointer);
  void set_cell(int index, const detail::buffer_cell *buffer, const detail::local_cell *local);
  std::shared_ptr<detail::queue_impl> command_queue() const;
  void fill_bytes(void *to, const void *pattern, std::size_t pattern_bytes, std::size_t count);
};

}  // namespace sycl

#endif
