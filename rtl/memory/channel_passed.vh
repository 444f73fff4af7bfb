// SPDX-License-Identifier: Apache-2.0
// Hands the ports of channel_ports.vh on to a device inside; at the end of an instance's list.
      .request_valid_o(request_valid_o),
      .request_ready_i(request_ready_i),
      .request_store_o(request_store_o),
      .request_address_o(request_address_o),
      .request_data_o(request_data_o),
      .request_strobe_o(request_strobe_o),
      .response_valid_i(response_valid_i),
      .response_ready_o(response_ready_o),
      .response_data_i(response_data_i)
