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
    address_ = 0;
    idle(6000);
    for (unsigned i = 0; i < 600; i++)
      bit(0, 0);
    idle(600);
    in_toggle_ = out_toggle_ = false;
    frame_ = 0;
  }

  // What an operating system does with a new device: reads what it is, gives it an address, and takes its first
  // configuration, of which it finds the bulk endpoints. NULL, or what was wrong.
  const char *enumerate() {
    enum { kSetAddress = 5, kGetDescriptor = 6, kSetConfiguration = 9, kDevice = 1, kConfiguration = 2, kString = 3 };
    reset();
    next_frame();
    std::vector<uint8_t> device = control_in(kGetDescriptor, kDevice << 8, 0, 8);
    if (device.size() != 8 || device[1] != kDevice || device[7] != kPacket)
      return "no device descriptor at address 0";
    if (!control_out(kSetAddress, 21))
      return "SET_ADDRESS was refused";
    address_ = 21;
    idle(24000);  // 2 ms, as section 9.2.6.3 has it
    next_frame();
    device = control_in(kGetDescriptor, kDevice << 8, 0, 18);
    if (device.size() != 18 || device[8] != 0x09 || device[9] != 0x12 || device[10] != 0x01 || device[11] != 0x00)
      return "the device descriptor is not Heddle's";
    for (const uint8_t unit : control_in(kGetDescriptor, (unsigned)(kString << 8) | device[15], 0x0409, 255))
      product.push_back((char)unit);
    std::vector<uint8_t> all = control_in(kGetDescriptor, kConfiguration << 8, 0, 9);
    if (all.size() != 9)
      return "no configuration descriptor";
    all = control_in(kGetDescriptor, kConfiguration << 8, 0, all[2] | (unsigned)all[3] << 8);
    in_ = out_ = 0;
    for (size_t at = 0; at + 7 <= all.size() && all[at] != 0; at += all[at])
      if (all[at + 1] == 5 && (all[at + 3] & 3) == 2 && all[at + 4] == kPacket)
        (all[at + 2] & 0x80 ? in_ : out_) = all[at + 2] & 0xF;
    if (in_ == 0 || out_ == 0)
      return "the configuration has no bulk endpoint each way";
    return control_out(kSetConfiguration, all[5]) ? nullptr : "SET_CONFIGURATION was refused";
  }
  std::vector<char> product;  // the string descriptor, as it came

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
  enum Pid : uint8_t { kSetup = 0x2D, kOut = 0xE1, kIn = 0x69, kSof = 0xA5, kData0 = 0xC3, kData1 = 0x4B, kAck = 0xD2 };

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

  void data(bool toggle, std::vector<uint8_t> bytes) {
    const unsigned crc = crc16(bytes.data(), bytes.size());
    bytes.insert(bytes.begin(), toggle ? kData1 : kData0);
    bytes.push_back((uint8_t)crc);
    bytes.push_back((uint8_t)(crc >> 8));
    packet(bytes);
  }

  static bool is_data(const std::vector<uint8_t> &said, bool toggle) {
    return said.size() >= 3 && said[0] == (toggle ? kData1 : kData0) &&
           crc16(said.data() + 1, said.size() - 3) == (said[said.size() - 2] | (unsigned)said[said.size() - 1] << 8);
  }

  bool setup(bool in, unsigned request, unsigned value, unsigned index, unsigned length) {
    token(kSetup, address_);
    idle(2);
    data(false, {(uint8_t)(in ? 0x80 : 0), (uint8_t)request, (uint8_t)value, (uint8_t)(value >> 8), (uint8_t)index,
                 (uint8_t)(index >> 8), (uint8_t)length, (uint8_t)(length >> 8)});
    const std::vector<uint8_t> said = answer();
    return said.size() == 1 && said[0] == kAck;
  }

  // The data stage of an IN transfer on endpoint 0; one packet, or empty when there is none. Asks again while it is
  // told to wait.
  bool fetch_control(bool toggle, std::vector<uint8_t> *bytes) {
    for (unsigned tries = 0; tries < 1000; tries++) {
      token(kIn, address_);
      const std::vector<uint8_t> said = answer();
      if (!is_data(said, toggle)) {
        idle(20);
        continue;
      }
      packet({kAck});
      idle(4);
      bytes->assign(said.begin() + 1, said.end() - 2);
      return true;
    }
    return false;
  }

  std::vector<uint8_t> control_in(unsigned request, unsigned value, unsigned index, unsigned length) {
    std::vector<uint8_t> bytes, part;
    bool toggle = true;
    next_frame();
    if (!setup(true, request, value, index, length))
      return {};
    do {
      if (!fetch_control(toggle, &part))
        return {};
      bytes.insert(bytes.end(), part.begin(), part.end());
      toggle = !toggle;
    } while (part.size() == kPacket && bytes.size() < length);
    token(kOut, address_);
    idle(2);
    data(true, {});
    const std::vector<uint8_t> said = answer();
    return said.size() == 1 && said[0] == kAck ? bytes : std::vector<uint8_t>();
  }

  bool control_out(unsigned request, unsigned value) {
    std::vector<uint8_t> part;
    next_frame();
    return setup(false, request, value, 0, 0) && fetch_control(true, &part) && part.empty();
  }

  void send() {
    const size_t count = std::min<size_t>(to_board.size(), kPacket);
    token(kOut, address_ | out_ << 7);
    idle(2);
    data(out_toggle_, {to_board.begin(), to_board.begin() + (std::ptrdiff_t)count});
    const std::vector<uint8_t> said = answer();
    if (said.size() == 1 && said[0] == kAck) {
      to_board.erase(to_board.begin(), to_board.begin() + (std::ptrdiff_t)count);
      out_toggle_ = !out_toggle_;
    } else {
      refused++;
    }
  }

  void fetch() {
    token(kIn, address_ | in_ << 7);
    const std::vector<uint8_t> said = answer();
    if (said.size() < 3 || (said[0] != kData0 && said[0] != kData1)) {
      broken += said.size() > 1;
      return;
    }
    if (!is_data(said, said[0] == kData1)) {
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
  unsigned in_, out_, address_ = 0;
  bool in_toggle_ = false, out_toggle_ = false;
  unsigned frame_ = 0, number_ = 0;  // bits of this frame so far; number of the next
};

#endif
