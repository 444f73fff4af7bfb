// SPDX-License-Identifier: Apache-2.0
// Another bitstream under a device that is in use (driver.h). What is allocated is read before, and written back
// behind.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/device/device.h"

// What is in the device's memory, on the host.
struct contents {
  struct heddle_piece *pieces;
  size_t count, bytes;
  uint8_t *data;  // of the pieces, one behind the other
};

// The link of a device that is lost.
static int is_gone(void) {
  return -ENODEV;
}
static int gone_read(void *link, uint32_t address, void *data, size_t bytes) {
  (void)link, (void)address, (void)data, (void)bytes;
  return is_gone();
}
static int gone_write(void *link, uint32_t address, const void *data, size_t bytes) {
  (void)link, (void)address, (void)data, (void)bytes;
  return is_gone();
}
static int gone_doorbell(void *link, uint32_t offset, uint32_t value) {
  (void)link, (void)offset, (void)value;
  return is_gone();
}
static int gone_wait(void *link, unsigned milliseconds) {
  (void)link, (void)milliseconds;
  return is_gone();
}
static void gone_close(void *link) {
  (void)link;
}
static const struct heddle_transport gone = {
    .read = gone_read, .write = gone_write, .doorbell = gone_doorbell, .wait = gone_wait, .close = gone_close};

static void contents_free(struct contents *contents) {
  free(contents->pieces);
  free(contents->data);
}

static int save(struct heddle_device *device, struct contents *contents) {
  int result = 0;
  size_t at = 0;
  contents->pieces = heddle_allocator_pieces(device->allocator, &contents->count);
  for (size_t i = 0; i < contents->count; i++)
    contents->bytes += contents->pieces[i].bytes;
  contents->data = malloc(contents->bytes + 1);
  if (!contents->pieces || !contents->data)
    return -ENOMEM;
  for (size_t i = 0; i < contents->count && result == 0; i++) {
    const struct heddle_piece *piece = &contents->pieces[i];
    result = device->link.transport->read(device->link.state, piece->address, contents->data + at, piece->bytes);
    at += piece->bytes;
  }
  return heddle_settle(device, result);
}

static int put_back(struct heddle_device *device, const struct contents *contents) {
  int result = 0;
  size_t at = 0;
  for (size_t i = 0; i < contents->count && result == 0; i++) {
    const struct heddle_piece *piece = &contents->pieces[i];
    result = device->link.transport->write(device->link.state, piece->address, contents->data + at, piece->bytes);
    at += piece->bytes;
  }
  return result;
}

// What the driver keeps for itself between dispatches; it is made again when it is needed.
static void give_back(struct heddle_device *device, struct heddle_region *region) {
  if (region->bytes != 0)
    heddle_device_free(device, region->address);
  *region = (struct heddle_region){0};
}

// The device on its new link, which is another device unless nothing was loaded and it is as it was before; *device has
// no link when this fails.
static int take_link(struct heddle_device *device, const struct heddle_reconfiguration *how, bool is_loaded,
                     struct heddle_error *error) {
  struct heddle_link link;
  struct heddle_device *fresh = calloc(1, sizeof *fresh);
  if (!fresh)
    return heddle_fail(error, -ENOMEM, "out of host memory");
  int result = how->open(how->user, &link, error);
  if (result != 0) {
    free(fresh);
    return result;
  }
  fresh->link = link;
  result = heddle_device_probe(fresh, error);
  if (result == 0 && heddle_has_processor(fresh))
    result = heddle_fail(error, -ENOTSUP, "it has a command processor, which a device in use cannot get");
  if (result == 0 && heddle_allocator_set_range(device->allocator, fresh->capability.first_global,
                                                fresh->capability.global_bytes, 1u << heddle_page_log2(fresh)) != 0)
    result = heddle_fail(error, -ENOSPC, "its global memory ends at 0x%x, and there is not all that is allocated",
                         fresh->capability.global_bytes);
  if (result == 0) {
    fresh->capability.changes = device->capability.changes;
    if (is_loaded || memcmp(&fresh->capability, &device->capability, sizeof fresh->capability) != 0)
      fresh->capability.changes++;
    device->link = link;
    device->capability = fresh->capability;
    device->table.changes = 0;
  } else {
    link.transport->close(link.state);
  }
  free(fresh);
  return result;
}

// The device is lost, and with it what is in its memory.
static int lose(struct heddle_device *device, int result, const struct contents *contents, const char *why,
                struct heddle_error *error) {
  struct heddle_error text;
  heddle_fail(&text, result, "%.200s: the contents of %zu pieces of its memory, %zu bytes, are lost", why,
              contents->count, contents->bytes);
  heddle_lose(device, result, text.text);
  *error = text;
  return result;
}

static int change(struct heddle_device *device, const struct heddle_reconfiguration *how,
                  const struct contents *contents, struct heddle_error *error) {
  struct heddle_error why = {""}, load_why = {""};
  device->link.transport->close(device->link.state);
  device->link = (struct heddle_link){.transport = &gone};
  const int loaded = how->load(how->user, &load_why);
  int result = take_link(device, how, loaded == 0, &why);
  if (result != 0 && loaded != 0)
    return lose(device, result, contents, load_why.text, error);
  if (result != 0)
    return lose(device, result, contents, why.text, error);
  result = put_back(device, contents);
  if (result != 0)
    return lose(device, result, contents, "its memory cannot be written behind the change of its bitstream", error);
  if (loaded != 0)
    *error = load_why;
  return loaded;
}

int heddle_device_reconfigure(struct heddle_device *device, const struct heddle_reconfiguration *how,
                              struct heddle_error *error) {
  struct contents contents = {0};
  if (heddle_has_processor(device))
    return heddle_fail(error, -ENOTSUP, "a device with a command processor cannot get another bitstream while in use");
  pthread_mutex_lock(&device->access);
  int result = heddle_commands_drain(device);
  give_back(device, &device->private_memory);
  give_back(device, &device->wiper);
  for (uint32_t i = 0; i < HEDDLE_CHAIN_KERNELS; i++) {
    give_back(device, &device->printf_buffers[i].region);
    device->printf_buffers[i].used = 0;
  }
  if (result == 0)
    result = save(device, &contents);
  if (result != 0)
    heddle_fail(error, result, "the device's memory cannot be kept: %s", strerror(-result));
  else
    result = change(device, how, &contents, error);
  pthread_mutex_unlock(&device->access);
  contents_free(&contents);
  return result;
}
