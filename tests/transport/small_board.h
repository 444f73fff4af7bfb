// SPDX-License-Identifier: Apache-2.0
// Boards with a small device, simulated at their pins.
#ifndef HEDDLE_TESTS_TRANSPORT_SMALL_BOARD_H
#define HEDDLE_TESTS_TRANSPORT_SMALL_BOARD_H

// Starts $BUILD/bin/heddle-NAME of the checkout that this program was built in, for the OpenCL device that the harness
// then opens; fails the test if it does not start. With HEDDLE_BOARDS_AS=made it is what is flashed instead of its
// source. Once a test.
void small_board_plug_in(const char *name);

#endif
