// SPDX-License-Identifier: Apache-2.0
// Connects a device with the wires of channel_wires.vh; at the end of an instance's list.
      .request_valid_o(request_valid),
      .request_ready_i(request_ready),
      .request_store_o(request_store),
      .request_address_o(request_address),
      .request_data_o(request_data),
      .request_strobe_o(request_strobe),
      .response_valid_i(response_valid),
      .response_ready_o(response_ready),
      .response_data_i(response_data)
