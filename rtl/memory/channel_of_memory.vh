// SPDX-License-Identifier: Apache-2.0
// Connects a memory with the wires of channel_wires.vh; in front of other ports: each line ends with a comma.
      .request_valid_i(request_valid),
      .request_ready_o(request_ready),
      .request_store_i(request_store),
      .request_address_i(request_address),
      .request_data_i(request_data),
      .request_strobe_i(request_strobe),
      .response_valid_o(response_valid),
      .response_ready_i(response_ready),
      .response_data_o(response_data),
