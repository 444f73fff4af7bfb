// SPDX-License-Identifier: Apache-2.0
// Text of streams: made of the words that kernels left (include/sycl/stream.hpp), when the kernel has ended.
#include <cstring>
#include <iomanip>
#include <iostream>
#include <sstream>

#include "host/sycl/runtime/impl.hpp"

namespace sycl::detail {

namespace {

void manipulate(std::ostream &out, stream_manipulator m) {
  switch (m) {
    case stream_manipulator::dec:
      out << std::dec;
      break;
    case stream_manipulator::hex:
      out << std::hex;
      break;
    case stream_manipulator::oct:
      out << std::oct;
      break;
    case stream_manipulator::showbase:
      out << std::showbase;
      break;
    case stream_manipulator::noshowbase:
      out << std::noshowbase;
      break;
    case stream_manipulator::showpos:
      out << std::showpos;
      break;
    case stream_manipulator::noshowpos:
      out << std::noshowpos;
      break;
    case stream_manipulator::endl:
      out << '\n';
      break;
    case stream_manipulator::flush:
      break;
    case stream_manipulator::fixed:
      out << std::fixed;
      break;
    case stream_manipulator::scientific:
      out << std::scientific;
      break;
    case stream_manipulator::hexfloat:
      out << std::hexfloat;
      break;
    case stream_manipulator::defaultfloat:
      out << std::defaultfloat;
      break;
  }
}

// One value; `count` words or, of text, bytes are behind its first word.
void write_value(std::ostream &out, stream_word what, const std::uint32_t *words, std::uint32_t count) {
  std::uint64_t wide = words[0];
  if (count == 2)
    wide |= static_cast<std::uint64_t>(words[1]) << 32;
  char text[17] = {};
  switch (what) {
    case stream_word::of_signed:
      // In another base than ten it is as wide as it was.
      if (count == 1)
        out << static_cast<std::int32_t>(words[0]);
      else
        out << static_cast<std::int64_t>(wide);
      break;
    case stream_word::of_unsigned:
      out << wide;
      break;
    case stream_word::of_float:
      out << __builtin_bit_cast(float, words[0]);
      break;
    case stream_word::of_double:
      out << __builtin_bit_cast(double, wide);
      break;
    case stream_word::of_text:
      std::memcpy(text, words, count < 16 ? count : 16);
      out << text;
      break;
    case stream_word::of_pointer:
      out << reinterpret_cast<const void *>(static_cast<std::uintptr_t>(words[0]));
      break;
    case stream_word::manipulator:
      manipulate(out, static_cast<stream_manipulator>(words[0]));
      break;
    case stream_word::width:
      out << std::setw(static_cast<int>(words[0]));
      break;
    case stream_word::precision:
      out << std::setprecision(static_cast<int>(words[0]));
      break;
  }
}

// Of one flush. What a kernel that went wrong left may be anything.
void write_piece(std::ostream &out, const std::uint32_t *words, std::uint32_t count) {
  for (std::uint32_t at = 0; at < count;) {
    const auto what = static_cast<stream_word>(words[at] & 0xff);
    const std::uint32_t size = words[at] >> stream_count_shift;
    const std::uint32_t taken = what == stream_word::of_text ? (size + 3) / 4 : size;
    at++;
    if (taken == 0 || taken > count - at)
      return;
    write_value(out, what, words + at, size);
    at += taken;
  }
}

void write_all(buffer_impl &buffer) {
  buffer.bring_to_host();
  const auto *words = reinterpret_cast<const std::uint32_t *>(buffer.host);
  const std::uint32_t room = static_cast<std::uint32_t>(buffer.bytes / 4);
  const std::uint32_t end = words[0] < room - 1 ? words[0] + 1 : room;
  std::ostringstream text;
  for (std::uint32_t at = 1; at < end;) {
    const std::uint32_t count = words[at++];
    if (count == 0 || count > end - at)  // of what found no room there is nothing
      break;
    std::ostringstream piece;
    write_piece(piece, words + at, count);
    text << piece.str();
    at += count;
  }
  std::cout << text.str() << std::flush;
}

}  // namespace

std::shared_ptr<buffer_impl> make_stream_buffer(handler &h, std::size_t words) {
  auto buffer = make_buffer(words * 4, nullptr, nullptr, {});
  buffer->is_unwritten = false;  // it begins with zeros
  buffer->is_of_one_command = true;
  const auto before = std::move(h.command->behind);
  h.command->behind = [buffer, before] {
    if (before)
      before();
    write_all(*buffer);
  };
  return buffer;
}

}  // namespace sycl::detail
