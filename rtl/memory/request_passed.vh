// SPDX-License-Identifier: Apache-2.0
// Hands the requests to global memory of a module inside on, and their answers, by ports of the same names
// (load_store.v says what they are); at the end of an instance's list.
      .request_valid_o(request_valid_o),
      .request_ready_i(request_ready_i),
      .request_kind_o(request_kind_o),
      .request_function_o(request_function_o),
      .request_address_o(request_address_o),
      .request_data_o(request_data_o),
      .request_strobe_o(request_strobe_o),
      .request_owner_o(request_owner_o),
      .request_label_o(request_label_o),
      .response_valid_i(response_valid_i),
      .response_ready_o(response_ready_o),
      .response_data_i(response_data_i),
      .response_label_i(response_label_i)
