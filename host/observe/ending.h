// SPDX-License-Identifier: Apache-2.0
// Files of observers are written at the end of a program: when it exits, and when it aborts. SYCL programs abort after
// a fault that nobody handles, and it is then that someone wants to look.
#ifndef HEDDLE_OBSERVE_ENDING_H
#define HEDDLE_OBSERVE_ENDING_H

// Has `finish` called at the end, the last one first; it may be given again, and called again. A program that handles
// SIGABRT itself keeps its handler: then files are written at its exit only. What a signal kills leaves none.
void heddle_at_end(void (*finish)(void));

#endif
