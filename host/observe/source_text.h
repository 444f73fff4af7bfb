// SPDX-License-Identifier: Apache-2.0
// The text of source lines: of the program's own source as it was compiled, or of a file that is still there.
#ifndef HEDDLE_OBSERVE_SOURCE_TEXT_H
#define HEDDLE_OBSERVE_SOURCE_TEXT_H

#include "host/observe/profile.h"

// Sets text and text_bytes of a line; they stay as they are when the line's text is not known. The text is valid as
// long as the program.
void heddle_source_text_find(struct heddle_profile_program *program, struct heddle_profile_line *line);

// The whole text of a file of the program, zero-terminated, valid as long; NULL: it is not known.
const char *heddle_source_text_of(struct heddle_profile_program *program, const char *file);

void heddle_source_texts_free(struct heddle_source_text *texts);

#endif
