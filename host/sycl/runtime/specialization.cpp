// SPDX-License-Identifier: Apache-2.0
// Values of specialization constants: a table that kernels find them in (include/sycl/kernel_handler.hpp).
#include <algorithm>
#include <cstring>

#include "host/sycl/runtime/impl.hpp"

namespace sycl {

namespace detail {

// Where the words of a constant begin; the end: it has no value.
std::vector<std::uint32_t>::const_iterator specializations::find(std::uint64_t hash) const {
  for (std::size_t at = 0; at < words.size(); at += 3 + words[at + 2])
    if ((words[at] | static_cast<std::uint64_t>(words[at + 1]) << 32) == hash)
      return words.begin() + static_cast<std::ptrdiff_t>(at);
  return words.end();
}

void specializations::set(std::uint64_t hash, const void *value, std::size_t bytes) {
  const std::uint32_t count = static_cast<std::uint32_t>((bytes + 3) / 4);
  std::size_t at = static_cast<std::size_t>(find(hash) - words.begin());
  if (at == words.size()) {
    words.insert(words.end(), {static_cast<std::uint32_t>(hash), static_cast<std::uint32_t>(hash >> 32), count});
    words.resize(words.size() + count);
  }
  std::memcpy(&words[at + 3], value, bytes);
}

bool specializations::get(std::uint64_t hash, void *value, std::size_t bytes) const {
  const auto at = find(hash);
  if (at == words.end())
    return false;
  std::memcpy(value, &at[3], bytes);
  return true;
}

bool specializations::add(const specializations &other) {
  for (std::size_t at = 0; at < other.words.size(); at += 3 + other.words[at + 2]) {
    const auto from = other.words.begin() + static_cast<std::ptrdiff_t>(at), end = from + 3 + from[2];
    const auto mine = find(from[0] | static_cast<std::uint64_t>(from[1]) << 32);
    if (mine == words.end())
      words.insert(words.end(), from, end);
    else if (!std::equal(from, end, mine))
      return false;
  }
  return true;
}

void specialize(kernel_bundle_impl &bundle, std::uint64_t hash, const void *value, std::size_t bytes) {
  const locked lock(runtime_lock);
  if (bundle.kernels.empty())
    fail(errc::invalid, "set_specialization_constant: the kernel bundle has no kernels");
  bundle.constants.set(hash, value, bytes);
}

bool is_specialized(const kernel_bundle_impl &bundle, std::uint64_t hash, void *value, std::size_t bytes) {
  const locked lock(runtime_lock);
  return bundle.constants.get(hash, value, bytes);
}

// Of a command that uses a bundle, the constants are the bundle's.
static void check_has_own(const command &of) {
  if (of.bundle)
    fail(errc::invalid, describe(of.at) + ": a command that uses a kernel bundle has its specialization constants");
}

}  // namespace detail

void handler::specialize(std::uint64_t hash, const void *value, std::size_t bytes) {
  detail::check_has_own(*command);
  command->constants.set(hash, value, bytes);
}

bool handler::is_specialized(std::uint64_t hash, void *value, std::size_t bytes) const {
  detail::check_has_own(*command);
  return command->constants.get(hash, value, bytes);
}

const detail::buffer_cell *handler::specializations() {
  std::vector<std::uint32_t> all = command->bundle ? command->bundle->constants.words : command->constants.words;
  all.insert(all.begin(), static_cast<std::uint32_t>(all.size() + 1));
  auto buffer = detail::make_buffer(4 * all.size(), nullptr, all.data(), {});
  buffer->is_of_one_command = true;
  return detail::require(*this, buffer, true, false, 0);
}

}  // namespace sycl
