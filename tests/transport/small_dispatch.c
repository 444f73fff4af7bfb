// SPDX-License-Identifier: Apache-2.0
// UNIT_MASK on a small device (contract/DEVICE.md, "Dispatch"): it has one unit, and its firmware is the walker.
#include <criterion/criterion.h>

#include "host/device/driver.h"
#include "host/transport/serial.h"
#include "tests/model/encode.h"
#include "tests/transport/small_board.h"

Test(small_dispatch, runs_if_the_mask_names_its_unit_and_is_refused_if_it_names_others_alone, .timeout = 120) {
  static const struct {
    uint32_t mask;
    bool runs;
  } cases[] = {{1, true}, {2, false}, {3, true}, {0x8000, false}, {0, true}};
  const uint32_t code[] = {exit_item()};
  struct heddle_link link;
  struct heddle_error why;
  struct heddle_device *device;
  uint32_t address;
  small_board_plug_in("icebreaker");
  cr_assert_eq(heddle_serial_open(0, &link, &why), 0, "%s", why.text);
  cr_assert_eq(heddle_device_open(&link, &device, &why), 0, "%s", why.text);
  cr_assert_eq(heddle_device_allocate(device, sizeof code, 128, &address), 0);
  cr_assert_eq(heddle_device_write(device, address, code, sizeof code), 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct heddle_dispatch dispatch = {
        .unit_mask = cases[i].mask,
        .entry = address,
        .work_dim = 1,
        .global_size = {4, 1, 1},
        .local_size = {2, 1, 1},
        .sub_group_size = 2,
    };
    struct heddle_figures figures;
    struct heddle_fault fault = {0};
    const int result = heddle_device_dispatch(device, &dispatch, NULL, NULL, &figures, &fault);
    cr_assert_eq(result, cases[i].runs ? 0 : 1, "mask 0x%x: result %d, reason %u", cases[i].mask, result, fault.reason);
    cr_assert_eq(fault.reason, cases[i].runs ? 0 : HEDDLE_FAULT_BAD_DISPATCH);
    cr_assert_eq(figures.groups_done, cases[i].runs ? 2 : 0);
  }
  heddle_device_close(device);
}
