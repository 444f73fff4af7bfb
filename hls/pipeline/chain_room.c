// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/chain_room.h"

enum { BLOCK_WIDTH = 36, BLOCK_BITS = 18432 };

static unsigned larger(unsigned x, unsigned y) {
  return x > y ? x : y;
}

// A queue: counters and the way of what is left to memory, which one with a kernel that never ends does not have.
static struct heddle_room room_of_queue(const struct chain *chain, const struct chain_queue *queue) {
  const bool is_endless =
      chain->kernels[queue->reader]->kernel->is_autorun || chain->kernels[queue->writer]->kernel->is_autorun;
  const unsigned bytes = queue->pipe->read->bytes, bits = 8 * bytes, depth_log2 = chain_depth_log2(queue->pipe);
  return (struct heddle_room){.lut4 = is_endless ? 170 : 330 + 8 * bytes,
                              .ff = (is_endless ? 140 : 120 + 8 * bytes) + 4 * (depth_log2 - 6) + 81,
                              .ebr = larger((bits + BLOCK_WIDTH - 1) / BLOCK_WIDTH,
                                            (unsigned)(((uint64_t)bits << depth_log2) + BLOCK_BITS - 1) / BLOCK_BITS)};
}

static void add(struct heddle_room *sum, struct heddle_room room) {
  *sum = heddle_room_sum(sum, &room);
}

// Where a kernel's requests join those of others, and a walker, which kernel 0 has in front of the chain and one that
// never ends does not need.
static struct heddle_room room_of_kernel(const struct chain *chain, size_t k) {
  const struct folder_kernel *kernel = chain->kernels[k];
  struct heddle_room room = {0};
  if (kernel->kernel->is_autorun)
    room.lut4 = 10;
  else if (k > 0)
    room = (struct heddle_room){.lut4 = 550, .ff = 385, .dsp = 3};
  if (kernel->result.graph->ports != 0 || graph_uses_packet(kernel->result.graph))
    room.lut4 += 250;
  return room;
}

struct heddle_room chain_room(const struct chain *chain) {
  struct heddle_room sum = {.lut4 = 850, .ff = 900};
  for (size_t k = 0; k < chain->count; k++)
    add(&sum, room_of_kernel(chain, k));
  for (size_t q = 0; q < chain->queue_count; q++)
    add(&sum, room_of_queue(chain, &chain->queues[q]));
  return sum;
}

struct heddle_room chain_room_of_all(const struct folder_kernel *made, size_t count) {
  struct heddle_room sum = {0};
  for (size_t k = 0; k < count; k++) {
    struct chain chain;
    if (chain_led_by(&made[k], made, count, &chain))
      add(&sum, chain_room(&chain));
  }
  return sum;
}

void chain_room_write(const struct folder_kernel *made, size_t count, FILE *text, FILE *page) {
  FILE *const files[] = {text, page};
  for (size_t k = 0; k < count; k++) {
    struct chain chain;
    if (!chain_led_by(&made[k], made, count, &chain))
      continue;
    const struct heddle_room room = chain_room(&chain);
    for (unsigned f = 0; f < 2; f++) {
      fprintf(files[f], "%schain of", f == 0 ? "\n" : "<p>");
      for (size_t i = 0; i < chain.count; i++)
        fprintf(files[f], "%s %s", i > 0 ? "," : "", chain.kernels[i]->kernel->name);
      fprintf(files[f],
              ": around these kernels, with %zu queue%s, estimated %u LUT4, %u flip-flops, %u block RAMs, %u "
              "multipliers%s\n",
              chain.queue_count, chain.queue_count == 1 ? "" : "s", room.lut4, room.ff, room.ebr, room.dsp,
              f == 0 ? "" : "</p>");
    }
  }
}
