// SPDX-License-Identifier: Apache-2.0
// A link to a device over a stream of bytes: the host's side of "The byte link" in contract/DEVICE.md. Several requests
// are in flight at a time, lost or damaged ones are sent again, and answers that fail a check are ignored.
#ifndef HEDDLE_FRAMES_H
#define HEDDLE_FRAMES_H

#include "contract/error.h"
#include "host/transport/channel.h"
#include "host/transport/transport.h"

// Counts of a link since it was opened, to see how much of its rate is wasted.
struct heddle_frames_figures {
  uint64_t sent, received;  // bytes, all of them
  uint64_t repeated;        // requests that were sent again
  uint64_t damaged;         // answers that failed a check
};

// Opens the link and resets the device; its global memory keeps its contents. Takes ownership of the channel, and
// closes it if this call fails. 0; -EIO: no Heddle device answers; or the channel's error. *error has the reason in
// words.
int heddle_frames_open(const struct heddle_channel *channel, struct heddle_link *link, struct heddle_error *error);

// Reads the counts of a link that heddle_frames_open made.
void heddle_frames_figures(const struct heddle_link *link, struct heddle_frames_figures *figures);

#endif
