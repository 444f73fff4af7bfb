// SPDX-License-Identifier: Apache-2.0
// heddle-usb-board: plugs a simulated board with a Heddle device into the USB of a QEMU guest, whose kernel and
// programs find what they would find on a desk. Its options, and the socket to QEMU.
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/link/model_board.h"
#include "sim/link/options.h"
#include "sim/usb_board/descriptors.h"
#include "sim/usb_board/redir.h"

struct options {
  unsigned packet_bytes;
  struct heddle_sim_config model;
  const char *port;  // of another simulated board, instead of the model
  const char *socket;
};

static void usage(FILE *out) {
  fprintf(out,
          "usage: heddle-usb-board [--speed full|high] [--lanes N] [--memory MIB | --port PATH] SOCKET\n"
          "Simulates a board with a Heddle device on USB and plugs it into a QEMU that was started with\n"
          "  -device qemu-xhci -device usb-redir,chardev=heddle \\\n"
          "  -chardev socket,id=heddle,path=SOCKET,server=on,wait=off\n"
          "It is pulled out when standard input ends (Ctrl-D) or this program does. The device is the golden model.\n"
          "  --speed full|high  of USB (default high)\n"
          "  --lanes N          of the device (default %d)\n"
          "  --memory MIB       that it has (default %d)\n"
          "  --port PATH        the device behind this port instead, such as the one that heddle-board prints\n"
          "  --help             this text\n",
          HEDDLE_OPTIONS_LANES, HEDDLE_OPTIONS_MIB);
}

static void usage_of_wrong(void) {
  usage(stderr);
}

static unsigned speed(const char *text) {
  if (strcmp(text, "full") == 0)
    return USB_BOARD_FULL_SPEED;
  if (strcmp(text, "high") != 0)
    heddle_option_wrong("--speed wants full or high, not ", text);
  return USB_BOARD_HIGH_SPEED;
}

static struct options options_of(int argc, char **argv) {
  static const struct option names[] = {
      {"speed", required_argument, NULL, 's'},  {"lanes", required_argument, NULL, 'l'},
      {"memory", required_argument, NULL, 'm'}, {"port", required_argument, NULL, 'p'},
      {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
  struct options o = {
      .packet_bytes = USB_BOARD_HIGH_SPEED,
      .model = {.lanes = HEDDLE_OPTIONS_LANES, .slots = 8, .global_bytes = HEDDLE_OPTIONS_MIB << 20, .processor = 1}};
  heddle_option_program("heddle-usb-board", usage_of_wrong);
  argv[0] = program_invocation_short_name;  // getopt begins its messages with it
  for (int option; (option = getopt_long(argc, argv, "h", names, NULL)) != -1;) {
    switch (option) {
      case 's':
        o.packet_bytes = speed(optarg);
        break;
      case 'l':
        heddle_option_lanes(&o.model, optarg);
        break;
      case 'm':
        heddle_option_memory(&o.model, optarg);
        break;
      case 'p':
        o.port = optarg;
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
    heddle_option_wrong("name one socket, that of QEMU", "");
  o.socket = argv[optind];
  return o;
}

static int connect_to_qemu(const char *path) {
  const struct sockaddr_un address = heddle_option_socket(path);
  const int qemu = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (qemu < 0 || connect(qemu, (const struct sockaddr *)&address, sizeof address) != 0) {
    fprintf(stderr, "heddle-usb-board: no QEMU at %s: %s\n", path, strerror(errno));
    exit(1);
  }
  return qemu;
}

static int open_board(const struct options *o) {
  const char *why = NULL;
  const int board = o->port ? open(o->port, O_RDWR | O_NOCTTY | O_CLOEXEC) : heddle_model_board_start(&o->model, &why);
  if (board < 0) {
    fprintf(stderr, "heddle-usb-board: no device%s%s: %s\n", o->port ? " at " : "", o->port ? o->port : "",
            o->port ? strerror(errno) : why);
    exit(1);
  }
  return board;
}

int main(int argc, char **argv) {
  const struct options options = options_of(argc, argv);
  const int board = open_board(&options), qemu = connect_to_qemu(options.socket);
  switch (redir_serve(qemu, board, STDIN_FILENO, options.packet_bytes)) {
    case REDIR_UNPLUGGED:
      return 0;
    case REDIR_QEMU_ENDED:
      fputs("heddle-usb-board: QEMU has let go of it\n", stderr);
      return 0;
    case REDIR_BOARD_ENDED:
      fputs("heddle-usb-board: the device behind it is gone\n", stderr);
      return 1;
    default:
      perror("heddle-usb-board");
      return 1;
  }
}
