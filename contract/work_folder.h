// SPDX-License-Identifier: Apache-2.0
// Private folders for the files of one build, which do not outlive their owner.
//
// A folder is locked (flock) from before it has its name until its owner removes it or dies. So whoever makes the next
// one knows which have no owner any more, after SIGKILL or a crash, and removes them.
#ifndef HEDDLE_CONTRACT_WORK_FOLDER_H
#define HEDDLE_CONTRACT_WORK_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

// Makes $TMPDIR/heddle-build-XXXXXX, or one in /tmp if that is unset or no absolute path, which only this user can
// enter; `path` gets its name. The first call of a process also removes such folders of this user that have no owner.
// Returns a descriptor, closed on exec, that is the lock: the owner keeps it open. -1: errno says why, and `path` has
// the place that was tried. Thread-safe.
int heddle_work_folder_make(char *path, size_t size);

// Whether a path names such a folder.
bool heddle_work_folder_is_one(const char *path);

// Removes such a folder, the files in it and folders of files in it. Other things stay, and with them the folder; so
// does a folder with another name. A link in the place of a folder is not followed. Async-signal-safe.
void heddle_work_folder_remove(const char *path);

#endif
