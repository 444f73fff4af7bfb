// SPDX-License-Identifier: Apache-2.0
// Tables of queries with the right answers, for tests of the clGet…Info calls (tests/opencl/queries.c, tests/host/
// device_queries.c). Criterion reports what is wrong.
#ifndef HEDDLE_TESTS_QUERY_TABLE_H
#define HEDDLE_TESTS_QUERY_TABLE_H

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stddef.h>
#include <string.h>

struct query {
  cl_uint name;
  const char *text;  // the name
  enum { QUERY_BETWEEN, QUERY_BYTES, QUERY_INCLUDES, QUERY_BEGINS, QUERY_WORDS } kind;
  size_t bytes;        // size of the answer; of QUERY_BEGINS and QUERY_WORDS: of `exact`
  cl_ulong low, high;  // of a number
  const void *exact;   // of QUERY_BYTES; texts
};

// A number of this type; one between two bounds, both allowed; a bit field with at least these bits.
#define NUMBER(name, type, value) {name, #name, QUERY_BETWEEN, sizeof(type), (cl_ulong)(value), (cl_ulong)(value), NULL}
#define BETWEEN(name, type, low, high) \
  {name, #name, QUERY_BETWEEN, sizeof(type), (cl_ulong)(low), (cl_ulong)(high), NULL}
#define INCLUDES(name, type, bits) {name, #name, QUERY_INCLUDES, sizeof(type), (cl_ulong)(bits), 0, NULL}
// These bytes; an object; no bytes at all.
#define BYTES(name, pointer, size) {name, #name, QUERY_BYTES, size, 0, 0, pointer}
#define HANDLE(name, variable) {name, #name, QUERY_BYTES, sizeof(void *), 0, 0, &(variable)}
#define EMPTY(name) {name, #name, QUERY_BYTES, 0, 0, 0, ""}
// A text; one that begins so; one of words parted by spaces, which has these among them.
#define TEXT(name, string) {name, #name, QUERY_BYTES, strlen(string) + 1, 0, 0, string}
#define BEGINS(name, string) {name, #name, QUERY_BEGINS, strlen(string), 0, 0, string}
#define WORDS(name, string) {name, #name, QUERY_WORDS, strlen(string), 0, 0, string}

typedef cl_int (*query_call)(const void *object, cl_uint name, size_t size, void *value, size_t *size_ret);

// The test fails unless every query has its answer, of its size, with more room than it needs, too, and
// CL_INVALID_VALUE where the room is too small.
void check_queries(const char *what, query_call ask, const void *object, const struct query *rows, size_t count);
#define CHECK_QUERIES(what, ask, object, rows) \
  check_queries((what), (ask), (object), (rows), sizeof(rows) / sizeof *(rows))

#endif
