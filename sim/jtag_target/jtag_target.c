// SPDX-License-Identifier: Apache-2.0
// heddle-jtag-target: a board to flash when there is none. An ECP5 and its configuration flash, which a loader reaches
// through a virtual JTAG cable (XVC) on this machine. Says for each client what was loaded and what became of it.
#include <errno.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/jtag_target/xvc.h"

#define PROGRAM "heddle-jtag-target"

struct options {
  struct ecp5 ecp5;
  uint16_t port;  // 0: any that is free
  const char *received, *flash;
};

_Noreturn static void fail(const char *what) {
  fprintf(stderr, PROGRAM ": %s: %s\n", what, strerror(errno));
  exit(1);
}

_Noreturn static void usage(FILE *out, int status) {
  fputs("usage: " PROGRAM
        " [option...]\n"
        "Simulates an ECP5 with a configuration flash behind a virtual JTAG cable (XVC) on this machine's loopback "
        "address,\n"
        "and prints its port. Load a bitstream from another shell:\n"
        "  openFPGALoader --cable xvc-client --ip 127.0.0.1 --port PORT FILE.bit\n"
        "For each client that leaves, a line says what it loaded. Ctrl-C ends it.\n"
        "  --part NAME      the chip (default LFE5U-85F); there are:",
        out);
  for (size_t i = 0; ecp5_part_at(i); i++)
    fprintf(out, " %s", ecp5_part_at(i)->name);
  fputs(
      "\n"
      "  --port NUMBER    listen on this port (default: any that is free)\n"
      "  --received FILE  where the bytes go that were loaded as a bitstream\n"
      "  --flash FILE     where the contents of the flash go, 16 MiB\n"
      "  --done-low       something on the board holds DONE down\n"
      "  --help           this\n",
      out);
  exit(status);
}

static struct options parse(int argc, char **argv) {
  static const struct option long_options[] = {
      {"part", required_argument, NULL, 'p'},
      {"port", required_argument, NULL, 'P'},
      {"received", required_argument, NULL, 'r'},
      {"flash", required_argument, NULL, 'f'},
      {"done-low", no_argument, NULL, 'd'},
      {"help", no_argument, NULL, 'h'},
      {NULL, 0, NULL, 0},
  };
  struct options options = {.ecp5.part = ecp5_part("LFE5U-85F")};
  argv[0] = program_invocation_short_name;  // getopt begins its messages with it
  for (int option; (option = getopt_long(argc, argv, "", long_options, NULL)) != -1;) {
    char *end;
    long port;
    switch (option) {
      case 'p':
        options.ecp5.part = ecp5_part(optarg);
        if (!options.ecp5.part) {
          fprintf(stderr, PROGRAM ": no part is called '%s'\n", optarg);
          usage(stderr, 2);
        }
        break;
      case 'P':
        port = strtol(optarg, &end, 10);
        if (*optarg == '\0' || *end != '\0' || port < 0 || port > UINT16_MAX) {
          fprintf(stderr, PROGRAM ": --port wants a number up to 65535, not '%s'\n", optarg);
          exit(2);
        }
        options.port = (uint16_t)port;
        break;
      case 'r':
        options.received = optarg;
        break;
      case 'f':
        options.flash = optarg;
        break;
      case 'd':
        options.ecp5.done_low = true;
        break;
      case 'h':
        usage(stdout, 0);
      default:
        usage(stderr, 2);
    }
  }
  if (optind != argc) {
    fprintf(stderr, PROGRAM ": what is '%s'?\n", argv[optind]);
    usage(stderr, 2);
  }
  return options;
}

static int listen_on(uint16_t *port) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(*port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
  if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 1) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &size) != 0) {
    fail("cannot listen on the loopback address");
  }
  *port = ntohs(address.sin_port);
  return listener;
}

static void save(const char *path, const uint8_t *bytes, size_t size) {
  FILE *file = path ? fopen(path, "wb") : NULL;
  if (path && (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0))
    fail(path);
}

// The files come first: who reads the report may open them at once.
static void report(const struct options *options) {
  const struct ecp5 *ecp5 = &options->ecp5;
  const uint64_t bytes = ecp5->received_bits / 8;
  save(options->received, ecp5->received, bytes < ECP5_RECEIVED_BYTES ? bytes : ECP5_RECEIVED_BYTES);
  save(options->flash, ecp5->flash.bytes, SPI_FLASH_BYTES);
  if (ecp5->loaded && ecp5->from_flash) {
    printf("flash: the bitstream %s (offset %zu); DONE %d\n", bitstream_verdict_words(ecp5->verdict), ecp5->verdict_at,
           ecp5->done);
  } else if (ecp5->loaded) {
    printf("loaded %llu bytes: the bitstream %s (offset %zu); DONE %d\n", (unsigned long long)ecp5->received_bits / 8,
           bitstream_verdict_words(ecp5->verdict), ecp5->verdict_at, ecp5->done);
  } else {
    puts("loaded nothing");
  }
  fflush(stdout);
}

int main(int argc, char **argv) {
  struct options options = parse(argc, argv);
  options.ecp5.flash.bytes = malloc(SPI_FLASH_BYTES);
  options.ecp5.received = calloc(1, ECP5_RECEIVED_BYTES);
  if (!options.ecp5.flash.bytes || !options.ecp5.received)
    fail("no memory");
  memset(options.ecp5.flash.bytes, 0xFF, SPI_FLASH_BYTES);
  const int listener = listen_on(&options.port), on = 1;
  printf("%s, IDCODE 0x%08X: xvc://127.0.0.1:%u\n", options.ecp5.part->name, options.ecp5.part->idcode, options.port);
  fflush(stdout);
  for (;;) {
    const int client = accept(listener, NULL, NULL);
    if (client < 0)
      fail("accept");
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ecp5_power_up(&options.ecp5);
    xvc_serve(client, &options.ecp5);
    close(client);
    report(&options);
  }
}
