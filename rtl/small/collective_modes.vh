// SPDX-License-Identifier: Apache-2.0
// Modes of a collective (contract/DEVICE.md, custom-0) that the small processor carries out. To be included in a
// module.
// verilator lint_off UNUSEDPARAM
// Not every module uses all of these.
localparam [2:0] INCLUSIVE = 3'd1, EXCLUSIVE = 3'd2, BROADCAST = 3'd3, ALL = 3'd4, BARRIER = 3'd6, BALLOT = 3'd7;
// verilator lint_on UNUSEDPARAM
