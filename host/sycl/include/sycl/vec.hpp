// SPDX-License-Identifier: Apache-2.0
// vec: SYCL 2020, section 4.14.2. Elements are x(), y(), z(), w(), s0() to sF(), r(), g(), b(), a() or [i], each of
// which can be assigned to. Swizzles are swizzle<i, ...>(), lo(), hi(), odd(), even() and those by two names of x, y, z
// and w; those by three and four, and of r, g, b and a, are there with SYCL_SIMPLE_SWIZZLES, as the text says.
#ifndef HEDDLE_SYCL_VEC_HPP
#define HEDDLE_SYCL_VEC_HPP

#include "detail/element_types.hpp"
#include "detail/rounding.hpp"
#include "functional.hpp"
#include "multi_ptr.hpp"

// The operators that a vec and its swizzles have, each given to a macro.
#define HEDDLE_ARITHMETIC(DO) DO(+) DO(-) DO(*) DO(/) DO(%) DO(&) DO(|) DO(^) DO(<<) DO(>>)
#define HEDDLE_COMPARISONS(DO) DO(==) DO(!=) DO(<) DO(>) DO(<=) DO(>=) DO(&&) DO(||)

namespace sycl {

struct elem {
  static constexpr int x = 0, y = 1, z = 2, w = 3, r = 0, g = 1, b = 2, a = 3;
  static constexpr int s0 = 0, s1 = 1, s2 = 2, s3 = 3, s4 = 4, s5 = 5, s6 = 6, s7 = 7, s8 = 8, s9 = 9, sA = 10, sB = 11,
                       sC = 12, sD = 13, sE = 14, sF = 15;
};

template <typename T, int N>
class vec;

namespace detail {

template <typename T>
struct vec_elements : std::integral_constant<int, 1> {};
template <typename T, int N>
struct vec_elements<vec<T, N>> : std::integral_constant<int, N> {};
struct swizzled_value {};
template <typename Vec, typename As, int... I>
class swizzled;
template <typename Vec, typename As, int... I>
struct vec_elements<swizzled<Vec, As, I...>> : std::integral_constant<int, sizeof...(I)> {};

// What a comparison of elements of this size gives: -1 or 0.
template <std::size_t Bytes>
using truth = std::conditional_t<
    Bytes == 1, std::int8_t,
    std::conditional_t<Bytes == 2, std::int16_t, std::conditional_t<Bytes == 4, std::int32_t, std::int64_t>>>;

// As many elements as take room: a vec of 3 has the size of one of 4.
constexpr int vec_room(int n) {
  return n == 3 ? 4 : n;
}
// No memory of a device is aligned to more than 64.
constexpr std::size_t vec_alignment(std::size_t bytes) {
  return bytes < 64 ? bytes : 64;
}

// What vecs and swizzles both have, of what each makes of HEDDLE_ELEMENT(name, index, the least number of elements),
// HEDDLE_HALF(name, first, step) and HEDDLE_SWIZZLE(name, indices...).
#define HEDDLE_ELEMENTS      \
  HEDDLE_ELEMENT(x, 0, 1)    \
  HEDDLE_ELEMENT(y, 1, 2)    \
  HEDDLE_ELEMENT(z, 2, 3)    \
  HEDDLE_ELEMENT(w, 3, 4)    \
  HEDDLE_ELEMENT(r, 0, 4)    \
  HEDDLE_ELEMENT(g, 1, 4)    \
  HEDDLE_ELEMENT(b, 2, 4)    \
  HEDDLE_ELEMENT(a, 3, 4)    \
  HEDDLE_ELEMENT(s0, 0, 1)   \
  HEDDLE_ELEMENT(s1, 1, 2)   \
  HEDDLE_ELEMENT(s2, 2, 3)   \
  HEDDLE_ELEMENT(s3, 3, 4)   \
  HEDDLE_ELEMENT(s4, 4, 8)   \
  HEDDLE_ELEMENT(s5, 5, 8)   \
  HEDDLE_ELEMENT(s6, 6, 8)   \
  HEDDLE_ELEMENT(s7, 7, 8)   \
  HEDDLE_ELEMENT(s8, 8, 16)  \
  HEDDLE_ELEMENT(s9, 9, 16)  \
  HEDDLE_ELEMENT(sA, 10, 16) \
  HEDDLE_ELEMENT(sB, 11, 16) \
  HEDDLE_ELEMENT(sC, 12, 16) \
  HEDDLE_ELEMENT(sD, 13, 16) \
  HEDDLE_ELEMENT(sE, 14, 16) \
  HEDDLE_ELEMENT(sF, 15, 16)
#define HEDDLE_HALVES               \
  HEDDLE_HALF(lo, 0, 1)             \
  HEDDLE_HALF(hi, ((N + 1) / 2), 1) \
  HEDDLE_HALF(even, 0, 2)           \
  HEDDLE_HALF(odd, 1, 2)
#define HEDDLE_SWIZZLES_2(a, i) \
  HEDDLE_SWIZZLE(a##x, i, 0) HEDDLE_SWIZZLE(a##y, i, 1) HEDDLE_SWIZZLE(a##z, i, 2) HEDDLE_SWIZZLE(a##w, i, 3)
#define HEDDLE_SWIZZLES        \
  HEDDLE_SWIZZLES_2(x, 0)      \
  HEDDLE_SWIZZLES_2(y, 1)      \
  HEDDLE_SWIZZLES_2(z, 2)      \
  HEDDLE_SWIZZLES_2(w, 3)      \
  HEDDLE_SWIZZLE(xyz, 0, 1, 2) \
  HEDDLE_SWIZZLE(xyzw, 0, 1, 2, 3) HEDDLE_SWIZZLE(rgb, 0, 1, 2) HEDDLE_SWIZZLE(rgba, 0, 1, 2, 3)
// ++ and --, ahead and behind: `one` is the class itself, `value` what it is as a vec.
#define HEDDLE_STEP(op, one, value)                    \
  HEDDLE_INLINE constexpr one &operator op##op() {     \
    return *this op## = T(1);                          \
  }                                                    \
  HEDDLE_INLINE constexpr value operator op##op(int) { \
    const value before = *this;                        \
    *this op## = T(1);                                 \
    return before;                                     \
  }
// Elements first, first + step, ...; behind the last of three, the last again.
template <int N, int First, int Step, typename Self, int... I>
HEDDLE_INLINE constexpr auto every(Self &self, std::integer_sequence<int, I...>) {
  return self.template swizzle<(First + Step * I < N ? First + Step * I : N - 1)...>();
}

// Some elements of a vec, in any order: reads as a vec of so many, and may be written where none comes twice. The
// second type is that vec, whose operators are found by it.
template <typename Vec, typename As, int... I>
class swizzled {
  using T = typename As::value_type;
  static constexpr int N = sizeof...(I), order[N] = {I...};

 public:
  using element_type = T;
  using value_type = T;

  HEDDLE_INLINE explicit constexpr swizzled(Vec &of) : of_(of) {}
  swizzled(const swizzled &) = default;
  HEDDLE_INLINE constexpr operator As() const {
    return As(swizzled_value{}, of_, std::integer_sequence<int, I...>());
  }
  HEDDLE_INLINE constexpr swizzled &operator=(const As &x) {
    int at = 0;
    const As from = x;  // of the same vec, maybe
    ((of_[I] = from[at++]), ...);
    return *this;
  }
  HEDDLE_INLINE constexpr swizzled &operator=(const swizzled &x) {
    return *this = static_cast<As>(x);
  }
  template <typename V, int... J>
  HEDDLE_INLINE constexpr swizzled &operator=(const swizzled<V, As, J...> &x) {
    return *this = static_cast<As>(x);
  }
  HEDDLE_INLINE constexpr swizzled &operator=(const T &all) {
    return *this = As(all);
  }
  static constexpr std::size_t size() noexcept {
    return N;
  }
  static constexpr std::size_t get_count() {
    return N;
  }
  static constexpr std::size_t byte_size() noexcept {
    return sizeof(As);
  }
  static constexpr std::size_t get_size() {
    return sizeof(As);
  }
  HEDDLE_INLINE constexpr T &operator[](int i) const {
    return of_[order[i]];
  }
#define HEDDLE_ELEMENT(name, i, least)                            \
  HEDDLE_INLINE constexpr T &name() const {                       \
    static_assert(N >= least, "the swizzle has no such element"); \
    return of_[order[i]];                                         \
  }
  HEDDLE_ELEMENTS
#undef HEDDLE_ELEMENT
  template <int... J>
  HEDDLE_INLINE constexpr auto swizzle() const {
    static_assert(((J < N) && ...), "the swizzle has no such element");
    return swizzled<Vec, vec<T, sizeof...(J)>, order[J]...>(of_);
  }
#define HEDDLE_HALF(name, first, step)                                                   \
  HEDDLE_INLINE constexpr auto name() const {                                            \
    return every<N, first, step>(*this, std::make_integer_sequence<int, (N + 1) / 2>()); \
  }
  HEDDLE_HALVES
#undef HEDDLE_HALF
#define HEDDLE_SWIZZLE(name, ...)                 \
  HEDDLE_INLINE constexpr auto name() const {     \
    return this->template swizzle<__VA_ARGS__>(); \
  }
  HEDDLE_SWIZZLES
#ifdef SYCL_SIMPLE_SWIZZLES
#include "detail/swizzles.hpp"
#endif
#undef HEDDLE_SWIZZLE
  template <typename U, rounding_mode Mode = rounding_mode::automatic>
  HEDDLE_INLINE constexpr auto convert() const {
    return static_cast<As>(*this).template convert<U, Mode>();
  }
  template <typename V>
  HEDDLE_INLINE V as() const {
    return static_cast<As>(*this).template as<V>();
  }
  template <typename Pointer>
  HEDDLE_INLINE void load(std::size_t offset, Pointer from) {
    As all;
    all.load(offset, from);
    *this = all;
  }
  template <typename Pointer>
  HEDDLE_INLINE void store(std::size_t offset, Pointer to) const {
    static_cast<As>(*this).store(offset, to);
  }
#define HEDDLE_OPERATOR(op)                                         \
  HEDDLE_INLINE constexpr swizzled &operator op## = (const As &x) { \
    return *this = static_cast<As>(*this) op x;                     \
  }                                                                 \
  HEDDLE_INLINE constexpr swizzled &operator op## = (const T &x) {  \
    return *this = static_cast<As>(*this) op x;                     \
  }
  HEDDLE_ARITHMETIC(HEDDLE_OPERATOR)
#undef HEDDLE_OPERATOR
#define HEDDLE_UNARY(op)                             \
  HEDDLE_INLINE constexpr auto operator op() const { \
    return op static_cast<As>(*this);                \
  }
  HEDDLE_UNARY(+)
  HEDDLE_UNARY(-)
  HEDDLE_UNARY(~)
  HEDDLE_UNARY(!)
#undef HEDDLE_UNARY
  HEDDLE_STEP(+, swizzled, As)
  HEDDLE_STEP(-, swizzled, As)

 private:
  Vec &of_;
};

}  // namespace detail

namespace detail {

// Numbers that are not of type T.
template <typename U, typename T>
using if_other_number = std::enable_if_t<(std::is_arithmetic_v<U> || std::is_same_v<U, half>) && !std::is_same_v<U, T>>;

// What only a vec of one element has: it is a number where one is wanted. With a number of another type its operators
// are still those of vecs.
template <typename Vec, typename T, int N>
class vec_as_number {};
template <typename Vec, typename T>
class vec_as_number<Vec, T, 1> {
 public:
  HEDDLE_INLINE constexpr operator T() const {
    return static_cast<const Vec &>(*this)[0];
  }
#define HEDDLE_OPERATOR(op)                                                   \
  template <typename U, typename = if_other_number<U, T>>                     \
  HEDDLE_INLINE friend constexpr auto operator op(const Vec &a, const U &b) { \
    return a op static_cast<T>(b);                                            \
  }                                                                           \
  template <typename U, typename = if_other_number<U, T>>                     \
  HEDDLE_INLINE friend constexpr auto operator op(const U &a, const Vec &b) { \
    return static_cast<T>(a) op b;                                            \
  }
  HEDDLE_ARITHMETIC(HEDDLE_OPERATOR)
  HEDDLE_COMPARISONS(HEDDLE_OPERATOR)
#undef HEDDLE_OPERATOR
};

}  // namespace detail

#define HEDDLE_UNROLLED(i, n) _Pragma("clang loop unroll(full)") for (int i = 0; i < (n); i++)

template <typename T, int N>
class alignas(detail::vec_alignment(sizeof(T) * detail::vec_room(N))) vec
    : public detail::vec_as_number<vec<T, N>, T, N> {
  static_assert(N == 1 || N == 2 || N == 3 || N == 4 || N == 8 || N == 16, "a vec has 1, 2, 3, 4, 8 or 16 elements");
  static_assert(std::is_arithmetic_v<T> || std::is_same_v<T, half> || std::is_same_v<T, std::byte>,
                "a vec is of numbers");

 public:
  using element_type = T;
  using value_type = T;
  using vector_t = vec;

  constexpr vec() = default;
  HEDDLE_INLINE explicit constexpr vec(const T &all) {
    HEDDLE_UNROLLED(i, N) {
      data_[i] = all;
    }
  }
  HEDDLE_INLINE constexpr vec &operator=(const T &all) {
    return *this = vec(all);
  }
  // Numbers and other vecs, with N elements together.
  template <typename A, typename B, typename... Rest>
  HEDDLE_INLINE constexpr vec(const A &a, const B &b, const Rest &...rest) {
    static_assert(detail::vec_elements<A>::value + detail::vec_elements<B>::value +
                          (0 + ... + detail::vec_elements<Rest>::value) ==
                      N,
                  "a vec is made of as many elements as it has");
    int at = 0;
    (put(at, a), put(at, b), (put(at, rest), ...));
  }

  template <typename Vec, int... I>  // for the runtime only
  HEDDLE_INLINE constexpr vec(detail::swizzled_value, const Vec &of, std::integer_sequence<int, I...>) {
    int at = 0;
    ((data_[at++] = of[I]), ...);
  }

  static constexpr std::size_t byte_size() noexcept {
    return sizeof(vec);
  }
  static constexpr std::size_t size() noexcept {
    return N;
  }
  static constexpr std::size_t get_size() {
    return byte_size();
  }
  static constexpr std::size_t get_count() {
    return N;
  }

  HEDDLE_INLINE constexpr T &operator[](int i) {
    return data_[i];
  }
  HEDDLE_INLINE constexpr const T &operator[](int i) const {
    return data_[i];
  }
#define HEDDLE_ELEMENT(name, i, least)                        \
  HEDDLE_INLINE constexpr T &name() {                         \
    static_assert(N >= least, "the vec has no such element"); \
    return data_[i];                                          \
  }                                                           \
  HEDDLE_INLINE constexpr const T &name() const {             \
    static_assert(N >= least, "the vec has no such element"); \
    return data_[i];                                          \
  }
  HEDDLE_ELEMENTS
#undef HEDDLE_ELEMENT

  template <int... I>
  HEDDLE_INLINE constexpr detail::swizzled<vec, vec<T, sizeof...(I)>, I...> swizzle() {
    static_assert(((I < N) && ...), "the vec has no such element");
    return detail::swizzled<vec, vec<T, sizeof...(I)>, I...>(*this);
  }
  template <int... I>
  HEDDLE_INLINE constexpr vec<T, sizeof...(I)> swizzle() const {
    static_assert(((I < N) && ...), "the vec has no such element");
    return vec<T, sizeof...(I)>(detail::swizzled_value{}, *this, std::integer_sequence<int, I...>());
  }
#define HEDDLE_HALF(name, first, step)                                                           \
  HEDDLE_INLINE constexpr auto name() {                                                          \
    return detail::every<N, first, step>(*this, std::make_integer_sequence<int, (N + 1) / 2>()); \
  }                                                                                              \
  HEDDLE_INLINE constexpr auto name() const {                                                    \
    return detail::every<N, first, step>(*this, std::make_integer_sequence<int, (N + 1) / 2>()); \
  }
  HEDDLE_HALVES
#undef HEDDLE_HALF
#define HEDDLE_SWIZZLE(name, ...)                 \
  HEDDLE_INLINE constexpr auto name() {           \
    return this->template swizzle<__VA_ARGS__>(); \
  }                                               \
  HEDDLE_INLINE constexpr auto name() const {     \
    return this->template swizzle<__VA_ARGS__>(); \
  }
  HEDDLE_SWIZZLES
#ifdef SYCL_SIMPLE_SWIZZLES
#include "detail/swizzles.hpp"
#endif
#undef HEDDLE_SWIZZLE

  // Each element converted: to integers towards zero and else to the nearest, unless another way is asked for.
  template <typename U, rounding_mode Mode = rounding_mode::automatic>
  HEDDLE_INLINE constexpr vec<U, N> convert() const {
    vec<U, N> result;
    HEDDLE_UNROLLED(i, N) {
      result[i] = detail::converted<U, Mode>(data_[i]);
    }
    return result;
  }
  // The same bits.
  template <typename V>
  HEDDLE_INLINE V as() const {
    static_assert(sizeof(V) == sizeof(vec), "as() is to a type of the same size");
    return __builtin_bit_cast(V, *this);
  }

  // The vec number `offset` of those that begin at `from`, whose elements stand without gaps.
  HEDDLE_INLINE void load(std::size_t offset, const T *from) {
    HEDDLE_UNROLLED(i, N) {
      data_[i] = from[offset * N + static_cast<std::size_t>(i)];
    }
  }
  HEDDLE_INLINE void store(std::size_t offset, T *to) const {
    HEDDLE_UNROLLED(i, N) {
      to[offset * N + static_cast<std::size_t>(i)] = data_[i];
    }
  }

  template <access::address_space Space, access::decorated Decorated>
  HEDDLE_INLINE void load(std::size_t offset, const multi_ptr<const T, Space, Decorated> &from) {
    load(offset, from.get_raw());
  }
  template <access::address_space Space, access::decorated Decorated>
  HEDDLE_INLINE void load(std::size_t offset, const multi_ptr<T, Space, Decorated> &from) {
    load(offset, static_cast<const T *>(from.get_raw()));
  }
  template <access::address_space Space, access::decorated Decorated>
  HEDDLE_INLINE void store(std::size_t offset, const multi_ptr<T, Space, Decorated> &to) const {
    store(offset, to.get_raw());
  }

#define HEDDLE_OPERATOR(op)                                                     \
  HEDDLE_INLINE friend constexpr vec operator op(const vec &a, const vec &b) {  \
    vec result;                                                                 \
    HEDDLE_UNROLLED(i, N) {                                                     \
      result.data_[i] = static_cast<T>(a.data_[i] op b.data_[i]);               \
    }                                                                           \
    return result;                                                              \
  }                                                                             \
  HEDDLE_INLINE friend constexpr vec operator op(const vec &a, const T &b) {    \
    return a op vec(b);                                                         \
  }                                                                             \
  HEDDLE_INLINE friend constexpr vec operator op(const T &a, const vec &b) {    \
    return vec(a) op b;                                                         \
  }                                                                             \
  HEDDLE_INLINE friend constexpr vec &operator op## = (vec & a, const vec &b) { \
    return a = a op b;                                                          \
  }                                                                             \
  HEDDLE_INLINE friend constexpr vec &operator op## = (vec & a, const T &b) {   \
    return a = a op vec(b);                                                     \
  }
  HEDDLE_ARITHMETIC(HEDDLE_OPERATOR)
#undef HEDDLE_OPERATOR

  // -1 where it holds, 0 where it does not.
#define HEDDLE_COMPARISON(op)                                                                               \
  HEDDLE_INLINE friend constexpr vec<detail::truth<sizeof(T)>, N> operator op(const vec &a, const vec &b) { \
    vec<detail::truth<sizeof(T)>, N> result;                                                                \
    HEDDLE_UNROLLED(i, N) {                                                                                 \
      result[i] = a.data_[i] op b.data_[i] ? -1 : 0;                                                        \
    }                                                                                                       \
    return result;                                                                                          \
  }                                                                                                         \
  HEDDLE_INLINE friend constexpr vec<detail::truth<sizeof(T)>, N> operator op(const vec &a, const T &b) {   \
    return a op vec(b);                                                                                     \
  }                                                                                                         \
  HEDDLE_INLINE friend constexpr vec<detail::truth<sizeof(T)>, N> operator op(const T &a, const vec &b) {   \
    return vec(a) op b;                                                                                     \
  }
  HEDDLE_COMPARISONS(HEDDLE_COMPARISON)
#undef HEDDLE_COMPARISON

#define HEDDLE_UNARY(op, type)                               \
  HEDDLE_INLINE constexpr vec<type, N> operator op() const { \
    vec<type, N> result;                                     \
    HEDDLE_UNROLLED(i, N) {                                  \
      result[i] = static_cast<type>(op data_[i]);            \
    }                                                        \
    return result;                                           \
  }
  HEDDLE_UNARY(+, T)
  HEDDLE_UNARY(-, T)
  HEDDLE_UNARY(~, T)
#undef HEDDLE_UNARY
  HEDDLE_INLINE constexpr vec<detail::truth<sizeof(T)>, N> operator!() const {
    return *this == vec(T(0));
  }
  HEDDLE_STEP(+, vec, vec)
  HEDDLE_STEP(-, vec, vec)

 private:
  HEDDLE_INLINE constexpr void put(int &at, const T &x) {
    data_[at++] = x;
  }
  template <int M>
  HEDDLE_INLINE constexpr void put(int &at, const vec<T, M> &x) {
    HEDDLE_UNROLLED(i, M) {
      data_[at++] = x[i];
    }
  }
  template <typename Vec, typename As, int... I>
  HEDDLE_INLINE constexpr void put(int &at, const detail::swizzled<Vec, As, I...> &x) {
    put(at, static_cast<As>(x));
  }
  T data_[detail::vec_room(N)] = {};
};

#undef HEDDLE_ELEMENTS
#undef HEDDLE_HALVES
#undef HEDDLE_SWIZZLES
#undef HEDDLE_SWIZZLES_2
#undef HEDDLE_STEP

template <typename T, typename... U>
vec(T, U...) -> vec<T, 1 + sizeof...(U)>;

#define HEDDLE_VECS(name, type)      \
  using name##2 = vec<type, 2>;      \
  using name##3 = vec<type, 3>;      \
  using name##4 = vec<type, 4>;      \
  using name##8 = vec<type, 8>;      \
  using name##16 = vec<type, 16>;    \
  using cl_##name##2 = vec<type, 2>; \
  using cl_##name##3 = vec<type, 3>; \
  using cl_##name##4 = vec<type, 4>; \
  using cl_##name##8 = vec<type, 8>; \
  using cl_##name##16 = vec<type, 16>;
HEDDLE_FOR_ELEMENT_TYPES(HEDDLE_VECS)
HEDDLE_VECS(longlong, long long)
HEDDLE_VECS(ulonglong, unsigned long long)
#undef HEDDLE_VECS

}  // namespace sycl

#undef HEDDLE_ARITHMETIC
#undef HEDDLE_COMPARISONS

#endif
