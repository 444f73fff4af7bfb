// SPDX-License-Identifier: Apache-2.0
// A serial port as a channel of bytes (serial.h). Called by host/cl/platform.c.
#include "host/transport/serial.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "host/environment.h"
#include "host/transport/frames.h"
#include "host/transport/holder.h"

enum { SEND_TIMEOUT_MS = 5000 };

static const struct {
  unsigned long baud;
  speed_t speed;
} speeds[] = {{115200, B115200},   {230400, B230400},   {460800, B460800},   {500000, B500000},   {921600, B921600},
              {1000000, B1000000}, {1500000, B1500000}, {2000000, B2000000}, {3000000, B3000000}, {4000000, B4000000}};
static const struct heddle_variable baud_variable = {
    .name = "HEDDLE_SERIAL_BAUD",
    .otherwise = 3000000,
    .most = 4000000,
    .what = "a usual number of bits a second, such as 115200 or 3000000"};

// The descriptor is all there is to know of a port; it is kept as a pointer.
static int descriptor_of(const void *state) {
  return *(const int *)state;
}

// 0 once it is ready, 1 if it is not in time, or an error when the port is gone.
static int wait_for(int descriptor, short events, int milliseconds) {
  struct pollfd ready = {.fd = descriptor, .events = events};
  const int count = poll(&ready, 1, milliseconds);
  if (count < 0)
    return errno == EINTR ? 1 : -errno;
  if ((ready.revents & (POLLERR | POLLNVAL)) != 0 || ((ready.revents & POLLHUP) != 0 && (ready.revents & POLLIN) == 0))
    return -ENODEV;
  return count == 0;
}

static int serial_send(void *state, const uint8_t *data, size_t bytes) {
  const int descriptor = descriptor_of(state);
  while (bytes > 0) {
    const ssize_t sent = write(descriptor, data, bytes);
    if (sent > 0) {
      data += sent;
      bytes -= (size_t)sent;
    } else if (sent < 0 && errno != EAGAIN && errno != EINTR) {
      return -ENODEV;
    } else {
      const int late = wait_for(descriptor, POLLOUT, SEND_TIMEOUT_MS);
      if (late != 0)
        return -ENODEV;
    }
  }
  return 0;
}

static int serial_receive(void *state, uint8_t *data, size_t room, unsigned milliseconds) {
  const int descriptor = descriptor_of(state);
  const int late = wait_for(descriptor, POLLIN, (int)milliseconds);
  if (late != 0)
    return late < 0 ? late : 0;
  const ssize_t come = read(descriptor, data, room);
  if (come > 0)
    return (int)come;
  return come < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -ENODEV;
}

static void serial_close(void *state) {
  close(descriptor_of(state));
  free(state);
}

static const struct heddle_channel_calls serial_calls = {
    .send = serial_send, .receive = serial_receive, .close = serial_close};

static size_t port_of(unsigned number, const char **port) {
  return heddle_environment_item("HEDDLE_SERIAL", number, port);
}

unsigned heddle_serial_count(void) {
  const char *port;
  unsigned count = 0;
  while (count < HEDDLE_SERIAL_MOST && port_of(count, &port) != 0)
    count++;
  return count;
}

static int cannot_open(const char *port, struct heddle_error *error) {
  if (errno == EACCES)
    return heddle_fail(
        error, -EACCES,
        "no permission for %.120s: add yourself to its group ('sudo adduser $USER dialout'), then log in again", port);
  if (errno == ENOENT)
    return heddle_fail(error, -ENOENT, "there is no %.120s: is the board plugged in? HEDDLE_SERIAL names its port",
                       port);
  return heddle_fail(error, -errno, "%.120s: %s", port, strerror(errno));
}

// With start and stop bit; and how long a USB serial chip keeps what it has for the host, at the fastest.
enum { BITS_A_BYTE = 10, ACCESS_NS = 1000000 };

// Raw bytes, nobody else. *baud: bits a second.
static int set_up(int descriptor, const char *port, uint64_t *baud, struct heddle_error *error) {
  speed_t speed = B0;
  struct termios settings;
  if (heddle_environment_number(&baud_variable, baud, error) != 0)
    return -EINVAL;
  for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
    speed = speeds[i].baud == *baud ? speeds[i].speed : speed;
  if (speed == B0)
    return heddle_environment_wrong(baud_variable.name, baud_variable.what, error);
  const int held = heddle_hold(descriptor, port, error);
  if (held != 0)
    return held;
  if (tcgetattr(descriptor, &settings) != 0)
    return heddle_fail(error, -ENOTTY, "%.120s is no serial port", port);
  cfmakeraw(&settings);
  settings.c_cflag |= CLOCAL | CREAD;
  settings.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS);
  settings.c_cc[VMIN] = 0;
  settings.c_cc[VTIME] = 0;
  if (cfsetspeed(&settings, speed) != 0 || tcsetattr(descriptor, TCSANOW, &settings) != 0)
    return heddle_fail(error, -errno, "%.120s does not take %lu bits a second: %s", port, (unsigned long)*baud,
                       strerror(errno));
  tcflush(descriptor, TCIOFLUSH);
  return 0;
}

int heddle_serial_open(unsigned number, struct heddle_link *link, struct heddle_error *error) {
  const char *at;
  if (port_of(HEDDLE_SERIAL_MOST, &at) != 0)
    return heddle_fail(error, -EINVAL, "HEDDLE_SERIAL names more than %d ports", HEDDLE_SERIAL_MOST);
  const size_t length = port_of(number, &at);
  char port[PATH_MAX] = "";
  if (length >= sizeof port)
    return heddle_fail(error, -ENAMETOOLONG, "HEDDLE_SERIAL has a path of %zu bytes", length);
  if (length > 0)
    memcpy(port, at, length);
  const int descriptor = open(port, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0)
    return cannot_open(port, error);
  uint64_t baud = 0;
  int result = set_up(descriptor, port, &baud, error);
  int *state = result == 0 ? malloc(sizeof *state) : NULL;
  if (!state) {
    close(descriptor);
    return result != 0 ? result : heddle_fail(error, -ENOMEM, "out of host memory");
  }
  *state = descriptor;
  const struct heddle_channel channel = {
      .calls = &serial_calls, .state = state, .bytes_a_second = baud / BITS_A_BYTE, .access_ns = ACCESS_NS};
  return heddle_frames_open(&channel, link, error);
}
