// SPDX-License-Identifier: Apache-2.0
// What a device, or something that is none, says on a byte link (host/transport/frames.h). An input is a script of what
// comes when the host waits: bytes as they are, frames with checks that fit, silence.
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "host/transport/frames.h"

enum { RAW = 0, FRAME = 1, SILENCE = 2, GONE = 3, KINDS = 4 };
enum { HEADER_BYTES = 8, PAYLOAD_BYTES = 512 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct script {
  const uint8_t *at, *end;
  uint8_t asked[HEADER_BYTES];  // the last request's header: what an answer has to repeat
};

static uint8_t next(struct script *s) {
  return s->at < s->end ? *s->at++ : 0;
}

static int take_request(void *state, const uint8_t *data, size_t bytes) {
  struct script *s = state;
  if (bytes > HEADER_BYTES && data[0] == 0xA5)
    memcpy(s->asked, data + 1, HEADER_BYTES);
  return 0;
}

static void put32(uint8_t *at, uint32_t value) {
  for (int i = 0; i < 4; i++)
    at[i] = (uint8_t)(value >> 8 * i);
}

// The header that an answer should have, but for the bytes that the script says.
static size_t make_frame(struct script *s, uint8_t *frame) {
  uint8_t *header = frame + 1;
  frame[0] = 0x5A;
  memcpy(header, s->asked, HEADER_BYTES);
  if (header[0] == 1)
    header[7] = 0x10;  // to open: room for 4096 bytes
  for (unsigned changes = next(s) % 4; changes > 0; changes--) {
    const unsigned place = next(s) % HEADER_BYTES;
    header[place] ^= next(s);
  }
  const size_t length = header[2] | (size_t)header[3] << 8;
  uLong crc = crc32(0, header, HEADER_BYTES);
  put32(frame + 9, (uint32_t)crc);
  if (length == 0 || length > PAYLOAD_BYTES)
    return 13;
  memset(frame + 13, next(s), length);
  put32(frame + 13 + length, (uint32_t)crc32(crc, frame + 13, (uInt)length));
  return 13 + length + 4;
}

static int say(void *state, uint8_t *data, size_t room, unsigned milliseconds) {
  struct script *s = state;
  uint8_t bytes[1024];
  size_t count = 0;
  (void)milliseconds;
  if (s->at == s->end)
    return 0;
  switch (next(s) % KINDS) {
    case RAW:
      count = next(s);
      for (size_t i = 0; i < count; i++)
        bytes[i] = next(s);
      break;
    case FRAME:
      count = make_frame(s, bytes);
      break;
    case GONE:
      return -ENODEV;
    default:
      return 0;
  }
  count = count < room ? count : room;
  memcpy(data, bytes, count);
  return (int)count;
}

static void close_nothing(void *state) {
  (void)state;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const struct heddle_channel_calls calls = {take_request, say, close_nothing};
  static uint8_t memory[3000];
  struct script script = {.at = data, .end = data + size};
  struct heddle_link link;
  struct heddle_error error;
  if (heddle_frames_open(&(struct heddle_channel){.calls = &calls, .state = &script}, &link, &error) != 0)
    return 0;
  while (script.at < script.end) {
    const uint32_t address = (uint32_t)next(&script) << 24 | next(&script);
    const size_t bytes = next(&script) * 11u;
    switch (next(&script) % 3) {
      case 0:
        link.transport->read(link.state, address, memory, bytes);
        break;
      case 1:
        link.transport->write(link.state, address, memory, bytes);
        break;
      default:
        link.transport->wait(link.state, 0);
    }
  }
  link.transport->close(link.state);
  return 0;
}
