// SPDX-License-Identifier: Apache-2.0
// The USB device of umockdev (usb_bed.h): descriptors, usbdevfs, and packets between the board's bytes and URBs.
//
// libusb polls the device's file, which umockdev leaves a plain one that is always ready. Here it is a pipe, full
// unless something is to be reaped.
#include "tests/transport/usb_bed.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-object.h>
#include <linux/usbdevice_fs.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <umockdev.h>
#include <unistd.h>

#include "sim/link/model_board.h"
#include "sim/usb_board/descriptors.h"
#include "tests/opencl/harness.h"
#include "tests/transport/simulated_board.h"

// Addresses of a bus are 1 to 127, and are used again.
enum { MOST_ADDRESS = 127 };

enum { PIPE_BYTES = 4096, MOST_BYTES_WAITING = 16384 };

struct transfer {
  UMockdevIoctlData *urb;  // the program's struct usbdevfs_urb
  const void *client;      // the opened file that it came through: only there it is reaped
  unsigned address;        // of the plugging
  int done, status;
};

static struct {
  pthread_mutex_t lock;
  unsigned packet_bytes;
  const char *product;
  int interface_class;
  bool plugged;
  unsigned address;  // of the last plugging; the next one has the next, as in the kernel
  char node[64], file[256], syspath[256];
  bool attached[MOST_ADDRESS + 1];
  UMockdevTestbed *testbed;
  UMockdevIoctlBase *handler;
  int pipe;
  bool ready;
  int wake;   // eventfd: the pump has something to look at
  int board;  // bytes to the board and from it
  struct simulated_board process;
  GQueue in, out, finished;
  bool in_halted, out_halted;
  bool empty_packet;  // is to end what a full packet did not
  uint8_t waiting[MOST_BYTES_WAITING];
  size_t num_waiting;
  struct usb_bed_trouble trouble;
  struct usb_bed_figures figures;
} bed = {.lock = PTHREAD_MUTEX_INITIALIZER, .pipe = -1};

// ---- URBs. The lock is held.

static struct usbdevfs_urb *urb_of(const struct transfer *transfer) {
  return (struct usbdevfs_urb *)(void *)transfer->urb->data;
}

static void wake_pump(void) {
  const uint64_t one = 1;
  if (write(bed.wake, &one, sizeof one) != sizeof one)
    abort();
}

// Nothing here waits: each file is opened with O_NONBLOCK.
static size_t read_now(int file, void *data, size_t room) {
  const ssize_t come = read(file, data, room);  // NOLINT(clang-analyzer-unix.BlockInCriticalSection)
  return come > 0 ? (size_t)come : 0;
}

static void drain_pipe(void) {
  char bytes[PIPE_BYTES];
  while (read_now(bed.pipe, bytes, sizeof bytes) > 0) {
  }
}

// The pipe is full unless something is to be reaped.
static void show_ready(void) {
  static const char zeros[PIPE_BYTES];
  const bool ready = !g_queue_is_empty(&bed.finished);
  if (ready && !bed.ready)
    drain_pipe();
  if (!ready && bed.ready)
    while (write(bed.pipe, zeros, sizeof zeros) > 0) {
    }
  bed.ready = ready;
}

static void finish(GQueue *queue, struct transfer *transfer, int status) {
  g_queue_remove(queue, transfer);
  transfer->status = status;
  g_queue_push_tail(&bed.finished, transfer);
  show_ready();
}

static void finish_all(GQueue *queue, int status) {
  while (!g_queue_is_empty(queue))
    finish(queue, g_queue_peek_head(queue), status);
}

static bool happens(int *trouble) {
  const bool yes = *trouble > 0;
  *trouble -= yes;
  return yes;
}

// Gives packets to the URBs that wait for them; none while the endpoint is halted.
static void deliver(void) {
  while (!g_queue_is_empty(&bed.in) && !bed.in_halted && !bed.trouble.deaf &&
         (bed.num_waiting > 0 || bed.empty_packet)) {
    struct transfer *transfer = g_queue_peek_head(&bed.in);
    struct usbdevfs_urb *urb = urb_of(transfer);
    size_t packet = bed.num_waiting < bed.packet_bytes ? bed.num_waiting : bed.packet_bytes;
    const size_t room = (size_t)(urb->buffer_length - transfer->done);
    if (happens(&bed.trouble.stall_in)) {
      bed.in_halted = true;
      finish(&bed.in, transfer, -EPIPE);
      return;
    }
    if (happens(&bed.trouble.protocol)) {
      finish(&bed.in, transfer, -EPROTO);
      continue;
    }
    if (packet > 1 && bed.trouble.short_packets)
      packet = 1 + (size_t)rand() % packet;
    if (packet > room || happens(&bed.trouble.babble)) {
      memset((uint8_t *)urb->buffer + transfer->done, 0x5A, room);
      transfer->done = urb->buffer_length;
      finish(&bed.in, transfer, -EOVERFLOW);
      continue;
    }
    memcpy((uint8_t *)urb->buffer + transfer->done, bed.waiting, packet);
    bed.num_waiting -= packet;
    memmove(bed.waiting, bed.waiting + packet, bed.num_waiting);
    transfer->done += (int)packet;
    bed.figures.bytes_from_board += packet;
    if (packet > bed.figures.most_packet)
      bed.figures.most_packet = packet;
    const bool to_end = packet == bed.packet_bytes && bed.num_waiting == 0 && transfer->done != urb->buffer_length;
    bed.empty_packet = to_end && !bed.trouble.no_empty_packet;
    bed.figures.unended += to_end && bed.trouble.no_empty_packet;
    if (packet < bed.packet_bytes || transfer->done == urb->buffer_length)
      finish(&bed.in, transfer, 0);
  }
}

// Gives the board what the first URB brings, as much as it takes now.
static void bring(void) {
  while (!g_queue_is_empty(&bed.out) && !bed.out_halted && !bed.trouble.deaf) {
    struct transfer *transfer = g_queue_peek_head(&bed.out);
    const struct usbdevfs_urb *urb = urb_of(transfer);
    if (happens(&bed.trouble.stall_out)) {
      bed.out_halted = true;
      finish(&bed.out, transfer, -EPIPE);
      return;
    }
    const size_t left = (size_t)(urb->buffer_length - transfer->done);
    const bool breaks = bed.trouble.break_out > 0 && left > bed.packet_bytes;
    const ssize_t taken =
        write(bed.board, (const uint8_t *)urb->buffer + transfer->done, breaks ? bed.packet_bytes : left);
    if (taken < 0)
      return;
    transfer->done += (int)taken;
    bed.figures.bytes_to_board += (uint64_t)taken;
    if (breaks) {
      bed.trouble.break_out--;
      bed.out_halted = true;
      finish(&bed.out, transfer, -EPIPE);
      return;
    }
    if (transfer->done == urb->buffer_length)
      finish(&bed.out, transfer, 0);
  }
}

// ---- usbdevfs

static int submit(UMockdevIoctlData *argument, const UMockdevIoctlClient *client) {
  UMockdevIoctlData *data = umockdev_ioctl_data_resolve(argument, 0, sizeof(struct usbdevfs_urb), NULL);
  const struct usbdevfs_urb *urb = (const struct usbdevfs_urb *)(const void *)data->data;
  const bool in = urb->endpoint == USB_BOARD_IN;
  if (!bed.plugged || urb->type != USBDEVFS_URB_TYPE_BULK || (!in && urb->endpoint != USB_BOARD_OUT)) {
    g_object_unref(data);
    return bed.plugged ? EINVAL : ENODEV;
  }
  struct transfer *transfer = g_new0(struct transfer, 1);
  transfer->urb = data;
  transfer->client = client;
  transfer->address = bed.address;
  g_queue_push_tail(in ? &bed.in : &bed.out, transfer);
  bed.figures.submitted++;
  bed.figures.in_flight++;
  if (in ? bed.in_halted : bed.out_halted)
    finish(in ? &bed.in : &bed.out, transfer, -EPIPE);
  else if (in)
    deliver();
  wake_pump();
  return 0;
}

static gint is_of_other(gconstpointer transfer, gconstpointer client) {
  return ((const struct transfer *)transfer)->client != client;
}

static int reap(UMockdevIoctlData *argument, UMockdevIoctlClient *client) {
  GList *first = g_queue_find_custom(&bed.finished, client, is_of_other);
  if (!first)
    return bed.plugged ? EAGAIN : ENODEV;
  struct transfer *transfer = first->data;
  g_queue_delete_link(&bed.finished, first);
  struct usbdevfs_urb *urb = urb_of(transfer);
  urb->status = transfer->status;
  urb->actual_length = transfer->done;
  UMockdevIoctlData *pointer = umockdev_ioctl_data_resolve(argument, 0, sizeof(void *), NULL);
  umockdev_ioctl_data_set_ptr(pointer, 0, transfer->urb);
  show_ready();
  bed.figures.in_flight -= transfer->address == bed.address;
  umockdev_ioctl_client_complete(client, 0, 0);
  g_object_unref(pointer);
  g_object_unref(transfer->urb);
  g_free(transfer);
  return 0;
}

static int discard(gulong urb) {
  GQueue *const queues[] = {&bed.in, &bed.out};
  for (size_t i = 0; i < 2; i++) {
    for (GList *at = queues[i]->head; at; at = at->next) {
      struct transfer *transfer = at->data;
      if (transfer->urb->client_addr != urb)
        continue;
      bed.figures.cancelled++;
      finish(queues[i], transfer, -ENOENT);
      return 0;
    }
  }
  return EINVAL;
}

static int claim(void) {
  if (bed.figures.claimed)
    return EBUSY;
  bed.figures.claimed = 1;
  return 0;
}

// The answer to an ioctl: 0, or an errno value. *answered: the program has it already.
static int answer(gulong request, UMockdevIoctlData *argument, UMockdevIoctlClient *client, bool *answered) {
  switch (request) {
    case USBDEVFS_GET_CAPABILITIES: {
      UMockdevIoctlData *word = umockdev_ioctl_data_resolve(argument, 0, sizeof(uint32_t), NULL);
      const uint32_t capabilities = USBDEVFS_CAP_ZERO_PACKET | USBDEVFS_CAP_BULK_CONTINUATION |
                                    USBDEVFS_CAP_NO_PACKET_SIZE_LIM | USBDEVFS_CAP_BULK_SCATTER_GATHER |
                                    USBDEVFS_CAP_REAP_AFTER_DISCONNECT;
      memcpy(word->data, &capabilities, sizeof capabilities);
      umockdev_ioctl_client_complete(client, 0, 0);
      *answered = true;
      g_object_unref(word);
      return 0;
    }
    case USBDEVFS_SUBMITURB:
      return submit(argument, client);
    case USBDEVFS_REAPURB:
    case USBDEVFS_REAPURBNDELAY: {
      const int result = reap(argument, client);
      *answered = result == 0;
      return result;
    }
    case USBDEVFS_DISCARDURB: {
      // The argument is the URB's address itself.
      gulong urb;
      memcpy(&urb, argument->data, sizeof urb);
      return discard(urb);
    }
    case USBDEVFS_CLAIMINTERFACE:
      return bed.plugged ? claim() : ENODEV;
    case USBDEVFS_RELEASEINTERFACE:
      bed.figures.claimed = 0;
      return bed.plugged ? 0 : ENODEV;
    case USBDEVFS_CLEAR_HALT: {
      UMockdevIoctlData *word = umockdev_ioctl_data_resolve(argument, 0, sizeof(uint32_t), NULL);
      uint32_t endpoint;
      memcpy(&endpoint, word->data, sizeof endpoint);
      g_object_unref(word);
      *(endpoint == USB_BOARD_IN ? &bed.in_halted : &bed.out_halted) = false;
      bed.figures.halts_cleared++;
      wake_pump();
      return bed.plugged ? 0 : ENODEV;
    }
    default:
      fprintf(stderr, "usb_bed: ioctl 0x%lx is not known\n", request);
      return ENOTTY;
  }
}

static gboolean handle(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, void *user) {
  bool answered = false;
  (void)handler, (void)user;
  pthread_mutex_lock(&bed.lock);
  const int error =
      answer(umockdev_ioctl_client_get_request(client), umockdev_ioctl_client_get_arg(client), client, &answered);
  if (!answered)
    umockdev_ioctl_client_complete(client, error ? -1 : 0, error);
  pthread_mutex_unlock(&bed.lock);
  return TRUE;
}

// ---- Boards behind it

static int start_model(void) {
  const char *why = NULL;
  const int board = heddle_model_board_start(NULL, &why);
  if (board < 0)
    fail("no golden model: %s", why);
  return board;
}

static int start_verilated(void) {
  const char *failed = simulated_board_start(&bed.process, NULL, NULL);
  if (failed)
    fail("%s", failed);
  unsetenv("HEDDLE_SERIAL");
  return open(bed.process.port, O_RDWR | O_NOCTTY | O_CLOEXEC);
}

// ---- Plugging

// Between the board's bytes and the URBs.
static void *pump(void *argument) {
  (void)argument;
  for (;;) {
    pthread_mutex_lock(&bed.lock);
    bring();
    deliver();
    const size_t room = sizeof bed.waiting - bed.num_waiting;
    struct pollfd ready[] = {{.fd = bed.wake, .events = POLLIN}, {.fd = bed.board}};
    ready[1].events = (short)((room > 0 ? POLLIN : 0) | (g_queue_is_empty(&bed.out) || bed.trouble.deaf ? 0 : POLLOUT));
    pthread_mutex_unlock(&bed.lock);
    poll(ready, 2, -1);
    uint64_t count;
    if (ready[0].revents != 0 && read(bed.wake, &count, sizeof count) < 0)
      return NULL;
    if ((ready[1].revents & POLLIN) == 0)
      continue;
    pthread_mutex_lock(&bed.lock);
    bed.num_waiting += read_now(bed.board, bed.waiting + bed.num_waiting, sizeof bed.waiting - bed.num_waiting);
    pthread_mutex_unlock(&bed.lock);
  }
}

void usb_bed_create(enum usb_bed_board board, unsigned packet_bytes) {
  pthread_t thread;
  bed.packet_bytes = packet_bytes;
  bed.testbed = umockdev_testbed_new();
  bed.handler = umockdev_ioctl_base_new();
  g_signal_connect_after(bed.handler, "handle-ioctl", G_CALLBACK(handle), NULL);
  bed.board = board == USB_BED_MODEL ? start_model() : start_verilated();
  bed.wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (bed.board < 0 || bed.wake < 0 || fcntl(bed.board, F_SETFL, O_NONBLOCK) != 0)
    fail("no board");
  if (pthread_create(&thread, NULL, pump, NULL) != 0)
    fail("no thread");
}

void usb_bed_pretend(const char *product, int interface_class) {
  bed.product = product;
  bed.interface_class = interface_class;
}

static void describe(char *text, size_t room) {
  const unsigned p = bed.packet_bytes;
  uint8_t bytes[2 * USB_BOARD_DESCRIPTOR_BYTES];
  const size_t device = usb_board_descriptor(p, USB_BOARD_DEVICE, 0, bytes);
  const size_t all = device + usb_board_descriptor(p, USB_BOARD_CONFIGURATION, 0, bytes + device);
  if (bed.interface_class)
    bytes[device + USB_BOARD_CLASS_AT] = (uint8_t)bed.interface_class;
  int end = snprintf(text, room,
                     "P: /devices/usb1/1-1\n"
                     "N: bus/usb/001/%03u\n"
                     "E: SUBSYSTEM=usb\nE: DRIVER=usb\nE: DEVTYPE=usb_device\nE: BUSNUM=001\nE: DEVNUM=%03u\n"
                     "E: DEVNAME=/dev/bus/usb/001/%03u\n"
                     "A: busnum=1\\n\nA: devnum=%u\\n\nA: bConfigurationValue=1\\n\nA: speed=%s\\n\n"
                     "A: idVendor=1209\\n\nA: idProduct=0001\\n\nA: product=%s\\n\n"
                     "H: descriptors=",
                     bed.address, bed.address, bed.address, bed.address, p == 64 ? "12" : "480",
                     bed.product ? bed.product : "Heddle test bed");
  for (size_t i = 0; i < all; i++)
    end += snprintf(text + end, room - (size_t)end, "%02X%s", bytes[i], i + 1 == all ? "\n" : "");
}

static void name_node(unsigned address, char *node, size_t room) {
  snprintf(node, room, "/dev/bus/usb/001/%03u", address);
}

static void detach(unsigned address) {
  char node[64];
  name_node(address, node, sizeof node);
  if (bed.attached[address])
    umockdev_testbed_detach_ioctl(bed.testbed, node, NULL);
  bed.attached[address] = false;
}

// What is left of the last plugging. Programs that still have it open may reap what they submitted.
static void forget_last(void) {
  if (bed.pipe < 0)
    return;
  drain_pipe();
  if (bed.figures.in_flight == 0)
    detach(bed.address);
  unlink(bed.file);
  close(bed.pipe);
}

void usb_bed_plug(void) {
  char text[2048];
  GError *error = NULL;
  forget_last();
  pthread_mutex_lock(&bed.lock);
  bed.address = bed.address % MOST_ADDRESS + 1;
  pthread_mutex_unlock(&bed.lock);
  name_node(bed.address, bed.node, sizeof bed.node);
  detach(bed.address);
  snprintf(bed.syspath, sizeof bed.syspath, "/sys/devices/usb1/1-1");
  char *root = umockdev_testbed_get_root_dir(bed.testbed);
  snprintf(bed.file, sizeof bed.file, "%s%s", root, bed.node);
  g_free(root);
  describe(text, sizeof text);
  if (!umockdev_testbed_attach_ioctl(bed.testbed, bed.node, bed.handler, &error) ||
      !umockdev_testbed_add_from_string(bed.testbed, text, &error))
    fail("no mock device: %s", error->message);
  bed.attached[bed.address] = true;
  unlink(bed.file);
  if (mkfifo(bed.file, 0600) != 0)
    fail("no pipe %s", bed.file);
  pthread_mutex_lock(&bed.lock);
  bed.pipe = open(bed.file, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (bed.pipe < 0 || fcntl(bed.pipe, F_SETPIPE_SZ, PIPE_BYTES) < 0)
    fail("no pipe %s", bed.file);
  bed.ready = true;
  show_ready();
  bed.plugged = true;
  bed.in_halted = bed.out_halted = bed.empty_packet = false;
  bed.figures.claimed = bed.figures.in_flight = 0;
  pthread_mutex_unlock(&bed.lock);
  umockdev_testbed_uevent(bed.testbed, bed.syspath, "add");
}

void usb_bed_unplug(void) {
  pthread_mutex_lock(&bed.lock);
  bed.plugged = false;
  finish_all(&bed.in, -ESHUTDOWN);
  finish_all(&bed.out, -ESHUTDOWN);
  bed.num_waiting = 0;
  pthread_mutex_unlock(&bed.lock);
  umockdev_testbed_uevent(bed.testbed, bed.syspath, "remove");
  umockdev_testbed_remove_device(bed.testbed, bed.syspath);
}

const char *usb_bed_file(void) {
  return bed.file;
}

void usb_bed_claim(void) {
  pthread_mutex_lock(&bed.lock);
  bed.figures.claimed = 1;
  pthread_mutex_unlock(&bed.lock);
}

void usb_bed_trouble(const struct usb_bed_trouble *trouble) {
  pthread_mutex_lock(&bed.lock);
  bed.trouble = *trouble;
  pthread_mutex_unlock(&bed.lock);
  wake_pump();
}

struct usb_bed_trouble usb_bed_trouble_left(void) {
  pthread_mutex_lock(&bed.lock);
  const struct usb_bed_trouble left = bed.trouble;
  pthread_mutex_unlock(&bed.lock);
  return left;
}

struct usb_bed_figures usb_bed_figures(void) {
  pthread_mutex_lock(&bed.lock);
  const struct usb_bed_figures figures = bed.figures;
  pthread_mutex_unlock(&bed.lock);
  return figures;
}
