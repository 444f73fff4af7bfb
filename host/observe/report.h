// SPDX-License-Identifier: Apache-2.0
// One HTML page to look at, without external links: profile, advice, annotated source, timeline.
#ifndef HEDDLE_OBSERVE_REPORT_H
#define HEDDLE_OBSERVE_REPORT_H

#include "host/observe/profile.h"
#include "host/observe/timeline.h"

// `line_of` as for heddle_timeline_write_json; names of lines are added to the timeline.
void heddle_report_write(const struct heddle_profile_view *views, size_t count, struct heddle_timeline *timeline,
                         heddle_line_of *line_of, void *user, FILE *out);

#endif
