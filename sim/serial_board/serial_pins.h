// SPDX-License-Identifier: Apache-2.0
// The other end of a serial line, bit by bit: what a board's USB bridge does at the pins of the FPGA. Written from what
// a UART is (a start bit, 8 data bits, the lowest first, a stop bit), not from rtl/link. C++ because what drives
// Verilator's models is.
#ifndef HEDDLE_SERIAL_PINS_H
#define HEDDLE_SERIAL_PINS_H

#include <cstdint>
#include <deque>

class SerialPins {
 public:
  explicit SerialPins(unsigned cycles_a_bit) : cycles_a_bit_(cycles_a_bit) {}

  // Bytes for the board; they go one behind the other.
  std::deque<uint8_t> to_board;

  // One cycle: takes the line that comes from the board. Returns a byte whose stop bit has come, else -1.
  int cycle(bool from_board) {
    send();
    return receive(from_board);
  }

  // The line to the board, for the next cycle.
  bool line() const {
    return line_;
  }

  // Nothing is on its way to the board.
  bool idle() const {
    return to_board.empty() && bits_ == 0;
  }

 private:
  void send() {
    if (bits_ == 0 && !to_board.empty()) {
      frame_ = 0x200u | (unsigned)to_board.front() << 1;  // start bit 0, stop bit 1
      to_board.pop_front();
      bits_ = 10;
      left_ = 0;
    }
    if (bits_ != 0 && left_ == 0) {
      line_ = frame_ & 1;
      frame_ >>= 1;
      left_ = cycles_a_bit_;
    }
    if (bits_ != 0 && --left_ == 0)
      bits_--;
  }

  int receive(bool level) {
    if (come_ == 0 && !level) {
      come_ = 1;
      wait_ = cycles_a_bit_ / 2;
    } else if (come_ != 0 && --wait_ == 0) {
      wait_ = cycles_a_bit_;
      if (come_ == 10) {
        come_ = 0;
        return level ? byte_ : -1;
      }
      byte_ = (uint8_t)(come_ == 1 ? 0 : byte_ >> 1 | level << 7);
      come_ = come_ == 1 && level ? 0 : come_ + 1;
    }
    return -1;
  }

  const unsigned cycles_a_bit_;
  bool line_ = true;
  unsigned frame_ = 0, bits_ = 0, left_ = 0;
  unsigned come_ = 0, wait_ = 0;  // bits of a byte that have come, and cycles to the middle of the next
  uint8_t byte_ = 0;
};

#endif
