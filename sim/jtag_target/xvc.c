// SPDX-License-Identifier: Apache-2.0
// See xvc.h.
#include "sim/jtag_target/xvc.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

// Bytes of TMS and TDI together that one message may have.
enum { VECTORS_BYTES = 2048, PLACE_BYTES = VECTORS_BYTES / 2 };

static bool receive(int socket, void *data, size_t bytes) {
  // A client that sends a message in pieces without TCP_NODELAY waits for the acknowledgement of each, 40 ms by
  // default.
  const int on = 1;
  for (size_t at = 0; at < bytes;) {
    setsockopt(socket, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
    const ssize_t got = recv(socket, (char *)data + at, bytes - at, 0);
    if (got > 0)
      at += (size_t)got;
    else if (got == 0 || errno != EINTR)
      return false;
  }
  return true;
}

static bool give(int socket, const void *data, size_t bytes) {
  for (size_t at = 0; at < bytes;) {
    const ssize_t put = send(socket, (const char *)data + at, bytes - at, MSG_NOSIGNAL);
    if (put >= 0)
      at += (size_t)put;
    else if (errno != EINTR)
      return false;
  }
  return true;
}

static bool shift(int socket, struct ecp5 *ecp5) {
  uint8_t count[4], tms[PLACE_BYTES] = {0}, tdi[PLACE_BYTES] = {0}, tdo[PLACE_BYTES] = {0};
  if (!receive(socket, count, sizeof count))
    return false;
  const uint32_t bits = count[0] | (uint32_t)count[1] << 8 | (uint32_t)count[2] << 16 | (uint32_t)count[3] << 24;
  if (bits > 8 * PLACE_BYTES) {
    fprintf(stderr, "heddle-jtag-target: the client shifts %u bits at once; %d are the most\n", bits, 8 * PLACE_BYTES);
    return false;
  }
  const size_t bytes = (bits + 7) / 8;
  if (!receive(socket, tms, bytes) || !receive(socket, tdi, bytes))
    return false;
  for (uint32_t i = 0; i < bits; i++) {
    const bool out = ecp5_clock(ecp5, (tms[i / 8] >> i % 8 & 1) != 0, (tdi[i / 8] >> i % 8 & 1) != 0);
    tdo[i / 8] |= (uint8_t)(out << i % 8);
  }
  return give(socket, tdo, bytes);
}

void xvc_serve(int socket, struct ecp5 *ecp5) {
  char words[2], rest[6], info[32];
  uint8_t period[4];  // of TCK, in ns: the simulated pins take any
  bool goes_on = true;
  while (goes_on && receive(socket, words, sizeof words)) {
    if (memcmp(words, "ge", 2) == 0) {
      const int length = snprintf(info, sizeof info, "xvcServer_v1.0:%d\n", VECTORS_BYTES);
      goes_on = receive(socket, rest, 6) && memcmp(rest, "tinfo:", 6) == 0 && give(socket, info, (size_t)length);
    } else if (memcmp(words, "se", 2) == 0) {
      goes_on = receive(socket, rest, 5) && memcmp(rest, "ttck:", 5) == 0 && receive(socket, period, sizeof period) &&
                give(socket, period, sizeof period);
    } else if (memcmp(words, "sh", 2) == 0) {
      goes_on = receive(socket, rest, 4) && memcmp(rest, "ift:", 4) == 0 && shift(socket, ecp5);
    } else {
      fputs("heddle-jtag-target: the client does not speak XVC 1.0\n", stderr);
      goes_on = false;
    }
  }
}
