// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/folder.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contract/device_map.h"

static enum status failed(const char *path, const char *name) {
  fprintf(stderr, "heddlec: cannot write %s/%s: %s\n", path, name, strerror(errno));
  return STATUS_FAILED;
}

static bool ends_with(const char *text, const char *end) {
  const size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static bool is_ours(const char *name) {
  static const char *const names[] = {FOLDER_LIST,    FOLDER_KERNEL_FILE, "kinds.txt",
                                      "pipelines.vh", "report.html",      "report.txt"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcmp(name, names[i]) == 0) {
      return true;
    }
  }
  return strncmp(name, "pipeline_", strlen("pipeline_")) == 0 && ends_with(name, ".v");
}

enum status folder_open(const char *path) {
  if (mkdir(path, 0777) == 0) {
    return STATUS_OK;
  }
  DIR *folder = errno == EEXIST ? opendir(path) : NULL;
  if (folder == NULL) {
    fprintf(stderr, "heddlec: cannot make the folder %s: %s\n", path, strerror(errno));
    return STATUS_INVALID_OPTIONS;
  }
  enum status status = STATUS_OK;
  const struct dirent *entry;
  while (status == STATUS_OK && (entry = readdir(folder)) != NULL) {
    if (entry->d_name[0] != '.' && !is_ours(entry->d_name)) {
      fprintf(stderr, "heddlec: %s has other files in it (%s); -o names a folder for the results alone\n", path,
              entry->d_name);
      status = STATUS_INVALID_OPTIONS;
    }
  }
  rewinddir(folder);
  while (status == STATUS_OK && (entry = readdir(folder)) != NULL) {
    if (is_ours(entry->d_name) && unlinkat(dirfd(folder), entry->d_name, 0) != 0) {
      status = failed(path, entry->d_name);
    }
  }
  closedir(folder);
  return status;
}

FILE *folder_create(const char *path, const char *name) {
  char full[PATH_MAX];
  FILE *file = NULL;
  if (snprintf(full, sizeof full, "%s/%s", path, name) >= (int)sizeof full) {
    errno = ENAMETOOLONG;
  } else {
    file = fopen(full, "w");
  }
  if (file == NULL) {
    failed(path, name);
  }
  return file;
}

bool folder_finish(FILE *file, const char *path, const char *name) {
  if (file == NULL) {
    return false;
  }
  const bool is_whole = ferror(file) == 0;
  const bool is_closed = fclose(file) == 0;
  if (!is_whole || !is_closed) {
    failed(path, name);
  }
  return is_whole && is_closed;
}

static void write_string(FILE *file, const char *text) {
  fputc('"', file);
  for (const unsigned char *c = (const unsigned char *)text; *c != 0; c++) {
    if (*c == '"' || *c == '\\') {
      fprintf(file, "\\%c", *c);
    } else if (*c < 0x20) {
      fprintf(file, "\\u%04x", *c);
    } else {
      fputc(*c, file);
    }
  }
  fputc('"', file);
}

// The kind's words in the device's table of kinds (contract/DEVICE.md, "Kinds of compute unit").
static void kind_words(const struct folder_kernel *kernel, uint32_t words[HEDDLE_KIND_WORDS]) {
  memset(words, 0, HEDDLE_KIND_WORDS * sizeof *words);
  words[HEDDLE_KIND_TYPE] = HEDDLE_KIND_IS_PIPELINE;
  words[HEDDLE_KIND_UNITS] = 1;
  words[HEDDLE_KIND_LANES] = kernel->lanes;
  words[HEDDLE_KIND_SLOTS] = 1u << kernel->slots_log2;
  words[HEDDLE_KIND_WORK_GROUP_ITEMS] = kernel->result.work_group_items;
  words[HEDDLE_KIND_LOCAL_BYTES] = kernel->result.local_bytes;
  words[HEDDLE_KIND_SITES] = kernel->result.site_count;
  memcpy(words + HEDDLE_KIND_HASH, kernel->kernel->hash, sizeof kernel->kernel->hash);
}

static void write_hash(FILE *file, const struct kernel *kernel) {
  for (int i = 0; i < 4; i++) {
    fprintf(file, "%08x", kernel->hash[i]);
  }
}

// A Verilog number: the last kind's last word first, and nothing for kind 0, which heddle.v fills in itself.
static void write_table(FILE *file, const struct folder_kernel *kernels, size_t count) {
  fprintf(file, "%zu'h", (count + 1) * HEDDLE_KIND_WORDS * 32);
  for (size_t k = count; k > 0; k--) {
    uint32_t words[HEDDLE_KIND_WORDS];
    kind_words(&kernels[k - 1], words);
    for (int i = HEDDLE_KIND_WORDS; i > 0; i--) {
      fprintf(file, "%08x", words[i - 1]);
    }
  }
  for (int i = 0; i < HEDDLE_KIND_WORDS; i++) {
    fputs("00000000", file);
  }
}

static unsigned label_bits(const struct folder_kernel *kernels, size_t count) {
  unsigned most = 0;
  for (size_t i = 0; i < count; i++) {
    most = kernels[i].result.label_bits > most ? kernels[i].result.label_bits : most;
  }
  return most;
}

static void write_kinds(FILE *file, const struct folder_kernel *kernels, size_t count) {
  fprintf(file, "parameter KINDS %zu\nparameter KIND_LABEL_BITS %u\nparameter KIND_TABLE ", count + 1,
          label_bits(kernels, count));
  write_table(file, kernels, count);
  fputc('\n', file);
  for (size_t i = 0; i < count; i++) {
    fprintf(file, "kernel %s ", kernels[i].kernel->name);
    write_hash(file, kernels[i].kernel);
    fprintf(file, " %u %u %s\n", kernels[i].lanes, 1u << kernels[i].slots_log2, kernels[i].result.module);
    for (unsigned s = 0; s < kernels[i].result.site_count; s++) {
      const struct pipeline_site *site = &kernels[i].result.sites[s];
      fprintf(file, "site %u %u %u %s\n", s, site->line, site->column, site->what);
    }
  }
}

static void write_kernel(FILE *file, const struct folder_kernel *kernel) {
  const struct pipeline_result *result = &kernel->result;
  fputs("    {\n      \"name\": ", file);
  write_string(file, kernel->kernel->name);
  fputs(",\n      \"hash\": \"", file);
  write_hash(file, kernel->kernel);
  fputs("\",\n      \"module\": ", file);
  write_string(file, result->module);
  fprintf(file,
          ",\n      \"lanes\": %u,\n      \"slots\": %u,\n      \"work_group_items\": %u,\n      \"local_bytes\": %u,\n"
          "      \"estimate\": {\"lut4\": %u, \"ff\": %u, \"ebr\": %u, \"dsp\": %u},\n      \"sites\": [",
          kernel->lanes, 1u << kernel->slots_log2, result->work_group_items, result->local_bytes, result->lut4,
          result->ff, result->ebr, result->dsp);
  for (unsigned s = 0; s < result->site_count; s++) {
    const struct pipeline_site *site = &result->sites[s];
    fprintf(file, "%s\n        {\"line\": %u, \"column\": %u, \"what\": ", s == 0 ? "" : ",", site->line, site->column);
    write_string(file, site->what);
    fputc('}', file);
  }
  fputs("\n      ]\n    }", file);
}

static void write_list(FILE *file, const char *source, const struct folder_kernel *kernels, size_t count) {
  fprintf(file, "{\n  \"contract\": %u,\n  \"source\": ", HEDDLE_CONTRACT_VERSION);
  write_string(file, source);
  fprintf(file, ",\n  \"kinds\": %zu,\n  \"kind_label_bits\": %u,\n  \"kind_table\": \"", count + 1,
          label_bits(kernels, count));
  write_table(file, kernels, count);
  fputs("\",\n  \"kernels\": [\n", file);
  for (size_t i = 0; i < count; i++) {
    write_kernel(file, &kernels[i]);
    fputs(i + 1 < count ? ",\n" : "\n", file);
  }
  fputs("  ]\n}\n", file);
}

enum status folder_describe(const char *path, const char *source, const struct folder_kernel *kernels, size_t count) {
  FILE *file = folder_create(path, "kinds.txt");
  if (file != NULL) {
    write_kinds(file, kernels, count);
  }
  if (!folder_finish(file, path, "kinds.txt")) {
    return STATUS_FAILED;
  }
  file = folder_create(path, FOLDER_LIST);
  if (file != NULL) {
    write_list(file, source, kernels, count);
  }
  return folder_finish(file, path, FOLDER_LIST) ? STATUS_OK : STATUS_FAILED;
}
