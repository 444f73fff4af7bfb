// SPDX-License-Identifier: Apache-2.0
// The lines of an event's fault text as JSON (run_faults.h).
#include "host/tools/run_faults.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/include/CL/cl_heddle.h"
#include "host/observe/json.h"

static char *fault_text(cl_event event) {
  size_t bytes = 0;
  check(clGetEventInfo(event, CL_EVENT_FAULT_TEXT_HEDDLE, 0, NULL, &bytes), "clGetEventInfo of the faults");
  char *text = allocate(bytes + 1);
  check(clGetEventInfo(event, CL_EVENT_FAULT_TEXT_HEDDLE, bytes, text, NULL), "clGetEventInfo of the faults");
  return text;
}

// Where a fault was: a line says "..., FILE:LINE, work-item (...", with an address behind FILE:LINE where one was
// accessed. False: it is not known.
static bool find_place(const char *line, const char **file, size_t *file_bytes, unsigned long *number) {
  const char *address = strstr(line, ", address 0x"), *end = address ? address : strstr(line, ", work-item (");
  const char *start = line, *colon = end;
  if (!end)
    return false;
  for (const char *at = line; at < end; at++)
    start = at[0] == ',' && at[1] == ' ' ? at + 2 : start;
  while (colon > start && *colon != ':')
    colon--;
  char *behind;
  *number = strtoul(colon + 1, &behind, 10);
  *file = start;
  *file_bytes = (size_t)(colon - start);
  return *file_bytes != 0 && behind == end && *number != 0;
}

static void print_fault(const char *line) {
  const char *file = NULL;
  size_t file_bytes = 0;
  unsigned long number = 0;
  printf("{\"text\": ");
  heddle_json_string(stdout, line, SIZE_MAX);
  if (find_place(line, &file, &file_bytes, &number)) {
    printf(", \"file\": ");
    heddle_json_string(stdout, file, file_bytes);
    printf(", \"line\": %lu}", number);
  } else {
    printf(", \"file\": null, \"line\": null}");
  }
}

void print_faults(cl_event event) {
  char *text = fault_text(event), *rest = text;
  putchar('[');
  for (const char *line; (line = strsep(&rest, "\n"));) {
    if (*line)
      print_fault(line);
    if (*line && rest)
      printf(", ");
  }
  putchar(']');
  free(text);
}
