// SPDX-License-Identifier: Apache-2.0
// heddle-pcie-card: a card with a Heddle device for a QEMU guest, behind QEMU's ivshmem-doorbell: memory that this
// process shares with the guest stands for the registers, and event files for doorbell and interrupt. Options, and the
// card's time.
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "sim/link/options.h"
#include "sim/link/pcie_model.h"
#include "sim/link/sim_board.h"
#include "sim/pcie_card/ivshmem.h"

enum { IN_BYTES = 0x1000, OUT_BYTES = 0x1000, PAGE = 4096 };

// Guest memory below this is in its file where the guest has it; QEMU's machines put what is more behind a hole.
static const off_t most_guest_bytes = (off_t)2 << 30;

struct options {
  struct heddle_sim_config model;
  const char *verilated;     // file of that device, instead of the model
  const char *guest_memory;  // file of the guest's memory; NULL: the card reaches none
  const char *socket;
};

struct card {
  struct sim_board sim;
  struct pcie_model model;
  struct ivshmem ivshmem;
  const char *guest_memory;
  uint8_t *guest;  // mapped when it is first reached: QEMU makes the file after it has met the card
  uint64_t guest_bytes;
};

static void usage(FILE *out) {
  fprintf(out,
          "usage: heddle-pcie-card [--lanes N] [--memory MIB | --verilated FILE] [--guest-memory FILE] SOCKET\n"
          "Simulates a card with a Heddle device and waits at SOCKET for a QEMU that is started with\n"
          "  -chardev socket,id=card,path=SOCKET -device ivshmem-doorbell,chardev=card,vectors=1\n"
          "In the guest HEDDLE_PCIE names the card, such as 0000:00:04.0. The device is the golden model.\n"
          "It is pulled out when standard input ends (Ctrl-D).\n"
          "  --lanes N            of the device (default %d)\n"
          "  --memory MIB         that it has (default %d)\n"
          "  --verilated FILE     the Verilated device instead, such as build/lib/heddle/rtl-L8-S32-P.so\n"
          "  --guest-memory FILE  lets the card reach the guest's memory, at most 2 GiB:\n"
          "                       -machine memory-backend=ram -object "
          "memory-backend-file,id=ram,share=on,mem-path=FILE,size=1G\n"
          "  --help               this text\n",
          HEDDLE_OPTIONS_LANES, HEDDLE_OPTIONS_MIB);
}

static void usage_of_wrong(void) {
  usage(stderr);
}

static struct options options_of(int argc, char **argv) {
  static const struct option names[] = {{"lanes", required_argument, NULL, 'l'},
                                        {"memory", required_argument, NULL, 'm'},
                                        {"verilated", required_argument, NULL, 'v'},
                                        {"guest-memory", required_argument, NULL, 'g'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};
  struct options o = {
      .model = {.lanes = HEDDLE_OPTIONS_LANES, .slots = 8, .global_bytes = HEDDLE_OPTIONS_MIB << 20, .processor = 1}};
  heddle_option_program("heddle-pcie-card", usage_of_wrong);
  argv[0] = program_invocation_short_name;  // getopt begins its messages with it
  for (int option; (option = getopt_long(argc, argv, "h", names, NULL)) != -1;) {
    switch (option) {
      case 'l':
        heddle_option_lanes(&o.model, optarg);
        break;
      case 'm':
        heddle_option_memory(&o.model, optarg);
        break;
      case 'v':
        o.verilated = optarg;
        break;
      case 'g':
        o.guest_memory = optarg;
        break;
      case 'h':
        usage(stdout);
        exit(0);
      default:
        usage(stderr);
        exit(2);
    }
  }
  if (optind + 1 != argc)
    heddle_option_wrong("name one socket", "");
  o.socket = argv[optind];
  return o;
}

// ---- The card

static void map_guest(struct card *card) {
  struct stat status;
  const int file = open(card->guest_memory, O_RDWR | O_CLOEXEC);
  void *memory = MAP_FAILED;
  if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0 && status.st_size <= most_guest_bytes)
    memory = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (file >= 0)
    close(file);
  if (memory == MAP_FAILED) {
    fprintf(stderr, "heddle-pcie-card: %s is not the memory of a guest, of at most 2 GiB\n", card->guest_memory);
    return;
  }
  card->guest = memory;
  card->guest_bytes = (uint64_t)status.st_size;
}

// Called by pcie_model with at most a page's bytes.
static void *guest_memory(void *of, uint64_t address, size_t bytes) {
  struct card *card = of;
  if (!card->guest)
    map_guest(card);
  return card->guest && bytes <= PAGE && address < card->guest_bytes && bytes <= card->guest_bytes - address
             ? card->guest + address
             : NULL;
}

static int card_read(void *card, uint32_t address, void *data, size_t bytes) {
  return sim_board_read(&((struct card *)card)->sim, address, data, bytes);
}

static int card_write(void *card, uint32_t address, const void *data, size_t bytes) {
  return sim_board_write(&((struct card *)card)->sim, address, data, bytes);
}

static void card_reset(void *card) {
  sim_board_reset(&((struct card *)card)->sim);
}

static bool card_busy(void *card) {
  return ((struct card *)card)->sim.busy;
}

static void card_interrupt(void *card) {
  ivshmem_interrupt(&((struct card *)card)->ivshmem);
}

// The device's time passes while it is busy; else the card waits to be rung. Until standard input or QEMU ends.
static int run(struct card *card) {
  uint8_t ignored[256];
  for (;;) {
    const bool any = pcie_model_step(&card->model);
    sim_board_run(&card->sim);
    struct pollfd ready[] = {{.fd = card->ivshmem.doorbell, .events = POLLIN},
                             {.fd = card->ivshmem.qemu, .events = POLLIN},
                             {.fd = STDIN_FILENO, .events = POLLIN}};
    if (poll(ready, 3, any || card->sim.busy ? 0 : -1) < 0 && errno != EINTR)
      return 1;
    if ((ready[0].revents & POLLIN) != 0)
      ivshmem_rung(&card->ivshmem);
    if (ready[1].revents != 0)
      return 0;  // QEMU says nothing: it has ended
    if (ready[2].revents != 0 && read(STDIN_FILENO, ignored, sizeof ignored) <= 0)
      return 0;
  }
}

int main(int argc, char **argv) {
  const struct options o = options_of(argc, argv);
  static struct card card;
  const char *why = o.verilated ? sim_board_verilated(&card.sim, o.verilated) : sim_board_model(&card.sim, &o.model);
  if (why) {
    fprintf(stderr, "heddle-pcie-card: no device: %s\n", why);
    return 1;
  }
  card.guest_memory = o.guest_memory;
  const struct sockaddr_un address = heddle_option_socket(o.socket);
  if (ivshmem_open(&card.ivshmem, &address, PCIE_MODEL_BYTES) != 0) {
    fprintf(stderr, "heddle-pcie-card: %s: %s\n", o.socket, strerror(errno));
    return 1;
  }
  card.model = (struct pcie_model){.to = {.read = card_read,
                                          .write = card_write,
                                          .reset = card_reset,
                                          .busy = card_busy,
                                          .interrupt = card_interrupt,
                                          .host_memory = o.guest_memory ? guest_memory : NULL,
                                          .device = &card},
                                   .registers = card.ivshmem.memory,
                                   .in_bytes = IN_BYTES,
                                   .out_bytes = OUT_BYTES};
  pcie_model_start(&card.model);
  printf("waiting at %s\n", o.socket);
  fflush(stdout);
  const bool met = ivshmem_meet(&card.ivshmem, STDIN_FILENO) == 0;
  const int status = met ? run(&card) : 0;
  // As a card that is no longer there.
  memset((void *)(uintptr_t)card.ivshmem.memory, 0xFF, PCIE_MODEL_BYTES);
  unlink(o.socket);
  sim_board_close(&card.sim);
  return status;
}
