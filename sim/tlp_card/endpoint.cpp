// SPDX-License-Identifier: Apache-2.0
// The Verilated card (endpoint.h): its clock, and packets as beats of 64 bits. C++ because Verilator's models are.
#include "sim/tlp_card/endpoint.h"

#include <deque>
#include <memory>
#include <new>
#include <vector>

#include "Vblock.h"
#include "verilated.h"

namespace {

constexpr int kResetCycles = 4;
constexpr uint8_t kBoth = 0xFF, kLower = 0x0F;  // words of a beat that there are

}  // namespace

struct endpoint {
  VerilatedContext context;
  std::unique_ptr<Vblock> rtl;
  void (*packet)(void *to, const uint32_t *words, size_t count);
  void *to;
  bool pauses;
  uint32_t noise = 1;
  std::deque<std::vector<uint32_t>> given;
  size_t beat = 0;       // of the first of them
  bool offered = false;  // what is offered stays until it is taken
  std::vector<uint32_t> coming;
};

static bool pause(endpoint *e) {
  e->noise ^= e->noise << 13;
  e->noise ^= e->noise >> 17;
  e->noise ^= e->noise << 5;
  return e->pauses && e->noise % 5 == 0;
}

static void offer(endpoint *e) {
  Vblock *rtl = e->rtl.get();
  e->offered = e->offered || (!e->given.empty() && !pause(e));
  rtl->rx_valid_i = e->offered;
  rtl->tx_ready_i = !pause(e);
  if (!e->offered)
    return;
  const std::vector<uint32_t> &words = e->given.front();
  const size_t at = 2 * e->beat, left = words.size() - at;
  rtl->rx_data_i = words[at] | (left > 1 ? (uint64_t)words[at + 1] << 32 : 0);
  rtl->rx_keep_i = left > 1 ? kBoth : kLower;
  rtl->rx_last_i = left <= 2;
}

static void take(endpoint *e) {
  const Vblock *rtl = e->rtl.get();
  if (e->offered && rtl->rx_ready_o) {
    e->offered = false;
    e->beat++;
    if (rtl->rx_last_i) {
      e->given.pop_front();
      e->beat = 0;
    }
  }
  if (!rtl->tx_valid_o || !rtl->tx_ready_i)
    return;
  if (rtl->tx_first_o)
    e->coming.clear();
  e->coming.push_back((uint32_t)rtl->tx_data_o);
  if (rtl->tx_keep_o == kBoth)
    e->coming.push_back((uint32_t)(rtl->tx_data_o >> 32));
  if (rtl->tx_last_o)
    e->packet(e->to, e->coming.data(), e->coming.size());
}

void endpoint_tick(struct endpoint *e) {
  offer(e);
  e->rtl->clk = 0;
  e->rtl->eval();
  if (!e->rtl->rst)
    take(e);
  e->rtl->clk = 1;
  e->rtl->eval();
}

struct endpoint *endpoint_create(bool pauses, void (*packet)(void *to, const uint32_t *words, size_t count), void *to) {
  endpoint *e = new (std::nothrow) endpoint;
  if (!e)
    return nullptr;
  e->packet = packet;
  e->to = to;
  e->pauses = pauses;
  e->context.threads(1);
  e->context.randReset(2);  // registers start with arbitrary values: nothing may depend on them
  e->context.randSeed(1);   // the same ones every time
  e->rtl = std::make_unique<Vblock>(&e->context);
  e->rtl->master_i = 0;
  e->rtl->msix_enable_i = 0;
  e->rtl->max_payload_i = 128;
  e->rtl->max_request_i = 128;
  e->rtl->rst = 1;
  for (int i = 0; i < kResetCycles; i++)
    endpoint_tick(e);
  e->rtl->rst = 0;
  return e;
}

void endpoint_set(struct endpoint *e, const struct endpoint_settings *settings) {
  e->rtl->id_i = settings->id;
  e->rtl->master_i = settings->master;
  e->rtl->msix_enable_i = settings->msix;
  e->rtl->max_payload_i = settings->max_payload;
  e->rtl->max_request_i = settings->max_request;
}

void endpoint_give(struct endpoint *e, const uint32_t *words, size_t count) {
  e->given.emplace_back(words, words + count);
}

size_t endpoint_waiting(const struct endpoint *e) {
  return e->given.size();
}

void endpoint_destroy(struct endpoint *e) {
  e->rtl->final();
  delete e;
}
