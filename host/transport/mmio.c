// SPDX-License-Identifier: Apache-2.0
// A device on this chip, by UIO (mmio.h). Called by host/cl/platform.c.
//
// The interrupt. While the device asks for it, Linux keeps it switched off: it is switched on again before each wait,
// and INTERRUPT is cleared after each one that came. Who waits looks at BUS_STATE anyway, so one that comes too often
// does no harm. One that does not come is an error: the device says that it asks (INTERRUPT), and Linux has not heard.
#include "host/transport/mmio.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "contract/device_map.h"
#include "host/environment.h"
#include "host/transport/bus.h"
#include "host/transport/device_memory.h"
#include "host/transport/holder.h"

enum { CONTROL_BYTES = 0x1000, MOST_DIGITS = 6, NAME_BYTES = 64, NAP_MS = 1 };

// The longest that an interrupt may take from when the device asks for it.
enum { INTERRUPT_MS = 2000 };

// Linux maps memory of UIO as that of a device, where aarch64 takes aligned accesses alone: the library keeps to that,
// programs do not. RISC-V has no such memory, and elsewhere it is slower at most.
#ifdef __aarch64__
enum { UIO_MEMORY_IS_LIKE_ANY = false };
#else
enum { UIO_MEMORY_IS_LIKE_ANY = true };
#endif

struct mmio {
  struct heddle_bus bus;
  const struct heddle_transport *on_bus;  // its transport
  char path[sizeof "/dev/uio" + MOST_DIGITS];
  int uio, memory_file;     // descriptors; -1: none
  size_t mapped_bytes;      // of memory
  bool has_interrupt;       // else the device is asked again and again
  struct heddle_error why;  // empty: nothing went wrong
};

// ---- What sysfs says

struct uio_map {
  uint64_t address, bytes, offset;  // offset: where it begins in the first page that is mapped
};

// A file of a UIO device in sysfs: one line, empty if there is none.
static void read_text(const struct mmio *m, const char *file, char text[NAME_BYTES]) {
  char path[NAME_BYTES + 64];
  snprintf(path, sizeof path, "/sys/class/uio/%s/%.60s", m->path + strlen("/dev/"), file);
  FILE *opened = fopen(path, "re");
  if (!opened || !fgets(text, NAME_BYTES, opened))
    text[0] = 0;
  text[strcspn(text, "\n")] = 0;
  if (opened)
    fclose(opened);
}

static bool read_hexadecimal(const struct mmio *m, unsigned map, const char *file, uint64_t *value) {
  char name[NAME_BYTES], text[NAME_BYTES], *end = text;
  snprintf(name, sizeof name, "maps/map%u/%s", map, file);
  read_text(m, name, text);
  if (text[0] != '0' || (text[1] != 'x' && text[1] != 'X') || !isxdigit((unsigned char)text[2]))
    return false;
  errno = 0;
  *value = strtoull(text, &end, 16);
  return *end == 0 && errno == 0;
}

static bool read_map(const struct mmio *m, unsigned number, struct uio_map *map) {
  return read_hexadecimal(m, number, "addr", &map->address) && read_hexadecimal(m, number, "size", &map->bytes) &&
         read_hexadecimal(m, number, "offset", &map->offset) && map->offset < (uint64_t)sysconf(_SC_PAGESIZE);
}

// ---- Mapping

static int cannot_open(const char *path, const char *variable, struct heddle_error *error) {
  const int why = errno;
  if (why == EACCES || why == EPERM)
    return heddle_fail(error, -EACCES, "no permission for %.120s: 'sudo chown $USER %.120s', or run as root", path,
                       path);
  if (why == ENOENT || why == ENXIO || why == ENODEV)
    return heddle_fail(error, -ENODEV, "there is no %.120s: is its driver loaded? %s names it", path, variable);
  return heddle_fail(error, -why, "%.120s: %s", path, strerror(why));
}

// HEDDLE_UIO names a device as it is called in /dev.
static int take_path(struct mmio *m, unsigned number, struct heddle_error *error) {
  static const char PREFIX[] = "/dev/uio";
  const char *item;
  if (heddle_environment_item("HEDDLE_UIO", HEDDLE_MMIO_MOST, &item) != 0)
    return heddle_fail(error, -EINVAL, "HEDDLE_UIO names more than %d devices", HEDDLE_MMIO_MOST);
  const size_t length = heddle_environment_item("HEDDLE_UIO", number, &item), prefix = sizeof PREFIX - 1;
  bool right = length > prefix && length < sizeof m->path && strncmp(item, PREFIX, prefix) == 0;
  for (size_t i = prefix; i < length && right; i++)
    right = isdigit((unsigned char)item[i]);
  if (!right)
    return heddle_fail(error, -EINVAL, "HEDDLE_UIO names UIO devices such as /dev/uio0, not '%.*s'",
                       length < NAME_BYTES ? (int)length : NAME_BYTES, item);
  memcpy(m->path, item, length);
  return 0;
}

// Whose device it is says its driver: Linux's uio_pdrv_genirq gives the name of the node in the device tree.
static int check_name(const struct mmio *m, struct heddle_error *error) {
  static const char OURS[] = "heddle";
  char name[NAME_BYTES];
  read_text(m, "name", name);
  if (name[0] == 0)
    return heddle_fail(error, -ENODEV, "%s is not among the UIO devices in /sys/class/uio", m->path);
  if (strncmp(name, OURS, sizeof OURS - 1) != 0)
    return heddle_fail(error, -ENODEV, "%s is the device \"%s\", not one of Heddle: its name would begin with \"%s\"",
                       m->path, name, OURS);
  return 0;
}

static volatile void *map_file(int file, uint64_t offset, uint64_t bytes) {
  return bytes != 0 ? heddle_device_memory_map(file, (off_t)offset, bytes) : NULL;
}

// Memory that the bus's copies take, which no register is.
static void *map_memory_file(int file, uint64_t offset, uint64_t bytes) {
  return (void *)(uintptr_t)map_file(file, offset, bytes);  // NOLINT(performance-no-int-to-ptr): away with volatile
}

// Map n of a UIO device is at its page n.
static int map_control(struct mmio *m, struct heddle_error *error) {
  struct uio_map map;
  if (!read_map(m, 0, &map))
    return heddle_fail(error, -ENODEV, "%s has no map 0, which a Heddle device's control registers are", m->path);
  if (map.bytes < CONTROL_BYTES || map.offset != 0)
    return heddle_fail(error, -ENODEV,
                       "map 0 of %s has %llu bytes from byte %llu of a page on; control registers have %d from the "
                       "first on",
                       m->path, (unsigned long long)map.bytes, (unsigned long long)map.offset, CONTROL_BYTES);
  m->bus.control = map_file(m->uio, 0, CONTROL_BYTES);
  return m->bus.control ? 0 : heddle_fail(error, -errno, "map 0 of %s: %s", m->path, strerror(errno));
}

static uint32_t get(const struct mmio *m, uint32_t offset) {
  return m->bus.control[offset / 4];
}

// Bytes of global memory, once what answers is known to be a Heddle device on a bus, and where the bus has them.
static int ask_for_memory(const struct mmio *m, uint64_t *address, uint64_t *bytes, struct heddle_error *error) {
  const uint32_t magic = get(m, HEDDLE_REG_MAGIC);
  if (magic != HEDDLE_MAGIC)
    return heddle_fail(error, -ENODEV, "what answers at map 0 of %s is no Heddle device: its first word is 0x%08x",
                       m->path, magic);
  *bytes = get(m, HEDDLE_REG_GLOBAL_BYTES);
  *address = (uint64_t)get(m, HEDDLE_REG_BUS_BASE + 4) << 32 | get(m, HEDDLE_REG_BUS_BASE);
  if (*bytes == 0 || *bytes > HEDDLE_LOCAL_BASE)
    return heddle_fail(error, -ENODEV, "the device at %s says that it has %llu bytes of memory, which cannot be",
                       m->path, (unsigned long long)*bytes);
  return 0;
}

static int map_uio_memory(struct mmio *m, uint64_t address, uint64_t bytes, struct heddle_error *error) {
  struct uio_map map;
  if (!read_map(m, 1, &map))
    return heddle_fail(error, -ENODEV,
                       "%s has no map 1 for the device's memory; give it one, or name a file that maps this memory in "
                       "HEDDLE_UIO_MEMORY",
                       m->path);
  map.address += map.offset;
  if (map.offset != 0 || map.address != address)
    return heddle_fail(error, -ENODEV, "map 1 of %s begins at 0x%llx, the device's memory at 0x%llx", m->path,
                       (unsigned long long)map.address, (unsigned long long)address);
  if (map.bytes < bytes)
    return heddle_fail(error, -ENODEV, "map 1 of %s has %llu bytes, the device's memory %llu", m->path,
                       (unsigned long long)map.bytes, (unsigned long long)bytes);
  m->bus.memory = map_memory_file(m->uio, (uint64_t)sysconf(_SC_PAGESIZE), bytes);
  return m->bus.memory ? 0 : heddle_fail(error, -errno, "map 1 of %s: %s", m->path, strerror(errno));
}

// /dev/mem has memory at its address on the bus, other files have the device's memory alone.
static int map_named_memory(struct mmio *m, const char *path, uint64_t address, uint64_t bytes,
                            struct heddle_error *error) {
  struct stat status;
  const uint64_t offset = strcmp(path, "/dev/mem") == 0 ? address : 0;
  m->memory_file = open(path, O_RDWR | O_CLOEXEC);
  if (m->memory_file < 0)
    return cannot_open(path, "HEDDLE_UIO_MEMORY", error);
  // Memory of a file that is too short is there until it is touched.
  if (fstat(m->memory_file, &status) == 0 && S_ISREG(status.st_mode) && (uint64_t)status.st_size < bytes)
    return heddle_fail(error, -ENODEV, "%.120s has %lld bytes, the device's memory %llu", path,
                       (long long)status.st_size, (unsigned long long)bytes);
  m->bus.memory = map_memory_file(m->memory_file, offset, bytes);
  return m->bus.memory ? 0
                       : heddle_fail(error, -errno, "%.120s does not give the device's memory at 0x%llx: %s", path,
                                     (unsigned long long)address, strerror(errno));
}

// Accesses of the memory's own size at their own alignment; it may take no others.
static void copy_aligned(void *to, const void *from, size_t bytes) {
  volatile uint8_t *t = to;
  const volatile uint8_t *f = from;
  // The end in the device's memory is not known here, so both are taken for it.
  const bool words = (((uintptr_t)to | (uintptr_t)from) & 7) == 0;
  size_t at = 0;
  for (; words && at + 8 <= bytes; at += 8)
    *(volatile uint64_t *)(t + at) = *(const volatile uint64_t *)(f + at);
  for (; at < bytes; at++)
    t[at] = f[at];
}

static int map_memory(struct mmio *m, unsigned number, bool *in_place, struct heddle_error *error) {
  const char *item;
  char path[PATH_MAX] = "";
  uint64_t address = 0, bytes = 0;
  const size_t length = heddle_environment_item("HEDDLE_UIO_MEMORY", number, &item);
  int result = ask_for_memory(m, &address, &bytes, error);
  if (result != 0)
    return result;
  if (length >= sizeof path)
    return heddle_fail(error, -ENAMETOOLONG, "HEDDLE_UIO_MEMORY has a path of %zu bytes", length);
  if (length > 0)
    memcpy(path, item, length);
  *in_place = length > 0 || UIO_MEMORY_IS_LIKE_ANY;
  m->bus.copy = *in_place ? NULL : copy_aligned;
  result = length > 0 ? map_named_memory(m, path, address, bytes, error) : map_uio_memory(m, address, bytes, error);
  if (result == 0)
    m->mapped_bytes = m->bus.memory_bytes = (uint32_t)bytes;
  return result;
}

// ---- The interrupt

// Whether Linux has it and switches it on. A driver that does not switch it off itself says ENOSYS.
static bool switch_on(const struct mmio *m) {
  const int32_t on = 1;
  return write(m->uio, &on, sizeof on) == sizeof on || errno == ENOSYS;
}

// Whether it came in that time.
static bool await_interrupt(struct mmio *m, unsigned milliseconds) {
  struct pollfd ready = {.fd = m->uio, .events = POLLIN};
  int32_t count;
  if (poll(&ready, 1, (int)milliseconds) <= 0 || (ready.revents & POLLIN) == 0)
    return false;
  if (read(m->uio, &count, sizeof count) != sizeof count)
    return false;
  m->bus.control[HEDDLE_REG_INTERRUPT / 4] = 1;
  return true;
}

static void nap(unsigned milliseconds) {
  const struct timespec pause = {.tv_nsec = 1000000L * (milliseconds < NAP_MS ? milliseconds : NAP_MS)};
  nanosleep(&pause, NULL);
}

static void mmio_sleep(void *user, unsigned milliseconds) {
  struct mmio *m = user;
  if (!m->has_interrupt) {
    nap(milliseconds);
    return;
  }
  if (!switch_on(m))
    heddle_fail(&m->why, -EIO, "%s does not take its interrupt: %s", m->path, strerror(errno));
  else if (!await_interrupt(m, milliseconds) && (get(m, HEDDLE_REG_INTERRUPT) & 1) != 0 &&
           !await_interrupt(m, INTERRUPT_MS))
    heddle_fail(&m->why, -EIO,
                "the device at %s has ended, and its interrupt did not come within %d ms: the device tree may name "
                "another one",
                m->path, INTERRUPT_MS);
}

// ---- The transport: that of bus.h, which does not end on its own

// What was read or written of a device that has gone is nothing.
static int settle(struct mmio *m, int result) {
  if (!heddle_device_memory_is_gone(m->bus.control) && !heddle_device_memory_is_gone(m->bus.memory))
    return result;
  if (m->why.text[0] == 0)
    heddle_fail(&m->why, -ENODEV, "%s is gone: its registers or its memory are no longer there", m->path);
  return -ENODEV;
}

static int mmio_read(void *link, uint32_t address, void *data, size_t bytes) {
  struct mmio *m = link;
  return settle(m, m->on_bus->read(&m->bus, address, data, bytes));
}

static int mmio_write(void *link, uint32_t address, const void *data, size_t bytes) {
  struct mmio *m = link;
  return settle(m, m->on_bus->write(&m->bus, address, data, bytes));
}

static int mmio_doorbell(void *link, uint32_t offset, uint32_t value) {
  struct mmio *m = link;
  return settle(m, m->on_bus->doorbell(&m->bus, offset, value));
}

static int mmio_wait(void *link, unsigned milliseconds) {
  struct mmio *m = link;
  const int idle = m->on_bus->wait(&m->bus, milliseconds);
  return settle(m, m->why.text[0] != 0 ? -EIO : idle);
}

static const char *mmio_why(const void *link) {
  const struct mmio *m = link;
  return m->why.text[0] != 0 ? m->why.text : NULL;
}

static void let_go(struct mmio *m) {
  if (m->bus.control)
    heddle_device_memory_unmap(m->bus.control, CONTROL_BYTES);
  if (m->bus.memory)
    heddle_device_memory_unmap(m->bus.memory, m->mapped_bytes);
  if (m->memory_file >= 0)
    close(m->memory_file);
  if (m->uio >= 0)
    close(m->uio);
  free(m);
}

static void mmio_close(void *link) {
  struct mmio *m = link;
  m->on_bus->close(&m->bus);
  let_go(m);
}

static const struct heddle_transport mmio_transport = {.read = mmio_read,
                                                       .write = mmio_write,
                                                       .doorbell = mmio_doorbell,
                                                       .wait = mmio_wait,
                                                       .close = mmio_close,
                                                       .why = mmio_why};

unsigned heddle_mmio_count(void) {
  const char *item;
  unsigned count = 0;
  while (count < HEDDLE_MMIO_MOST && heddle_environment_item("HEDDLE_UIO", count, &item) != 0)
    count++;
  return count;
}

static int open_device(struct mmio *m, unsigned number, bool *in_place, struct heddle_error *error) {
  int result = take_path(m, number, error);
  if (result != 0)
    return result;
  m->uio = open(m->path, O_RDWR | O_CLOEXEC);
  if (m->uio < 0)
    return cannot_open(m->path, "HEDDLE_UIO", error);
  result = heddle_hold(m->uio, m->path, error);
  if (result == 0)
    result = check_name(m, error);
  if (result == 0)
    result = map_control(m, error);
  if (result == 0)
    result = map_memory(m, number, in_place, error);
  return result;
}

int heddle_mmio_open(unsigned number, struct heddle_link *link, struct heddle_error *error) {
  struct heddle_link bus;
  bool in_place = false;
  struct mmio *m = calloc(1, sizeof *m);
  if (!m)
    return heddle_fail(error, -ENOMEM, "out of host memory");
  m->uio = m->memory_file = -1;
  m->bus.keeps_memory = true;
  m->bus.sleep = mmio_sleep;
  m->bus.user = m;
  int result = open_device(m, number, &in_place, error);
  if (result == 0)
    result = heddle_bus_open(&m->bus, &bus, error);
  if (result != 0) {
    let_go(m);
    return result;
  }
  m->has_interrupt = switch_on(m);
  m->on_bus = bus.transport;
  *link = (struct heddle_link){
      .keeps_memory = true, .transport = &mmio_transport, .state = m, .memory = in_place ? m->bus.memory : NULL};
  return 0;
}
