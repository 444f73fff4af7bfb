// SPDX-License-Identifier: Apache-2.0
// What a request for memory asks: its kind, and funct5 of an atomic. To be included in a module.
// verilator lint_off UNUSEDPARAM
// Not every module uses all of these.
localparam [1:0] LOAD = 2'd0, STORE = 2'd1, ATOMIC = 2'd2;
localparam [4:0] LR = 5'b00010, SC = 5'b00011;
// verilator lint_on UNUSEDPARAM
