// SPDX-License-Identifier: Apache-2.0
// Entries of the dispatch table that belong to extensions we do not list (OpenGL, EGL, Direct3D, device fission). A
// program has no right to call them; one that does gets an error instead of a jump to nowhere.
#ifndef HEDDLE_CL_ABSENT_H
#define HEDDLE_CL_ABSENT_H

// For calls that return an error code, and for those that return an object. Neither looks at its arguments, so either
// stands for a call of any parameters, as far as the calling conventions of Linux go.
int heddle_absent_call(void);
void *heddle_absent_object(void);

#endif
