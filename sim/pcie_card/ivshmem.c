// SPDX-License-Identifier: Apache-2.0
// The protocol of ivshmem's server, as QEMU's docs/specs/ivshmem-spec.txt has it (ivshmem.h). Two peers: this process,
// and the guest.
#include "sim/pcie_card/ivshmem.h"

#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VERSION = 0, THIS_PEER = 0, GUEST_PEER = 1, SHARED_MEMORY = -1, NO_FILE = -1 };

// A socket that nobody listens at is left over from a process that was killed.
static void remove_left_over(const struct sockaddr_un *address) {
  struct stat status;
  const int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (file >= 0 && stat(address->sun_path, &status) == 0 && S_ISSOCK(status.st_mode) &&
      connect(file, (const struct sockaddr *)address, sizeof *address) != 0 && errno == ECONNREFUSED)
    unlink(address->sun_path);
  if (file >= 0)
    close(file);
}

int ivshmem_open(struct ivshmem *ivshmem, const struct sockaddr_un *address, size_t bytes) {
  ivshmem->file = memfd_create("heddle-pcie-card", MFD_CLOEXEC);
  ivshmem->doorbell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  ivshmem->interrupt = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  ivshmem->listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ivshmem->qemu = -1;
  if (ivshmem->file < 0 || ivshmem->doorbell < 0 || ivshmem->interrupt < 0 || ivshmem->listening < 0 ||
      ftruncate(ivshmem->file, (off_t)bytes) != 0)
    return -1;
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ivshmem->file, 0);
  if (memory == MAP_FAILED)
    return -1;
  ivshmem->memory = memory;
  remove_left_over(address);
  if (bind(ivshmem->listening, (const struct sockaddr *)address, sizeof *address) != 0)
    return -1;
  return listen(ivshmem->listening, 1);
}

// One message: a number, and a file if it comes with one.
static int say(const struct ivshmem *ivshmem, int64_t number, int file) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control = {.bytes = {0}};
  struct iovec data = {.iov_base = &number, .iov_len = sizeof number};
  struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
  if (file != NO_FILE) {
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof file);
    memcpy(CMSG_DATA(header), &file, sizeof file);
  }
  return sendmsg(ivshmem->qemu, &message, MSG_NOSIGNAL) == sizeof number ? 0 : -1;
}

int ivshmem_meet(struct ivshmem *ivshmem, int until) {
  struct pollfd ready[] = {{.fd = ivshmem->listening, .events = POLLIN}, {.fd = until, .events = POLLIN}};
  char ignored[256];
  while (ready[0].revents == 0) {
    if (poll(ready, 2, -1) < 0 && errno != EINTR)
      return -1;
    if (ready[1].revents != 0 && read(until, ignored, sizeof ignored) <= 0)
      return -1;
  }
  ivshmem->qemu = accept4(ivshmem->listening, NULL, NULL, SOCK_CLOEXEC);
  const struct {
    int64_t number;
    int file;
  } messages[] = {{(int64_t)htole64(VERSION), NO_FILE},
                  {(int64_t)htole64(GUEST_PEER), NO_FILE},
                  {(int64_t)htole64((uint64_t)SHARED_MEMORY), ivshmem->file},
                  {(int64_t)htole64(THIS_PEER), ivshmem->doorbell},
                  {(int64_t)htole64(GUEST_PEER), ivshmem->interrupt}};
  int result = ivshmem->qemu < 0 ? -1 : 0;
  for (size_t i = 0; i < sizeof messages / sizeof *messages && result == 0; i++)
    result = say(ivshmem, messages[i].number, messages[i].file);
  return result;
}

void ivshmem_rung(const struct ivshmem *ivshmem) {
  uint64_t count;
  // That it was rung at all is what counts.
  if (read(ivshmem->doorbell, &count, sizeof count) < 0)
    return;
}

void ivshmem_interrupt(const struct ivshmem *ivshmem) {
  const uint64_t one = 1;
  // Full: the guest has not taken 2^64 of them.
  if (write(ivshmem->interrupt, &one, sizeof one) < 0)
    return;
}
