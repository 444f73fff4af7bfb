// SPDX-License-Identifier: Apache-2.0
// The CSRs a work-item reads to learn who it is (contract/DEVICE.md "CSRs").
#include "sim/model/device.h"

void model_read_csr(const struct model_device *d, const struct model_sub_group *g, uint32_t csr, uint64_t clock,
                    uint32_t *value) {
  const struct model_work_group *w = g->group;
  for (uint32_t l = 0; l < d->sub_group_size; l++) {
    switch (csr) {
      case 0xCC0:
      case 0xCC1:
      case 0xCC2:
        value[l] = g->local_id[csr - 0xCC0][l];
        break;
      case 0xCC3:
      case 0xCC4:
      case 0xCC5:
        value[l] = w->id[csr - 0xCC3];
        break;
      case 0xCC6:
      case 0xCC7:
      case 0xCC8:
        value[l] = w->size[csr - 0xCC6];
        break;
      case 0xCC9:
        value[l] = g->id;
        break;
      case 0xCCA:
        value[l] = l;
        break;
      case 0xCCB:
        value[l] = g->size;
        break;
      case 0xCCC:
        value[l] = w->sub_groups;
        break;
      case 0xCCD:
        value[l] = d->dispatch.packet;
        break;
      case 0xCCE:
        value[l] = HEDDLE_PRIVATE_BASE + (1u << d->dispatch.private_log2);
        break;
      case 0xCD0:
      case 0xCD1:
      case 0xCD2:
        value[l] = w->start[csr - 0xCD0] + g->local_id[csr - 0xCD0][l];
        break;
      case 0xC80:
        value[l] = (uint32_t)(clock >> 32);
        break;
      default:  // 0xC00: the decoder lets no other through
        value[l] = (uint32_t)clock;
        break;
    }
  }
}
