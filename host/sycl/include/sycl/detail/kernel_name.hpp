// SPDX-License-Identifier: Apache-2.0
// What a kernel is called, on both sides: something to read, and hashes.
//
//   Scale_0123456789abcdef_89abcdef
//   what the user calls it, or file and line of the lambda;
//           its type and translation unit;
//                            what it captures.
//
// The host looks for the first of these, and then compares the other (runtime/kernels.cpp).
#ifndef HEDDLE_SYCL_DETAIL_KERNEL_NAME_HPP
#define HEDDLE_SYCL_DETAIL_KERNEL_NAME_HPP

#include "leaves.hpp"

namespace sycl::detail {

// Of the device pass: the name as a type, which clang mangles and heddle-sycl++ reads back.
template <char... Letters>
struct kernel_letters;

constexpr unsigned readable_letters_max = 40, hash_letters = 16 + 8 + 2;

template <unsigned Size>
struct kernel_text {
  char letters[Size + 1] = {};
  unsigned count = 0;

  constexpr void add(char letter) {
    letters[count++] = letter;
  }
  constexpr void add_hex(std::uint64_t number, int digits) {
    for (int i = digits - 1; i >= 0; i--)
      add("0123456789abcdef"[number >> 4 * i & 15]);
  }
};

constexpr bool is_word_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The spelling of a type, from the name of this function: "… spelling() [T = Scale]".
template <typename T>
constexpr const char *spelling() {
  return __PRETTY_FUNCTION__;
}

// Of "main()::Scale" or "Scale<float>" what is behind the last "::" outside of brackets; of "(lambda at
// dir/x.cpp:12:9)" file and line, as the column need not be the same in both passes.
template <unsigned Size>
constexpr void add_readable(kernel_text<Size> &text, const char *spelled) {
  const char *start = spelled;
  while (*start != '=')
    start++;
  start += 2;
  const char *end = start;
  while (*end != 0)
    end++;
  end--;  // the bracket
  const char *lambda = nullptr;
  for (const char *c = start; end - c > 10; c++)
    if (c[0] == '(' && c[1] == 'l' && c[2] == 'a' && c[3] == 'm' && c[4] == 'b' && c[5] == 'd' && c[6] == 'a')
      lambda = c + 11;
  if (lambda) {
    start = lambda;
    while (end > start && *end != ':')  // the column
      end--;
    for (const char *c = start; c < end; c++)
      start = *c == '/' ? c + 1 : start;
  } else {
    int depth = 0;
    const char *from = start;
    for (const char *c = from; c < end; c++) {
      depth += (*c == '<' || *c == '(') - (*c == '>' || *c == ')');
      if (depth == 0 && *c == ':')
        start = c + 1;
    }
  }
  if (*start >= '0' && *start <= '9')
    text.add('_');
  for (const char *c = start; c < end && text.count < readable_letters_max; c++)
    text.add(is_word_letter(*c) ? *c : '_');
}

template <typename Name>
constexpr std::uint64_t hash_name() {
  std::uint64_t hash = hash_step(hash_start, HEDDLE_SYCL_UNIT);
  for (const char *c = __builtin_sycl_unique_stable_name(Name); *c != 0; c++)
    hash = hash_step(hash, static_cast<unsigned char>(*c));
  return hash;
}

// Name is the user's type for the kernel's name, or the closure's type.
template <typename Name, typename F>
constexpr auto make_kernel_name() {
  kernel_text<readable_letters_max + hash_letters> text;
  add_readable(text, spelling<Name>());
  const std::uint64_t captures = count_leaves<F>().hash;
  text.add('_');
  text.add_hex(hash_name<Name>(), 16);
  text.add('_');
  text.add_hex((captures ^ captures >> 32) & 0xFFFFFFFF, 8);
  return text;
}

#ifdef __SYCL_DEVICE_ONLY__
template <typename Name, typename F, std::size_t... I>
constexpr auto spell_kernel(std::index_sequence<I...>) {
  constexpr auto name = make_kernel_name<Name, F>();
  return static_cast<kernel_letters<name.letters[I]...> *>(nullptr);
}
template <typename Name, typename F>
using kernel_letters_of = std::remove_pointer_t<decltype(spell_kernel<Name, F>(
    std::make_index_sequence<make_kernel_name<Name, F>().count>()))>;
#endif

}  // namespace sycl::detail

#endif
