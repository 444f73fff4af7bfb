// SPDX-License-Identifier: Apache-2.0
// OpenCL's objects behind those of SYCL: SYCL 2020, section 4.5.1, and its OpenCL backend. Who gets one owns a
// reference to it. The program includes OpenCL's headers itself.
#ifndef HEDDLE_SYCL_BACKEND_HPP
#define HEDDLE_SYCL_BACKEND_HPP

#include "buffer.hpp"
#include "image.hpp"
#include "kernel.hpp"
#include "queue.hpp"

// As <CL/cl.h> declares them.
typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_event *cl_event;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_program *cl_program;
typedef struct _cl_mem *cl_mem;

#define SYCL_BACKEND_OPENCL 1

namespace sycl {

namespace opencl {
// OpenCL's error codes, by their numbers in CL/cl.h.
enum class errc : int {};
inline bool has_extension(const platform &p, const std::string &extension) {
  return p.has_extension(extension);
}
inline bool has_extension(const device &d, const std::string &extension) {
  return d.has_extension(extension);
}
}  // namespace opencl

template <backend Backend>
class backend_traits;
template <>
class backend_traits<backend::opencl> {
  template <typename T>
  struct native;

 public:
  using errc = opencl::errc;
  template <typename T>
  using return_type = typename native<T>::type;
  template <typename T>
  using input_type = typename native<T>::input;
};
#define HEDDLE_NATIVE(name, native_type)                 \
  template <>                                            \
  struct backend_traits<backend::opencl>::native<name> { \
    using type = native_type;                            \
    using input = native_type;                           \
  };
HEDDLE_NATIVE(sycl::platform, cl_platform_id)
HEDDLE_NATIVE(sycl::device, cl_device_id)
HEDDLE_NATIVE(sycl::context, cl_context)
HEDDLE_NATIVE(sycl::queue, cl_command_queue)
HEDDLE_NATIVE(sycl::event, std::vector<cl_event>)
HEDDLE_NATIVE(sycl::kernel, cl_kernel)
#undef HEDDLE_NATIVE
template <typename T, int D, typename Allocator>
struct backend_traits<backend::opencl>::native<sycl::buffer<T, D, Allocator>> {
  using type = std::vector<cl_mem>;
  using input = cl_mem;
};
template <int D, typename Allocator>
struct backend_traits<backend::opencl>::native<sycl::unsampled_image<D, Allocator>> {
  using type = std::vector<cl_mem>;
  using input = cl_mem;
};
template <int D, typename Allocator>
struct backend_traits<backend::opencl>::native<sycl::sampled_image<D, Allocator>> {
  using type = std::vector<cl_mem>;
  using input = std::pair<cl_mem, image_sampler>;
};
template <bundle_state State>
struct backend_traits<backend::opencl>::native<sycl::kernel_bundle<State>> {
  using type = std::vector<cl_program>;
  using input = cl_program;
};
template <backend Backend, typename T>
using backend_return_t = typename backend_traits<Backend>::template return_type<T>;
template <backend Backend, typename T>
using backend_input_t = typename backend_traits<Backend>::template input_type<T>;
template <backend Backend>
using errc_for = typename backend_traits<Backend>::errc;
// Of the backend's own error codes, which are of the type errc_for.
template <backend Backend>
const std::error_category &error_category_for() noexcept;
template <>
const std::error_category &error_category_for<backend::opencl>() noexcept;
namespace opencl {
inline std::error_code make_error_code(errc code) noexcept {
  return {static_cast<int>(code), error_category_for<backend::opencl>()};
}
}  // namespace opencl

namespace detail {
cl_platform_id native_of(const sycl::platform &);
cl_device_id native_of(const sycl::device &);
cl_context native_of(const sycl::context &);
// Commands that wait for the host are waited for first.
cl_command_queue native_of(const sycl::queue &);
std::vector<cl_event> native_of(const sycl::event &);
// On the context's first device.
cl_kernel native_of(const sycl::kernel &);
// Of each context that the buffer has been used in, when the commands that use it have ended.
std::vector<cl_mem> native_of(buffer_impl &);
template <typename T, int D, typename Allocator>
std::vector<cl_mem> native_of(const sycl::buffer<T, D, Allocator> &b) {
  return native_of(*b.impl());
}
template <int D, typename Allocator>
std::vector<cl_mem> native_of(const image_base<D, Allocator> &image) {
  return native_of(*image.impl());
}
// Those of make_kernel_bundle, and those of the program's own kernels for the bundle's devices.
std::vector<cl_program> native_of(const kernel_bundle_impl &);
template <bundle_state State>
std::vector<cl_program> native_of(const sycl::kernel_bundle<State> &b) {
  return native_of(*b.impl());
}
// In a host task.
cl_mem native_memory(const sycl::queue &, const buffer_cell *);
cl_command_queue borrow(const sycl::queue &);
cl_device_id borrow(const sycl::device &);
cl_context borrow(const sycl::context &);
}  // namespace detail

template <backend Backend, typename T>
backend_return_t<Backend, T> get_native(const T &object) {
  return detail::native_of(object);
}

// Throw errc::invalid for what is not Heddle's.
template <backend Backend>
platform make_platform(cl_platform_id);
template <>
platform make_platform<backend::opencl>(cl_platform_id);
template <backend Backend>
device make_device(cl_device_id);
template <>
device make_device<backend::opencl>(cl_device_id);

template <backend Backend>
auto interop_handle::get_native_queue() const {
  static_assert(Backend == backend::opencl);
  return detail::borrow(queue(queue_));
}
template <backend Backend>
auto interop_handle::get_native_device() const {
  static_assert(Backend == backend::opencl);
  return detail::borrow(queue(queue_).get_device());
}
template <backend Backend>
auto interop_handle::get_native_context() const {
  static_assert(Backend == backend::opencl);
  return detail::borrow(queue(queue_).get_context());
}
template <backend Backend, typename T, int D, access_mode Mode, target Target, access::placeholder P>
auto interop_handle::get_native_mem(const accessor<T, D, Mode, Target, P> &a) const {
  static_assert(Backend == backend::opencl);
  return std::vector<cl_mem>{detail::native_memory(queue(queue_), a.cell())};
}
template <backend Backend, typename T, int D, access_mode Mode, image_target Target>
auto interop_handle::get_native_mem(const unsampled_image_accessor<T, D, Mode, Target> &a) const {
  static_assert(Backend == backend::opencl);
  return std::vector<cl_mem>{detail::native_memory(queue(queue_), a.access().host_cell())};
}
template <backend Backend, typename T, int D, image_target Target>
auto interop_handle::get_native_mem(const sampled_image_accessor<T, D, Target> &a) const {
  static_assert(Backend == backend::opencl);
  return std::vector<cl_mem>{detail::native_memory(queue(queue_), a.access().host_cell())};
}

namespace detail {
kernel make_kernel(cl_kernel, const context &);
std::shared_ptr<kernel_bundle_impl> make_kernel_bundle(cl_program, const context &, bundle_state);
event make_event(const std::vector<cl_event> &, const context &);
context make_context(cl_context, const async_handler &);
queue make_queue(cl_command_queue, const context &, const async_handler &);
std::size_t size_of_memory(cl_mem);
std::shared_ptr<buffer_impl> make_buffer(cl_mem, const context &, const event &);
std::shared_ptr<buffer_impl> make_image(cl_mem, int axes, const context &, const event &);
}  // namespace detail

// The object's reference is counted: the program keeps its own. Of a context every device is Heddle's.
template <backend Backend, typename = std::enable_if_t<Backend == backend::opencl>>
context make_context(cl_context native, const async_handler &handler = {}) {
  return detail::make_context(native, handler);
}
// A queue that is in order, of the context.
template <backend Backend, typename = std::enable_if_t<Backend == backend::opencl>>
queue make_queue(cl_command_queue native, const context &c, const async_handler &handler = {}) {
  return detail::make_queue(native, c, handler);
}
// Complete when all of them are, which are of the context.
template <backend Backend, typename = std::enable_if_t<Backend == backend::opencl>>
event make_event(const std::vector<cl_event> &natives, const context &c) {
  return detail::make_event(natives, c);
}
// Of the context, with any arguments: handler::set_arg sets those.
template <backend Backend, typename = std::enable_if_t<Backend == backend::opencl>>
kernel make_kernel(cl_kernel native, const context &c) {
  return detail::make_kernel(native, c);
}
// Of the context. A program that is source, or compiled, is compiled and linked as far as the state asks for; one that
// is further than that is errc::invalid, and one that does not compile errc::build. Its kernels are made by OpenCL, of
// get_native's program, and by make_kernel.
template <backend Backend, bundle_state State, typename = std::enable_if_t<Backend == backend::opencl>>
kernel_bundle<State> make_kernel_bundle(cl_program native, const context &c) {
  return kernel_bundle<State>(c, c.get_devices(), detail::make_kernel_bundle(native, c, State));
}
// The memory object has what kernels write, and what the host writes when the buffer is gone. `available`: what has
// to end before its contents are read.
template <backend Backend, typename T, int D = 1, typename Allocator = buffer_allocator<std::remove_const_t<T>>,
          typename = std::enable_if_t<Backend == backend::opencl>>
buffer<T, D, Allocator> make_buffer(cl_mem native, const context &c, const event &available = {}) {
  static_assert(D == 1, "a buffer of an OpenCL memory object has one dimension");
  return buffer<T, D, Allocator>(range<1>(detail::size_of_memory(native) / sizeof(T)), 0, false,
                                 std::make_shared<detail::buffer_owner>(detail::make_buffer(native, c, available)));
}
// The same of images. An array of images is none of these.
template <backend Backend, int D = 1, typename Allocator = image_allocator,
          typename = std::enable_if_t<Backend == backend::opencl>>
unsampled_image<D, Allocator> make_unsampled_image(cl_mem native, const context &c, const event &available = {}) {
  return unsampled_image<D, Allocator>(
      std::make_shared<detail::buffer_owner>(detail::make_image(native, D, c, available)));
}
template <backend Backend, int D = 1, typename Allocator = image_allocator,
          typename = std::enable_if_t<Backend == backend::opencl>>
sampled_image<D, Allocator> make_sampled_image(cl_mem native, const image_sampler &sampler, const context &c,
                                               const event &available = {}) {
  return sampled_image<D, Allocator>(
      std::make_shared<detail::buffer_owner>(detail::make_image(native, D, c, available)), sampler);
}
template <backend Backend, int D = 1, typename Allocator = image_allocator,
          typename = std::enable_if_t<Backend == backend::opencl>>
sampled_image<D, Allocator> make_sampled_image(const std::pair<cl_mem, image_sampler> &native, const context &c,
                                               const event &available = {}) {
  return make_sampled_image<Backend, D, Allocator>(native.first, native.second, c, available);
}

}  // namespace sycl

template <>
struct std::is_error_code_enum<sycl::opencl::errc> : std::true_type {};

#endif
