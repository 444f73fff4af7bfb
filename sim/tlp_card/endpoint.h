// SPDX-License-Identifier: Apache-2.0
// The Verilated card: rtl/boards/pcie_device.v (rtl/pcie, the device behind it and its memory), clocked one cycle at
// a time, with packets in and out: words of header, then of data, each with its first byte on top. Called by
// root_complex.c; not thread-safe.
#ifndef HEDDLE_TLP_CARD_ENDPOINT_H
#define HEDDLE_TLP_CARD_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What a PCIe core learns from configuration requests and tells the endpoint.
struct endpoint_settings {
  uint16_t id;  // bus, device and function
  bool master, msix;
  uint16_t max_payload, max_request;  // bytes, powers of two from 128 to 4096
};

struct endpoint;

// After reset. `packet` gets each packet of the card as it ends, from within endpoint_tick. With `pauses` a fifth of
// the cycles give nothing, and a fifth take nothing, the same ones every time. NULL: no memory.
struct endpoint *endpoint_create(bool pauses, void (*packet)(void *to, const uint32_t *words, size_t count), void *to);

void endpoint_set(struct endpoint *endpoint, const struct endpoint_settings *settings);

// A packet for the card, behind those that were given before.
void endpoint_give(struct endpoint *endpoint, const uint32_t *words, size_t count);

// Packets that the card has not yet taken.
size_t endpoint_waiting(const struct endpoint *endpoint);

// One clock cycle.
void endpoint_tick(struct endpoint *endpoint);

void endpoint_destroy(struct endpoint *endpoint);

#ifdef __cplusplus
}
#endif

#endif
