// SPDX-License-Identifier: Apache-2.0
// The hooks of model.h.
#include <string.h>

#include "sim/model/device.h"

void heddle_model_set_trace(void *device, heddle_model_trace trace, void *user) {
  struct model_device *d = device;
  d->trace = trace;
  d->trace_user = user;
}

void heddle_model_set_sc_choice(void *device, heddle_model_sc_choice choose, void *user) {
  struct model_device *d = device;
  d->choose_sc = choose;
  d->choose_sc_user = user;
}

void model_retire(struct model_device *d, const struct model_sub_group *g, uint32_t pc, uint32_t mask,
                  const struct model_op *op, const uint32_t *address) {
  struct heddle_model_retired r = {
      .slot = model_slot(d, g), .sub_group_id = g->id, .pc = pc, .mask = mask, .address = address};
  memcpy(r.group_id, g->group->id, sizeof r.group_id);
  if ((op->kind >= OP_SB && op->kind <= OP_SW) || op->kind == OP_STORE_AT) {
    r.value = g->x + op->rs2 * d->sub_group_size;
  } else if (op->rd != MODEL_SINK && op->kind != OP_FENCE && op->kind != OP_EXIT &&
             !(op->kind >= OP_BEQ && op->kind <= OP_BGEU)) {
    r.rd = op->rd;
    r.value = g->x + op->rd * d->sub_group_size;
  }
  d->trace(d->trace_user, &r);
}
