// SPDX-License-Identifier: Apache-2.0
// `heddle info`: the devices and what each reports, for people or as JSON.
#include <CL/cl_ext.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/include/CL/cl_heddle.h"
#include "host/tools/client.h"
#include "host/tools/heddle.h"

static const char usage[] =
    "usage: heddle info [--json] [--device WHICH]\n"
    "\n"
    "Lists the Heddle devices and what each reports.\n"
    "\n"
    "  -d, --device WHICH   only this one: sim, model, its number, or part of its name\n"
    "      --json           as an array of JSON objects\n"
    "  -h, --help           this text\n";

enum kind {
  TEXT,
  TEXT_OR_NONE,
  NUMBER,
  NUMBER_IF_KNOWN,
  BYTES,
  KILOHERTZ
};  // of NUMBER_IF_KNOWN, 0 says that it is not
static const struct row {
  const char *key, *label;
  cl_device_info query;
  enum kind kind;
} rows[] = {
    {"version", "OpenCL", CL_DEVICE_VERSION, TEXT},
    {"driver", "driver", CL_DRIVER_VERSION, TEXT},
    {"hardware", "made of Heddle", CL_DEVICE_HARDWARE_VERSION_HEDDLE, TEXT_OR_NONE},
    {"isa", "instructions", CL_DEVICE_ISA_HEDDLE, TEXT},
    {"lanes", "lanes (largest sub-group)", CL_DEVICE_LANES_HEDDLE, NUMBER},
    {"slots", "slots (resident sub-groups)", CL_DEVICE_SLOTS_HEDDLE, NUMBER},
    {"units", "programmable units", CL_DEVICE_UNITS_HEDDLE, NUMBER},
    {"pipelines", "kernel pipelines", CL_DEVICE_PIPELINES_HEDDLE, TEXT_OR_NONE},
    {"max_work_group_size", "largest work-group", CL_DEVICE_MAX_WORK_GROUP_SIZE, NUMBER},
    {"global_memory", "global memory", CL_DEVICE_GLOBAL_MEM_SIZE, BYTES},
    {"local_memory", "local memory", CL_DEVICE_LOCAL_MEM_SIZE, BYTES},
    {"memory_line", "memory line", CL_DEVICE_LINE_BYTES_HEDDLE, BYTES},
    {"memory_latency", "memory latency, cycles", CL_DEVICE_MEMORY_LATENCY_HEDDLE, NUMBER_IF_KNOWN},
    {"memory_interval", "cycles between lines", CL_DEVICE_MEMORY_INTERVAL_HEDDLE, NUMBER_IF_KNOWN},
    {"memory_channels", "memory channels", CL_DEVICE_MEMORY_CHANNELS_HEDDLE, NUMBER},
    {"cache", "device cache", CL_DEVICE_CACHE_BYTES_HEDDLE, BYTES},
    {"clock_khz", "clock (nominal)", CL_DEVICE_CLOCK_KHZ_HEDDLE, KILOHERTZ},
    {"budget_cycles", "budget of a kernel, cycles", CL_DEVICE_BUDGET_CYCLES_HEDDLE, NUMBER},
    {"extensions", "extensions", CL_DEVICE_EXTENSIONS, TEXT},
};

// Queries answer with 4 or 8 bytes; both are read.
static bool number_of(cl_device_id device, cl_device_info query, uint64_t *value) {
  size_t bytes = 0;
  *value = 0;
  return clGetDeviceInfo(device, query, 0, NULL, &bytes) == CL_SUCCESS && bytes <= sizeof *value &&
         clGetDeviceInfo(device, query, bytes, value, NULL) == CL_SUCCESS;
}

static void print_for_people(cl_device_id device, cl_uint number) {
  char *name = device_text(device, CL_DEVICE_NAME);
  printf("%u: %s\n", number, name);
  free(name);
  char *unavailable = device_text(device, CL_DEVICE_UNAVAILABLE_HEDDLE);
  if (*unavailable)
    printf("   not available: %s\n", unavailable);
  const bool available = !*unavailable;
  free(unavailable);
  for (size_t i = 0; available && i < sizeof rows / sizeof rows[0]; i++) {
    char digits[32];
    uint64_t value = 0;
    printf("   %-28s ", rows[i].label);
    if (rows[i].kind == TEXT || rows[i].kind == TEXT_OR_NONE) {
      char *text = device_text(device, rows[i].query);
      printf("%s\n", rows[i].kind == TEXT || *text ? text : "none");
      free(text);
    } else if (!number_of(device, rows[i].query, &value)) {
      puts("not available");
    } else {
      if (rows[i].kind == NUMBER_IF_KNOWN && value == 0)
        fputs("not known", stdout);
      else if (rows[i].kind == BYTES)
        fputs(byte_words(value, digits), stdout);
      else if (rows[i].kind == KILOHERTZ)
        printf("%g MHz", (double)value / 1000);
      else
        fputs(grouped(value, digits), stdout);
      putchar('\n');
    }
  }
}

static void print_json_text(const char *text) {
  putchar('"');
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      putchar('\\');
    if ((unsigned char)*text >= ' ')
      putchar(*text);
  }
  putchar('"');
}

static void print_json(cl_device_id device, cl_uint number) {
  char *name = device_text(device, CL_DEVICE_NAME);
  printf("  {\"number\": %u, \"name\": ", number);
  print_json_text(name);
  free(name);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    uint64_t value = 0;
    printf(", \"%s\": ", rows[i].key);
    if (rows[i].kind == TEXT || rows[i].kind == TEXT_OR_NONE) {
      char *text = device_text(device, rows[i].query);
      print_json_text(text);
      free(text);
    } else if (number_of(device, rows[i].query, &value)) {
      printf("%llu", (unsigned long long)value);
    } else {
      fputs("null", stdout);
    }
  }
  putchar('}');
}

int command_info(int argc, char **argv) {
  static const struct option options[] = {{"json", no_argument, NULL, 'j'},
                                          {"device", required_argument, NULL, 'd'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
  argv[0] = (char[]){"heddle info"};  // getopt begins its messages with it
  bool json = false;
  const char *which = NULL;
  for (int option; (option = getopt_long(argc, argv, "d:h", options, NULL)) != -1;)
    switch (option) {
      case 'j':
        json = true;
        break;
      case 'd':
        which = optarg;
        break;
      case 'h':
        fputs(usage, stdout);
        return 0;
      default:
        die(EXIT_USAGE, "see `heddle info --help`");
    }
  if (optind < argc)
    die(EXIT_USAGE, "info takes no argument \"%s\"; see `heddle info --help`", argv[optind]);

  cl_device_id devices[32];
  const cl_uint count = heddle_devices(devices, 32);
  const cl_device_id only = which ? choose_device(which) : NULL;
  const char *separator = json ? "[\n" : "";
  for (cl_uint i = 0; i < count; i++) {
    if (only && devices[i] != only)
      continue;
    fputs(separator, stdout);
    separator = json ? ",\n" : "\n";
    (json ? print_json : print_for_people)(devices[i], i);
  }
  if (json)
    puts("\n]");
  return 0;
}
