// SPDX-License-Identifier: Apache-2.0
// Where things are in page zero, in words (README.md); firmware/small/small.h has the same. To be included in a module
// that has ADDRESS_BITS.
// verilator lint_off UNUSEDPARAM
// Not every module uses all of these.
localparam [ADDRESS_BITS-3:0] FIRMWARE_REGISTERS = 'h380 / 4, REGISTERS = 'h400 / 4;
localparam [ADDRESS_BITS-3:0] OWN = 'h800 / 4, COMMON = 'h900 / 4;
localparam [ADDRESS_BITS-3:0] TRAP_RECORD = 'h980 / 4, CLOCK = 'h1A0 / 4;
// verilator lint_on UNUSEDPARAM
