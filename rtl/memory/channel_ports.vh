// SPDX-License-Identifier: Apache-2.0
// Ports of the device's side of one channel of external memory (rtl/PORTS.md), at the end of the port list of a module
// that has GLOBAL_LOG2 and BEAT_BYTES.
    output wire                    request_valid_o,
    input  wire                    request_ready_i,
    output wire                    request_store_o,
    output wire [ GLOBAL_LOG2-1:0] request_address_o,
    output wire [8*BEAT_BYTES-1:0] request_data_o,
    output wire [  BEAT_BYTES-1:0] request_strobe_o,
    input  wire                    response_valid_i,
    output wire                    response_ready_o,
    input  wire [8*BEAT_BYTES-1:0] response_data_i
