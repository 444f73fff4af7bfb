// SPDX-License-Identifier: Apache-2.0
// The CSRs a work-item reads to learn who it is (contract/DEVICE.md "CSRs").
#include "sim/model/device.h"

void model_read_csr(const struct model_device *d, const struct model_sub_group *g, uint32_t csr, uint64_t clock,
                    uint32_t *value) {
  const struct model_work_group *w = g->group;
  for (uint32_t l = 0; l < d->sub_group_size; l++) {
    switch (csr) {
      case HEDDLE_CSR_LOCAL_ID_X:
      case HEDDLE_CSR_LOCAL_ID_Y:
      case HEDDLE_CSR_LOCAL_ID_Z:
        value[l] = g->local_id[csr - HEDDLE_CSR_LOCAL_ID_X][l];
        break;
      case HEDDLE_CSR_GROUP_ID_X:
      case HEDDLE_CSR_GROUP_ID_Y:
      case HEDDLE_CSR_GROUP_ID_Z:
        value[l] = w->id[csr - HEDDLE_CSR_GROUP_ID_X];
        break;
      case HEDDLE_CSR_LOCAL_SIZE_X:
      case HEDDLE_CSR_LOCAL_SIZE_Y:
      case HEDDLE_CSR_LOCAL_SIZE_Z:
        value[l] = w->size[csr - HEDDLE_CSR_LOCAL_SIZE_X];
        break;
      case HEDDLE_CSR_SUB_GROUP_ID:
        value[l] = g->id;
        break;
      case HEDDLE_CSR_LANE:
        value[l] = l;
        break;
      case HEDDLE_CSR_SUB_GROUP_SIZE:
        value[l] = g->size;
        break;
      case HEDDLE_CSR_NUM_SUB_GROUPS:
        value[l] = w->sub_groups;
        break;
      case HEDDLE_CSR_PACKET:
        value[l] = d->dispatch.packet;
        break;
      case HEDDLE_CSR_STACK_TOP:
        value[l] = HEDDLE_PRIVATE_BASE + (1u << d->dispatch.private_log2);
        break;
      case HEDDLE_CSR_GLOBAL_ID_X:
      case HEDDLE_CSR_GLOBAL_ID_Y:
      case HEDDLE_CSR_GLOBAL_ID_Z:
        value[l] = w->start[csr - HEDDLE_CSR_GLOBAL_ID_X] + g->local_id[csr - HEDDLE_CSR_GLOBAL_ID_X][l];
        break;
      case HEDDLE_CSR_CYCLE_HIGH:
        value[l] = (uint32_t)(clock >> 32);
        break;
      default:  // HEDDLE_CSR_CYCLE: the decoder lets no other through
        value[l] = (uint32_t)clock;
        break;
    }
  }
}
