// SPDX-License-Identifier: Apache-2.0
// The device's end of usbredir (redir.h). libusbredirparser reads and writes the protocol, and checks lengths; QEMU
// carries out SET_ADDRESS itself. What a guest asks for is not trusted: it may cost this process no more than
// MOST_REQUESTS.
#include "sim/usb_board/redir.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <unistd.h>
#include <usbredirparser.h>

#include "sim/usb_board/descriptors.h"

enum { MOST_REQUESTS = 1024, MOST_BYTES_WAITING = 16384 };

// Standard requests of USB.
enum { GET_STATUS = 0, CLEAR_FEATURE = 1, GET_DESCRIPTOR = 6 };
enum { TO_HOST = 0x80, OF_ENDPOINT = 2, KIND_AND_RECIPIENT = 0x7F, ENDPOINT_HALT = 0 };

// A transfer that waits at a bulk endpoint.
struct request {
  STAILQ_ENTRY(request) next;
  uint64_t id;
  struct usb_redir_bulk_packet_header header;
  uint8_t *data;  // for the board: the parser's
  size_t bytes, done;
};
STAILQ_HEAD(requests, request);

struct redir {
  struct usbredirparser *parser;
  int qemu, board;
  unsigned packet_bytes;
  uint8_t configuration;
  struct requests in, out;
  unsigned num_requests;
  uint8_t waiting[MOST_BYTES_WAITING];  // for the host
  size_t num_waiting;
  bool over;
  enum redir_end end;
};

static void end_with(struct redir *r, enum redir_end end) {
  r->over = true;
  r->end = end;
}

// ---- Bulk transfers

static void answer(struct redir *r, const struct request *request, uint8_t status, uint8_t *data, size_t bytes) {
  struct usb_redir_bulk_packet_header header = request->header;
  header.status = status;
  header.length = (uint16_t)bytes;
  header.length_high = (uint16_t)(bytes >> 16);
  usbredirparser_send_bulk_packet(r->parser, request->id, &header, data, data ? (int)bytes : 0);
}

static void forget(struct redir *r, struct requests *queue, struct request *request) {
  STAILQ_REMOVE(queue, request, request, next);
  r->num_requests--;
  if (request->data)
    usbredirparser_free_packet_data(r->parser, request->data);
  free(request);
}

static void forget_all(struct redir *r, struct requests *queue) {
  while (!STAILQ_EMPTY(queue))
    forget(r, queue, STAILQ_FIRST(queue));
}

// Each transfer ends with what there is now: a packet that is not full, or an empty one, is behind it.
static void deliver(struct redir *r) {
  while (!STAILQ_EMPTY(&r->in) && r->num_waiting > 0) {
    struct request *request = STAILQ_FIRST(&r->in);
    const size_t bytes = r->num_waiting < request->bytes ? r->num_waiting : request->bytes;
    answer(r, request, usb_redir_success, r->waiting, bytes);
    r->num_waiting -= bytes;
    memmove(r->waiting, r->waiting + bytes, r->num_waiting);
    forget(r, &r->in, request);
  }
}

// Gives the board what it takes now.
static void bring(struct redir *r) {
  while (!STAILQ_EMPTY(&r->out)) {
    struct request *request = STAILQ_FIRST(&r->out);
    const size_t left = request->bytes - request->done;
    const ssize_t taken = left > 0 ? write(r->board, request->data + request->done, left) : 0;
    if (taken < 0 && errno != EAGAIN && errno != EINTR)
      end_with(r, REDIR_BOARD_ENDED);
    if (taken < 0)
      return;
    request->done += (size_t)taken;
    if (request->done < request->bytes)
      continue;
    answer(r, request, usb_redir_success, NULL, request->bytes);
    forget(r, &r->out, request);
  }
}

static void take_from_board(struct redir *r) {
  const ssize_t come = read(r->board, r->waiting + r->num_waiting, sizeof r->waiting - r->num_waiting);
  if (come == 0 || (come < 0 && errno != EAGAIN && errno != EINTR))
    end_with(r, REDIR_BOARD_ENDED);
  else if (come > 0)
    r->num_waiting += (size_t)come;
}

static void on_bulk(void *redir, uint64_t id, struct usb_redir_bulk_packet_header *header, uint8_t *data, int bytes) {
  struct redir *r = redir;
  const bool in = header->endpoint == USB_BOARD_IN;
  struct request at_once = {.id = id, .header = *header}, *request = NULL;
  const bool known = in || header->endpoint == USB_BOARD_OUT;
  if (known && r->num_requests < MOST_REQUESTS)
    request = malloc(sizeof *request);
  if (!request) {
    answer(r, &at_once, known ? usb_redir_ioerror : usb_redir_inval, NULL, 0);
    if (data)
      usbredirparser_free_packet_data(r->parser, data);
    return;
  }
  *request = at_once;
  request->data = data;
  request->bytes = in ? header->length | (size_t)header->length_high << 16 : (size_t)bytes;
  STAILQ_INSERT_TAIL(in ? &r->in : &r->out, request, next);
  r->num_requests++;
}

static struct request *find(struct requests *queue, uint64_t id) {
  struct request *request = STAILQ_FIRST(queue);
  while (request && request->id != id)
    request = STAILQ_NEXT(request, next);
  return request;
}

static void on_cancel(void *redir, uint64_t id) {
  struct redir *r = redir;
  struct request *in = find(&r->in, id), *request = in ? in : find(&r->out, id);
  if (!request)
    return;  // it was answered in the meantime
  answer(r, request, usb_redir_cancelled, NULL, request->done);
  forget(r, in ? &r->in : &r->out, request);
}

// ---- Control transfers

// The answer to a standard request: bytes, or -1 for none.
static int carry_out(struct redir *r, const struct usb_redir_control_packet_header *header, uint8_t *data) {
  const bool to_host = (header->requesttype & TO_HOST) != 0;
  if (to_host && header->request == GET_DESCRIPTOR && (header->requesttype & KIND_AND_RECIPIENT) == 0) {
    const size_t bytes = usb_board_descriptor(r->packet_bytes, header->value >> 8, header->value & 0xFF, data);
    return bytes > 0 ? (int)bytes : -1;
  }
  if (to_host && header->request == GET_STATUS && (header->requesttype & KIND_AND_RECIPIENT) <= OF_ENDPOINT) {
    memset(data, 0, 2);
    return 2;
  }
  // An endpoint never halts here, but whoever thinks so may begin afresh.
  if (!to_host && header->request == CLEAR_FEATURE && (header->requesttype & KIND_AND_RECIPIENT) == OF_ENDPOINT &&
      header->value == ENDPOINT_HALT) {
    if (header->index == USB_BOARD_IN)
      r->num_waiting = 0;
    return 0;
  }
  return -1;
}

static void on_control(void *redir, uint64_t id, struct usb_redir_control_packet_header *header, uint8_t *data,
                       int bytes) {
  struct redir *r = redir;
  struct usb_redir_control_packet_header reply = *header;
  uint8_t came[USB_BOARD_DESCRIPTOR_BYTES] = {0};
  const bool in = (header->endpoint & TO_HOST) != 0;
  int length = carry_out(r, header, came);
  (void)bytes;
  if (data)
    usbredirparser_free_packet_data(r->parser, data);
  reply.status = length < 0 ? usb_redir_stall : usb_redir_success;
  length = length < 0 ? 0 : length < header->length ? length : header->length;
  reply.length = (uint16_t)(in ? length : 0);
  usbredirparser_send_control_packet(r->parser, id, &reply, in && length > 0 ? came : NULL, reply.length);
}

static void say_configuration(struct redir *r, uint64_t id, uint8_t status) {
  struct usb_redir_configuration_status_header reply = {.status = status, .configuration = r->configuration};
  usbredirparser_send_configuration_status(r->parser, id, &reply);
}

static void on_set_configuration(void *redir, uint64_t id, struct usb_redir_set_configuration_header *header) {
  struct redir *r = redir;
  const bool known = header->configuration <= 1;
  if (known)
    r->configuration = header->configuration;
  say_configuration(r, id, known ? usb_redir_success : usb_redir_stall);
}

static void on_get_configuration(void *redir, uint64_t id) {
  say_configuration(redir, id, usb_redir_success);
}

static void on_set_alternate(void *redir, uint64_t id, struct usb_redir_set_alt_setting_header *header) {
  struct redir *r = redir;
  struct usb_redir_alt_setting_status_header reply = {
      .status = header->interface == 0 && header->alt == 0 ? usb_redir_success : usb_redir_stall,
      .interface = header->interface};
  usbredirparser_send_alt_setting_status(r->parser, id, &reply);
}

static void on_get_alternate(void *redir, uint64_t id, struct usb_redir_get_alt_setting_header *header) {
  struct redir *r = redir;
  struct usb_redir_alt_setting_status_header reply = {.interface = header->interface};
  usbredirparser_send_alt_setting_status(r->parser, id, &reply);
}

// ---- Plugging

static void on_hello(void *redir, struct usb_redir_hello_header *hello) {
  enum { OUT_PLACE = USB_BOARD_OUT, IN_PLACE = 16 + (USB_BOARD_IN & 15), CONTROL_BYTES = 64 };
  struct redir *r = redir;
  struct usb_redir_ep_info_header endpoints = {0};
  struct usb_redir_interface_info_header interfaces = {.interface_count = 1, .interface_class = {0xFF}};
  uint8_t device[USB_BOARD_DESCRIPTOR_BYTES];
  (void)hello;
  memset(endpoints.type, usb_redir_type_invalid, sizeof endpoints.type);
  endpoints.type[0] = endpoints.type[16] = usb_redir_type_control;
  endpoints.max_packet_size[0] = endpoints.max_packet_size[16] = CONTROL_BYTES;
  endpoints.type[OUT_PLACE] = endpoints.type[IN_PLACE] = usb_redir_type_bulk;
  endpoints.max_packet_size[OUT_PLACE] = endpoints.max_packet_size[IN_PLACE] = (uint16_t)r->packet_bytes;
  usbredirparser_send_interface_info(r->parser, &interfaces);
  usbredirparser_send_ep_info(r->parser, &endpoints);
  usb_board_descriptor(r->packet_bytes, USB_BOARD_DEVICE, 0, device);
  struct usb_redir_device_connect_header connect = {
      .speed = r->packet_bytes == USB_BOARD_HIGH_SPEED ? usb_redir_speed_high : usb_redir_speed_full,
      .vendor_id = (uint16_t)(device[8] | device[9] << 8),
      .product_id = (uint16_t)(device[10] | device[11] << 8),
      .device_version_bcd = (uint16_t)(device[12] | device[13] << 8)};
  usbredirparser_send_device_connect(r->parser, &connect);
  puts("plugged in");
  fflush(stdout);
}

static void on_reset(void *redir) {
  struct redir *r = redir;
  forget_all(r, &r->in);
  forget_all(r, &r->out);
  r->num_waiting = 0;
  r->configuration = 0;
}

// QEMU's filter does not let this device through.
static void on_reject(void *redir) {
  end_with(redir, REDIR_QEMU_ENDED);
}

static void on_acknowledged(void *redir) {
  (void)redir;
}

static void on_log(void *redir, int level, const char *message) {
  (void)redir;
  if (level <= usbredirparser_warning)
    fprintf(stderr, "heddle-usb-board: %s\n", message);
}

static int read_qemu(void *redir, uint8_t *data, int count) {
  struct redir *r = redir;
  const ssize_t come = recv(r->qemu, data, (size_t)count, 0);
  if (come > 0)
    return (int)come;
  if (come < 0 && (errno == EAGAIN || errno == EINTR))
    return 0;
  end_with(r, REDIR_QEMU_ENDED);
  return -1;
}

static int write_qemu(void *redir, uint8_t *data, int count) {
  struct redir *r = redir;
  const ssize_t gone = send(r->qemu, data, (size_t)count, MSG_NOSIGNAL);
  if (gone >= 0)
    return (int)gone;
  if (errno == EAGAIN || errno == EINTR)
    return 0;
  end_with(r, REDIR_QEMU_ENDED);
  return -1;
}

static struct usbredirparser *make_parser(struct redir *r) {
  uint32_t capabilities[USB_REDIR_CAPS_SIZE] = {0};
  struct usbredirparser *p = usbredirparser_create();
  if (!p)
    return NULL;
  p->priv = r;
  p->log_func = on_log;
  p->read_func = read_qemu;
  p->write_func = write_qemu;
  p->hello_func = on_hello;
  p->reset_func = on_reset;
  p->set_configuration_func = on_set_configuration;
  p->get_configuration_func = on_get_configuration;
  p->set_alt_setting_func = on_set_alternate;
  p->get_alt_setting_func = on_get_alternate;
  p->control_packet_func = on_control;
  p->bulk_packet_func = on_bulk;
  p->cancel_data_packet_func = on_cancel;
  p->filter_reject_func = on_reject;
  p->device_disconnect_ack_func = on_acknowledged;
  static const int wanted[] = {usb_redir_cap_connect_device_version,
                               usb_redir_cap_ep_info_max_packet_size,
                               usb_redir_cap_64bits_ids,
                               usb_redir_cap_32bits_bulk_length,
                               usb_redir_cap_filter,
                               usb_redir_cap_device_disconnect_ack};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    usbredirparser_caps_set_cap(capabilities, wanted[i]);
  usbredirparser_init(p, "heddle-usb-board", capabilities, USB_REDIR_CAPS_SIZE, usbredirparser_fl_usb_host);
  return p;
}

// Waits until one of the three has something to do, and does it.
static void turn(struct redir *r, int until) {
  struct pollfd ready[] = {{.fd = r->qemu, .events = POLLIN}, {.fd = r->board}, {.fd = until, .events = POLLIN}};
  uint8_t ignored[256];
  bring(r);
  deliver(r);
  if (usbredirparser_has_data_to_write(r->parser) > 0)
    ready[0].events |= POLLOUT;
  ready[1].events = (short)((r->num_waiting < sizeof r->waiting ? POLLIN : 0) | (STAILQ_EMPTY(&r->out) ? 0 : POLLOUT));
  if (!r->over && poll(ready, 3, -1) < 0 && errno != EINTR)
    end_with(r, REDIR_FAILED);
  if ((ready[0].revents & POLLOUT) != 0)
    usbredirparser_do_write(r->parser);
  if ((ready[0].revents & ~POLLOUT) != 0 && !r->over)
    usbredirparser_do_read(r->parser);  // (it says what it could not read, and goes on behind that)
  if ((ready[1].revents & ~POLLOUT) != 0 && !r->over && r->num_waiting < sizeof r->waiting)
    take_from_board(r);
  if (ready[2].revents != 0 && !r->over && read(until, ignored, sizeof ignored) == 0)
    end_with(r, REDIR_UNPLUGGED);
}

enum redir_end redir_serve(int qemu, int board, int until, unsigned packet_bytes) {
  struct redir r = {.qemu = qemu, .board = board, .packet_bytes = packet_bytes, .end = REDIR_FAILED};
  STAILQ_INIT(&r.in);
  STAILQ_INIT(&r.out);
  const int files[] = {qemu, board, until};
  for (size_t i = 0; i < 3; i++) {
    const int flags = fcntl(files[i], F_GETFL);
    if (flags < 0 || fcntl(files[i], F_SETFL, flags | O_NONBLOCK) != 0)
      return REDIR_FAILED;
  }
  r.parser = make_parser(&r);
  while (r.parser && !r.over)
    turn(&r, until);
  if (!r.parser)
    return REDIR_FAILED;
  forget_all(&r, &r.in);
  forget_all(&r, &r.out);
  usbredirparser_destroy(r.parser);
  return r.end;
}
