// SPDX-License-Identifier: Apache-2.0
// A link to a device over a stream of bytes: the host's side of "The byte link" in contract/DEVICE.md. Requests go out
// several at a time, what is lost or damaged is sent again, and nothing is taken that fails a check.
#ifndef HEDDLE_FRAMES_H
#define HEDDLE_FRAMES_H

#include "host/device/driver.h"
#include "host/transport/channel.h"
#include "host/transport/transport.h"

// Bytes of frames on a link, to see what it wastes.
struct heddle_frames_figures {
  uint64_t sent, received;  // bytes, all of them
  uint64_t repeated;        // requests that were sent again
  uint64_t damaged;         // beginnings of an answer that were none
};

// Opens the link: the device starts afresh, its global memory stays. Owns the channel from then on, and closes it when
// this fails, too. 0; -EIO when nothing answers as a Heddle device does; or what the channel returned. `error` says it
// in words.
int heddle_frames_open(const struct heddle_channel *channel, struct heddle_link *link, struct heddle_error *error);

// Of a link that heddle_frames_open made.
void heddle_frames_figures(const struct heddle_link *link, struct heddle_frames_figures *figures);

#endif
