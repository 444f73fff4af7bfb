// SPDX-License-Identifier: Apache-2.0
// Requests to a card on PCIe, the host's side of "PCIe" in contract/DEVICE.md. Called by host/cl/platform.c.
//
// A transfer is cut into pieces, as many under way as the ring and the memory between the two take. The card's memory
// is read and written by aligned words; of writes the first and last may be of bytes.
#include "host/transport/pcie.h"

#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "contract/device_map.h"
#include "host/transport/device_memory.h"
#include "host/transport/pcie_card.h"

enum pcie_register {
  REG_MAGIC = 0x000,
  REG_VERSION = 0x004,
  REG_FEATURES = 0x008,
  REG_IN_BYTES = 0x00C,
  REG_OUT_BYTES = 0x010,
  REG_OPENED = 0x014,
  REG_HEAD = 0x018,
  REG_STATUS = 0x01C,
  REG_OPEN = 0x040,
  REG_TAIL = 0x044,
  REG_INTERRUPTS = 0x048,
  IN = 0x8000,
  OUT = 0xC000,
};
static const uint32_t MAGIC = 0x45504448, ONES = 0xFFFFFFFF;
enum { VERSION = 1, FEATURE_DMA = 1, STATUS_BUSY = 1, INTERRUPT_HEAD = 1, INTERRUPT_IDLE = 2 };

// The ring, at the beginning of IN, and what became of its requests, at that of OUT. Data is behind them.
enum { REQUESTS = 16, REQUEST_WORDS = 8, DATA = 0x400, LEAST_BYTES = 0x800, MOST_BYTES = 0x4000 };
enum { KIND_READ = 1, KIND_WRITE = 2, KIND_HOST_MEMORY = 0x100 };
enum { RESULT_DONE = 0, RESULT_NO_ADDRESS = 1 };

// Pieces end at multiples of this, through the card's memory; through the host's, of a page.
enum { PIECE_BYTES = 1024 };

// Bytes a second, the slower way (docs/results/pcie.md); through the card's memory the host reads word by word.
enum { BY_DMA = 128000000, BY_THE_HOST = 4000000, ACCESS_NS = 10000 };

// A card that does nothing for so long is gone.
enum { PATIENCE_MS = 5000 };

struct pcie {
  struct heddle_pcie_card card;
  struct heddle_bus_location location;
  uint32_t opened;                 // by this process, as REG_OPENED has it
  uint32_t tail, head;             // requests written; of these, known to be done
  uint32_t in_pieces, out_pieces;  // that there is room for
  bool gone;
};

static double milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

// ---- The card's memory

static uint32_t get(const struct pcie *p, size_t offset) {
  return le32toh(p->card.registers[offset / 4]);
}

static void put(struct pcie *p, size_t offset, uint32_t value) {
  p->card.registers[offset / 4] = htole32(value);
}

// A register that the card acts on, when all before is there.
static void put_and_ring(struct pcie *p, size_t offset, uint32_t value) {
  atomic_thread_fence(memory_order_seq_cst);
  put(p, offset, value);
  atomic_thread_fence(memory_order_seq_cst);
  if (p->card.doorbell)
    p->card.doorbell[3] = 0;
}

static void copy_in(struct pcie *p, size_t offset, const uint8_t *data, size_t bytes) {
  volatile uint8_t *to = (volatile uint8_t *)p->card.registers + offset;
  size_t i = 0;
  for (; i < bytes && (offset + i) % 4 != 0; i++)
    to[i] = data[i];
  for (; i + 4 <= bytes; i += 4) {
    uint32_t word;
    memcpy(&word, data + i, sizeof word);
    p->card.registers[(offset + i) / 4] = word;
  }
  for (; i < bytes; i++)
    to[i] = data[i];
}

static void copy_out(const struct pcie *p, size_t offset, uint8_t *data, size_t bytes) {
  for (size_t i = 0; i < bytes;) {
    const uint32_t word = p->card.registers[(offset + i) / 4];
    const size_t first = (offset + i) % 4, left = bytes - i, count = left < 4 - first ? left : 4 - first;
    memcpy(data + i, (const uint8_t *)&word + first, count);
    i += count;
  }
}

// ---- Waiting

// Whether it is the card that was opened, and nobody has opened it since. One that is gone reads all ones.
static bool is_there(struct pcie *p) {
  p->gone = p->gone || get(p, REG_MAGIC) != MAGIC || get(p, REG_OPENED) != p->opened;
  return !p->gone;
}

// Until the card has something to say, or so long.
static void nap(const struct pcie *p, double milliseconds) {
  struct pollfd interrupt = {.fd = p->card.interrupt, .events = POLLIN};
  uint64_t count;
  if (p->card.interrupt < 0)
    nanosleep(&(struct timespec){.tv_nsec = (long)(milliseconds * 1e6)}, NULL);
  else if (poll(&interrupt, 1, (int)milliseconds + 1) == 1 && read(p->card.interrupt, &count, sizeof count) < 0)
    return;  // somebody else has read it: nobody does
}

// How long to nap: longer and longer, but with an interrupt only in case that it does not come.
struct naps {
  double end, next;
};

static struct naps naps_until(const struct pcie *p, double end) {
  enum { INTERRUPTED_MS = 100 };
  return (struct naps){.end = end, .next = p->card.interrupt < 0 ? 0.02 : INTERRUPTED_MS};
}

// False: the time is over. Of a card that the kernel was told to remove the memory may stay as it is.
static bool nap_again(struct pcie *p, struct naps *naps) {
  const double longest = 5, left = naps->end - milliseconds_now();
  if (left <= 0)
    return false;
  nap(p, left < naps->next ? left : naps->next);
  p->gone = p->gone || !heddle_pcie_is_plugged(&p->location);
  if (p->card.interrupt < 0)
    naps->next = naps->next * 2 < longest ? naps->next * 2 : longest;
  return true;
}

// Waits for a request, by its number: 0, or -ENODEV.
static int wait_for(struct pcie *p, uint32_t number) {
  enum { LOOKS = 200 };  // before the first nap: most requests take microseconds
  struct naps naps = naps_until(p, milliseconds_now() + PATIENCE_MS);
  for (unsigned looks = 0; p->head - number - 1 >= REQUESTS; looks++) {
    const uint32_t head = get(p, REG_HEAD);
    const bool moved = head != p->head;
    if (head - p->head > p->tail - p->head || (looks % LOOKS == LOOKS - 1 && !is_there(p)))
      p->gone = true;
    else if (moved)
      naps = naps_until(p, milliseconds_now() + PATIENCE_MS);
    if (!p->gone)
      p->head = head;
    else
      return -ENODEV;
    if (!moved && looks >= LOOKS && !nap_again(p, &naps)) {
      p->gone = true;
      return -ENODEV;
    }
  }
  atomic_thread_fence(memory_order_seq_cst);
  return 0;
}

// ---- Requests

struct transfer {
  uint32_t kind;
  uint8_t *to;          // of a read
  const uint8_t *from;  // of a write
  uint32_t address;
  size_t bytes;
  uint32_t piece_bytes;  // pieces end at multiples of it
  size_t places;         // pieces under way at most
};

// The piece from byte `at` on.
static uint32_t piece_at(const struct transfer *t, size_t at) {
  const size_t to_end = t->piece_bytes - (t->address + at) % t->piece_bytes, left = t->bytes - at;
  return (uint32_t)(left < to_end ? left : to_end);
}

// Where in the card's memory, or which byte of the host's pages, the bytes of a piece are.
static size_t place_of(const struct pcie *p, const struct transfer *t, size_t piece, size_t at) {
  const size_t within = piece % t->places * t->piece_bytes + (t->address + at) % t->piece_bytes;
  return p->card.pages ? within : DATA + within;
}

static void submit(struct pcie *p, const struct transfer *t, size_t piece, size_t at) {
  const size_t place = place_of(p, t, piece, at), entry = IN + 4 * REQUEST_WORDS * (size_t)(p->tail % REQUESTS);
  const uint32_t bytes = piece_at(t, at);
  uint64_t where = place;
  if (p->card.pages)
    where = p->card.addresses[place / HEDDLE_PCIE_PAGE] + place % HEDDLE_PCIE_PAGE;
  if (t->from && p->card.pages)
    memcpy(p->card.pages + place, t->from + at, bytes);
  else if (t->from)
    copy_in(p, IN + place, t->from + at, bytes);
  put(p, entry, t->kind | (p->card.pages ? KIND_HOST_MEMORY : 0));
  put(p, entry + 4, t->address + (uint32_t)at);
  put(p, entry + 8, bytes);
  put(p, entry + 12, (uint32_t)where);
  put(p, entry + 16, (uint32_t)(where >> 32));
  put_and_ring(p, REG_TAIL, ++p->tail);
}

// Waits for a piece and takes what it brings.
static int collect(struct pcie *p, const struct transfer *t, uint32_t number, size_t piece, size_t at) {
  int result = wait_for(p, number);
  if (result != 0)
    return result;
  const uint32_t became = get(p, OUT + 4 * (size_t)(number % REQUESTS));
  const size_t place = place_of(p, t, piece, at);
  if (became == RESULT_DONE && t->to && p->card.pages)
    memcpy(t->to + at, p->card.pages + place, piece_at(t, at));
  else if (became == RESULT_DONE && t->to)
    copy_out(p, OUT + place, t->to + at, piece_at(t, at));
  // What was copied was the card's only if it still is there.
  if (!is_there(p))
    return -ENODEV;
  return became == RESULT_DONE ? 0 : became == RESULT_NO_ADDRESS ? -EFAULT : -EIO;
}

static int carry_out(struct pcie *p, struct transfer t) {
  size_t asked = 0, taken = 0, pieces = 0, collected = 0;  // bytes and pieces: sent for, and done
  int result = p->gone ? -ENODEV : 0;
  t.piece_bytes = p->card.pages ? HEDDLE_PCIE_PAGE : PIECE_BYTES;
  t.places = p->card.pages ? HEDDLE_PCIE_PAGES : t.to ? p->out_pieces : p->in_pieces;
  const uint32_t first = p->tail;
  if (t.places == 0)  // check_sizes has seen to it that there is room for one
    return -EIO;
  // Those that are under way end before the next call, whatever became of one: they have places in the ring.
  while ((result == 0 && asked < t.bytes) || (!p->gone && collected < pieces)) {
    if (result == 0 && asked < t.bytes && pieces - collected < t.places) {
      submit(p, &t, pieces++, asked);
      asked += piece_at(&t, asked);
      continue;
    }
    const int became = collect(p, &t, first + (uint32_t)collected, collected, taken);
    taken += piece_at(&t, taken);
    collected++;
    result = result == 0 || became == -ENODEV ? became : result;
  }
  return result;
}

static int pcie_read(void *link, uint32_t address, void *data, size_t bytes) {
  if (!heddle_transport_has_range(address, bytes))
    return -EFAULT;
  return carry_out(link, (struct transfer){.kind = KIND_READ, .to = data, .address = address, .bytes = bytes});
}

static int pcie_write(void *link, uint32_t address, const void *data, size_t bytes) {
  if (!heddle_transport_has_range(address, bytes))
    return -EFAULT;
  return carry_out(link, (struct transfer){.kind = KIND_WRITE, .from = data, .address = address, .bytes = bytes});
}

static int pcie_doorbell(void *link, uint32_t offset, uint32_t value) {
  const uint32_t word = htole32(value);
  return pcie_write(link, HEDDLE_CONTROL_BASE + offset, &word, sizeof word);
}

static int pcie_wait(void *link, unsigned milliseconds) {
  struct pcie *p = link;
  struct naps naps = naps_until(p, milliseconds_now() + milliseconds);
  bool busy;
  do {
    busy = (get(p, REG_STATUS) & STATUS_BUSY) != 0;
    if (!is_there(p))
      return -ENODEV;
  } while (busy && nap_again(p, &naps));
  return !busy;
}

static void close_card(struct heddle_pcie_card *card) {
  if (card->registers)
    heddle_device_memory_unmap(card->registers, HEDDLE_PCIE_BAR_BYTES);
  if (card->doorbell)
    heddle_device_memory_unmap(card->doorbell, HEDDLE_PCIE_DOORBELL_BYTES);
  if (card->interrupt >= 0)
    close(card->interrupt);
  // The device before the group and what maps the pages, so that it reaches none that is given back.
  for (size_t i = sizeof card->descriptors / sizeof *card->descriptors; i-- > 0;)
    if (card->descriptors[i] >= 0)
      close(card->descriptors[i]);
  if (card->pages)
    munmap(card->pages, (size_t)HEDDLE_PCIE_PAGES * HEDDLE_PCIE_PAGE);
}

static void pcie_close(void *link) {
  struct pcie *p = link;
  if (p->card.registers && is_there(p))
    put_and_ring(p, REG_INTERRUPTS, 0);
  close_card(&p->card);
  free(p);
}

static const struct heddle_transport pcie_transport = {
    .read = pcie_read, .write = pcie_write, .doorbell = pcie_doorbell, .wait = pcie_wait, .close = pcie_close};

// ---- Opening

static int check_sizes(struct pcie *p, struct heddle_error *error) {
  const uint32_t in = get(p, REG_IN_BYTES), out = get(p, REG_OUT_BYTES);
  if (in < LEAST_BYTES || in > MOST_BYTES || out < LEAST_BYTES || out > MOST_BYTES)
    return heddle_fail(error, -EIO, "the card at %s says that it has %u and %u bytes for data, which cannot be",
                       p->card.name, in, out);
  p->in_pieces = (in - DATA) / PIECE_BYTES;
  p->out_pieces = (out - DATA) / PIECE_BYTES;
  return 0;
}

// Asks the card to start afresh, and waits for it.
static int start_afresh(struct pcie *p, struct heddle_error *error) {
  const uint32_t before = get(p, REG_OPENED);
  struct naps naps = naps_until(p, milliseconds_now() + PATIENCE_MS);
  if (getrandom(&p->opened, sizeof p->opened, 0) != sizeof p->opened || p->opened == before || p->opened == ONES)
    p->opened = before + 1;
  put(p, REG_INTERRUPTS, p->card.interrupt < 0 ? 0 : INTERRUPT_HEAD | INTERRUPT_IDLE);
  put_and_ring(p, REG_OPEN, p->opened);
  while (get(p, REG_OPENED) != p->opened && nap_again(p, &naps)) {
  }
  if (!is_there(p))
    return heddle_fail(error, -EIO, "the card at %s does not open its link: is its bitstream running?", p->card.name);
  p->head = p->tail = get(p, REG_HEAD);
  return 0;
}

static int open_card(struct pcie *p, struct heddle_error *error) {
  const uint32_t magic = get(p, REG_MAGIC), version = get(p, REG_VERSION);
  if (magic == ONES)
    return heddle_fail(error, -ENODEV,
                       "the card at %s does not answer: it was pulled out, or its bitstream is not loaded",
                       p->card.name);
  if (magic != MAGIC)
    return heddle_fail(error, -EIO, "no Heddle device answers at %s; is the card's bitstream one of Heddle?",
                       p->card.name);
  if (version != VERSION)
    return heddle_fail(
        error, -EIO,
        "the bitstream of the card at %s has version %u of the link on PCIe, this library takes %u: load one "
        "that was built with it",
        p->card.name, version, VERSION);
  const int result = check_sizes(p, error);
  // What the card cannot reach is of no use.
  if (result == 0 && p->card.pages && (get(p, REG_FEATURES) & FEATURE_DMA) == 0) {
    munmap(p->card.pages, (size_t)HEDDLE_PCIE_PAGES * HEDDLE_PCIE_PAGE);
    p->card.pages = NULL;
  }
  return result == 0 ? start_afresh(p, error) : result;
}

int heddle_pcie_open(const struct heddle_bus_location *location, struct heddle_link *link, struct heddle_error *error) {
  char driver[HEDDLE_PCIE_TEXT];
  struct pcie *p = calloc(1, sizeof *p);
  if (!p)
    return heddle_fail(error, -ENOMEM, "out of host memory");
  p->card = (struct heddle_pcie_card){.kind = heddle_pcie_kind(location), .interrupt = -1, .descriptors = {-1, -1, -1}};
  p->location = *location;
  heddle_pcie_name(location, p->card.name);
  heddle_pcie_link(p->card.name, "driver", driver);
  int result = 0;
  if (!p->card.kind)
    result = heddle_fail(error, -ENODEV, "the card at %s is gone: it was pulled out", p->card.name);
  else if (strcmp(driver, "vfio-pci") == 0)
    result = heddle_pcie_vfio(&p->card, error);
  else if (driver[0] != 0)
    result = heddle_fail(error, -EBUSY, "the card at %s is in use by the kernel's driver %s: unbind it", p->card.name,
                         driver);
  else
    result = heddle_pcie_sysfs(&p->card, error);
  if (result == 0)
    result = open_card(p, error);
  if (result != 0) {
    close_card(&p->card);
    free(p);
    return result;
  }
  *link = (struct heddle_link){.transport = &pcie_transport,
                               .state = p,
                               .keeps_memory = true,
                               .bytes_a_second = p->card.pages ? BY_DMA : BY_THE_HOST,
                               .access_ns = ACCESS_NS};
  return 0;
}
