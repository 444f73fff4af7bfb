// SPDX-License-Identifier: Apache-2.0
// Checks of kernels (contract/check.h): what the model tells the checker. Start reading in check_state.h. Each of these
// is called only where kernels are checked.
#ifndef HEDDLE_SIM_MODEL_CHECK_H
#define HEDDLE_SIM_MODEL_CHECK_H

#include "sim/model/device.h"

#ifndef MODEL_WITHOUT_CHECKS
// check.c
extern const struct heddle_check_api model_check_api;
void model_check_destroy(struct model_device *d);
void model_check_dispatch_starts(struct model_device *d);
void model_check_group_starts(struct model_device *d, const struct model_work_group *w);
// The host, or the command processor, has written.
void model_check_written(struct model_device *d, uint32_t physical, size_t bytes);
// check_step.c: the lanes of mask are about to execute an instruction that is no converged collective.
void model_check_step(struct model_device *d, struct model_sub_group *g, uint32_t pc, uint32_t mask,
                      const struct model_op *op);
// check_collective.c: all live lanes of `count` sub-groups are about to execute a converged collective at pc.
void model_check_collective(struct model_device *d, struct model_sub_group *g, uint32_t count,
                            const struct model_op *op, uint32_t pc);
#else
// A library for embedded hosts has no checker, and no device that checks.
static inline void model_check_destroy(struct model_device *d) {
  (void)d;
}
static inline void model_check_dispatch_starts(struct model_device *d) {
  (void)d;
}
static inline void model_check_group_starts(struct model_device *d, const struct model_work_group *w) {
  (void)d, (void)w;
}
static inline void model_check_written(struct model_device *d, uint32_t physical, size_t bytes) {
  (void)d, (void)physical, (void)bytes;
}
static inline void model_check_step(struct model_device *d, struct model_sub_group *g, uint32_t pc, uint32_t mask,
                                    const struct model_op *op) {
  (void)d, (void)g, (void)pc, (void)mask, (void)op;
}
static inline void model_check_collective(struct model_device *d, struct model_sub_group *g, uint32_t count,
                                          const struct model_op *op, uint32_t pc) {
  (void)d, (void)g, (void)count, (void)op, (void)pc;
}
#endif

#endif
