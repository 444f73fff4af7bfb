// SPDX-License-Identifier: Apache-2.0
// The host of a USB device at full speed, at the pins D+ and D-: frames of a millisecond, tokens, packets of 64 bytes,
// their answers and toggles, coded with NRZI and stuffed bits. Written from chapters 7 and 8 of the USB 2.0
// specification, not from luna-usb. C++ because what drives Verilator's models is.
#ifndef HEDDLE_USB_PINS_H
#define HEDDLE_USB_PINS_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

// Pins: a class with void bit(bool dp, bool dm), which lets a bit's time pass, and bool drives(), bool dp(), bool dm(),
// what the device did then.
template <typename Pins>
class UsbHost {
 public:
  UsbHost(Pins *pins, unsigned to_host, unsigned from_host) : pins_(pins), in_(to_host), out_(from_host) {}

  std::deque<uint8_t> to_board;      // bytes for the board
  std::deque<uint8_t> from_board;    // that it sent
  uint64_t refused = 0, broken = 0;  // transactions that were not taken, and answers that were none

  void reset() {
    idle(6000);
    for (unsigned i = 0; i < 600; i++)
      bit(0, 0);
    idle(600);
    in_toggle_ = out_toggle_ = false;
    frame_ = 0;
  }

  // One transaction each way, as far as there is something for it and room in this frame.
  void work() {
    constexpr unsigned kMost = 8 * 68 * 7 / 6 + 150;  // bits of the longest transaction
    if (frame_ + kMost > kFrame)
      next_frame();
    if (!to_board.empty())
      send();
    if (frame_ + kMost > kFrame)
      next_frame();
    fetch();
  }

 private:
  static constexpr unsigned kFrame = 12000, kPacket = 64, kPatience = 18;
  enum Pid : uint8_t { kOut = 0xE1, kIn = 0x69, kSof = 0xA5, kData0 = 0xC3, kData1 = 0x4B, kAck = 0xD2 };

  void bit(bool dp, bool dm) {
    pins_->bit(dp, dm);
    frame_++;
  }

  void idle(unsigned bits) {
    for (unsigned i = 0; i < bits; i++)
      bit(1, 0);
  }

  void packet(const std::vector<uint8_t> &bytes) {
    bool level = true;
    unsigned ones = 0;
    const auto put = [&](bool one) {
      level = one == level;
      ones = one ? ones + 1 : 0;
      bit(level, !level);
    };
    for (int i = 0; i < 8; i++)
      put(i == 7);
    for (const uint8_t byte : bytes)
      for (int i = 0; i < 8; i++) {
        put(byte >> i & 1);
        if (ones == 6)
          put(false);
      }
    bit(0, 0);
    bit(0, 0);
    bit(1, 0);
  }

  void token(Pid pid, unsigned value) {
    unsigned crc = 0x1F;
    for (unsigned i = 0; i < 11; i++)
      crc = crc >> 1 ^ ((crc ^ value >> i) & 1 ? 0x14u : 0);
    value |= (crc ^ 0x1F) << 11;
    packet({pid, (uint8_t)value, (uint8_t)(value >> 8)});
  }

  static unsigned crc16(const uint8_t *bytes, size_t count) {
    unsigned crc = 0xFFFF;
    for (size_t i = 0; i < count; i++) {
      crc ^= bytes[i];
      for (int j = 0; j < 8; j++)
        crc = crc >> 1 ^ (crc & 1 ? 0xA001u : 0);
    }
    return crc ^ 0xFFFF;
  }

  // The device's next packet; empty when it says nothing.
  std::vector<uint8_t> answer() {
    std::vector<uint8_t> bytes;
    std::vector<bool> bits;
    bool last = true;
    unsigned ones = 0;
    for (unsigned i = 0; i < kPatience && !pins_->drives(); i++)
      idle(1);
    while (pins_->drives() && (pins_->dp() || pins_->dm())) {
      const bool one = pins_->dp() == last;
      last = pins_->dp();
      if (ones != 6)
        bits.push_back(one);
      ones = one ? ones + 1 : 0;
      idle(1);
    }
    while (pins_->drives())
      idle(1);
    const auto begin = std::find(bits.begin(), bits.end(), true);
    for (size_t i = (size_t)(begin - bits.begin()) + 1; i + 8 <= bits.size(); i += 8) {
      uint8_t byte = 0;
      for (unsigned j = 0; j < 8; j++)
        byte |= (uint8_t)(bits[i + j] << j);
      bytes.push_back(byte);
    }
    idle(2);
    return bytes;
  }

  void next_frame() {
    while (frame_ < kFrame)
      idle(1);
    frame_ = 0;
    token(kSof, number_++ & 0x7FF);
    idle(2);
  }

  void send() {
    const size_t count = std::min<size_t>(to_board.size(), kPacket);
    std::vector<uint8_t> bytes = {out_toggle_ ? kData1 : kData0};
    bytes.insert(bytes.end(), to_board.begin(), to_board.begin() + (std::ptrdiff_t)count);
    const unsigned crc = crc16(bytes.data() + 1, count);
    bytes.push_back((uint8_t)crc);
    bytes.push_back((uint8_t)(crc >> 8));
    token(kOut, out_ << 7);
    idle(2);
    packet(bytes);
    const std::vector<uint8_t> said = answer();
    if (said.size() == 1 && said[0] == kAck) {
      to_board.erase(to_board.begin(), to_board.begin() + (std::ptrdiff_t)count);
      out_toggle_ = !out_toggle_;
    } else {
      refused++;
    }
  }

  void fetch() {
    token(kIn, in_ << 7);
    const std::vector<uint8_t> said = answer();
    if (said.size() < 3 || (said[0] != kData0 && said[0] != kData1)) {
      broken += said.size() > 1;
      return;
    }
    const size_t count = said.size() - 3;
    if (crc16(said.data() + 1, count) != (said[count + 1] | (unsigned)said[count + 2] << 8)) {
      broken++;
      return;
    }
    packet({kAck});
    idle(2);
    if (said[0] == (in_toggle_ ? kData1 : kData0)) {
      from_board.insert(from_board.end(), said.begin() + 1, said.end() - 2);
      in_toggle_ = !in_toggle_;
    }
  }

  Pins *const pins_;
  const unsigned in_, out_;
  bool in_toggle_ = false, out_toggle_ = false;
  unsigned frame_ = 0, number_ = 0;  // bits of this frame so far; number of the next
};

#endif
