// SPDX-License-Identifier: Apache-2.0
// Packets to and from the Verilated card (root_complex.h): PCI Express Base Specification, transaction layer.
#include "sim/tlp_card/root_complex.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/tlp_card/endpoint.h"

// First byte of a packet: format and type.
enum { READ = 0x00, READ_64 = 0x20, WRITE = 0x40, WRITE_64 = 0x60, ANSWER = 0x0A, ANSWER_WITH_DATA = 0x4A };
enum { SUCCESSFUL = 0, UNSUPPORTED = 1 };  // status of an answer
enum { HOST_ID = 0x0000, CARD_ID = 0x0300, TAGS = 32, PAGE = 4096, MAX_PAYLOAD = 128, MAX_REQUEST = 512 };
static const uint32_t BAR = 0xE0000000, ONES = 0xFFFFFFFF;

// Cycles until a read that has no answer counts as lost.
enum { PATIENCE = 1 << 20 };

// A read of the host's memory, under way.
struct host_read {
  uint64_t address, due;
  uint32_t tag, words;
};

struct root_complex {
  struct endpoint *endpoint;
  struct root_complex_host host;
  struct endpoint_settings settings;
  struct root_complex_figures figures;
  unsigned latency;
  uint32_t interrupt_address, interrupt_word;
  struct host_read reads[TAGS];  // in their order, from `oldest` on
  unsigned oldest, under_way;
  bool waits;  // for an answer of the card, to the read with this tag
  uint8_t tag;
  uint32_t answer;
};

__attribute__((format(printf, 1, 2), noreturn)) static void broken(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "the card sent a packet that cannot be: ");
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  abort();
}

static uint32_t swapped(uint32_t word) {
  return __builtin_bswap32(word);
}

// ---- What the card sends

static void take_answer(struct root_complex *root, const uint32_t *words, size_t count) {
  const uint32_t status = words[1] >> 13 & 7, length = words[0] & 0x3FF, bytes = words[1] & 0xFFF;
  const bool with_data = words[0] >> 24 == ANSWER_WITH_DATA;
  if (!root->waits || words[2] >> 16 != HOST_ID || (words[2] >> 8 & 0xFF) != root->tag)
    broken("an answer that nobody waits for");
  if (words[1] >> 16 != CARD_ID || count != (with_data ? 4 : 3) || (with_data && (length != 1 || bytes != 4)) ||
      with_data != (status == SUCCESSFUL))
    broken("an answer of %zu words, with %u, %u bytes and status %u", count, length, bytes, status);
  root->answer = with_data ? swapped(words[3]) : ONES;
  root->waits = false;
}

// Bytes of a request's first or last word that it is about.
static void check_requests_bytes(uint64_t address, uint32_t length, uint32_t first, uint32_t last) {
  if (address % PAGE + 4 * (uint64_t)length > PAGE)
    broken("%u words from %#llx on, across a page", length, (unsigned long long)address);
  if ((length == 1) != (last == 0) || first == 0)
    broken("%u words with byte enables %#x and %#x", length, first, last);
}

static void take_read(struct root_complex *root, uint64_t address, uint32_t length, uint32_t tag) {
  if (4 * length > root->settings.max_request || tag >= TAGS)
    broken("a read of %u words with tag %u", length, tag);
  for (unsigned i = 0; i < root->under_way; i++)
    if (root->reads[(root->oldest + i) % TAGS].tag == tag)
      broken("tag %u, which is in use", tag);
  root->reads[(root->oldest + root->under_way++) % TAGS] =
      (struct host_read){.address = address, .due = root->figures.cycles + root->latency, .tag = tag, .words = length};
  root->figures.reads++;
}

static void take_write(struct root_complex *root, uint64_t address, const uint32_t *data, uint32_t length,
                       uint32_t first, uint32_t last) {
  if (4 * length > root->settings.max_payload)
    broken("a write of %u words", length);
  if (root->settings.msix && address == root->interrupt_address) {
    if (length != 1 || first != 0xF || swapped(data[0]) != root->interrupt_word)
      broken("an interrupt with %#x", swapped(data[0]));
    root->figures.interrupts++;
    root->host.interrupt(root->host.host);
    return;
  }
  uint8_t *memory = root->host.memory(root->host.host, address, 4 * (size_t)length);
  root->figures.writes++;
  root->figures.refused += !memory;
  for (uint32_t i = 0; i < 4 * length && memory; i++) {
    const uint32_t strobe = i < 4 ? first : i >= 4 * (length - 1) ? last : 0xF;
    if (strobe >> i % 4 & 1) {
      memory[i] = (uint8_t)(swapped(data[i / 4]) >> 8 * (i % 4));
      root->figures.bytes_written++;
    }
  }
}

static void take_packet(void *of, const uint32_t *words, size_t count) {
  struct root_complex *root = of;
  const uint32_t kind = words[0] >> 24, length = (words[0] & 0x3FF) ? words[0] & 0x3FF : 0x400;
  if (count >= 3 && (kind == ANSWER || kind == ANSWER_WITH_DATA)) {
    take_answer(root, words, count);
    return;
  }
  const bool wide = kind == READ_64 || kind == WRITE_64, writes = kind == WRITE || kind == WRITE_64;
  const size_t header = wide ? 4 : 3;
  if ((!writes && kind != READ && kind != READ_64) || count != header + (writes ? length : 0))
    broken("%zu words that begin with %#x", count, words[0]);
  if (!root->settings.master || words[1] >> 16 != CARD_ID)
    broken("a request of %#x%s", words[1] >> 16, root->settings.master ? "" : ", which it may not send");
  const uint64_t address = wide ? (uint64_t)words[2] << 32 | words[3] : words[2];
  if (wide && words[2] == 0)
    broken("four words of header for %#x", words[3]);
  check_requests_bytes(address, length, words[1] & 0xF, words[1] >> 4 & 0xF);
  if (writes)
    take_write(root, address, words + header, length, words[1] & 0xF, words[1] >> 4 & 0xF);
  else
    take_read(root, address, length, words[1] >> 8 & 0xFF);
}

// ---- What the host sends

// Whole answers, in packets that end where an address is a multiple of the largest payload.
static void answer_read(struct root_complex *root, const struct host_read *read) {
  uint32_t packet[3 + MAX_PAYLOAD / 4];
  const uint8_t *memory = root->host.memory(root->host.host, read->address, 4 * (size_t)read->words);
  if (!memory) {
    const uint32_t refusal[] = {(uint32_t)ANSWER << 24, HOST_ID << 16 | UNSUPPORTED << 13 | 4,
                                (uint32_t)CARD_ID << 16 | read->tag << 8};
    root->figures.refused++;
    endpoint_give(root->endpoint, refusal, 3);
    return;
  }
  for (uint32_t done = 0; done < read->words;) {
    const uint64_t address = read->address + 4 * (uint64_t)done;
    const uint32_t left = read->words - done, to_end = (uint32_t)(MAX_PAYLOAD - address % MAX_PAYLOAD) / 4,
                   count = left < to_end ? left : to_end;
    packet[0] = (uint32_t)ANSWER_WITH_DATA << 24 | count;
    packet[1] = HOST_ID << 16 | (4 * left & 0xFFF);
    packet[2] = (uint32_t)CARD_ID << 16 | read->tag << 8 | (uint32_t)(address & 0x7F);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t word;
      memcpy(&word, memory + 4 * (size_t)(done + i), sizeof word);
      packet[3 + i] = swapped(word);
    }
    endpoint_give(root->endpoint, packet, 3 + count);
    done += count;
    root->figures.bytes_read += 4 * (uint64_t)count;
  }
}

void root_complex_run(struct root_complex *root, unsigned cycles) {
  for (unsigned i = 0; i < cycles; i++) {
    if (root->under_way != 0 && root->reads[root->oldest].due <= root->figures.cycles) {
      answer_read(root, &root->reads[root->oldest]);
      root->oldest = (root->oldest + 1) % TAGS;
      root->under_way--;
    }
    endpoint_tick(root->endpoint);
    root->figures.cycles++;
  }
}

uint32_t root_complex_read(struct root_complex *root, uint32_t offset) {
  const uint32_t packet[] = {(uint32_t)READ << 24 | 1, HOST_ID << 16 | (uint32_t)++root->tag << 8 | 0xF, BAR + offset};
  root->waits = true;
  root->figures.bar_reads++;
  endpoint_give(root->endpoint, packet, 3);
  for (unsigned i = 0; i < PATIENCE && root->waits; i++)
    root_complex_run(root, 1);
  if (!root->waits)
    return root->answer;
  root->waits = false;
  return ONES;
}

void root_complex_write(struct root_complex *root, uint32_t offset, uint32_t word, unsigned strobe) {
  const uint32_t packet[] = {(uint32_t)WRITE << 24 | 1, HOST_ID << 16 | strobe, BAR + offset, swapped(word)};
  enum { MOST_WAITING = 4 };  // as with a few credits
  root->figures.bar_writes++;
  endpoint_give(root->endpoint, packet, 4);
  while (endpoint_waiting(root->endpoint) > MOST_WAITING)
    root_complex_run(root, 1);
}

// ---- What the host allows

void root_complex_allow(struct root_complex *root, bool master) {
  root->settings.master = master;
  endpoint_set(root->endpoint, &root->settings);
}

void root_complex_enable_msix(struct root_complex *root, uint32_t address, uint32_t word) {
  root->interrupt_address = address;
  root->interrupt_word = word;
  root->settings.msix = true;
  endpoint_set(root->endpoint, &root->settings);
}

struct root_complex_figures root_complex_figures(const struct root_complex *root) {
  return root->figures;
}

struct root_complex *root_complex_create(const struct root_complex_host *host, bool pauses, unsigned latency) {
  struct root_complex *root = calloc(1, sizeof *root);
  if (!root)
    return NULL;
  root->endpoint = endpoint_create(pauses, take_packet, root);
  if (!root->endpoint) {
    free(root);
    return NULL;
  }
  root->host = *host;
  root->latency = latency;
  root->settings = (struct endpoint_settings){.id = CARD_ID, .max_payload = MAX_PAYLOAD, .max_request = MAX_REQUEST};
  endpoint_set(root->endpoint, &root->settings);
  return root;
}

void root_complex_destroy(struct root_complex *root) {
  endpoint_destroy(root->endpoint);
  free(root);
}
