// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/folder.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contract/device_map.h"
#include "hls/pipeline/chain.h"
#include "hls/pipeline/chain_room.h"
#include "hls/pipeline/graph.h"

static enum status failed(const char *path, const char *name) {
  fprintf(stderr, "heddlec: cannot write %s/%s: %s\n", path, name, strerror(errno));
  return STATUS_FAILED;
}

static bool ends_with(const char *text, const char *end) {
  const size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

// Of the folder that is open. A link is somebody else's.
static bool is_ours(int folder, const char *name) {
  static const char *const names[] = {FOLDER_LIST,   FOLDER_KERNEL_FILE, "kinds.txt",
                                      "pipelines.v", "report.html",      "report.txt"};
  struct stat facts;
  if (fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(facts.st_mode))
    return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return strncmp(name, "pipeline_", strlen("pipeline_")) == 0 &&
         (ends_with(name, ".v") || ends_with(name, ".sv") || ends_with(name, ".places"));
}

enum status folder_open(const char *path) {
  if (mkdir(path, 0777) == 0)
    return STATUS_OK;
  DIR *folder = errno == EEXIST ? opendir(path) : NULL;
  if (!folder) {
    fprintf(stderr, "heddlec: cannot make the folder %s: %s\n", path, strerror(errno));
    return STATUS_INVALID_OPTIONS;
  }
  const int descriptor = dirfd(folder);
  enum status status = descriptor < 0 ? failed(path, ".") : STATUS_OK;
  const struct dirent *entry;
  while (status == STATUS_OK && (entry = readdir(folder))) {
    if (entry->d_name[0] != '.' && !is_ours(descriptor, entry->d_name)) {
      fprintf(stderr, "heddlec: %s has other files in it (%s); -o names a folder for the results alone\n", path,
              entry->d_name);
      status = STATUS_INVALID_OPTIONS;
    }
  }
  rewinddir(folder);
  while (status == STATUS_OK && (entry = readdir(folder)))
    if (is_ours(descriptor, entry->d_name) && unlinkat(descriptor, entry->d_name, 0) != 0)
      status = failed(path, entry->d_name);
  closedir(folder);
  return status;
}

FILE *folder_create(const char *path, const char *name) {
  char full[PATH_MAX];
  FILE *file = NULL;
  if (snprintf(full, sizeof full, "%s/%s", path, name) >= (int)sizeof full)
    errno = ENAMETOOLONG;
  else
    file = fopen(full, "w");
  if (!file)
    failed(path, name);
  return file;
}

bool folder_finish(FILE *file, const char *path, const char *name) {
  if (!file)
    return false;
  const bool is_whole = ferror(file) == 0;
  const bool is_closed = fclose(file) == 0;
  if (!is_whole || !is_closed)
    failed(path, name);
  return is_whole && is_closed;
}

static void write_string(FILE *file, const char *text) {
  fputc('"', file);
  for (const unsigned char *c = (const unsigned char *)text; *c != 0; c++)
    if (*c == '"' || *c == '\\')
      fprintf(file, "\\%c", *c);
    else if (*c < 0x20)
      fprintf(file, "\\u%04x", *c);
    else
      fputc(*c, file);
  fputc('"', file);
}

// The kind's words in the device's table of kinds (contract/DEVICE.md, "Kinds of compute unit").
// Kernels that pipes on the chip join run in the unit of one of them.
static void kind_words(const struct folder_kernel *kernels, const struct folder_kernel *kernel,
                       uint32_t words[HEDDLE_KIND_WORDS]) {
  memset(words, 0, HEDDLE_KIND_WORDS * sizeof *words);
  words[HEDDLE_KIND_TYPE] = HEDDLE_KIND_IS_PIPELINE;
  words[HEDDLE_KIND_UNITS] = kernel->leader == kernel ? kernel->units : 0;
  for (unsigned p = 0; p < kernel->pipe_count; p++) {
    const struct folder_pipe *pipe = &kernel->pipes[p];
    words[p == 0 ? HEDDLE_KIND_PIPE : HEDDLE_KIND_MORE_PIPES + p - 1] =
        HEDDLE_KIND_PIPE_WORD((uint32_t)(pipe->reader - kernels) + 1, pipe->written->argument, pipe->read->argument);
  }
  words[HEDDLE_KIND_LANES] = kernel->lanes;
  words[HEDDLE_KIND_SLOTS] = 1u << kernel->slots_log2;
  words[HEDDLE_KIND_WORK_GROUP_ITEMS] = kernel->result.work_group_items;
  words[HEDDLE_KIND_LOCAL_BYTES] = kernel->result.local_bytes;
  words[HEDDLE_KIND_SITES] = kernel->result.site_count;
  memcpy(words + HEDDLE_KIND_HASH, kernel->kernel->hash, sizeof kernel->kernel->hash);
}

static void write_hash(FILE *file, const struct kernel *kernel) {
  for (int i = 0; i < 4; i++)
    fprintf(file, "%08x", kernel->hash[i]);
}

// A Verilog number: the last kind's last word first, and nothing for kind 0, which heddle.v fills in itself.
static void write_table(FILE *file, const struct folder_kernel *kernels, size_t count) {
  fprintf(file, "%zu'h", (count + 1) * HEDDLE_KIND_WORDS * 32);
  for (size_t k = count; k > 0; k--) {
    uint32_t words[HEDDLE_KIND_WORDS];
    kind_words(kernels, &kernels[k - 1], words);
    for (int i = HEDDLE_KIND_WORDS; i > 0; i--)
      fprintf(file, "%08x", words[i - 1]);
  }
  for (int i = 0; i < HEDDLE_KIND_WORDS; i++)
    fputs("00000000", file);
}

static unsigned label_bits(const struct folder_kernel *kernels, size_t count) {
  unsigned most = 0;
  for (size_t i = 0; i < count; i++) {
    struct chain chain;
    chain_of(kernels[i].leader, kernels, count, &chain);
    const unsigned bits = kernels[i].result.label_bits + chain_source_bits(chain.count);
    most = bits > most ? bits : most;
  }
  return most;
}

// The arguments that are pipes on the chip, as options name them: r1w0.
static void write_pipes(FILE *file, const struct pipeline_result *result) {
  for (unsigned p = 0; p < result->pipe_count; p++)
    fprintf(file, "%s%c%u", p == 0 ? " " : "", result->pipes[p].is_read ? 'r' : 'w', result->pipes[p].argument);
}

static void write_kinds(FILE *file, const struct folder_kernel *kernels, size_t count) {
  fprintf(file, "parameter KINDS %zu\nparameter KIND_LABEL_BITS %u\nparameter KIND_TABLE ", count + 1,
          label_bits(kernels, count));
  write_table(file, kernels, count);
  fputc('\n', file);
  for (size_t i = 0; i < count; i++) {
    fprintf(file, "kernel %s ", kernels[i].result.graph->kernel);
    write_hash(file, kernels[i].kernel);
    fprintf(file, " %u %u %u %u %s", kernels[i].lanes, 1u << kernels[i].slots_log2, kernels[i].units,
            kernels[i].result.site_count, kernels[i].result.module);
    write_pipes(file, &kernels[i].result);
    fputc('\n', file);
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
          ",\n      \"lanes\": %u,\n      \"slots\": %u,\n      \"copies\": %u,\n      \"unroll\": %u,\n      "
          "\"work_group_items\": %u,\n     "
          " \"local_bytes\": %u,\n"
          "      \"estimate\": {\"lut4\": %u, \"ff\": %u, \"ebr\": %u, \"dsp\": %u},\n      \"sites\": [",
          kernel->lanes, 1u << kernel->slots_log2, kernel->units, kernel->unroll, result->work_group_items,
          result->local_bytes, result->room.lut4, result->room.ff, result->room.ebr, result->room.dsp);
  for (unsigned s = 0; s < result->site_count; s++) {
    const struct pipeline_site *site = &result->sites[s];
    fprintf(file, "%s\n        {\"file\": ", s == 0 ? "" : ",");
    write_string(file, site->file);
    fprintf(file, ", \"line\": %u, \"column\": %u, \"what\": ", site->line, site->column);
    write_string(file, site->what);
    fputc('}', file);
  }
  fputs("\n      ]\n    }", file);
}

// Kernels of each chain, and what is around them.
static void write_chain_list(FILE *file, const struct folder_kernel *kernels, size_t count) {
  const char *before = "";
  for (size_t k = 0; k < count; k++) {
    struct chain chain;
    if (!chain_led_by(&kernels[k], kernels, count, &chain))
      continue;
    const struct heddle_room room = chain_room(&chain);
    fprintf(file, "%s\n    {\"kernels\": [", before);
    for (size_t i = 0; i < chain.count; i++) {
      fputs(i > 0 ? ", " : "", file);
      write_string(file, chain.kernels[i]->kernel->name);
    }
    fprintf(file, "], \"queues\": %zu,\n     \"estimate\": {\"lut4\": %u, \"ff\": %u, \"ebr\": %u, \"dsp\": %u}}",
            chain.queue_count, room.lut4, room.ff, room.ebr, room.dsp);
    before = ",";
  }
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
  fputs("  ],\n  \"chains\": [", file);
  write_chain_list(file, kernels, count);
  fputs("]\n}\n", file);
}

// ---- the choice among the pipelines

// Ports of compute_unit.v that pipelines have.
const struct folder_port folder_ports[] = {
    {"input", "", "clk"},
    {"input", "", "rst"},
    {"input", "", "start_i"},
    {"input", "", "clear_i"},
    {"input", "[31:0] ", "packet_i"},
    {"input", "[2:0] ", "sub_group_log2_i"},
    {"input", "[10:0] ", "sub_groups_i"},
    {"input", "[31:0] ", "local_bytes_i"},
    {"input", "[27:0] ", "rights_i"},
    {"input", "", "group_valid_i"},
    {"output", "", "group_ready_o"},
    {"input", "[95:0] ", "group_id_i"},
    {"input", "[95:0] ", "group_base_i"},
    {"input", "[32:0] ", "group_size_i"},
    {"output", "", "group_done_o"},
    {"output", "", "idle_o"},
    {"input", "", "stop_i"},
    {"input", "[3:0] ", "stop_reason_i"},
    {"output", "", "fault_o"},
    {"output", "", "drained_o"},
    {"output", "[255:0] ", "fault_record_o"},
    {"output", "", "issued_o"},
    {"output", "[5:0] ", "active_o"},
    {"output", "", "memory_wait_o"},
    {"output", "", "conflict_o"},
    {"output", "", "request_valid_o"},
    {"input", "", "request_ready_i"},
    {"output", "[1:0] ", "request_kind_o"},
    {"output", "[4:0] ", "request_function_o"},
    {"output", "[GLOBAL_LOG2-1:0] ", "request_address_o"},
    {"output", "[8*BEAT_BYTES-1:0] ", "request_data_o"},
    {"output", "[BEAT_BYTES-1:0] ", "request_strobe_o"},
    {"output", "[OWNER_BITS-1:0] ", "request_owner_o"},
    {"output", "[LABEL_BITS-1:0] ", "request_label_o"},
    {"input", "", "response_valid_i"},
    {"output", "", "response_ready_o"},
    {"input", "[8*BEAT_BYTES-1:0] ", "response_data_i"},
    {"input", "[LABEL_BITS-1:0] ", "response_label_i"},
    {NULL, NULL, NULL},
};

const char *const folder_parameters[] = {"GLOBAL_LOG2", "FIRST_LOG2", "LOCAL_LOG2", "BEAT_LOG2",
                                         "OWNER_BITS",  "LABEL_BITS", "PAGES_LOG2", NULL};

void folder_write_ports(FILE *file) {
  for (const char *const *name = folder_parameters; *name; name++)
    fprintf(file, "    parameter %s = 1,\n", *name);
  fputs("    parameter BEAT_BYTES = 1 << BEAT_LOG2  // derived\n) (\n", file);
  for (const struct folder_port *port = folder_ports; port->name; port++)
    fprintf(file, "    %s wire %s%s%s\n", port->direction, port->range, port->name, port[1].name ? "," : "");
  fputs(");\n", file);
}

static enum status write_chains(const char *path, const struct folder_kernel *kernels, size_t count) {
  for (size_t k = 0; k < count; k++) {
    struct chain chain;
    char name[PIPELINE_MODULE_BYTES + 2];
    if (!chain_led_by(&kernels[k], kernels, count, &chain))
      continue;
    chain_name(&kernels[k], name, PIPELINE_MODULE_BYTES);
    strcat(name, ".v");
    FILE *file = folder_create(path, name);
    if (file)
      chain_write(&chain, file);
    if (!folder_finish(file, path, name))
      return STATUS_FAILED;
  }
  return STATUS_OK;
}

static void write_choice(FILE *file, const struct folder_kernel *kernels, size_t count) {
  fputs(
      "// SPDX-License-Identifier: Apache-2.0\n// The pipelines of a device by their kinds. Made by heddlec "
      "--hardware.\n"
      "`default_nettype none\n\nmodule pipelines #(\n    parameter NUMBER = 1,  // of the kind\n",
      file);
  folder_write_ports(file);
  fputs("  generate\n", file);
  const char *before = "";
  for (size_t k = 0; k < count; k++) {
    struct chain chain;
    char chained[PIPELINE_MODULE_BYTES];
    if (kernels[k].leader != &kernels[k])
      continue;
    chain_of(&kernels[k], kernels, count, &chain);
    chain_name(&kernels[k], chained, sizeof chained);
    fprintf(file, "    %sif (NUMBER == %zu) begin : kind_%zu\n      %s #(\n", before, k + 1, k + 1,
            chain.count > 1 ? chained : kernels[k].result.module);
    before = "end else ";
    for (const char *const *name = folder_parameters; *name; name++)
      fprintf(file, "          .%s(%s)%s\n", *name, *name, name[1] ? "," : "");
    fputs("      ) pipeline (\n", file);
    for (const struct folder_port *port = folder_ports; port->name; port++)
      fprintf(file, "          .%s(%s)%s\n", port->name, port->name, port[1].name ? "," : "");
    fputs("      );\n", file);
  }
  fputs(
      "    end else begin : none\n      pipelines_NUMBER_is_not_of_a_pipeline stop ();\n    end\n  "
      "endgenerate\nendmodule\n\n"
      "`default_nettype wire\n",
      file);
}

enum status folder_describe(const char *path, const char *source, const struct folder_kernel *kernels, size_t count) {
  if (write_chains(path, kernels, count) != STATUS_OK)
    return STATUS_FAILED;
  FILE *file = folder_create(path, "pipelines.v");
  if (file)
    write_choice(file, kernels, count);
  if (!folder_finish(file, path, "pipelines.v"))
    return STATUS_FAILED;
  file = folder_create(path, "kinds.txt");
  if (file)
    write_kinds(file, kernels, count);
  if (!folder_finish(file, path, "kinds.txt"))
    return STATUS_FAILED;
  file = folder_create(path, FOLDER_LIST);
  if (file)
    write_list(file, source, kernels, count);
  return folder_finish(file, path, FOLDER_LIST) ? STATUS_OK : STATUS_FAILED;
}

void folder_withdraw(const char *path) {
  char full[PATH_MAX];
  if (snprintf(full, sizeof full, "%s/" FOLDER_LIST, path) < (int)sizeof full)
    unlink(full);
}

enum status folder_pipelines(const char *path, struct strings *pipelines) {
  char full[PATH_MAX], word[16], name[512], hash[40], module[PIPELINE_MODULE_BYTES + 1], pipes[256];
  static_assert(PIPELINE_MOST_PIPES * (sizeof "w255" - 1) < sizeof pipes, "one of all pipes has room");
  unsigned lanes, slots, sites;
  if (snprintf(full, sizeof full, "%s/kinds.txt", path) >= (int)sizeof full)
    return failed(path, "kinds.txt");
  FILE *file = fopen(full, "r");
  if (!file)
    return failed(path, "kinds.txt");
  char line[1 << 14];
  while (fgets(line, sizeof line, file)) {
    const int found = sscanf(line, "%15s %511s %39s %u %u %*u %u %256s %255s", word, name, hash, &lanes, &slots, &sites,
                             module, pipes);
    if (found >= 6 && strcmp(word, "kernel") == 0)
      strings_add_format(pipelines, "%s:%u:%u:%u%s%s", hash, lanes, slots, sites, found == 8 ? ":" : "",
                         found == 8 ? pipes : "");
  }
  fclose(file);
  return STATUS_OK;
}
