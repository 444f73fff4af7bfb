// SPDX-License-Identifier: Apache-2.0
// Records a fault and ends the dispatch.
#include <string.h>

#include "sim/model/device.h"

void model_fault(struct model_device *d, const struct model_sub_group *g, uint32_t reason, uint32_t pc,
                 uint32_t address, uint32_t lane) {
  if (d->course) {
    d->gave_up = true;
    return;
  }
  d->fault = (struct model_fault){.reason = reason, .pc = pc, .address = address, .sub_group_id = g->id, .lane = lane};
  memcpy(d->fault.group_id, g->group->id, sizeof d->fault.group_id);
  model_end(d);
}

void model_bad_dispatch(struct model_device *d) {
  d->fault = (struct model_fault){.reason = HEDDLE_FAULT_BAD_DISPATCH};
  model_end(d);
}
