// SPDX-License-Identifier: Apache-2.0
// heddle-board: simulates a board (board_pins.h) and gives its serial port to other programs as a pseudo-terminal, so
// that the host library, or any program that opens a serial port, finds what it would find on a desk. Of a board whose
// host is on USB (USB=1) it is the host as well, and the terminal has the bytes of its bulk endpoints. Ends at end of
// file of its standard input, or a signal.
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>

#include BOARD_PINS
#if USB
#include "sim/serial_board/usb_pins.h"
#else
#include "sim/serial_board/serial_pins.h"
#endif
#include "verilated.h"
#if VM_COVERAGE
#include "sim/rtl/coverage.h"
#endif

namespace {

struct Options {
  unsigned long flip_every = 0;  // bytes for each flipped bit, on average; 0: none
  unsigned long seed = 1;
  bool speed = false;
};

// Several boards are made of this file; each calls itself by the name that it was started by.
const char *own_name() {
  return program_invocation_short_name;
}

[[noreturn]] void fail(const char *what) {
  fprintf(stderr, "%s: %s: %s\n", own_name(), what, strerror(errno));
  exit(1);
}

[[noreturn]] void usage(FILE *out, int status) {
  fprintf(out,
          "usage: %s [--flip-every BYTES] [--seed NUMBER] [--speed]\n"
          "Simulates a board with a Heddle device and prints the path of its serial port. Use it from another shell:\n"
          "  HEDDLE_SERIAL=/dev/pts/N heddle info\n"
          "It runs until its standard input ends (Ctrl-D).\n"
          "  --flip-every BYTES  damage a bit of a byte now and then, both ways, after so many bytes on average\n"
          "  --seed NUMBER       of the damage (default 1)\n"
          "  --speed             say at the end how many cycles were simulated, and how many a second\n"
          "  --help              this text\n",
          own_name());
  exit(status);
}

unsigned long number(const char *text, const char *option) {
  char *end;
  errno = 0;
  const unsigned long value = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != 0 || errno != 0) {
    fprintf(stderr, "%s: %s wants a number from 0 on, not '%s'\n", own_name(), option, text);
    exit(2);
  }
  return value;
}

Options options_of(int argc, char **argv) {
  const option names[] = {{"flip-every", required_argument, nullptr, 'f'},
                          {"seed", required_argument, nullptr, 's'},
                          {"speed", no_argument, nullptr, 'S'},
                          {"help", no_argument, nullptr, 'h'},
                          {nullptr, 0, nullptr, 0}};
  Options options;
  argv[0] = program_invocation_short_name;  // getopt begins its messages with it
  for (int c; (c = getopt_long(argc, argv, "h", names, nullptr)) != -1;)
    if (c == 'f')
      options.flip_every = number(optarg, "--flip-every");
    else if (c == 's')
      options.seed = number(optarg, "--seed");
    else if (c == 'S')
      options.speed = true;
    else
      usage(c == 'h' ? stdout : stderr, c == 'h' ? 0 : 2);
  if (optind != argc)
    usage(stderr, 2);
  return options;
}

// A terminal whose other end is the board's serial port. That end stays open here, so that programs may come and go.
int open_terminal() {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
    fail("no pseudo-terminal");
  const char *path = ptsname(terminal);
  const int port = path ? open(path, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
  termios settings;
  if (port < 0 || tcgetattr(port, &settings) != 0)
    fail("no pseudo-terminal");
  cfmakeraw(&settings);
  if (tcsetattr(port, TCSANOW, &settings) != 0)
    fail("no raw pseudo-terminal");
  printf("%s\n", path);
  fflush(stdout);
  return terminal;
}

class Noise {
 public:
  explicit Noise(const Options &options) : every_(options.flip_every), random_(options.seed) {}
  uint8_t on(uint8_t byte) {
    if (every_ == 0 || random_() % every_ != 0)
      return byte;
    return (uint8_t)(byte ^ 1u << random_() % 8);
  }

 private:
  const unsigned long every_;
  std::mt19937 random_;
};

// The other end of the board's link.
#if USB
class Line {
 public:
  explicit Line(BoardPins *board) : board_(board), host_(board, 0, 0) {}
  // NULL, or why the board is no device.
  const char *begin() {
    constexpr unsigned kMostBits = 12000;
    for (unsigned i = 0; i < kMostBits && !board_->pulls_up(); i++)
      board_->bit(false, false);
    return board_->pulls_up() ? host_.enumerate() : "nothing pulls D+ up";
  }
  void send(uint8_t byte) {
    host_.to_board.push_back(byte);
  }
  // Some transactions; hands on what comes. Returns cycles of the device that went by.
  template <typename Take>
  unsigned long slice(const Take &take) {
    const uint64_t before = board_->cycles();
    quiet_++;
    if (!host_.to_board.empty())
      quiet_ = 0;
    host_.work();
    for (; !host_.from_board.empty(); host_.from_board.pop_front(), quiet_ = 0)
      take(host_.from_board.front());
    return board_->cycles() - before;
  }
  // Nothing more comes of itself.
  bool is_quiet() const {
    return quiet_ > kQuiet;
  }

 private:
  static constexpr unsigned kQuiet = 64;
  BoardPins *const board_;
  UsbHost<BoardPins> host_;
  unsigned quiet_ = 0;
};
#else
class Line {
 public:
  explicit Line(BoardPins *board) : board_(board), pins_(DIVISOR) {}
  const char *begin() {
    slice([](uint8_t) {});
    return nullptr;
  }
  void send(uint8_t byte) {
    pins_.to_board.push_back(byte);
  }
  template <typename Take>
  unsigned long slice(const Take &take) {
    for (unsigned i = 0; i < kCyclesASlice; i++) {
      const int byte = pins_.cycle(board_->cycle(pins_.line(), starts_));
      quiet_++;
      if (byte >= 0)
        take((uint8_t)byte);
      if (byte >= 0 || !pins_.idle())
        quiet_ = 0;
    }
    starts_ = false;
    return kCyclesASlice;
  }
  bool is_quiet() const {
    return quiet_ > kQuiet && pins_.idle();
  }

 private:
  static constexpr unsigned kCyclesASlice = 2000;   // between two looks at the terminal
  static constexpr unsigned kQuiet = 64 * DIVISOR;  // cycles without a byte
  BoardPins *const board_;
  SerialPins pins_;
  bool starts_ = true;
  unsigned quiet_ = 0;
};
#endif

}  // namespace

int main(int argc, char **argv) {
  const Options options = options_of(argc, argv);
  Noise noise(options);
  VerilatedContext context;
  context.threads(1);
  context.randReset(2);  // registers start with arbitrary values: nothing may depend on them
  context.randSeed(1);
  BoardPins board(&context);
#if VM_COVERAGE
  Coverage::begin(&context);
#endif
  Line line(&board);
  if (const char *wrong = line.begin()) {
    fprintf(stderr, "heddle-board: %s\n", wrong);
    return 1;
  }
  const int terminal = open_terminal();
  uint8_t bytes[4096];
  unsigned long cycles = 0;
  double seconds = 0;
  for (bool ends = false; !ends;) {
    // A board on which nothing happens waits for bytes; one that works looks for them now and then.
    const bool sleeps = line.is_quiet() && !board.busy();
    pollfd ready[] = {{terminal, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    poll(ready, 2, sleeps ? 1000 : 0);
    if (ready[0].revents & POLLIN) {
      const ssize_t come = read(terminal, bytes, sizeof bytes);
      for (ssize_t i = 0; i < come; i++)
        line.send(noise.on(bytes[i]));
    }
    if (ready[1].revents != 0)
      ends = read(STDIN_FILENO, bytes, sizeof bytes) <= 0;
    size_t count = 0;
    const auto began = std::chrono::steady_clock::now();
    cycles += line.slice([&](uint8_t byte) { bytes[count++] = noise.on(byte); });
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (const char *wrong = board.wrong()) {
      fprintf(stderr, "heddle-board: %s\n", wrong);
      return 1;
    }
    // What does not fit into the terminal is lost, as it is on a line to which nobody listens.
    if (count != 0 && write(terminal, bytes, count) < 0 && errno != EAGAIN && errno != EINTR)
      fail("the pseudo-terminal is gone");
  }
  if (options.speed)
    printf("%lu cycles in %.1f s: %.1f kHz\n", cycles, seconds, (double)cycles / seconds / 1000);
#if VM_COVERAGE
  Coverage::end(&context);
#endif
  return 0;
}
