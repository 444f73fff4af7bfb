// SPDX-License-Identifier: Apache-2.0
// kernel_handler and specialization constants: SYCL 2020, section 4.9.5. Kernels are compiled long before a constant
// has a value, so it is no constant to the compiler: a kernel finds it in memory, or takes the default.
#ifndef HEDDLE_SYCL_KERNEL_HANDLER_HPP
#define HEDDLE_SYCL_KERNEL_HANDLER_HPP

#include "buffer.hpp"
#include "detail/kernel_name.hpp"

namespace sycl {

template <typename T>
class specialization_id {
  static_assert(is_device_copyable_v<T>, "a specialization constant is copied by its bytes");

 public:
  using value_type = T;
  template <typename... Arguments>
  explicit constexpr specialization_id(Arguments &&...arguments) : value_(static_cast<Arguments &&>(arguments)...) {}
  specialization_id(const specialization_id &) = delete;
  specialization_id &operator=(const specialization_id &) = delete;
  constexpr const T &default_value() const {  // for the runtime only
    return value_;
  }

 private:
  T value_;
};

namespace detail {

template <auto &Id>
struct specialization_name;
template <auto &Id>
constexpr std::uint64_t specialization_hash = hash_name<specialization_name<Id>>();

// In memory: number of words, then for each constant its hash (two words), its count of words, and they.
struct specializations {
  std::vector<std::uint32_t> words;
  std::vector<std::uint32_t>::const_iterator find(std::uint64_t hash) const;
  void set(std::uint64_t hash, const void *value, std::size_t bytes);
  bool get(std::uint64_t hash, void *value, std::size_t bytes) const;
  // Takes those of others. False: there was another value for one of them.
  bool add(const specializations &);
};

template <typename T>
union room_of {  // T need not have a default constructor
  T value;
  char nothing;
  HEDDLE_INLINE room_of() : nothing() {}
};

}  // namespace detail

class kernel_handler {
 public:
  template <auto &Id>
  typename std::remove_reference_t<decltype(Id)>::value_type get_specialization_constant() const {
#ifdef __SYCL_DEVICE_ONLY__
    using T = typename std::remove_reference_t<decltype(Id)>::value_type;
    auto *words = (const std::uint32_t HEDDLE_GLOBAL *)table_;
    const std::uint64_t hash = detail::specialization_hash<Id>;
    for (std::uint32_t at = 1, end = words[0]; at < end; at += 3 + words[at + 2]) {
      if (words[at] == static_cast<std::uint32_t>(hash) && words[at + 1] == static_cast<std::uint32_t>(hash >> 32)) {
        detail::room_of<T> room;
        std::uint32_t copy[(sizeof(T) + 3) / 4];
        for (unsigned i = 0; i < (sizeof(T) + 3) / 4; i++)
          copy[i] = words[at + 3 + i];
        __builtin_memcpy(&room.value, copy, sizeof(T));
        return room.value;
      }
    }
    return Id.default_value();
#else
    detail::not_on_host(__func__);
#endif
  }
  explicit kernel_handler(const detail::buffer_cell *table) : table_(table) {}  // for the runtime only

 private:
  [[maybe_unused]] const detail::buffer_cell *table_;
};

namespace detail {

// A function that takes a kernel_handler last, with what it is made of.
template <typename F>
struct handled_kernel {
  F function;
  const buffer_cell *table;

  template <typename... Items, typename = std::enable_if_t<std::is_invocable_v<const F &, Items &..., kernel_handler>>>
  HEDDLE_INLINE void operator()(Items... items) const {
    function(items..., kernel_handler(table));
  }
};
template <typename F>
struct is_handled_kernel : std::false_type {};
template <typename F>
struct is_handled_kernel<handled_kernel<F>> : std::true_type {};

}  // namespace detail

}  // namespace sycl

#endif
