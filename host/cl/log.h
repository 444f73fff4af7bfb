// SPDX-License-Identifier: Apache-2.0
// What the library says on standard error. HEDDLE_LOG sets how much: off, error (the default: what a context's callback
// is there for, where there is no callback), info (that with a callback, too; devices and builds), debug (commands).
// Thread-safe: a message is one line, written at once.
#ifndef HEDDLE_CL_LOG_H
#define HEDDLE_CL_LOG_H

enum heddle_log_level { HEDDLE_LOG_OFF, HEDDLE_LOG_ERROR, HEDDLE_LOG_INFO, HEDDLE_LOG_DEBUG };

// Writes "heddle: " and the message to stderr, if HEDDLE_LOG, which is read once, asks for its level. Thread-safe. A
// message has no newline at its end; newlines inside are kept.
void heddle_log(enum heddle_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
