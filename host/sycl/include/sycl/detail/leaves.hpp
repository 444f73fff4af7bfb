// SPDX-License-Identifier: Apache-2.0
// How what a kernel captures gets to the device. Memory has the same layout on both sides (hls/sycl/addresses.h), but
// accessors and pointers are something else to the host than in a kernel. So both passes walk the members of the
// closure, down to its leaves: numbers, pointers, vectors. The host writes each leaf into words of 64 bits, the kernel
// reads them into its own closure; once optimised that is loads at fixed offsets. Accessors have a leaf of their own
// (buffer_cell, local_cell, image_leaf), which becomes a pointer or an image as an argument of the kernel.
//
// clang's __builtin_dump_struct is what walks: it calls a function with each member, private ones and bases too.
#ifndef HEDDLE_SYCL_DETAIL_LEAVES_HPP
#define HEDDLE_SYCL_DETAIL_LEAVES_HPP

#include <array>
#include <cstring>
#include <tuple>

#include "defines.hpp"

namespace sycl::detail {

struct buffer_cell;  // const buffer_cell *: where an accessor's memory begins; to the host, a record of its command
struct local_cell;   // the same of local memory

// What an accessor has of an image: in a kernel the address of its descriptor, which is in constant memory; to the host
// a record of its command. The kind is OpenCL C's type of it: image_kind.
#ifdef __SYCL_DEVICE_ONLY__
using image_pointer = const char __attribute__((address_space(2))) *;
template <unsigned Kind>
struct image_leaf {
  image_pointer image;
};
#else
template <unsigned Kind>
struct image_leaf {
  const buffer_cell *cell;
};
#endif
enum image_access : unsigned { image_read_only, image_write_only, image_read_write };
// As hls/sycl/program.c reads it.
constexpr unsigned image_kind(image_access access, int axes, bool is_array) {
  return access | static_cast<unsigned>(axes) << 2 | (is_array ? 1u : 0u) << 4;
}
template <typename T>
struct is_image_leaf : std::false_type {};
template <unsigned Kind>
struct is_image_leaf<image_leaf<Kind>> : std::integral_constant<bool, true> {
  static constexpr unsigned kind = Kind;
};

template <typename T>
struct is_tuple : std::false_type {};
template <typename... T>
struct is_tuple<std::tuple<T...>> : std::true_type {};
template <typename A, typename B>
struct is_tuple<std::pair<A, B>> : std::true_type {};

template <typename T>
using plain = std::remove_cv_t<std::remove_reference_t<T>>;

template <typename Visitor, typename T>
HEDDLE_INLINE constexpr void walk(Visitor &visitor, T &value);

// What __builtin_dump_struct calls: with a format and nothing, or with indentation, type, name and the member.
template <typename Visitor>
struct member {
  template <typename Indent, typename Type, typename Name, typename Value>
  HEDDLE_INLINE constexpr void operator()(Visitor &visitor, const char *, Indent &&, Type &&, Name &&,
                                          Value &&value) const {
    if constexpr (std::is_lvalue_reference_v<Value>)
      walk(visitor, const_cast<plain<Value> &>(value));
    else
      walk(visitor, const_cast<plain<std::remove_pointer_t<plain<Value>>> &>(*value));  // "*%p"
  }
  // What is no member, and bit-fields, which no reference is to.
  template <typename... Rest>
  HEDDLE_INLINE constexpr void operator()(Visitor &, const char *, const Rest &...) const {}
};

template <typename Visitor, typename T, std::size_t... I>
HEDDLE_INLINE constexpr void walk_tuple(Visitor &visitor, T &value, std::index_sequence<I...>) {
  (walk(visitor, const_cast<plain<decltype(std::get<I>(value))> &>(std::get<I>(value))), ...);
}

// Private memory of a work-item in an object that is captured: nothing of it crosses, and it begins anew.
template <typename T>
struct is_private_room : std::false_type {};
// What a visitor looks at as a whole.
template <typename Visitor, typename T>
struct is_whole : std::false_type {};
struct leaf_reader;

template <typename Visitor, typename T>
HEDDLE_INLINE constexpr void walk(Visitor &visitor, T &value) {
  if constexpr (is_private_room<T>::value) {
    if constexpr (std::is_same_v<Visitor, leaf_reader>)
      value.begin();
  } else if constexpr (is_whole<Visitor, T>::value) {
    visitor.whole(value);
  } else if constexpr (std::is_array_v<T>) {
    for (auto &element : value)
      walk(visitor, const_cast<plain<decltype(element)> &>(element));
  } else if constexpr (is_tuple<T>::value) {
    walk_tuple(visitor, value, std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (std::is_class_v<T> && !is_image_leaf<T>::value) {
    __builtin_dump_struct(&value, member<Visitor>{}, visitor);
  } else {
    visitor.leaf(value);
  }
}

template <typename T>
constexpr unsigned words_of = (sizeof(T) + 7) / 8;

constexpr std::uint64_t hash_start = 1469598103934665603ull;
constexpr std::uint64_t hash_step(std::uint64_t hash, std::uint64_t value) {
  return (hash ^ value) * 1099511628211ull;
}

// Room for a closure: one to count the leaves of, or one that a kernel fills member by member.
template <typename F>
union closure_room {
  F closure;
  char nothing;
  HEDDLE_INLINE constexpr closure_room() : nothing() {}
};

// Counts leaves, and hashes what they are.
struct leaf_count {
  unsigned words = 0, buffers = 0, locals = 0, images = 0;
  std::uint64_t hash = hash_start;

  constexpr void mix(std::uint64_t kind, std::uint64_t size) {
    hash = hash_step(hash_step(hash, kind), size);
  }
  template <typename T>
  constexpr void leaf(T &) {
    static_assert(!std::is_same_v<T, long double>, "a kernel cannot capture a long double");
    static_assert(!std::is_member_pointer_v<T>, "a kernel cannot capture a pointer to a member");
    static_assert(!std::is_function_v<std::remove_pointer_t<T>>, "a kernel cannot capture a pointer to a function");
    if constexpr (std::is_same_v<T, const buffer_cell *>) {
      buffers++;
      mix('b', 0);
    } else if constexpr (std::is_same_v<T, const local_cell *>) {
      locals++;
      mix('l', 0);
    } else if constexpr (is_image_leaf<T>::value) {
      images++;
      mix('m', is_image_leaf<T>::kind);
    } else if constexpr (std::is_pointer_v<T>) {
      words++;
      mix('p', 0);
    } else {
      words += words_of<T>;
      mix(std::is_integral_v<T> || std::is_enum_v<T> ? 'i' : std::is_floating_point_v<T> ? 'f' : 'v', sizeof(T));
    }
  }
};

template <typename F>
constexpr leaf_count count_leaves() {
  leaf_count count;
  closure_room<F> room;
  walk(count, room.closure);
  return count;
}

// No reference is to a bit-field, so that it cannot be passed to this.
struct any_reference {
  template <typename... Arguments>
  void operator()(const char *, Arguments &&...) const;
};
template <typename F, typename = void>
constexpr bool has_bit_fields = std::is_class_v<F>;
template <typename F>
constexpr bool has_bit_fields<F, decltype((void)__builtin_dump_struct(static_cast<F *>(nullptr), any_reference()))> =
    false;

// Whether the leaves can be counted. A member that is a reference is to nothing while they are.
template <typename F, typename = void>
constexpr bool has_leaves = false;
template <typename F>
constexpr bool has_leaves<F, std::enable_if_t<(count_leaves<F>().words < ~0u)>> = true;

// A letter for each word: pointers have to be looked at before they are passed on.
struct leaf_kinds {
  static constexpr char other = '.', pointer = 'p';
};
template <unsigned Words>
struct leaf_kind_list {
  char kinds[Words + 1] = {};
  unsigned at = 0;
  // Members of a union, which comes as its members, begin where others do.
  const void *places[Words + 1] = {};
  unsigned leaves = 0;
  bool has_union = false;

  template <typename T>
  constexpr void leaf(T &value) {
    if constexpr (!std::is_same_v<T, const buffer_cell *> && !std::is_same_v<T, const local_cell *> &&
                  !is_image_leaf<T>::value) {
      for (unsigned i = 0; i < leaves; i++)
        has_union = has_union || places[i] == &value;
      places[leaves++] = &value;
      for (unsigned i = 0; i < words_of<T>; i++)
        kinds[at++] = leaf_kinds::other;
      if constexpr (std::is_pointer_v<T>)
        kinds[at - 1] = leaf_kinds::pointer;
    }
  }
};
template <typename F>
constexpr auto kinds_of_leaves() {
  leaf_kind_list<count_leaves<F>().words> list;
  closure_room<F> room;
  walk(list, room.closure);
  for (const void *&place : list.places)
    place = nullptr;
  return list;
}

// The kinds of images, in order.
template <unsigned Images>
struct image_kind_list {
  unsigned kinds[Images + 1] = {}, at = 0;
  template <typename T>
  constexpr void leaf(T &) {
    if constexpr (is_image_leaf<T>::value)
      kinds[at++] = is_image_leaf<T>::kind;
  }
};
template <typename F>
constexpr auto image_kinds() {
  image_kind_list<count_leaves<F>().images> list;
  closure_room<F> room;
  walk(list, room.closure);
  return list;
}
template <typename F, std::size_t... I>
constexpr auto image_kinds(std::index_sequence<I...>) {
  return std::index_sequence<image_kinds<F>().kinds[I]...>();
}
template <typename F>
using image_kinds_of = decltype(image_kinds<F>(std::make_index_sequence<count_leaves<F>().images>()));

#ifdef __SYCL_DEVICE_ONLY__

struct leaf_reader {
  const std::uint64_t *words;
  char HEDDLE_GLOBAL *const *buffers;
  char HEDDLE_LOCAL *const *locals;
  const image_pointer *images;

  template <typename T>
  HEDDLE_INLINE void leaf(T &value) {
    if constexpr (std::is_same_v<T, const buffer_cell *>) {
      value = (const buffer_cell *)*buffers++;
    } else if constexpr (std::is_same_v<T, const local_cell *>) {
      value = (const local_cell *)*locals++;
    } else if constexpr (is_image_leaf<T>::value) {
      value.image = *images++;
    } else {
      if constexpr (std::is_pointer_v<T>) {
        value = (T)(std::uintptr_t)*words;
      } else if constexpr (std::is_same_v<T, bool>) {
        value = (*words & 1) != 0;
      } else if constexpr (std::is_integral_v<T> && words_of<T> == 1) {
        value = (T)*words;
      } else if constexpr (sizeof(T) == 4) {
        const std::uint32_t bits = (std::uint32_t)*words;
        __builtin_memcpy(&value, &bits, sizeof value);
      } else {
        std::uint64_t bits[words_of<T>];
        for (unsigned i = 0; i < words_of<T>; i++)
          bits[i] = words[i];
        __builtin_memcpy(&value, bits, sizeof value);
      }
      words += words_of<T>;
    }
  }
};

#else

struct leaf_writer {
  std::uint64_t *words;
  const void **buffers, **locals, **images;

  template <typename T>
  void leaf(T &value) {
    if constexpr (std::is_same_v<T, const buffer_cell *>) {
      *buffers++ = value;
    } else if constexpr (std::is_same_v<T, const local_cell *>) {
      *locals++ = value;
    } else if constexpr (is_image_leaf<T>::value) {
      *images++ = value.cell;
    } else {
      if constexpr (std::is_pointer_v<T>) {
        *words = reinterpret_cast<std::uintptr_t>(value);
      } else if constexpr (std::is_integral_v<T> && words_of<T> == 1) {
        *words = static_cast<std::uint64_t>(value);
      } else {
        std::memset(words, 0, 8 * words_of<T>);
        std::memcpy(words, &value, sizeof value);
      }
      words += words_of<T>;
    }
  }
};

#endif

}  // namespace sycl::detail

#endif
