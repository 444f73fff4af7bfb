// SPDX-License-Identifier: Apache-2.0
// Values of specialization constants: a table that kernels find them in (include/sycl/kernel_handler.hpp).
#include <cstring>

#include "host/sycl/runtime/impl.hpp"

namespace sycl {

namespace detail {

// Where the words of a constant begin; the end: it has no value.
std::vector<std::uint32_t>::iterator specializations::find(std::uint64_t hash) {
  for (std::size_t at = 0; at < words.size(); at += 3 + words[at + 2])
    if ((words[at] | static_cast<std::uint64_t>(words[at + 1]) << 32) == hash)
      return words.begin() + static_cast<std::ptrdiff_t>(at);
  return words.end();
}

void specializations::set(std::uint64_t hash, const void *value, std::size_t bytes) {
  const std::uint32_t count = static_cast<std::uint32_t>((bytes + 3) / 4);
  auto at = find(hash);
  if (at == words.end()) {
    words.insert(words.end(), {static_cast<std::uint32_t>(hash), static_cast<std::uint32_t>(hash >> 32), count});
    words.resize(words.size() + count);
    at = words.end() - static_cast<std::ptrdiff_t>(3 + count);
  }
  std::memcpy(&at[3], value, bytes);
}

}  // namespace detail

void handler::specialize(std::uint64_t hash, const void *value, std::size_t bytes) {
  command->constants.set(hash, value, bytes);
}

bool handler::is_specialized(std::uint64_t hash, void *value, std::size_t bytes) const {
  const auto at = command->constants.find(hash);
  if (at == command->constants.words.end())
    return false;
  std::memcpy(value, &at[3], bytes);
  return true;
}

const detail::buffer_cell *handler::specializations() {
  std::vector<std::uint32_t> all = command->constants.words;
  all.insert(all.begin(), static_cast<std::uint32_t>(all.size() + 1));
  auto buffer = detail::make_buffer(4 * all.size(), nullptr, all.data(), {});
  buffer->is_of_one_command = true;
  return detail::require(*this, buffer, true, false, 0);
}

}  // namespace sycl
