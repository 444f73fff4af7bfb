// SPDX-License-Identifier: Apache-2.0
// Errors: SYCL 2020, section 4.13.
#ifndef HEDDLE_SYCL_EXCEPTION_HPP
#define HEDDLE_SYCL_EXCEPTION_HPP

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "detail/defines.hpp"

namespace sycl {

class context;

enum class errc {
  success = 0,
  runtime = 1,
  kernel,
  accessor,
  nd_range,
  event,
  kernel_argument,
  build,
  invalid,
  memory_allocation,
  platform,
  profiling,
  feature_not_supported,
  kernel_not_supported,
  backend_mismatch
};

const std::error_category &sycl_category() noexcept;
inline std::error_code make_error_code(errc code) noexcept {
  return {static_cast<int>(code), sycl_category()};
}

class exception : public virtual std::exception {
 public:
  exception(std::error_code code, const std::string &what);
  exception(std::error_code code, const char *what) : exception(code, std::string(what)) {}
  exception(std::error_code code) : exception(code, code.message()) {}
  exception(const context &context, std::error_code code, const std::string &what);
  exception(const context &context, std::error_code code, const char *what)
      : exception(context, code, std::string(what)) {}
  exception(const context &context, std::error_code code) : exception(context, code, code.message()) {}
  // A code as a number of a category.
  exception(int code, const std::error_category &category, const std::string &what)
      : exception(std::error_code(code, category), what) {}
  exception(int code, const std::error_category &category, const char *what)
      : exception(std::error_code(code, category), what) {}
  exception(int code, const std::error_category &category) : exception(std::error_code(code, category)) {}
  exception(const context &context, int code, const std::error_category &category, const std::string &what)
      : exception(context, std::error_code(code, category), what) {}
  exception(const context &context, int code, const std::error_category &category, const char *what)
      : exception(context, std::error_code(code, category), what) {}
  exception(const context &context, int code, const std::error_category &category)
      : exception(context, std::error_code(code, category)) {}

  const std::error_code &code() const noexcept {
    return code_;
  }
  const std::error_category &category() const noexcept {
    return code_.category();
  }
  const char *what() const noexcept override {
    return what_->c_str();
  }
  bool has_context() const noexcept {
    return !!context_;
  }
  context get_context() const;
  // SYCL 1.2.1's: OpenCL's error, if one was the reason, else 0.
  std::int32_t get_cl_code() const noexcept {
    return native_;
  }
  void set_cl_code(std::int32_t native) noexcept {  // for the runtime only
    native_ = native;
  }

 private:
  std::error_code code_;
  std::int32_t native_ = 0;
  std::shared_ptr<std::string> what_;
  std::shared_ptr<context> context_;
};

// SYCL 1.2.1's classes: what is thrown is the one for its code.
#define HEDDLE_EXCEPTION(name, base) \
  class name : public base {         \
    using base::base;                \
  };
HEDDLE_EXCEPTION(runtime_error, exception)
HEDDLE_EXCEPTION(kernel_error, runtime_error)
HEDDLE_EXCEPTION(accessor_error, runtime_error)
HEDDLE_EXCEPTION(nd_range_error, runtime_error)
HEDDLE_EXCEPTION(event_error, runtime_error)
HEDDLE_EXCEPTION(invalid_parameter_error, runtime_error)
HEDDLE_EXCEPTION(device_error, exception)
HEDDLE_EXCEPTION(compile_program_error, device_error)
HEDDLE_EXCEPTION(memory_allocation_error, device_error)
HEDDLE_EXCEPTION(platform_error, device_error)
HEDDLE_EXCEPTION(profiling_error, device_error)
HEDDLE_EXCEPTION(feature_not_supported, device_error)
#undef HEDDLE_EXCEPTION

class exception_list {
 public:
  using value_type = std::exception_ptr;
  using reference = value_type &;
  using const_reference = const value_type &;
  using size_type = std::size_t;
  using iterator = std::vector<std::exception_ptr>::const_iterator;
  using const_iterator = iterator;

  size_type size() const {
    return list_.size();
  }
  iterator begin() const {
    return list_.begin();
  }
  iterator end() const {
    return list_.end();
  }
  explicit exception_list(std::vector<std::exception_ptr> list = {}) : list_(std::move(list)) {}

 private:
  std::vector<std::exception_ptr> list_;
};

using async_handler = std::function<void(exception_list)>;

}  // namespace sycl

template <>
struct std::is_error_code_enum<sycl::errc> : std::true_type {};

#endif
