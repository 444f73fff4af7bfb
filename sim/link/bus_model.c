// SPDX-License-Identifier: Apache-2.0
// See bus_model.h.
#include "sim/link/bus_model.h"

#include "contract/device_map.h"
#include "sim/model/model.h"

static const char *create(struct bus_model *model) {
  const char *why = NULL;
  model->device = heddle_model_api()->create(&model->config, &why);
  if (model->device && !heddle_model_share_memory(model->device, model->memory, model->offset)) {
    bus_model_close(model);
    why = "its memory cannot be mapped";
  }
  return model->device ? NULL : why;
}

const char *bus_model_open(struct bus_model *model) {
  return create(model);
}

void bus_model_close(struct bus_model *model) {
  heddle_model_api()->destroy(model->device);
  model->device = NULL;
}

uint32_t bus_model_read(const struct bus_model *model, uint32_t offset) {
  uint32_t value = 0;
  switch (offset) {
    case HEDDLE_REG_INTERRUPT_ENABLE:
      return model->enabled;
    case HEDDLE_REG_INTERRUPT:
      return model->asks;
    case HEDDLE_REG_BUS_STATE:
      return model->busy ? HEDDLE_BUS_BUSY : 0;
    case HEDDLE_REG_BUS_BASE:
      return (uint32_t)model->base;
    case HEDDLE_REG_BUS_BASE + 4:
      return (uint32_t)(model->base >> 32);
    default:
      if (model->device)
        heddle_model_api()->read(model->device, HEDDLE_CONTROL_BASE + offset, &value, sizeof value);
      return value;
  }
}

// What the host has written is seen at once, but for code that is decoded already.
void bus_model_write(struct bus_model *model, uint32_t offset, uint32_t value) {
  switch (offset) {
    case HEDDLE_REG_SYNC:
      heddle_model_memory_changed(model->device);
      return;
    case HEDDLE_REG_RESET:
      bus_model_close(model);
      (void)create(model);  // as before; without it all registers are 0
      model->busy = model->enabled = model->asks = false;
      return;
    case HEDDLE_REG_INTERRUPT_ENABLE:
      model->enabled = value & 1;
      return;
    case HEDDLE_REG_INTERRUPT:
      model->asks = model->asks && (value & 1) == 0;
      return;
    default:
      if (!model->device)
        return;
      heddle_model_api()->write(model->device, HEDDLE_CONTROL_BASE + offset, &value, sizeof value);
      // It is busy from the access on that gives it something to do.
      model->busy =
          model->busy || offset == HEDDLE_REG_COMMAND || offset == HEDDLE_REG_TAIL || offset == HEDDLE_REG_PROCESSOR;
  }
}

bool bus_model_run(struct bus_model *model) {
  enum { CYCLES = 4096 };
  if (!model->busy || !model->device)
    return false;
  model->busy = heddle_model_api()->run(model->device, CYCLES) == 0;
  model->asks = model->asks || !model->busy;
  return model->busy;
}
