// SPDX-License-Identifier: Apache-2.0
// Exceptions, and words for OpenCL's error codes.
#include "host/sycl/runtime/impl.hpp"

namespace sycl {

namespace {

class category final : public std::error_category {
 public:
  const char *name() const noexcept override {
    return "sycl";
  }
  std::string message(int code) const override {
    static const char *const words[] = {
        "success",
        "runtime error",
        "error in a kernel",
        "invalid use of an accessor",
        "invalid nd_range",
        "error of an event",
        "invalid kernel argument",
        "the program cannot be built",
        "invalid use",
        "memory cannot be allocated",
        "no such platform",
        "no profiling information",
        "feature not supported by the device",
        "kernel not supported by the device",
        "backend mismatch",
    };
    return code >= 0 && code < static_cast<int>(std::size(words)) ? words[code] : "unknown error";
  }
};

class opencl_category final : public std::error_category {
 public:
  const char *name() const noexcept override {
    return "opencl";
  }
  std::string message(int code) const override {
    const char *name = detail::error_name(code);
    return name ? name : code == CL_SUCCESS ? "CL_SUCCESS" : "OpenCL error " + std::to_string(code);
  }
};

}  // namespace

const std::error_category &sycl_category() noexcept {
  static const category the;
  return the;
}

template <>
const std::error_category &error_category_for<backend::opencl>() noexcept {
  static const opencl_category the;
  return the;
}

exception::exception(std::error_code code, const std::string &what)
    : code_(code), what_(std::make_shared<std::string>(what)) {}
exception::exception(const context &c, std::error_code code, const std::string &what)
    : code_(code), what_(std::make_shared<std::string>(what)), context_(std::make_shared<context>(c)) {}

context exception::get_context() const {
  if (!context_)
    throw exception(errc::invalid, "this exception has no context");
  return *context_;
}

namespace detail {

std::recursive_mutex runtime_lock;
std::condition_variable_any changed;

const char *error_name(cl_int error) {
  static const std::map<cl_int, const char *> names = {
      {CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND"},
      {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
      {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
      {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
      {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
      {CL_PROFILING_INFO_NOT_AVAILABLE, "CL_PROFILING_INFO_NOT_AVAILABLE"},
      {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
      {CL_INVALID_VALUE, "CL_INVALID_VALUE"},
      {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
      {CL_INVALID_BINARY, "CL_INVALID_BINARY"},
      {CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS"},
      {CL_INVALID_WORK_DIMENSION, "CL_INVALID_WORK_DIMENSION"},
      {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
      {CL_INVALID_WORK_ITEM_SIZE, "CL_INVALID_WORK_ITEM_SIZE"},
      {CL_INVALID_GLOBAL_OFFSET, "CL_INVALID_GLOBAL_OFFSET"},
      {CL_INVALID_GLOBAL_WORK_SIZE, "CL_INVALID_GLOBAL_WORK_SIZE"},
  };
  const auto found = names.find(error);
  return found != names.end() ? found->second : nullptr;
}

namespace {

template <typename Class>
[[noreturn]] void fail_as(errc code, const std::string &what, cl_int native) {
  Class made(code, what);
  made.set_cl_code(native);
  throw made;
}

[[noreturn]] void fail_with(errc code, const std::string &what, cl_int native) {
  switch (code) {
    case errc::runtime:
      fail_as<runtime_error>(code, what, native);
    case errc::kernel:
      fail_as<kernel_error>(code, what, native);
    case errc::accessor:
      fail_as<accessor_error>(code, what, native);
    case errc::nd_range:
      fail_as<nd_range_error>(code, what, native);
    case errc::event:
      fail_as<event_error>(code, what, native);
    case errc::kernel_argument:
    case errc::invalid:
      fail_as<invalid_parameter_error>(code, what, native);
    case errc::build:
      fail_as<compile_program_error>(code, what, native);
    case errc::memory_allocation:
      fail_as<memory_allocation_error>(code, what, native);
    case errc::platform:
      fail_as<platform_error>(code, what, native);
    case errc::profiling:
      fail_as<profiling_error>(code, what, native);
    case errc::feature_not_supported:
    case errc::kernel_not_supported:
      fail_as<feature_not_supported>(code, what, native);
    default:
      fail_as<exception>(code, what, native);
  }
}

}  // namespace

void fail(errc code, const std::string &what) {
  fail_with(code, what, CL_SUCCESS);
}

void check(cl_int error, const std::string &what, errc code) {
  if (error != CL_SUCCESS) {
    const char *name = error_name(error);
    fail_with(code, what + ": " + (name ? name : "OpenCL error " + std::to_string(error)), error);
  }
}

std::string describe(const code_location &at) {
  return std::string(at.file) + ":" + std::to_string(at.line);
}

void not_on_host(const char *function) {
  fail(errc::invalid, std::string(function) + " was called outside of a kernel");
}

void element_not_on_host() {
  fail(errc::invalid,
       "an element or a pointer of an accessor was asked for outside of a kernel; a host_accessor has them there");
}

}  // namespace detail
}  // namespace sycl
