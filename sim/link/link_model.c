// SPDX-License-Identifier: Apache-2.0
// Frames as a device understands them (link_model.h).
#include "sim/link/link_model.h"

#include <string.h>
#include <zlib.h>

enum { HEADER = 8, FRONT = 13, CHECK = 4 };
enum { OPEN = 1, READ = 2, WRITE = 3 };
enum { DONE = 0, NO_ADDRESS = 1, OUT_OF_SEQUENCE = 2, NO_KIND = 3, NOT_OPEN = 4 };

static uint32_t word_at(const uint8_t *at) {
  return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void word_to(uint8_t *at, uint32_t word) {
  for (int i = 0; i < 4; i++)
    at[i] = (uint8_t)(word >> 8 * i);
}

static void answer(struct link_model *link, unsigned kind, unsigned status, uint8_t sequence, uint32_t address,
                   const uint8_t *data, size_t bytes) {
  uint8_t frame[LINK_MODEL_MOST + FRONT + CHECK] = {0x5A};
  size_t all = FRONT;
  frame[1] = (uint8_t)(kind & 15u) | (uint8_t)(status << 4);
  frame[1] |= link->to.busy(link->to.device) ? 0x80 : 0;
  frame[2] = sequence;
  frame[3] = (uint8_t)bytes;
  frame[4] = (uint8_t)(bytes >> 8);
  word_to(frame + 5, address);
  word_to(frame + 9, (uint32_t)crc32(0, frame + 1, HEADER));
  if (bytes > 0) {
    memcpy(frame + FRONT, data, bytes);
    word_to(frame + FRONT + bytes, (uint32_t)crc32(crc32(0, frame + 1, HEADER), data, (uInt)bytes));
    all += bytes + CHECK;
  }
  link->to.answer(link->to.device, frame, all);
}

// A frame of which every check was right.
static void carry_out(struct link_model *link, const uint8_t *frame, size_t bytes) {
  const unsigned kind = frame[1];
  const uint8_t sequence = frame[2], behind = (uint8_t)(link->expected - sequence);
  const uint32_t address = word_at(frame + 5);
  uint8_t data[LINK_MODEL_MOST];
  int failed = 0;
  if (kind == OPEN) {
    link->to.reset(link->to.device);
    link->open = true;
    link->expected = (uint8_t)(sequence + 1);
    answer(link, kind, DONE, sequence, (address & 0xFFFF) | (uint32_t)LINK_MODEL_BUFFER << 16, NULL, 0);
  } else if (!link->open) {
    answer(link, kind, NOT_OPEN, sequence, address, NULL, 0);
  } else if (behind > 128) {
    answer(link, kind, OUT_OF_SEQUENCE, link->expected, address, NULL, 0);
  } else if (kind != READ && kind != WRITE) {
    answer(link, kind, NO_KIND, sequence, address, NULL, 0);
  } else {
    if (kind == READ && bytes > 0)
      failed = link->to.read(link->to.device, address, data, bytes);
    else if (bytes > 0 && behind == 0)
      failed = link->to.write(link->to.device, address, frame + FRONT, bytes);
    link->expected = (uint8_t)(link->expected + (behind == 0));
    answer(link, kind, failed ? NO_ADDRESS : DONE, sequence, address, data, failed || kind != READ ? 0 : bytes);
  }
}

// What the bytes from `at` on are: how many of them are a frame or none (carried out or thrown away), 0: not all is
// there.
static size_t take_frame(struct link_model *link, const uint8_t *frame, size_t come) {
  if (frame[0] != 0xA5)
    return 1;
  if (come < FRONT)
    return 0;
  const size_t bytes = frame[3] | (size_t)frame[4] << 8;
  if (word_at(frame + 9) != crc32(0, frame + 1, HEADER) || bytes > LINK_MODEL_MOST)
    return 1;
  const bool carries = frame[1] == WRITE && bytes > 0;
  const size_t all = FRONT + (carries ? bytes + CHECK : 0);
  if (come < all)
    return 0;
  if (carries && word_at(frame + FRONT + bytes) != crc32(crc32(0, frame + 1, HEADER), frame + FRONT, (uInt)bytes))
    return 1;
  carry_out(link, frame, bytes);
  return all;
}

void link_model_take(struct link_model *link, const uint8_t *data, size_t bytes) {
  while (bytes > 0) {
    const size_t room = sizeof link->bytes - link->come, now = bytes < room ? bytes : room;
    size_t at = 0, taken = 1;
    memcpy(link->bytes + link->come, data, now);
    link->come += now;
    data += now;
    bytes -= now;
    while (at < link->come && taken > 0) {
      taken = take_frame(link, link->bytes + at, link->come - at);
      at += taken;
    }
    memmove(link->bytes, link->bytes + at, link->come - at);
    link->come -= at;
  }
}
