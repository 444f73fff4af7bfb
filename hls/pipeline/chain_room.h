// SPDX-License-Identifier: Apache-2.0
// The room on an ECP5 of what a chain has around its kernels: the reader of their dispatches, walkers, the port to
// memory that they share, and queues. Estimated, from measurements (docs/decisions/pipes-on-chip.md).
#ifndef HEDDLE_HLS_PIPELINE_CHAIN_ROOM_H
#define HEDDLE_HLS_PIPELINE_CHAIN_ROOM_H

#include <stdio.h>

#include "contract/boards.h"
#include "hls/pipeline/chain.h"

struct heddle_room chain_room(const struct chain *chain);

// Of all chains among what was made.
struct heddle_room chain_room_of_all(const struct folder_kernel *made, size_t count);

// A paragraph a chain, for the report: as text, and as HTML.
void chain_room_write(const struct folder_kernel *made, size_t count, FILE *text, FILE *page);

#endif
