// SPDX-License-Identifier: Apache-2.0
// Requests and answers on a byte link (frames.h). Called by the transports that have one: serial.c.
#include "host/transport/frames.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <zlib.h>

#include "contract/device_map.h"
#include "contract/little_endian.h"
#include "host/environment.h"

enum { REQUEST_MARKER = 0xA5, ANSWER_MARKER = 0x5A };
enum { KIND_OPEN = 1, KIND_READ = 2, KIND_WRITE = 3, KIND_MASK = 0xF };
enum {
  STATUS_SHIFT = 4,
  STATUS_MASK = 7,
  STATUS_GOOD = 0,
  STATUS_NO_ADDRESS = 1,
  STATUS_NO_SEQUENCE = 2,
  STATUS_NOT_OPEN = 4,
  BUSY = 0x80
};
enum { HEADER_BYTES = 8, CHECK_BYTES = 4, FRONT_BYTES = 1 + HEADER_BYTES + CHECK_BYTES, PAYLOAD_BYTES = 512 };
enum { FRAME_BYTES = FRONT_BYTES + PAYLOAD_BYTES + CHECK_BYTES };

// Requests under way at most: fewer than half of the sequence numbers, so that a device can tell an early from a late
// one.
enum { MOST_UNDER_WAY = 64 };

// What a device's buffer may hold; it says how much.
enum { LEAST_BUFFER_BYTES = 1024, MOST_BUFFER_BYTES = 32768 };

// Silence after which what has no answer is sent again: three times the longest that there was lately, within these
// bounds. A device answers within microseconds, a simulated board takes tenths of a second for the longest frame. So
// many in a row, and the device counts as gone.
enum {
  SHORTEST_SILENCE_MS = 50,
  LONGEST_SILENCE_MS = 1000,
  SILENCES_A_SILENCE = 3,
  MOST_SILENCES = 8,
  OPEN_SILENCE_MS = 500,
  OPEN_TRIES = 4
};

// Bytes that are no answer and count as silence; answers in a row that are no help, and the device counts as gone. So
// it does when no request has been carried out for so long, whatever comes.
enum { MOST_NOISE_BYTES = 65536, MOST_USELESS_ANSWERS = 1024, LONGEST_STANDSTILL_MS = 10000 };

// HEDDLE_LINK_PATIENCE: so many times as long, for a simulated board that takes seconds for a byte.
enum { MOST_PATIENCE = 10000 };

struct frames {
  struct heddle_channel channel;
  unsigned times;  // as long as usual
  struct heddle_frames_figures figures;
  uint32_t buffer_bytes;  // of frames that the device can hold
  uint8_t sequence;       // of the next request
  bool busy;              // as the last answer said
  bool gone;              // it was found to be; it does not come back on this link
  double silence_ms;      // the longest before bytes came; what is long ago counts less
  size_t come;            // bytes of answers that have not been read
  uint8_t bytes[8 * FRAME_BYTES];
};

struct request {
  uint8_t kind;
  uint32_t address, length;
  uint8_t *to;          // of a read
  const uint8_t *from;  // of a write
};

struct answer {
  uint8_t kind, sequence;
  uint32_t length, address;
  const uint8_t *payload;  // until the next one is looked for
};

static uint32_t crc_of(const uint8_t *header, const uint8_t *payload, size_t bytes) {
  uLong crc = crc32(0, header, HEADER_BYTES);
  if (bytes > 0)
    crc = crc32(crc, payload, (uInt)bytes);
  return (uint32_t)crc;
}

static double milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static int send_bytes(struct frames *f, const uint8_t *data, size_t bytes) {
  f->figures.sent += bytes;
  return f->channel.calls->send(f->channel.state, data, bytes);
}

static int send_request(struct frames *f, const struct request *request, uint8_t sequence) {
  uint8_t frame[FRAME_BYTES] = {REQUEST_MARKER, request->kind, sequence, (uint8_t)request->length,
                                (uint8_t)(request->length >> 8)};
  size_t bytes = FRONT_BYTES;
  heddle_put32(frame + 5, request->address);
  heddle_put32(frame + 9, crc_of(frame + 1, NULL, 0));
  if (request->kind == KIND_WRITE && request->length > 0) {
    memcpy(frame + bytes, request->from, request->length);
    bytes += request->length;
    heddle_put32(frame + bytes, crc_of(frame + 1, request->from, request->length));
    bytes += CHECK_BYTES;
  }
  return send_bytes(f, frame, bytes);
}

// Room that a request takes in the device until it is carried out.
static uint32_t room_of(const struct request *request) {
  return HEADER_BYTES + (request->kind == KIND_WRITE ? request->length : 0);
}

// Zeros end whatever the device takes for a frame that is still coming; they begin none.
static int send_silence(struct frames *f) {
  static const uint8_t zeros[FRAME_BYTES];
  return send_bytes(f, zeros, sizeof zeros);
}

static void forget_bytes(struct frames *f, size_t count) {
  memmove(f->bytes, f->bytes + count, f->come - count);
  f->come -= count;
}

// Whether a whole answer is there; *taken is then what it takes of the bytes. What is none is thrown away byte by byte.
static bool find_answer(struct frames *f, struct answer *answer, size_t *taken) {
  size_t at = 0;
  bool found = false, wait = false;
  for (; at < f->come && !found && !wait; at += !found && !wait) {
    const uint8_t *frame = f->bytes + at;
    const size_t come = f->come - at;
    if (frame[0] != ANSWER_MARKER)
      continue;
    wait = come < FRONT_BYTES;
    if (wait)
      continue;
    const uint32_t length = frame[3] | (uint32_t)frame[4] << 8;
    bool good = heddle_get32(frame + 9) == crc_of(frame + 1, NULL, 0) && length <= PAYLOAD_BYTES;
    const size_t bytes = FRONT_BYTES + (length > 0 ? length + CHECK_BYTES : 0);
    wait = good && come < bytes;
    if (wait)
      continue;
    if (good && length > 0)
      good = heddle_get32(frame + FRONT_BYTES + length) == crc_of(frame + 1, frame + FRONT_BYTES, length);
    f->figures.damaged += !good;
    if (!good)
      continue;
    *answer = (struct answer){.kind = frame[1],
                              .sequence = frame[2],
                              .length = length,
                              .address = heddle_get32(frame + 5),
                              .payload = frame + FRONT_BYTES};
    *taken = at + bytes;
    found = true;
  }
  if (!found && at > 0)
    forget_bytes(f, at);
  return found;
}

// The next answer within so many milliseconds of silence, and before the end of a time: 1 and *taken bytes to forget
// when it has been used, 0 none, or an error.
static int next_answer(struct frames *f, struct answer *answer, size_t *taken, unsigned milliseconds, double end) {
  size_t noise = 0;
  bool looked = false;
  while (!find_answer(f, answer, taken)) {
    // Once it is looked for all the same: a host that was suspended finds what came meanwhile.
    const double began = milliseconds_now();
    const bool late = began > end;
    const int come = noise > MOST_NOISE_BYTES || (late && looked)
                         ? 0
                         : f->channel.calls->receive(f->channel.state, f->bytes + f->come, sizeof f->bytes - f->come,
                                                     late ? 0 : milliseconds);
    looked = true;
    if (come <= 0) {
      f->come = 0;  // an answer of which the rest does not come
      return come;
    }
    f->come += (size_t)come;
    noise += (size_t)come;
    const double silence = milliseconds_now() - began, lately = f->silence_ms * 0.98;
    f->silence_ms = silence > lately ? silence : lately;
    f->figures.received += (uint64_t)come;
  }
  return 1;
}

static unsigned patience(const struct frames *f) {
  const double wanted = SILENCES_A_SILENCE * f->silence_ms;
  const unsigned shortest = SHORTEST_SILENCE_MS * f->times, longest = LONGEST_SILENCE_MS * f->times;
  return wanted < shortest ? shortest : wanted < longest ? (unsigned)wanted : longest;
}

// Requests of one transfer that have no answer yet, from `oldest` on. Those of a window have the sequence numbers from
// the oldest's on.
struct window {
  const struct request *requests;
  size_t count, oldest, next;
  bool done[MOST_UNDER_WAY];  // by number of the request modulo this
  size_t farthest;            // requests before this have been sent once
  size_t refused;             // the last for which the device asked again, so that it is sent again only once
};

static bool is_done(const struct window *w, size_t i) {
  return i < w->farthest && w->done[i % MOST_UNDER_WAY];
}

// Sends what there is room for.
static int send_window(struct frames *f, struct window *w) {
  uint32_t room = f->buffer_bytes;
  for (size_t i = w->oldest; i < w->next; i++)
    room -= is_done(w, i) ? 0 : room_of(&w->requests[i]);
  int result = 0;
  while (result == 0 && w->next < w->count && w->next < w->oldest + MOST_UNDER_WAY &&
         room >= room_of(&w->requests[w->next])) {
    const size_t i = w->next++;
    if (i >= w->farthest) {
      w->done[i % MOST_UNDER_WAY] = false;
      w->farthest = i + 1;
    } else {
      f->figures.repeated += !is_done(w, i);
    }
    if (is_done(w, i))
      continue;
    room -= room_of(&w->requests[i]);
    result = send_request(f, &w->requests[i], (uint8_t)(f->sequence + i));
  }
  return result;
}

// What an answer means. 0; -EFAULT when the device knows no such address; -ENODEV when it has been reset, or another
// took its place; -EIO when it answers what nobody asked.
static int take_answer(struct frames *f, struct window *w, const struct answer *answer) {
  const size_t i = w->oldest + (uint8_t)(answer->sequence - (uint8_t)(f->sequence + w->oldest));
  const unsigned status = answer->kind >> STATUS_SHIFT & STATUS_MASK;
  f->busy = (answer->kind & BUSY) != 0;
  if (status == STATUS_NOT_OPEN)
    return -ENODEV;
  if (i >= w->farthest)
    return 0;  // to an earlier request, or to nobody's
  if (status == STATUS_NO_SEQUENCE) {
    // It has not seen this one, but later ones.
    if (w->refused != i && !is_done(w, i)) {
      w->refused = i;
      w->next = i;
    }
    return 0;
  }
  const struct request *request = &w->requests[i];
  const bool fits = answer->address == request->address && (answer->kind & KIND_MASK) == request->kind;
  if (!fits || is_done(w, i))
    return 0;
  if (status == STATUS_NO_ADDRESS)
    return -EFAULT;
  // The line does not make such answers, with checks that fit.
  if (status != STATUS_GOOD || answer->length != (request->kind == KIND_READ ? request->length : 0))
    return -EIO;
  if (answer->length > 0)
    memcpy(request->to, answer->payload, answer->length);
  w->done[i % MOST_UNDER_WAY] = true;
  while (w->oldest < w->farthest && is_done(w, w->oldest))
    w->oldest++;
  if (w->next < w->oldest)
    w->next = w->oldest;
  return 0;
}

static int carry_out(struct frames *f, const struct request *requests, size_t count) {
  struct window w = {.requests = requests, .count = count, .refused = SIZE_MAX};
  unsigned silences = 0, useless = 0;
  int result = f->gone ? -ENODEV : 0;
  double end = milliseconds_now() + (double)LONGEST_STANDSTILL_MS * f->times;
  while (result == 0 && w.oldest < count) {
    struct answer answer = {0};
    size_t taken = 0;
    result = send_window(f, &w);
    const int come =
        result == 0 ? next_answer(f, &answer, &taken, silences > 1 ? LONGEST_SILENCE_MS * f->times : patience(f), end)
                    : result;
    if (come < 0) {
      result = come;
    } else if (come == 1) {
      const size_t oldest = w.oldest;
      result = take_answer(f, &w, &answer);
      forget_bytes(f, taken);
      useless = w.oldest == oldest ? useless + 1 : 0;
      silences = 0;
      if (w.oldest != oldest)
        end = milliseconds_now() + (double)LONGEST_STANDSTILL_MS * f->times;
    }
    if (result == 0 && come == 0) {
      result = ++silences > MOST_SILENCES ? -ENODEV : send_silence(f);
      w.next = w.oldest;
      w.refused = SIZE_MAX;
    }
    if (result == 0 && (useless > MOST_USELESS_ANSWERS || milliseconds_now() > end))
      result = -ENODEV;
  }
  f->sequence = (uint8_t)(f->sequence + w.farthest);
  f->gone = result == -ENODEV;
  return result;
}

// Requests are made and carried out so many at a time; nothing waits between two times but for one answer.
enum { MOST_REQUESTS = 256 };

static int transfer(struct frames *f, uint8_t kind, uint32_t address, uint8_t *to, const uint8_t *from, size_t bytes) {
  struct request requests[MOST_REQUESTS];
  size_t done = 0;
  int result = 0;
  do {
    size_t count = 0;
    for (; count < MOST_REQUESTS && (done < bytes || (bytes == 0 && count == 0)); count++) {
      // Frames end where rows do.
      const size_t to_end = PAYLOAD_BYTES - (address + done) % PAYLOAD_BYTES, left = bytes - done;
      const uint32_t length = (uint32_t)(left < to_end ? left : to_end);
      requests[count] = (struct request){.kind = kind,
                                         .address = address + (uint32_t)done,
                                         .length = length,
                                         .to = to ? to + done : NULL,
                                         .from = from ? from + done : NULL};
      done += length;
    }
    result = carry_out(f, requests, count);
  } while (result == 0 && done < bytes);
  return result;
}

static int frames_read(void *link, uint32_t address, void *data, size_t bytes) {
  if (!heddle_transport_has_range(address, bytes))
    return -EFAULT;
  return bytes == 0 ? 0 : transfer(link, KIND_READ, address, data, NULL, bytes);
}

static int frames_write(void *link, uint32_t address, const void *data, size_t bytes) {
  if (!heddle_transport_has_range(address, bytes))
    return -EFAULT;
  return bytes == 0 ? 0 : transfer(link, KIND_WRITE, address, NULL, data, bytes);
}

static int frames_doorbell(void *link, uint32_t offset, uint32_t value) {
  uint8_t word[4];
  heddle_put32(word, value);
  return frames_write(link, HEDDLE_CONTROL_BASE + offset, word, sizeof word);
}

// Any answer says whether the device is busy: reads nothing, again and again, less often the longer it takes.
static int frames_wait(void *link, unsigned milliseconds) {
  enum { FIRST_NAP_NS = 50000, LONGEST_NAP_NS = 5000000 };
  struct frames *f = link;
  const double end = milliseconds_now() + milliseconds;
  long nap = FIRST_NAP_NS;
  int result = transfer(f, KIND_READ, 0, NULL, NULL, 0);
  while (result == 0 && f->busy && milliseconds_now() < end) {
    nanosleep(&(struct timespec){.tv_nsec = nap}, NULL);
    nap = nap * 2 < LONGEST_NAP_NS ? nap * 2 : LONGEST_NAP_NS;
    result = transfer(f, KIND_READ, 0, NULL, NULL, 0);
  }
  return result != 0 ? result : !f->busy;
}

static void frames_close(void *link) {
  struct frames *f = link;
  f->channel.calls->close(f->channel.state);
  free(f);
}

static const struct heddle_transport frames_transport = {.read = frames_read,
                                                         .write = frames_write,
                                                         .doorbell = frames_doorbell,
                                                         .wait = frames_wait,
                                                         .close = frames_close};

void heddle_frames_figures(const struct heddle_link *link, struct heddle_frames_figures *figures) {
  const struct frames *f = link->state;
  *figures = f->figures;
}

// Asks until the answer to this very question comes. What an earlier process left on the line is read and thrown away.
static int open_device(struct frames *f, struct heddle_error *error) {
  uint16_t question;
  if (getrandom(&question, sizeof question, 0) != sizeof question)
    question = (uint16_t)time(NULL);
  const struct request request = {.kind = KIND_OPEN, .address = question};
  int result = 0;
  for (int tries = 0; tries < OPEN_TRIES && result == 0; tries++) {
    struct answer answer = {0};
    size_t taken = 0;
    const double end = milliseconds_now() + 4.0 * OPEN_SILENCE_MS * f->times;
    result = send_silence(f);
    if (result == 0)
      result = send_request(f, &request, f->sequence);
    while (result == 0 && milliseconds_now() <= end &&
           (result = next_answer(f, &answer, &taken, OPEN_SILENCE_MS * f->times, end)) == 1) {
      forget_bytes(f, taken);
      const uint32_t buffer_bytes = answer.address >> 16;
      if (answer.kind == (KIND_OPEN | (answer.kind & BUSY)) && (uint16_t)answer.address == question &&
          answer.sequence == f->sequence && buffer_bytes >= LEAST_BUFFER_BYTES && buffer_bytes <= MOST_BUFFER_BYTES) {
        f->buffer_bytes = buffer_bytes;
        f->sequence++;
        return 0;
      }
      result = 0;
    }
  }
  return result == 0
             ? heddle_fail(error, -EIO,
                           "no Heddle device answers there; is the board's bitstream loaded, and is this its port?")
             : heddle_fail(error, result, "the device is gone (%s)", strerror(-result));
}

static int set_patience(struct frames *f, struct heddle_error *error) {
  static const struct heddle_variable variable = {.name = "HEDDLE_LINK_PATIENCE",
                                                  .otherwise = 1,
                                                  .least = 1,
                                                  .most = MOST_PATIENCE,
                                                  .what = "a number from 1 to 10000"};
  uint64_t times;
  const int result = heddle_environment_number(&variable, &times, error);
  f->times = (unsigned)times;
  f->silence_ms = (double)LONGEST_SILENCE_MS * f->times;
  return result;
}

int heddle_frames_open(const struct heddle_channel *channel, struct heddle_link *link, struct heddle_error *error) {
  struct frames *f = calloc(1, sizeof *f);
  int result = f ? 0 : heddle_fail(error, -ENOMEM, "out of host memory");
  if (!f) {
    channel->calls->close(channel->state);
    return result;
  }
  f->channel = *channel;
  result = set_patience(f, error);
  if (result == 0)
    result = open_device(f, error);
  if (result != 0)
    frames_close(f);
  else
    *link = (struct heddle_link){.transport = &frames_transport,
                                 .state = f,
                                 .patience = f->times,
                                 .keeps_memory = true,
                                 .bytes_a_second = channel->bytes_a_second,
                                 .access_ns = channel->access_ns};
  return result;
}
