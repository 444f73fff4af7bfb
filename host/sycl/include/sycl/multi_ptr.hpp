// SPDX-License-Identifier: Apache-2.0
// multi_ptr, pointers that say which memory they are to, and address_space_cast: SYCL 2020, section 4.7.7. The device
// has one range of addresses for all, so a pointer is a pointer; that it is to global or local memory, the compiler is
// told where the text's decorated pointers do.
#ifndef HEDDLE_SYCL_MULTI_PTR_HPP
#define HEDDLE_SYCL_MULTI_PTR_HPP

#include <iterator>

#include "memory_scope.hpp"

namespace sycl {

namespace detail {

template <typename T, access::address_space Space>
struct decorate {
  using type = T *;
};
#ifdef __SYCL_DEVICE_ONLY__
template <typename T>
struct decorate<T, access::address_space::global_space> {
  using type = T HEDDLE_GLOBAL *;
};
template <typename T>
struct decorate<T, access::address_space::local_space> {
  using type = T HEDDLE_LOCAL *;
};
#endif

}  // namespace detail

template <typename T, access::address_space Space, access::decorated Decorated = access::decorated::legacy>
class multi_ptr {
  static constexpr bool is_legacy = Decorated == access::decorated::legacy;
  template <typename U, access::address_space S, access::decorated D>
  friend class multi_ptr;
  // A pointer to U can be had from this one, in memory of another kind too where one of the two is generic.
  template <typename U, access::address_space From>
  static constexpr bool is_from =
      std::is_convertible_v<U *, T *> && (From == Space || Space == access::address_space::generic_space);

 public:
  static constexpr bool is_decorated = Decorated == access::decorated::yes;
  static constexpr access::address_space address_space = Space;
  using value_type = T;
  using element_type = T;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;
  using pointer = std::conditional_t<is_decorated, typename detail::decorate<T, Space>::type, T *>;
  using reference = std::add_lvalue_reference_t<T>;
  using pointer_t = pointer;
  using const_pointer_t = const T *;
  using reference_t = reference;
  using const_reference_t = std::add_lvalue_reference_t<const T>;

  multi_ptr() = default;
  multi_ptr(std::nullptr_t) {}
  multi_ptr(const multi_ptr &) = default;
  template <bool Legacy = is_legacy, typename = std::enable_if_t<Legacy>>
  multi_ptr(T *p) : at_(p) {}
  template <bool Legacy = is_legacy, typename = std::enable_if_t<!Legacy>, typename = void>
  explicit multi_ptr(T *p) : at_(p) {}
#ifdef __SYCL_DEVICE_ONLY__
  template <access::address_space S = Space, typename = std::enable_if_t<S == access::address_space::global_space>>
  explicit multi_ptr(T HEDDLE_GLOBAL *p) : at_((T *)p) {}
  template <access::address_space S = Space, typename = std::enable_if_t<S == access::address_space::local_space>>
  explicit multi_ptr(T HEDDLE_LOCAL *p) : at_((T *)p) {}
#endif
  template <typename U, access::address_space S, access::decorated D, typename = std::enable_if_t<is_from<U, S>>>
  multi_ptr(const multi_ptr<U, S, D> &other) : at_(other.at_) {}
  // Of what accessors have their elements in.
  template <typename Accessor,
            typename = std::enable_if_t<std::is_same_v<typename Accessor::accessor_space,
                                                       std::integral_constant<access::address_space, Space>> ||
                                        Space == access::address_space::generic_space>>
  multi_ptr(const Accessor &accessor) : at_(accessor.get_pointer()) {}
  multi_ptr &operator=(const multi_ptr &) = default;
  multi_ptr &operator=(std::nullptr_t) {
    at_ = nullptr;
    return *this;
  }

  HEDDLE_INLINE pointer get() const {
    return (pointer)at_;
  }
  HEDDLE_INLINE T *get_raw() const {
    return at_;
  }
  HEDDLE_INLINE typename detail::decorate<T, Space>::type get_decorated() const {
    return (typename detail::decorate<T, Space>::type)at_;
  }
  template <typename U = T>
  HEDDLE_INLINE std::enable_if_t<!std::is_void_v<U>, U &> operator*() const {
    return *at_;
  }
  HEDDLE_INLINE T *operator->() const {
    return at_;
  }
  template <typename U = T>
  HEDDLE_INLINE std::enable_if_t<!std::is_void_v<U>, U &> operator[](std::ptrdiff_t i) const {
    return at_[i];
  }
  // Of SYCL 1.2.1's pointers it is implicit.
  template <bool Legacy = is_legacy, typename = std::enable_if_t<Legacy>>
  HEDDLE_INLINE operator T *() const {
    return at_;
  }
  template <bool Legacy = is_legacy, typename = std::enable_if_t<!Legacy>, typename = void>
  HEDDLE_INLINE explicit operator T *() const {
    return at_;
  }
  // From void or to a pointer in memory of another kind than the generic.
  template <typename U, access::address_space S, access::decorated D,
            typename =
                std::enable_if_t<!std::is_same_v<multi_ptr, multi_ptr<U, S, D>> &&
                                 (Space == access::address_space::generic_space || Space == S) &&
                                 (std::is_void_v<T> || std::is_same_v<std::remove_const_t<T>, std::remove_const_t<U>>)>>
  explicit operator multi_ptr<U, S, D>() const {
    multi_ptr<U, S, D> result;
    result.at_ = static_cast<U *>(const_cast<std::remove_const_t<T> *>(at_));
    return result;
  }

  HEDDLE_INLINE multi_ptr &operator++() {
    ++at_;
    return *this;
  }
  HEDDLE_INLINE multi_ptr operator++(int) {
    multi_ptr before = *this;
    ++at_;
    return before;
  }
  HEDDLE_INLINE multi_ptr &operator--() {
    --at_;
    return *this;
  }
  HEDDLE_INLINE multi_ptr operator--(int) {
    multi_ptr before = *this;
    --at_;
    return before;
  }
  HEDDLE_INLINE multi_ptr &operator+=(difference_type n) {
    at_ += n;
    return *this;
  }
  HEDDLE_INLINE multi_ptr &operator-=(difference_type n) {
    at_ -= n;
    return *this;
  }
  HEDDLE_INLINE friend multi_ptr operator+(multi_ptr p, difference_type n) {
    return p += n;
  }
  HEDDLE_INLINE friend multi_ptr operator-(multi_ptr p, difference_type n) {
    return p -= n;
  }
  HEDDLE_INLINE friend difference_type operator-(const multi_ptr &a, const multi_ptr &b) {
    return a.at_ - b.at_;
  }
#define HEDDLE_COMPARISON(op)                                                     \
  HEDDLE_INLINE friend bool operator op(const multi_ptr &a, const multi_ptr &b) { \
    return a.at_ op b.at_;                                                        \
  }                                                                               \
  HEDDLE_INLINE friend bool operator op(const multi_ptr &a, std::nullptr_t) {     \
    return a.at_ op static_cast<T *>(nullptr);                                    \
  }                                                                               \
  HEDDLE_INLINE friend bool operator op(std::nullptr_t, const multi_ptr &b) {     \
    return static_cast<T *>(nullptr) op b.at_;                                    \
  }
  HEDDLE_COMPARISON(==)
  HEDDLE_COMPARISON(!=)
  HEDDLE_COMPARISON(<)
  HEDDLE_COMPARISON(>)
  HEDDLE_COMPARISON(<=)
  HEDDLE_COMPARISON(>=)
#undef HEDDLE_COMPARISON
  // The device fetches nothing ahead.
  void prefetch(std::size_t) const {}

 private:
  T *at_ = nullptr;
};

#define HEDDLE_POINTER(name, space)                                                           \
  template <typename T, access::decorated Decorated = access::decorated::legacy>              \
  using name##_ptr = multi_ptr<T, access::address_space::space, Decorated>;                   \
  template <typename T>                                                                       \
  using raw_##name##_ptr = multi_ptr<T, access::address_space::space, access::decorated::no>; \
  template <typename T>                                                                       \
  using decorated_##name##_ptr = multi_ptr<T, access::address_space::space, access::decorated::yes>;
HEDDLE_POINTER(global, global_space)
HEDDLE_POINTER(local, local_space)
HEDDLE_POINTER(private, private_space)
HEDDLE_POINTER(generic, generic_space)
HEDDLE_POINTER(constant, constant_space)
#undef HEDDLE_POINTER

template <access::address_space Space, access::decorated Decorated = access::decorated::legacy, typename T>
HEDDLE_INLINE multi_ptr<T, Space, Decorated> address_space_cast(T *pointer) {
  return multi_ptr<T, Space, Decorated>(pointer);
}
template <access::address_space Space, access::decorated Decorated, typename T>
HEDDLE_INLINE multi_ptr<T, Space, Decorated> address_space_cast(
    multi_ptr<T, access::address_space::generic_space, Decorated> pointer) {
  return multi_ptr<T, Space, Decorated>(pointer.get_raw());
}
template <typename T, access::address_space Space, access::decorated Decorated = access::decorated::legacy>
HEDDLE_INLINE multi_ptr<T, Space, Decorated> make_ptr(T *pointer) {
  return multi_ptr<T, Space, Decorated>(pointer);
}

namespace detail {

// What a function with a result behind a pointer may be given.
template <typename P>
struct pointed {};
template <typename T>
struct pointed<T *> {
  using type = T;
};
template <typename T, access::address_space Space, access::decorated Decorated>
struct pointed<multi_ptr<T, Space, Decorated>> {
  using type = T;
};
template <typename T>
HEDDLE_INLINE T *raw(T *p) {
  return p;
}
template <typename T, access::address_space Space, access::decorated Decorated>
HEDDLE_INLINE T *raw(const multi_ptr<T, Space, Decorated> &p) {
  return p.get_raw();
}

}  // namespace detail

}  // namespace sycl

#endif
