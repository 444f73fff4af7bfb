// SPDX-License-Identifier: Apache-2.0
// A board on USB as the protocol usbredir tells QEMU of one: descriptors, bulk endpoints, and the board's bytes behind
// them. Called by usb_board.c.
#ifndef HEDDLE_USB_BOARD_REDIR_H
#define HEDDLE_USB_BOARD_REDIR_H

enum redir_end {
  REDIR_UNPLUGGED,   // `until` ended
  REDIR_QEMU_ENDED,  // or gave the device back
  REDIR_BOARD_ENDED,
  REDIR_FAILED,  // the system did; errno says how
};

// Plugs a board into QEMU and serves it until something ends. `qemu` is QEMU's socket, `board` a file with the board's
// bytes in both directions, `until` one that is read to its end; all three stay the caller's and become non-blocking.
// Bulk packets have `packet_bytes` bytes: 64 at full speed, 512 at high speed.
enum redir_end redir_serve(int qemu, int board, int until, unsigned packet_bytes);

#endif
