// SPDX-License-Identifier: Apache-2.0
// The version of Heddle: of the library, of the heddle command, of heddlec and of devices, and what the Makefile
// installs as.
#ifndef HEDDLE_VERSION_H
#define HEDDLE_VERSION_H

#define HEDDLE_VERSION "0.1"
// The same as devices say it (DEVICE.md, FEATURES): a byte each for major, minor and patch. verilog_header.py holds
// that they agree.
#define HEDDLE_VERSION_NUMBER 0x000100

#endif
