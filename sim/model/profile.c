// SPDX-License-Identifier: Apache-2.0
// What each instruction of a dispatch did (struct heddle_sim_dispatch of contract/sim.h): issues and lanes. As a cycle
// of the model is an issue, that is all of its cycles.
#include <stdlib.h>
#include <string.h>

#include "sim/model/device.h"

void model_profile_free(struct model_device *d) {
  if (!d->profile)
    return;
  heddle_rows_free(&d->profile->rows);
  free(d->profile);
  d->profile = NULL;
}

void model_observe(void *device, const struct heddle_sim_observer *observer) {
  struct model_device *d = device;
  model_profile_free(d);
  if (!observer)
    return;
  d->profile = calloc(1, sizeof *d->profile);
  if (d->profile)
    d->profile->observer = *observer;
}

void model_profile_begin(struct model_device *d) {
  static const struct heddle_sim_event begins = {.kind = HEDDLE_SIM_EVENT_BEGINS};
  if (d->profile && d->profile->observer.event)
    d->profile->observer.event(d->profile->observer.user, &begins);
}

void model_count(struct model_device *d, const struct model_sub_group *g, uint32_t pc, uint32_t lanes,
                 bool takes_back) {
  struct model_profile *profile = d->profile;
  if (!profile)
    return;
  struct heddle_sim_row *row =
      heddle_rows_of(&profile->rows, &profile->observer, pc, &profile->caller[model_slot(d, g)]);
  const uint64_t one = takes_back ? UINT64_MAX : 1;
  if (!row) {
    profile->uncounted += one;
    return;
  }
  row->issues += one;
  row->lanes += one * lanes;
  row->present += one * g->size;
}

void model_profile_executes(struct model_device *d, bool executes) {
  if (!d->profile)
    return;
  d->profile->executes = executes;
  if (!executes && d->profile->is_due)
    model_profile_end(d);
}

void model_profile_end(struct model_device *d) {
  struct model_profile *profile = d->profile;
  if (!profile)
    return;
  profile->is_due = profile->executes;
  if (profile->is_due)
    return;
  const struct heddle_sim_row *rows = heddle_rows_sorted(&profile->rows);
  const struct heddle_sim_dispatch dispatch = {.entry = d->dispatch.entry,
                                               .kind = d->dispatch.kind,
                                               .start = d->figures.start,
                                               .cycles = d->figures.issues,
                                               .lanes = d->lanes,
                                               .units = 1,
                                               .starting = profile->uncounted,
                                               .rows = rows,
                                               .num_rows = rows ? profile->rows.count : 0};
  profile->observer.dispatch(profile->observer.user, &dispatch);
  heddle_rows_clear(&profile->rows);
  memset(profile->caller, 0, sizeof profile->caller);
  profile->uncounted = 0;
}
