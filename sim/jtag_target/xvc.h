// SPDX-License-Identifier: Apache-2.0
// Xilinx Virtual Cable 1.0: JTAG clocks over a TCP connection. The server's side, for one client.
#ifndef HEDDLE_JTAG_XVC_H
#define HEDDLE_JTAG_XVC_H

#include "sim/jtag_target/ecp5.h"

// Serves the client on this socket until it goes or says something that is not of the protocol, which is told on
// stderr. The socket stays the caller's.
void xvc_serve(int socket, struct ecp5 *ecp5);

#endif
