// SPDX-License-Identifier: Apache-2.0
// The host's frames (host/transport/frames.c) against the byte link of rtl/link, over a serial line at its pins: what
// is read is what was written, each write is done once and in its order, whatever the line does; and how much of the
// line is payload.
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "host/transport/frames.h"
#include "tests/transport/link_bench.h"

static struct link_bench *bench;
static struct heddle_link link_to;

static void open_link(const struct link_damage *damage) {
  struct heddle_error error;
  bench = link_bench_create(damage);
  const struct heddle_channel channel = link_bench_channel(bench);
  const int result = heddle_frames_open(&channel, &link_to, &error);
  cr_assert(result == 0, "the link does not open: %s", error.text);
}

static int read_at(uint32_t address, void *data, size_t bytes) {
  return link_to.transport->read(link_to.state, address, data, bytes);
}

static int write_at(uint32_t address, const void *data, size_t bytes) {
  return link_to.transport->write(link_to.state, address, data, bytes);
}

static void close_link(void) {
  link_to.transport->close(link_to.state);
  link_bench_destroy(bench);
}

static uint32_t next_random(uint32_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return *state;
}

static void fill(uint8_t *data, size_t bytes, uint32_t *seed) {
  for (size_t i = 0; i < bytes; i++)
    data[i] = (uint8_t)(next_random(seed) >> 8);
}

// Random reads and writes of memory and registers until so many bytes have been on the line, against a copy of what
// should be there.
static void expect_truth(const struct link_damage *damage, uint64_t bytes_on_line) {
  enum { LONGEST = 3000 };
  static uint8_t truth[LINK_MEMORY_BYTES], data[LONGEST];
  static uint32_t registers[LINK_REGISTERS];
  uint32_t seed = damage->seed * 2654435761u + 1;
  uint64_t register_writes = 0;
  open_link(damage);
  for (unsigned round = 0; bench->bytes < bytes_on_line; round++) {
    const uint32_t length = next_random(&seed) % (round % 8 == 0 ? LONGEST : 40) + 1;
    const uint32_t address = next_random(&seed) % (LINK_MEMORY_BYTES - length);
    uint32_t word = next_random(&seed), number = next_random(&seed) % LINK_REGISTERS;
    int result = 0;
    switch (next_random(&seed) % 4) {
      case 0:
        fill(data, length, &seed);
        memcpy(truth + address, data, length);
        result = write_at(address, data, length);
        break;
      case 1:
        result = read_at(address, data, length);
        cr_assert(memcmp(data, truth + address, length) == 0, "round %u: read something else than was written, at 0x%x",
                  round, address);
        break;
      case 2:
        registers[number] = word;
        register_writes++;
        result = link_to.transport->doorbell(link_to.state, number * 4, word);
        break;
      default:
        result = read_at(HEDDLE_CONTROL_BASE + number * 4, &word, sizeof word);
        cr_assert(word == registers[number], "round %u: register %u is 0x%x, expected 0x%x", round, number, word,
                  registers[number]);
    }
    cr_assert(result == 0, "round %u: %s", round, strerror(-result));
  }
  struct heddle_frames_figures figures;
  heddle_frames_figures(&link_to, &figures);
  printf("%llu bytes on the line, %llu of them damaged; %llu answers were thrown away and %llu requests sent again\n",
         (unsigned long long)bench->bytes, (unsigned long long)bench->damaged, (unsigned long long)figures.damaged,
         (unsigned long long)figures.repeated);
  cr_assert(memcmp(bench->memory, truth, sizeof truth) == 0, "the device's memory is not what was written");
  cr_assert(memcmp(bench->registers, registers, sizeof registers) == 0,
            "the device's registers are not what was written");
  cr_assert(bench->register_writes == register_writes, "%llu register writes came to the device, %llu were made",
            (unsigned long long)bench->register_writes, (unsigned long long)register_writes);
  cr_assert(bench->early == 0, "%llu registers were written before the rows in front of them",
            (unsigned long long)bench->early);
  close_link();
}

static uint64_t long_or(uint64_t otherwise) {
#if USB
  otherwise /= 10;  // transactions at pins take their time
#endif
  return getenv("HEDDLE_TEST_LONG") ? 100 * otherwise : otherwise;
}

Test(link, carries_what_is_written_and_read) {
  expect_truth(&(struct link_damage){.seed = 1}, long_or(500000));
}

Test(link, accepts_nothing_wrong_from_a_line_that_flips_bits) {
  expect_truth(&(struct link_damage){.seed = 2, .flip = 5000}, long_or(200000));
}

Test(link, accepts_nothing_wrong_from_a_line_that_loses_and_invents_bytes) {
  expect_truth(&(struct link_damage){.seed = 3, .lose = 10000, .invent = 10000}, long_or(200000));
}

Test(link, still_works_when_every_third_frame_is_damaged) {
  expect_truth(&(struct link_damage){.seed = 4, .flip = 2000, .lose = 4000, .invent = 4000}, long_or(60000));
}

#if USB
// Payload of a buffer of 64 KiB over what bulk transfers can carry in the same time: 19 packets of 64 bytes in a frame
// of a millisecond (USB 2.0, 5.8.4). A cycle is a bit's time.
static double share_of_bulk(bool writes) {
  enum { BYTES = 65536 };
  static uint8_t data[BYTES];
  uint32_t seed = 5;
  open_link(&(struct link_damage){.seed = 1});
  fill(writes ? data : bench->memory, BYTES, &seed);
  const uint64_t began = bench->cycles;
  cr_assert((writes ? write_at(0, data, BYTES) : read_at(0, data, BYTES)) == 0);
  const double frames = (double)(bench->cycles - began) / 12000;
  cr_assert(memcmp(data, bench->memory, BYTES) == 0);
  close_link();
  return BYTES / (frames * 19 * 64);
}

Test(link, writes_a_buffer_at_80_percent_of_bulk_or_more) {
  const double share = share_of_bulk(true);
  printf("writes: %.1f %% of what bulk carries is payload\n", 100 * share);
  cr_assert(share >= 0.80, "%.1f %%", 100 * share);
}

Test(link, reads_a_buffer_at_80_percent_of_bulk_or_more) {
  const double share = share_of_bulk(false);
  printf("reads: %.1f %% of what bulk carries is payload\n", 100 * share);
  cr_assert(share >= 0.80, "%.1f %%", 100 * share);
}
#elif DIVISOR == 0
// The rest is about serial lines. HEDDLE_LINK_BYTES: how many bytes, both ways together.
Test(link, accepts_nothing_wrong_among_random_traffic_with_bit_errors, .timeout = 36000) {
  const char *text = getenv("HEDDLE_LINK_BYTES");
  const uint64_t bytes = text ? strtoull(text, NULL, 10) : 4000000;
  expect_truth(&(struct link_damage){.seed = 6, .flip = 10000}, bytes);
}
#else
// Payload of a buffer of 64 KiB over what the line could carry in the same time, 10 bits a byte.
static double efficiency(bool writes) {
  enum { BYTES = 65536 };
  static uint8_t data[BYTES];
  uint32_t seed = 5;
  open_link(&(struct link_damage){.seed = 1});
  fill(writes ? data : bench->memory, BYTES, &seed);
  const uint64_t began = bench->cycles;
  cr_assert((writes ? write_at(0, data, BYTES) : read_at(0, data, BYTES)) == 0);
  const double cycles = (double)(bench->cycles - began);
  cr_assert(memcmp(data, bench->memory, BYTES) == 0);
  close_link();
  return BYTES * 10.0 * DIVISOR / cycles;
}

Test(link, writes_a_buffer_at_85_percent_of_the_line_or_more) {
  const double share = efficiency(true);
  cr_assert(share >= 0.85, "%.1f %%", 100 * share);
  cr_log_info("writes: %.1f %% of the line is payload", 100 * share);
}

Test(link, reads_a_buffer_at_85_percent_of_the_line_or_more) {
  const double share = efficiency(false);
  cr_assert(share >= 0.85, "%.1f %%", 100 * share);
  cr_log_info("reads: %.1f %% of the line is payload", 100 * share);
}

Test(link, refuses_addresses_that_are_none_and_goes_on) {
  uint8_t data[64] = {0};
  open_link(&(struct link_damage){.seed = 1});
  cr_assert(read_at(LINK_MEMORY_BYTES - 32, data, 64) == -EFAULT);
  cr_assert(write_at(LINK_MEMORY_BYTES, data, 1) == -EFAULT);
  cr_assert(write_at(0x80000000u, data, 64) == -EFAULT);
  cr_assert(read_at(HEDDLE_CONTROL_BASE + 4096, data, 4) == -EFAULT);
  cr_assert(write_at(HEDDLE_CONTROL_BASE + 2, data, 4) == -EFAULT);
  cr_assert(read_at(0xFFFFFFFCu, data, 8) == -EFAULT);
  // Lengths that lead back to memory once the addresses of 32 bits are round.
  cr_assert(read_at(64, data, (size_t)1 << 32) == -EFAULT);
  cr_assert(write_at(64, data, SIZE_MAX) == -EFAULT);
  cr_assert(write_at(64, data, SIZE_MAX - 63) == -EFAULT);
  cr_assert(bench->register_writes == 0);
  cr_assert(read_at(LINK_MEMORY_BYTES - 64, data, 64) == 0);
  cr_assert(read_at(HEDDLE_CONTROL_BASE + 4092, data, 4) == 0);
  close_link();
}

Test(link, resets_the_device_when_it_is_opened_again_and_keeps_its_memory) {
  struct heddle_error error;
  uint32_t word = 0x12345678, back = 0;
  open_link(&(struct link_damage){.seed = 1});
  cr_assert(bench->resets == 1 && write_at(256, &word, sizeof word) == 0);
  // A process that dies leaves half a frame behind.
  const struct heddle_channel channel = link_bench_channel(bench);
  const uint8_t half[] = {0xA5, 3, 77};
  link_to.transport->close(link_to.state);
  cr_assert(channel.calls->send(channel.state, half, sizeof half) == 0);
  cr_assert(heddle_frames_open(&channel, &link_to, &error) == 0, "%s", error.text);
  cr_assert(bench->resets == 2 && read_at(256, &back, sizeof back) == 0 && back == word);
  close_link();
}

enum { REQUEST = 0xA5, ANSWER = 0x5A, READ = 2, WRITE = 3 };
enum { FRONT_BYTES = 13, MOST_FRAME_BYTES = FRONT_BYTES + 512 + 4 };

// CRC-32 of IEEE 802.3, a bit at a time, of what continues bytes whose CRC-32 is `crc`; 0 begins.
static uint32_t crc_by_bits(uint32_t crc, const uint8_t *data, size_t bytes) {
  crc = ~crc;
  for (size_t i = 0; i < 8 * bytes; i++)
    crc = crc >> 1 ^ ((crc ^ data[i / 8] >> i % 8) & 1 ? 0xEDB88320u : 0);
  return ~crc;
}

// A frame as it goes over the line, its checks right; returns its bytes. `payload` NULL: `bytes` are only asked for.
static size_t make_frame(uint8_t *frame, uint8_t marker, uint8_t kind, uint8_t sequence, uint32_t address,
                         const uint8_t *payload, size_t bytes) {
  const uint8_t header[8] = {kind,
                             sequence,
                             (uint8_t)bytes,
                             (uint8_t)(bytes >> 8),
                             (uint8_t)address,
                             (uint8_t)(address >> 8),
                             (uint8_t)(address >> 16),
                             (uint8_t)(address >> 24)};
  uint32_t crc = crc_by_bits(0, header, sizeof header);
  frame[0] = marker;
  memcpy(frame + 1, header, sizeof header);
  memcpy(frame + 9, &crc, sizeof crc);
  if (!payload)
    return FRONT_BYTES;
  crc = crc_by_bits(crc, payload, bytes);
  memcpy(frame + FRONT_BYTES, payload, bytes);
  memcpy(frame + FRONT_BYTES + bytes, &crc, sizeof crc);
  return FRONT_BYTES + bytes + 4;
}

Test(link, answers_a_kind_that_it_does_not_know) {
  uint8_t frame[32], answer[13];
  open_link(&(struct link_damage){.seed = 1});
  const struct heddle_channel channel = link_bench_channel(bench);
  channel.calls->send(channel.state, frame, make_frame(frame, REQUEST, 9, 1, 0, NULL, 0));
  for (size_t come = 0; come < sizeof answer; come++)
    cr_assert(channel.calls->receive(channel.state, answer + come, 1, 100) == 1, "no answer");
  cr_assert(answer[0] == 0x5A && answer[1] == (9 | 3 << 4), "the answer is of kind 0x%02x", answer[1]);
  close_link();
}

// What a forged answer has other than the answer to a request has: added to the request's.
struct forgery {
  const char *what;
  uint32_t address;
  uint8_t kind, sequence;
};

// The line to the bench, on which a forged answer stands before the true one to the next request.
static struct {
  struct heddle_channel to_bench;
  const struct forgery *forgery;  // NULL: there is none for the next request
  uint8_t frame[MOST_FRAME_BYTES];
  size_t waiting;
} forger;

static int forger_send(void *state, const uint8_t *data, size_t bytes) {
  static const uint8_t zeros[512];
  const struct forgery *forgery = forger.forgery;
  if (forgery && bytes >= FRONT_BYTES && data[0] == REQUEST) {
    const uint8_t kind = (uint8_t)(data[1] + forgery->kind);
    const size_t count = kind == READ ? data[3] | (size_t)data[4] << 8 : 0;
    const uint32_t address = data[5] | (uint32_t)data[6] << 8 | (uint32_t)data[7] << 16 | (uint32_t)data[8] << 24;
    forger.waiting = make_frame(forger.frame, ANSWER, kind, (uint8_t)(data[2] + forgery->sequence),
                                address + forgery->address, count > 0 ? zeros : NULL, count);
    forger.forgery = NULL;
  }
  return forger.to_bench.calls->send(state, data, bytes);
}

static int forger_receive(void *state, uint8_t *data, size_t room, unsigned milliseconds) {
  const size_t count = forger.waiting;
  if (count == 0 || count > room)
    return forger.to_bench.calls->receive(state, data, room, milliseconds);
  memcpy(data, forger.frame, count);
  forger.waiting = 0;
  return (int)count;
}

static void forger_close(void *state) {
  forger.to_bench.calls->close(state);
}

Test(link, takes_no_answer_but_that_to_its_request) {
  static const struct heddle_channel_calls calls = {forger_send, forger_receive, forger_close};
  static const struct forgery forgeries[] = {
      {.what = "address in another row", .address = 64},
      {.what = "address of the next byte", .address = 1},
      {.what = "address of a control register", .address = HEDDLE_CONTROL_BASE},
      {.what = "kind one less", .kind = (uint8_t)-1},
      {.what = "kind one more", .kind = 1},
      {.what = "next sequence number", .sequence = 1},
      {.what = "last sequence number", .sequence = (uint8_t)-1},
      {.what = "sequence number half-way round", .sequence = 128},
  };
  enum { BYTES = 32, AT = 0x340 };
  struct heddle_error error;
  uint8_t data[BYTES], back[BYTES];
  uint32_t seed = 9;
  bench = link_bench_create(&(struct link_damage){.seed = 1});
  forger.to_bench = link_bench_channel(bench);
  struct heddle_channel channel = forger.to_bench;
  channel.calls = &calls;
  cr_assert(heddle_frames_open(&channel, &link_to, &error) == 0, "%s", error.text);
  for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++) {
    const char *what = forgeries[i].what;
    fill(data, BYTES, &seed);
    // The forged answer comes before the device has seen the request.
    forger.forgery = &forgeries[i];
    cr_assert(write_at(AT, data, BYTES) == 0 && memcmp(bench->memory + AT, data, BYTES) == 0,
              "%s: an answer with it was taken for that to a write", what);
    forger.forgery = &forgeries[i];
    cr_assert(read_at(AT, back, BYTES) == 0 && memcmp(back, data, BYTES) == 0,
              "%s: an answer with it was taken for that to a read", what);
    cr_assert(!forger.forgery && forger.waiting == 0, "%s: no such answer came", what);
  }
  close_link();
}

Test(link, loses_whole_frames_when_too_many_come_and_stays_usable) {
  enum { FRAMES = 20, BYTES = 512 };
  static uint8_t frame[MOST_FRAME_BYTES], payload[BYTES];
  uint32_t seed = 3, word = 0;
  struct heddle_error error;
  open_link(&(struct link_damage){.seed = 1});
  const struct heddle_channel channel = link_bench_channel(bench);
  bench->stalled = 1;
  fill(payload, BYTES, &seed);
  for (unsigned i = 0; i < FRAMES; i++)
    channel.calls->send(channel.state, frame,
                        make_frame(frame, REQUEST, WRITE, (uint8_t)(1 + i), i * BYTES, payload, BYTES));
  cr_assert(channel.calls->receive(channel.state, frame, 1, 1000) == 0, "an answer to what cannot have been done");
  bench->stalled = 0;
  link_to.transport->close(link_to.state);
  cr_assert(heddle_frames_open(&channel, &link_to, &error) == 0, "%s", error.text);
  // The first were written, up to the one that found no room; of the rest nothing was.
  unsigned there = 0;
  while (there < FRAMES && memcmp(bench->memory + there * BYTES, payload, BYTES) == 0)
    there++;
  cr_assert(there > 0 && there < FRAMES, "%u of %d frames were done", there, FRAMES);
  for (size_t i = (size_t)there * BYTES; i < FRAMES * BYTES; i++)
    cr_assert(bench->memory[i] == 0, "byte %zu of a frame that was lost was written", i);
  cr_assert(read_at(0, &word, sizeof word) == 0 && memcmp(&word, payload, sizeof word) == 0);
  close_link();
}

Test(link, takes_a_short_pulse_on_its_line_for_no_byte) {
  uint8_t byte = 0;
  open_link(&(struct link_damage){.seed = 1});
  bench->glitches = 50;
  while (bench->glitches != 0)
    cr_assert(read_at(100, &byte, 1) == 0 && byte == 0);
  close_link();
}

Test(link, notices_that_the_board_was_reset) {
  uint32_t word = 0;
  open_link(&(struct link_damage){.seed = 1});
  link_bench_reset(bench);
  cr_assert(read_at(0, &word, sizeof word) == -ENODEV);
  close_link();
}

Test(link, says_whether_the_device_is_busy) {
  open_link(&(struct link_damage){.seed = 1});
  cr_assert(link_to.transport->wait(link_to.state, 1) == 1);
  bench->busy = 1;
  cr_assert(link_to.transport->wait(link_to.state, 1) == 0);
  close_link();
}

Test(link, that_is_unplugged_says_so_from_then_on) {
  uint8_t byte = 0;
  open_link(&(struct link_damage){.seed = 1});
  bench->unplugged = 1;
  cr_assert(read_at(0, &byte, 1) == -ENODEV);
  bench->unplugged = 0;
  cr_assert(write_at(0, &byte, 1) == -ENODEV && link_to.transport->wait(link_to.state, 1) == -ENODEV);
  close_link();
}
#endif
