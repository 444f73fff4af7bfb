// SPDX-License-Identifier: Apache-2.0
// Wires of one channel of external memory (rtl/PORTS.md), in a module that has GLOBAL_LOG2 and BEAT_BYTES. A port added
// to the channel is added here, to channel_ports.vh and to the three lists of connections beside it.
wire request_valid, request_ready, request_store, response_valid, response_ready;
wire [GLOBAL_LOG2-1:0] request_address;
wire [8*BEAT_BYTES-1:0] request_data, response_data;
wire [BEAT_BYTES-1:0] request_strobe;
