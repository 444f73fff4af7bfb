// SPDX-License-Identifier: Apache-2.0
// The bulk endpoints of a board on USB as a channel of bytes (usb.h). Called by host/cl/platform.c.
//
// To the board one transfer is under way and the next one fills meanwhile. From it several wait; they are taken in the
// order in which they were submitted. Packets mean nothing: frames have a length. A transfer from the board ends with a
// packet that is not full; what a board leaves in one that does not end is taken after a silence. Whatever else goes
// wrong loses bytes at most, which frames.c sends again, or is the end of the board.
#include "host/transport/usb.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host/transport/frames.h"
#include "host/transport/holder.h"
#include "host/transport/libusb.h"

// Bytes of transfers: whole packets of every speed, so that none is larger than what is left of its transfer.
enum { TRANSFER_BYTES = 4096, FROM_BOARD = 4 };

// A board that takes nothing for so long is gone, and a kernel that gives nothing back.
enum { SEND_TIMEOUT_MS = 5000, CANCEL_TIMEOUT_MS = 1000 };

// About the rates of bulk endpoints with frames (channel.h), which the size of their packets tells apart, and two
// frames or microframes of the bus.
enum { FULL_SPEED_PACKET = 64, FULL_SPEED = 1000000, FULL_SPEED_NS = 2000000 };
enum { HIGH_SPEED = 20000000, HIGH_SPEED_NS = 250000 };

// Failed transfers in a row, one way, after which the board is gone.
enum { MOST_FAILURES = 16 };

enum transfer_state { EMPTY, FLYING, LANDED };

struct usb;

struct transfer {
  struct usb *usb;
  struct libusb_transfer *of;
  enum transfer_state state;
  size_t bytes, done;  // that it holds; of these, taken by the host or the board
  uint8_t data[TRANSFER_BYTES];
};

struct usb {
  const struct heddle_libusb *lib;
  libusb_context *context;
  libusb_device_handle *handle;
  int node;  // its lock is what keeps others away
  int interface;
  bool claimed, gone;
  uint8_t in, out;                     // addresses of the endpoints
  uint16_t packet_bytes;               // most of a packet of theirs
  bool in_failed, out_failed;          // a transfer did: the endpoint may have halted
  unsigned in_failures, out_failures;  // in a row
  struct transfer from_board[FROM_BOARD], to_board[2];
  size_t oldest;   // of from_board: the next to be taken
  size_t filling;  // of to_board: the other may be under way
};

static double milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

// ---- Transfers

// Whether the transfer went well; else what that means for the board.
static bool went_well(struct usb *u, const struct libusb_transfer *transfer, unsigned *failures, bool *failed) {
  switch (transfer->status) {
    case LIBUSB_TRANSFER_COMPLETED:
      *failures = 0;
      return true;
    case LIBUSB_TRANSFER_CANCELLED:
      return true;
    case LIBUSB_TRANSFER_NO_DEVICE:
      u->gone = true;
      return false;
    default:  // stall, babble, errors on the wire
      *failed = true;
      u->gone = u->gone || ++*failures > MOST_FAILURES;
      return false;
  }
}

static void LIBUSB_CALL came(struct libusb_transfer *transfer) {
  struct transfer *t = transfer->user_data;
  const bool good = went_well(t->usb, transfer, &t->usb->in_failures, &t->usb->in_failed);
  t->state = LANDED;
  t->done = 0;
  // Of what babbled nothing is known.
  t->bytes = good || transfer->status == LIBUSB_TRANSFER_STALL ? (size_t)transfer->actual_length : 0;
}

static void LIBUSB_CALL went(struct libusb_transfer *transfer) {
  struct transfer *t = transfer->user_data;
  went_well(t->usb, transfer, &t->usb->out_failures, &t->usb->out_failed);
  t->done += (size_t)transfer->actual_length;
  t->state = t->done < t->bytes && transfer->status != LIBUSB_TRANSFER_CANCELLED ? LANDED : EMPTY;
}

static void submit(struct usb *u, struct transfer *t, uint8_t endpoint, uint8_t *data, size_t bytes,
                   libusb_transfer_cb_fn ended) {
  libusb_fill_bulk_transfer(t->of, u->handle, endpoint, data, (int)bytes, ended, t, 0);
  if (u->gone || u->lib->submit_transfer(t->of) != 0)
    u->gone = true;
  else
    t->state = FLYING;
}

static void submit_from_board(struct usb *u, struct transfer *t) {
  t->state = EMPTY;
  submit(u, t, u->in, t->data, TRANSFER_BYTES, came);
}

// Lets libusb work until something happens or so many milliseconds are over.
static void handle_usb_events(struct usb *u, double milliseconds) {
  const double left = milliseconds > 0 ? milliseconds : 0;
  struct timeval longest = {.tv_sec = (time_t)(left / 1e3)};
  longest.tv_usec = (suseconds_t)((left - (double)longest.tv_sec * 1e3) * 1e3);
  const int result = u->lib->handle_events_timeout_completed(u->context, &longest, NULL);
  if (result != 0 && result != LIBUSB_ERROR_INTERRUPTED)
    u->gone = true;
}

static bool any_flies(const struct transfer *transfers, size_t count) {
  bool any = false;
  for (size_t i = 0; i < count; i++)
    any = any || transfers[i].state == FLYING;
  return any;
}

// Cancels what flies, the newest first, and waits for it. False: some of it never came back.
static bool cancel(struct usb *u, struct transfer *transfers, size_t count, size_t oldest) {
  const double end = milliseconds_now() + CANCEL_TIMEOUT_MS;
  for (size_t i = count; i-- > 0;) {
    const struct transfer *t = &transfers[(oldest + i) % count];
    if (t->state == FLYING)
      u->lib->cancel_transfer(t->of);
  }
  while (any_flies(transfers, count) && milliseconds_now() < end)
    handle_usb_events(u, end - milliseconds_now());
  const bool back = !any_flies(transfers, count);
  u->gone = u->gone || !back;
  return back;
}

// An endpoint whose transfer failed may have halted; no transfer may wait there while that is answered.
static void answer_halts(struct usb *u) {
  if (u->in_failed && !u->gone) {
    cancel(u, u->from_board, FROM_BOARD, u->oldest);
    u->gone = u->gone || u->lib->clear_halt(u->handle, u->in) == LIBUSB_ERROR_NO_DEVICE;
  }
  if (u->out_failed && !u->gone)
    u->gone = u->lib->clear_halt(u->handle, u->out) == LIBUSB_ERROR_NO_DEVICE;
  u->in_failed = u->out_failed = false;
}

// Sends what is left of the last transfer, or else what has been filled in meanwhile.
static void go_on_sending(struct usb *u) {
  struct transfer *last = &u->to_board[1 - u->filling], *next = &u->to_board[u->filling];
  if (u->gone || last->state == FLYING)
    return;
  if (last->state != LANDED) {
    if (next->bytes == 0)
      return;
    last->bytes = last->done = 0;
    u->filling = 1 - u->filling;
    last = next;
  }
  submit(u, last, u->out, last->data + last->done, last->bytes - last->done, went);
}

// ---- The channel

static int usb_send(void *state, const uint8_t *data, size_t bytes) {
  struct usb *u = state;
  const double end = milliseconds_now() + SEND_TIMEOUT_MS;
  while (bytes > 0 && !u->gone) {
    struct transfer *fills = &u->to_board[u->filling];
    const size_t room = TRANSFER_BYTES - fills->bytes, now = bytes < room ? bytes : room;
    if (now > 0) {
      memcpy(fills->data + fills->bytes, data, now);
      fills->bytes += now;
      data += now;
      bytes -= now;
      continue;
    }
    answer_halts(u);
    go_on_sending(u);
    if (u->filling == (size_t)(fills - u->to_board))  // it has to wait for the other one
      handle_usb_events(u, end - milliseconds_now());
    u->gone = u->gone || milliseconds_now() >= end;
  }
  return u->gone ? -ENODEV : 0;
}

// What has come, in its order. Transfers that have been emptied wait again.
static size_t take(struct usb *u, uint8_t *data, size_t room) {
  size_t count = 0;
  while (u->from_board[u->oldest].state != FLYING && !u->gone && count < room) {
    struct transfer *t = &u->from_board[u->oldest];
    const size_t left = t->bytes - t->done, now = left < room - count ? left : room - count;
    memcpy(data + count, t->data + t->done, now);
    count += now;
    t->done += now;
    if (t->done < t->bytes)
      break;
    submit_from_board(u, t);
    u->oldest = (u->oldest + 1) % FROM_BOARD;
  }
  return count;
}

static int usb_receive(void *state, uint8_t *data, size_t room, unsigned milliseconds) {
  struct usb *u = state;
  const double end = milliseconds_now() + milliseconds;
  size_t count = 0;
  bool late = false;
  while (count == 0 && !late && !u->gone) {
    answer_halts(u);
    go_on_sending(u);
    count = take(u, data, room);
    if (count != 0 || u->gone)
      break;
    late = milliseconds_now() >= end;
    if (late && cancel(u, u->from_board, FROM_BOARD, u->oldest))
      count = take(u, data, room);
    else
      handle_usb_events(u, end - milliseconds_now());
  }
  return count != 0 ? (int)count : u->gone ? -ENODEV : 0;
}

static void usb_close(void *state) {
  struct usb *u = state;
  const bool back = cancel(u, u->from_board, FROM_BOARD, u->oldest), other_back = cancel(u, u->to_board, 2, 0);
  // What the kernel did not give back it may still write to: rather lost than freed.
  if (!back || !other_back)
    return;
  for (size_t i = 0; i < FROM_BOARD; i++)
    u->lib->free_transfer(u->from_board[i].of);
  for (size_t i = 0; i < 2; i++)
    u->lib->free_transfer(u->to_board[i].of);
  if (u->claimed)
    u->lib->release_interface(u->handle, u->interface);
  if (u->handle)
    u->lib->close(u->handle);
  if (u->context)
    u->lib->exit(u->context);
  close(u->node);
  free(u);
}

static const struct heddle_channel_calls usb_calls = {.send = usb_send, .receive = usb_receive, .close = usb_close};

// ---- Opening

static int cannot_open(const char *path, int why, struct heddle_error *error) {
  if (why == EACCES || why == EPERM)
    return heddle_fail(
        error, -EACCES,
        "no permission for %.64s: install the udev rule 70-heddle.rules (`make install` and the packages "
        "do) and plug the board in again",
        path);
  if (why == ENOENT || why == ENODEV || why == ENXIO)
    return heddle_fail(error, -ENODEV, "the board at %.64s is gone: it was pulled out", path);
  return heddle_fail(error, -why, "%.64s: %s", path, strerror(why));
}

static int failed(const struct usb *u, int code, const char *path, const char *what, struct heddle_error *error) {
  if (code == LIBUSB_ERROR_ACCESS)
    return cannot_open(path, EACCES, error);
  if (code == LIBUSB_ERROR_NO_DEVICE || code == LIBUSB_ERROR_NOT_FOUND)
    return cannot_open(path, ENODEV, error);
  const long user = code == LIBUSB_ERROR_BUSY ? heddle_other_user(u->node) : 0;
  if (user > 0)
    return heddle_fail(error, -EBUSY, "%.64s is in use by process %ld", path, user);
  if (code == LIBUSB_ERROR_BUSY)
    return heddle_fail(error, -EBUSY, "%.64s is in use by another program", path);
  return heddle_fail(error, -EIO, "%.64s: %s (%s)", path, what, u->lib->strerror(code));
}

static int open_handle(struct usb *u, const struct heddle_bus_location *location) {
  libusb_device **devices = NULL;
  int result = u->lib->init(&u->context);
  if (result != 0) {
    u->context = NULL;
    return result;
  }
  const ssize_t count = u->lib->get_device_list(u->context, &devices);
  result = count < 0 ? (int)count : LIBUSB_ERROR_NO_DEVICE;
  for (ssize_t i = 0; i < count; i++)
    if (u->lib->get_bus_number(devices[i]) == location->bus &&
        u->lib->get_device_address(devices[i]) == location->address)
      result = u->lib->open(devices[i], &u->handle);
  if (count >= 0)
    u->lib->free_device_list(devices, 1);
  if (result != 0)
    u->handle = NULL;
  return result;
}

// Whether an interface is one of frames: its endpoints then.
static bool has_endpoints(const struct libusb_interface_descriptor *interface, struct usb *u) {
  u->in = u->out = 0;
  for (int i = 0; i < interface->bNumEndpoints; i++) {
    const struct libusb_endpoint_descriptor *endpoint = &interface->endpoint[i];
    if ((endpoint->bmAttributes & LIBUSB_TRANSFER_TYPE_MASK) != LIBUSB_TRANSFER_TYPE_BULK)
      continue;
    *((endpoint->bEndpointAddress & LIBUSB_ENDPOINT_IN) != 0 ? &u->in : &u->out) = endpoint->bEndpointAddress;
    u->packet_bytes = endpoint->wMaxPacketSize;
  }
  return interface->bInterfaceClass == LIBUSB_CLASS_VENDOR_SPEC && u->in != 0 && u->out != 0;
}

static int find_interface(struct usb *u, libusb_device *device, const char *path, struct heddle_error *error) {
  struct libusb_config_descriptor *configuration = NULL;
  const int result = u->lib->get_active_config_descriptor(device, &configuration);
  if (result != 0)
    return failed(u, result, path, "has no configuration", error);
  u->interface = -1;
  for (int i = 0; i < configuration->bNumInterfaces && u->interface < 0; i++) {
    const struct libusb_interface *interface = &configuration->interface[i];
    if (interface->num_altsetting > 0 && has_endpoints(&interface->altsetting[0], u))
      u->interface = interface->altsetting[0].bInterfaceNumber;
  }
  u->lib->free_config_descriptor(configuration);
  return u->interface >= 0 ? 0
                           : heddle_fail(error, -EIO,
                                         "%.64s has no interface of class 0xFF with a bulk endpoint each way: is the "
                                         "board's bitstream one of Heddle?",
                                         path);
}

static int make_transfers(struct usb *u, struct heddle_error *error) {
  bool made = true;
  for (size_t i = 0; i < FROM_BOARD + 2; i++) {
    struct transfer *t = i < FROM_BOARD ? &u->from_board[i] : &u->to_board[i - FROM_BOARD];
    t->usb = u;
    t->of = u->lib->alloc_transfer(0);
    made = made && t->of;
  }
  return made ? 0 : heddle_fail(error, -ENOMEM, "out of host memory");
}

static int set_up(struct usb *u, const struct heddle_bus_location *location, const char *path,
                  struct heddle_error *error) {
  libusb_device *device = NULL;
  int result = make_transfers(u, error);
  if (result != 0)
    return result;
  result = open_handle(u, location);
  if (result != 0)
    return failed(u, result, path, "does not open", error);
  device = u->lib->get_device(u->handle);
  result = find_interface(u, device, path, error);
  if (result != 0)
    return result;
  result = u->lib->claim_interface(u->handle, u->interface);
  u->claimed = result == 0;
  return result == 0 ? 0 : failed(u, result, path, "does not give its interface", error);
}

int heddle_usb_open(const struct heddle_bus_location *location, struct heddle_link *link, struct heddle_error *error) {
  char path[64];
  const struct heddle_libusb *lib = heddle_libusb(error);
  struct usb *u = NULL;
  if (!lib)
    return -ENOENT;
  snprintf(path, sizeof path, "/dev/bus/usb/%03u/%03u", location->bus, location->address);
  const int node = open(path, O_RDWR | O_CLOEXEC);
  if (node < 0)
    return cannot_open(path, errno, error);
  int result = heddle_hold(node, path, error);
  if (result == 0) {
    u = calloc(1, sizeof *u);
    result = u ? 0 : heddle_fail(error, -ENOMEM, "out of host memory");
  }
  if (!u) {
    close(node);
    return result;
  }
  u->lib = lib;
  u->node = node;
  result = set_up(u, location, path, error);
  if (result != 0) {
    usb_close(u);
    return result;
  }
  const bool is_fast = u->packet_bytes > FULL_SPEED_PACKET;
  const struct heddle_channel channel = {.calls = &usb_calls,
                                         .state = u,
                                         .bytes_a_second = is_fast ? HIGH_SPEED : FULL_SPEED,
                                         .access_ns = is_fast ? HIGH_SPEED_NS : FULL_SPEED_NS};
  return heddle_frames_open(&channel, link, error);
}
