// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/verilog_files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hls/data.h"
#include "hls/object.h"
#include "hls/pipeline/check.h"
#include "hls/pipeline/folder.h"
#include "hls/pipeline/graph.h"

// As much as people write; what tells names apart looks at all of them.
enum { MOST_MODULES = 1000, MOST_MACROS = 1000 };

// ---- words of Verilog

struct reader {
  const char *path, *at;
  unsigned line;
};

enum word { WORD_END, WORD_NAME, WORD_TASK, WORD_DIRECTIVE, WORD_OTHER };  // $name, `name

static bool continues(char c) {
  return verilog_is_letter(c) || (c >= '0' && c <= '9') || c == '$';
}

static void skip(struct reader *r, size_t count) {
  for (; count > 0 && *r->at != 0; count--)
    r->line += *r->at++ == '\n';
}

static void skip_to(struct reader *r, const char *end) {
  const char *found = strstr(r->at, end);
  skip(r, found ? (size_t)(found - r->at) + strlen(end) : strlen(r->at));
}

static void skip_string(struct reader *r) {
  skip(r, 1);
  while (*r->at != 0 && *r->at != '"' && *r->at != '\n')
    skip(r, *r->at == '\\' ? 2 : 1);
  skip(r, *r->at == '"');
}

static void skip_blanks(struct reader *r) {
  for (;;) {
    const size_t blanks = strspn(r->at, " \t\r\n\f\v");
    skip(r, blanks);
    if (strncmp(r->at, "//", 2) == 0)
      skip_to(r, "\n");
    else if (strncmp(r->at, "/*", 2) == 0)
      skip(r, 2), skip_to(r, "*/");
    else if (blanks == 0)
      return;
  }
}

static size_t name_length(const char *at) {
  size_t length = 0;
  while (continues(at[length]))
    length++;
  return length;
}

// The next word, from `text` on. One without a name behind $ or ` has length 0.
static enum word next_word(struct reader *r, const char **text, size_t *length) {
  skip_blanks(r);
  *text = r->at;
  *length = 1;
  enum word kind = WORD_OTHER;
  if (*r->at == 0)
    return WORD_END;
  if (*r->at == '"') {
    skip_string(r);
    return WORD_OTHER;
  }
  if (*r->at == '\\') {  // an escaped name ends with a blank
    skip(r, strcspn(r->at, " \t\r\n"));
    return WORD_OTHER;
  }
  if (verilog_is_letter(*r->at)) {
    kind = WORD_NAME;
    *length = name_length(r->at);
  } else if (*r->at == '$' || *r->at == '`') {
    kind = *r->at == '$' ? WORD_TASK : WORD_DIRECTIVE;
    *text = r->at + 1;
    *length = verilog_is_letter(r->at[1]) ? name_length(r->at + 1) : 0;
    skip(r, 1 + *length);
    return kind;
  } else if (continues(*r->at)) {
    *length = name_length(r->at);  // a number
  }
  skip(r, *length);
  return kind;
}

static bool is_word(const char *text, size_t length, const char *word) {
  return strlen(word) == length && memcmp(text, word, length) == 0;
}

static bool is_among(const char *const *names, const char *text, size_t length) {
  for (; *names; names++)
    if (is_word(text, length, *names))
      return true;
  return false;
}

// ---- a file

static enum status refuse(const struct reader *r, const char *sign, const char *text, size_t length, const char *why) {
  fprintf(stderr, "%s:%u: error: '%s%.*s' %s\n", r->path, r->line, sign, (int)(length < 60 ? length : 60), text, why);
  return STATUS_REJECTED;
}

static bool is_defined(const struct strings *macros, const char *text, size_t length) {
  for (size_t i = 0; i < macros->count; i++)
    if (is_word(text, length, macros->items[i]))
      return true;
  return false;
}

static enum status check_directive(struct reader *r, const char *text, size_t length, struct strings *macros) {
  static const char *const harmless[] = {"undef", "ifdef",           "ifndef",    "else",     "elsif",
                                         "endif", "default_nettype", "timescale", "resetall", NULL};
  static const char *const others[] = {"include",
                                       "pragma",
                                       "line",
                                       "begin_keywords",
                                       "end_keywords",
                                       "celldefine",
                                       "endcelldefine",
                                       "unconnected_drive",
                                       "nounconnected_drive",
                                       "define",
                                       "undefineall",
                                       NULL};
  if (length == 0 && *r->at == '`') {  // `` joins words of a macro
    skip(r, 1);
    return STATUS_OK;
  }
  if (is_among(harmless, text, length))
    return STATUS_OK;
  if (is_word(text, length, "define")) {
    const enum word kind = next_word(r, &text, &length);
    const bool is_taken = is_among(harmless, text, length) || is_among(others, text, length) ||
                          strncmp(text, "verilator", 9) == 0 || strncmp(text, "systemc", 7) == 0;
    if (kind != WORD_NAME || is_taken || macros->count == MOST_MACROS)
      return refuse(r, "`define ", text, length, "is no name for a macro");
    strings_add_format(macros, "%.*s", (int)length, text);
    return STATUS_OK;
  }
  return is_defined(macros, text, length)
             ? STATUS_OK
             : refuse(r, "`", text, length,
                      "may not be there: modules are read as they stand, without other files and tools' own words");
}

// Whether a name is one of Heddle's modules, each of which has a file, or of those that it makes.
static bool is_ours(const char *text, size_t length) {
  static const char *const folders[] = {"common", "group", "lane", "memory", "pipeline", "unit", "dispatch"};
  char data[PATH_MAX], file[PATH_MAX + VERILOG_NAME_BYTES + 32];
  bool is = strncmp(text, "pipeline", strlen("pipeline")) == 0 || is_word(text, length, "heddle");
  const bool may_have_file = length < VERILOG_NAME_BYTES && data_folder(data);
  for (size_t i = 0; i < sizeof folders / sizeof *folders && may_have_file && !is; i++) {
    snprintf(file, sizeof file, "%s/rtl/rtl/%s/%.*s.v", data, folders[i], (int)length, text);
    is = access(file, F_OK) == 0;
  }
  return is;
}

static enum status add_module(struct verilog_files *files, const struct reader *r, const char *text, size_t length) {
  const char *why = files->module_count == MOST_MODULES ? "is one too many: a thousand are read" : NULL;
  for (size_t i = 0; i < files->module_count && !why; i++)
    why = is_word(text, length, files->modules[i].name) ? "is there twice" : NULL;
  if (!why)
    why = is_ours(text, length)          ? "has a name that a module of Heddle has"
          : length >= VERILOG_NAME_BYTES ? "has too long a name"
                                         : NULL;
  if (why)
    return refuse(r, "module ", text, length, why);
  files->modules = realloc(files->modules, (files->module_count + 1) * sizeof *files->modules);
  if (!files->modules)
    abort();
  struct verilog_module *module = &files->modules[files->module_count++];
  *module = (struct verilog_module){.port_count = 0};
  memcpy(module->name, text, length);
  return STATUS_OK;
}

// What is declared where the reader is: ports of a module, by `input` or `output`, up to the ; or ).
struct declaration {
  struct verilog_module *module;  // NULL: none
  bool is_open, is_input;
  bool is_in_function;  // whose inputs are its own
  unsigned width;
};

// [31:0]; the width is 0 where that is no pair of numbers.
static void read_range(struct reader *r, struct declaration *d) {
  unsigned high, low;
  int end = 0;
  d->width = sscanf(r->at, " %5u : %5u ]%n", &high, &low, &end) == 2 && end != 0 && high >= low ? high - low + 1 : 0;
  skip_to(r, "]");
}

static void add_port(struct declaration *d, const char *text, size_t length) {
  struct verilog_module *module = d->module;
  if (module->port_count == VERILOG_MOST_PORTS || length >= VERILOG_NAME_BYTES)
    return;  // a kernel has fewer: what it needs is missing then
  struct verilog_port *port = &module->ports[module->port_count++];
  *port = (struct verilog_port){.width = d->width, .is_input = d->is_input};
  memcpy(port->name, text, length);
}

static void take_word(struct declaration *d, const char *text, size_t length) {
  static const char *const types[] = {"wire", "reg", "signed", "unsigned", "tri", NULL};
  if (is_word(text, length, "function") || is_word(text, length, "task"))
    d->is_in_function = true;
  else if (is_word(text, length, "endfunction") || is_word(text, length, "endtask"))
    d->is_in_function = false;
  else if (!d->module || d->is_in_function)
    return;
  else if (is_word(text, length, "input") || is_word(text, length, "output") || is_word(text, length, "inout")) {
    d->is_open = true;
    d->is_input = *text == 'i';
    d->width = 1;
  } else if (d->is_open && !is_among(types, text, length)) {
    add_port(d, text, length);
  }
}

static enum status check_name(struct reader *r, const char *text, size_t length) {
  static const char *const refused[] = {"import", "export", "bind", "config", "library", "package", "program", NULL};
  return is_among(refused, text, length) ? refuse(r, "", text, length, "may not be there: a file has modules alone")
                                         : STATUS_OK;
}

static enum status read_words(struct verilog_files *files, const char *path, const char *content) {
  static const char *const functions[] = {"signed", "unsigned", "clog2", NULL};
  struct reader r = {.path = path, .at = content, .line = 1};
  struct declaration d = {0};
  struct strings macros = {0};
  enum status status = STATUS_OK;
  const char *text;
  size_t length;
  bool is_named = false;  // `module` stands in front
  for (enum word kind; status == STATUS_OK && (kind = next_word(&r, &text, &length)) != WORD_END;) {
    if (kind == WORD_DIRECTIVE) {
      status = check_directive(&r, text, length, &macros);
    } else if (kind == WORD_TASK) {
      if (!is_among(functions, text, length))
        status = refuse(&r, "$", text, length, "may not be there: circuits have $signed, $unsigned and $clog2");
    } else if (kind == WORD_NAME) {
      status = is_named ? add_module(files, &r, text, length) : check_name(&r, text, length);
      if (is_named && status == STATUS_OK)
        d = (struct declaration){.module = &files->modules[files->module_count - 1]};
      else
        take_word(&d, text, length);
      is_named = is_word(text, length, "module");
    } else if (d.is_open && *text == '[') {
      read_range(&r, &d);
    } else {
      d.is_open &= *text != ';' && *text != ')';
    }
  }
  strings_free(&macros);
  return status;
}

// The part of a path that the copy is called by.
static const char *base_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static enum status check_base(const struct strings *paths, size_t number) {
  const char *base = base_of(paths->items[number]);
  const size_t length = strlen(base);
  bool is_good = length > 2 && length < VERILOG_NAME_BYTES && strcmp(base + length - 2, ".v") == 0 &&
                 verilog_is_name(base, length - 2);
  for (size_t i = 0; i < number; i++)
    is_good &= strcmp(base_of(paths->items[i]), base) != 0;
  if (!is_good)
    fprintf(stderr,
            "heddlec: --verilog %s: files are called by letters, digits and _ with .v behind, and no two of one "
            "name\n",
            paths->items[number]);
  return is_good ? STATUS_OK : STATUS_INVALID_OPTIONS;
}

static enum status read_file(struct verilog_files *files, size_t number) {
  const char *path = files->paths->items[number];
  unsigned char *bytes;
  size_t size;
  struct stat facts;
  if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode)) {
    fprintf(stderr, "heddlec: --verilog %s: it is no file\n", path);
    return STATUS_INVALID_OPTIONS;
  }
  enum status status = object_read_file(path, &bytes, &size);
  if (status != STATUS_OK)
    return status;
  files->texts[number] = (char *)bytes;
  files->texts[number][size] = 0;  // there is room behind what was read
  if (memchr(files->texts[number], 0, size)) {
    fprintf(stderr, "heddlec: --verilog %s: it is no text\n", path);
    return STATUS_REJECTED;
  }
  return read_words(files, path, files->texts[number]);
}

enum status verilog_files_read(const struct strings *paths, struct verilog_files *files) {
  *files = (struct verilog_files){.paths = paths, .texts = graph_allocate(paths->count * sizeof(char *))};
  enum status status = STATUS_OK;
  for (size_t i = 0; i < paths->count && status == STATUS_OK; i++) {
    status = check_base(paths, i);
    if (status == STATUS_OK)
      status = read_file(files, i);
  }
  return status;
}

void verilog_files_free(struct verilog_files *files) {
  for (size_t i = 0; files->paths && i < files->paths->count; i++)
    free(files->texts[i]);
  free(files->texts);
  free(files->modules);
  *files = (struct verilog_files){0};
}

// ---- what kernels call

// What a call needs of its module.
struct need {
  const struct kernel *kernel;
  LLVMValueRef call;
  const struct verilog_module *module;
};

static unsigned width_of(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMFloatTypeKind ? 32 : LLVMGetIntTypeWidth(type);
}

static enum status need_port(const struct need *need, const char *name, bool is_input, unsigned width) {
  const struct verilog_port *port = NULL;
  for (unsigned i = 0; i < need->module->port_count && !port; i++)
    if (strcmp(need->module->ports[i].name, name) == 0)
      port = &need->module->ports[i];
  if (!port || port->is_input != is_input)
    return pipeline_refuse(need->kernel, need->call, "module '%s' has no %s %s", need->module->name,
                           is_input ? "input" : "output", name);
  if (port->width != 0 && port->width != width)
    return pipeline_refuse(need->kernel, need->call, "%s of module '%s' has %u bit%s, and the function %u", name,
                           need->module->name, port->width, port->width != 1 ? "s" : "", width);
  return STATUS_OK;
}

static enum status need_ports(const struct need *need, const struct verilog_function *function) {
  const unsigned count = LLVMGetNumArgOperands(need->call);
  char name[] = "a_i";
  enum status status = function->latency != 0 ? need_port(need, "clk", true, 1) : STATUS_OK;
  for (unsigned i = 0; i < count && status == STATUS_OK; i++) {
    name[0] = (char)('a' + i);
    status = need_port(need, name, true, width_of(LLVMTypeOf(LLVMGetOperand(need->call, i))));
  }
  if (status == STATUS_OK)
    status = need_port(need, "y_o", false, width_of(LLVMTypeOf(need->call)));
  for (unsigned i = 0; i < need->module->port_count && status == STATUS_OK; i++) {
    const struct verilog_port *port = &need->module->ports[i];
    const bool is_driven = strcmp(port->name, "clk") == 0
                               ? function->latency != 0
                               : strlen(port->name) == 3 && strcmp(port->name + 1, "_i") == 0 && port->name[0] >= 'a' &&
                                     port->name[0] < (char)('a' + count);
    if (port->is_input && !is_driven)
      status = pipeline_refuse(need->kernel, need->call,
                               "nothing drives input %s of module '%s': inputs are clk%s and a_i, b_i, ...", port->name,
                               need->module->name, function->latency != 0 ? "" : " (not with a latency of 0)");
  }
  return status;
}

static enum status check_call(const struct verilog_files *files, const struct kernel *kernel, LLVMValueRef call) {
  struct verilog_function function;
  if (!LLVMIsACallInst(call) || !verilog_function_of(LLVMGetCalledValue(call), &function))
    return STATUS_OK;
  for (size_t i = 0; i < files->module_count; i++)
    if (strcmp(files->modules[i].name, function.module) == 0)
      return need_ports(&(struct need){kernel, call, &files->modules[i]}, &function);
  return pipeline_refuse(kernel, call, "it calls module '%s', which is in no file that --verilog names",
                         function.module);
}

enum status verilog_files_check(const struct verilog_files *files, const struct kernel *kernel) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel->body); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      if (check_call(files, kernel, at) != STATUS_OK)
        return STATUS_REJECTED;
  return STATUS_OK;
}

enum status verilog_files_copy(const struct verilog_files *files, const char *folder) {
  for (size_t i = 0; i < files->paths->count; i++) {
    char name[VERILOG_NAME_BYTES + 32];
    snprintf(name, sizeof name, "pipeline_verilog.%s", base_of(files->paths->items[i]));
    FILE *file = folder_create(folder, name);
    if (file)
      fputs(files->texts[i], file);
    if (!folder_finish(file, folder, name))
      return STATUS_FAILED;
  }
  return STATUS_OK;
}
