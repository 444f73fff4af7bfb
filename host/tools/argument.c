// SPDX-License-Identifier: Apache-2.0
// What a kernel declares of its arguments, and the command-line text that fills them (argument.h).
#include "host/tools/argument.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "contract/half.h"
#include "contract/output_file.h"
#include "host/tools/argument_file.h"
#include "host/tools/client.h"

static bool parse_type(const char *name, size_t length, struct element_type *type) {
  static const struct {
    const char *name;
    enum element_kind kind;
    unsigned bytes;
  } types[] = {{"char", ELEMENT_SIGNED, 1},      {"uchar", ELEMENT_UNSIGNED, 1},  {"short", ELEMENT_SIGNED, 2},
               {"ushort", ELEMENT_UNSIGNED, 2},  {"int", ELEMENT_SIGNED, 4},      {"uint", ELEMENT_UNSIGNED, 4},
               {"long", ELEMENT_SIGNED, 8},      {"ulong", ELEMENT_UNSIGNED, 8},  {"float", ELEMENT_FLOAT, 4},
               {"double", ELEMENT_FLOAT, 8},     {"half", ELEMENT_FLOAT, 2},      {"size_t", ELEMENT_UNSIGNED, 4},
               {"ptrdiff_t", ELEMENT_SIGNED, 4}, {"intptr_t", ELEMENT_SIGNED, 4}, {"uintptr_t", ELEMENT_UNSIGNED, 4}};
  static const char atomic[] = "atomic_";  // their names begin so, and their values are stored as those of the others
  if (length > strlen(atomic) && memcmp(name, atomic, strlen(atomic)) == 0) {
    name += strlen(atomic);
    length -= strlen(atomic);
  }
  size_t letters = length;
  while (letters > 0 && name[letters - 1] >= '0' && name[letters - 1] <= '9')
    letters--;
  const unsigned long components = letters < length ? strtoul(name + letters, NULL, 10) : 1;
  if (components != 1 && components != 2 && components != 3 && components != 4 && components != 8 && components != 16)
    return false;
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (strlen(types[i].name) == letters && memcmp(types[i].name, name, letters) == 0) {
      *type = (struct element_type){types[i].kind, types[i].bytes, (unsigned)components};
      return true;
    }
  return false;
}

static size_t stride_of(const struct element_type *type) {
  return (size_t)type->bytes * (type->components == 3 ? 4 : type->components);
}

static char *argument_text(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name) {
  size_t bytes = 0;
  const cl_int error = clGetKernelArgInfo(kernel, index, name, 0, NULL, &bytes);
  if (error == CL_KERNEL_ARG_INFO_NOT_AVAILABLE && name == CL_KERNEL_ARG_NAME) {
    // SPIR-V need not name its arguments.
    char *number = allocate(16);
    snprintf(number, 16, "arg%u", index);
    return number;
  }
  if (error != CL_SUCCESS)
    die(EXIT_BUILD_FAILED, "the kernel file says nothing about argument %u (%s)", index, error_name(error));
  char *text = allocate(bytes + 1);
  check(clGetKernelArgInfo(kernel, index, name, bytes, text, NULL), "clGetKernelArgInfo");
  return text;
}

// Of the device that the kernel's context has.
static size_t largest_buffer(cl_kernel kernel) {
  cl_context context;
  cl_device_id device;
  cl_ulong bytes;
  check(clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof context, &context, NULL), "clGetKernelInfo");
  check(clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, NULL), "clGetContextInfo");
  check(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof bytes, &bytes, NULL), "clGetDeviceInfo");
  return (size_t)bytes;
}

struct argument *kernel_arguments(cl_kernel kernel, unsigned *count) {
  cl_uint number = 0;
  check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof number, &number, NULL), "clGetKernelInfo");
  struct argument *arguments = allocate(number * sizeof *arguments);
  const size_t most_bytes = largest_buffer(kernel);
  for (cl_uint i = 0; i < number; i++) {
    struct argument *a = &arguments[i];
    cl_kernel_arg_address_qualifier space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
    cl_kernel_arg_type_qualifier qualifiers = 0;
    cl_kernel_arg_access_qualifier access = CL_KERNEL_ARG_ACCESS_NONE;
    a->most_bytes = most_bytes;
    a->name = argument_text(kernel, i, CL_KERNEL_ARG_NAME);
    a->type_name = argument_text(kernel, i, CL_KERNEL_ARG_TYPE_NAME);
    check(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL),
          "clGetKernelArgInfo");
    check(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifiers, &qualifiers, NULL),
          "clGetKernelArgInfo");
    check(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL),
          "clGetKernelArgInfo");
    a->is_image = (access != CL_KERNEL_ARG_ACCESS_NONE && !(qualifiers & CL_KERNEL_ARG_TYPE_PIPE)) ||
                  strcmp(a->type_name, "sampler_t") == 0;
    a->role = space == CL_KERNEL_ARG_ADDRESS_LOCAL     ? ROLE_LOCAL
              : space == CL_KERNEL_ARG_ADDRESS_PRIVATE ? ROLE_VALUE
                                                       : ROLE_BUFFER;
    a->kernel_writes = space == CL_KERNEL_ARG_ADDRESS_GLOBAL && !(qualifiers & CL_KERNEL_ARG_TYPE_CONST);
    parse_type(a->type_name, strcspn(a->type_name, "* "), &a->type);  // else the text has to name a type
  }
  *count = number;
  return arguments;
}

static _Noreturn void bad(const struct argument *argument, const char *text, const char *why) {
  die(EXIT_USAGE, "argument %s=%s: %s; `heddle run --help` has the forms", argument->name, text, why);
}

// ---- numbers to bytes

struct number {
  bool is_float;
  long long integer;  // also holds an unsigned long's bits
  double real;
};

static bool read_number(const char *text, const char **end, struct number *number) {
  char *integer_end, *real_end;
  errno = 0;
  const int base = number_base(text);
  number->integer = *text == '-' ? strtoll(text, &integer_end, base) : (long long)strtoull(text, &integer_end, base);
  const bool is_large = errno == ERANGE;  // for an integer
  number->real = strtod(text, &real_end);
  number->is_float = is_large || real_end > integer_end;
  *end = number->is_float ? real_end : integer_end;
  if (**end == 'f' && number->is_float)
    (*end)++;
  return *end != text;
}

// False when the number does not fit the type.
static bool store(const struct element_type *type, char *at, struct number number) {
  if (type->kind == ELEMENT_FLOAT) {
    const float single = (float)number.real;
    const uint16_t half = heddle_half_of(number.real);
    if (type->bytes == sizeof half)
      memcpy(at, &half, sizeof half);
    else if (type->bytes == sizeof single)
      memcpy(at, &single, sizeof single);
    else
      memcpy(at, &number.real, sizeof number.real);
    return true;
  }
  if (number.is_float) {
    if (number.real != trunc(number.real) || fabs(number.real) > 9e18)
      return false;
    number.integer = (long long)number.real;
  }
  const unsigned bits = 8 * type->bytes;
  if (bits <= 32) {
    // -1 for a uint and 0xFFFFFFFF for an int are meant as bits.
    const long long least = -(1LL << (bits - 1)), most = (1LL << bits) - 1;
    const bool is_beyond = number.integer < 0 && number.real > 0;  // of 2^63 or more
    if (is_beyond || number.integer < least || number.integer > most)
      return false;
  }
  memcpy(at, &number.integer, type->bytes);  // little-endian, as the device
  return true;
}

static struct number load(const struct element_type *type, const char *at) {
  struct number number = {0};
  if (type->kind == ELEMENT_FLOAT) {
    number.is_float = true;
    float single = 0;
    uint16_t half = 0;
    memcpy(type->bytes == sizeof half     ? (void *)&half
           : type->bytes == sizeof single ? (void *)&single
                                          : (void *)&number.real,
           at, type->bytes);
    if (type->bytes == sizeof half)
      number.real = heddle_half_value(half);
    else if (type->bytes == sizeof single)
      number.real = (double)single;
  } else {
    const unsigned unused = 64 - 8 * type->bytes;
    unsigned long long bits = 0;
    memcpy(&bits, at, type->bytes);
    number.integer = type->kind == ELEMENT_SIGNED ? (long long)(bits << unused) >> unused : (long long)bits;
  }
  return number;
}

// Of a buffer or value that `text` asks for. No more than the device has room for, whatever the text says.
static void make_room(struct argument *a, const char *text, size_t elements) {
  if (elements > a->most_bytes / stride_of(&a->type))
    bad(a, text, "the device has no room for so much");
  a->bytes = elements * stride_of(&a->type);
  a->data = allocate(a->bytes);
}

char *component(const struct argument *a, size_t n) {
  return a->data + n / a->type.components * stride_of(&a->type) + n % a->type.components * a->type.bytes;
}

size_t number_of_elements(const struct argument *a) {
  const size_t stride = stride_of(&a->type);  // 0: the type is not known
  return stride != 0 ? a->bytes / stride : 0;
}

void take_numbers(struct argument *a, const char *path, const char *numbers, size_t count) {
  if (count == 0)
    bad(a, path, "the file is empty");
  if (count % a->type.components != 0)
    bad(a, path, "the kernel takes vectors, and the file's numbers do not fill whole ones");
  if (a->role == ROLE_VALUE && count != a->type.components)
    bad(a, path, "the kernel takes one value, and the file has more");
  make_room(a, path, count / a->type.components);
  for (size_t i = 0; i < count; i++)
    memcpy(component(a, i), numbers + i * a->type.bytes, a->type.bytes);
}

void give_shape(struct argument *a, const size_t *shape, unsigned dimensions) {
  size_t elements = 1;
  for (unsigned i = 0; i < dimensions; i++)
    elements *= shape[i];
  if (a->dimensions != 0 || elements != number_of_elements(a))
    return;
  a->dimensions = dimensions;
  memcpy(a->shape, shape, dimensions * sizeof *shape);
}

// ---- the forms

static void fill_from_numbers(struct argument *a, const char *text, const struct number *numbers, size_t count) {
  if (a->type.components == 0 || (count % a->type.components != 0 && a->role == ROLE_BUFFER))
    bad(a, text, "the kernel takes vectors, and the numbers do not fill whole ones");
  make_room(a, text, count / a->type.components);
  for (size_t i = 0; i < count; i++)
    if (!store(&a->type, component(a, i), numbers[i])) {
      char why[80];
      snprintf(why, sizeof why, "number %zu does not fit the kernel's type", i + 1);
      bad(a, text, why);
    }
}

static const char SEPARATORS[] = ",;", BLANKS[] = " \t\r\n", BETWEEN[] = ", \t\r\n;";

// Of a file: in front of the reason the line that has it.
static _Noreturn void bad_at(const struct argument *a, const char *shown, const char *text, const char *at,
                             const char *reason) {
  unsigned line = 1;
  for (const char *c = text; c < at; c++)
    line += *c == '\n';
  char why[160];
  snprintf(why, sizeof why, "line %u%s", line, reason);
  bad(a, shown, text != shown ? why : reason + strspn(reason, ": "));
}

static _Noreturn void bad_word(const struct argument *a, const char *shown, const char *text, const char *at) {
  char reason[80];
  const int letters = (int)strcspn(at, BETWEEN);
  if (text == shown)
    bad(a, shown, "this is neither a number nor a known form");
  snprintf(reason, sizeof reason, ": \"%.*s\" is no number", letters < 40 ? letters : 40, at);
  bad_at(a, shown, text, at, reason);
}

// The next number of a list, or its end. Between two numbers there are blanks, and one comma or semicolon at most; a
// file may end in one.
static const char *next_number(const struct argument *a, const char *shown, const char *text, const char *at) {
  bool may_separate = at != text, separates = false;
  for (at += strspn(at, BLANKS); *at && strchr(SEPARATORS, *at); at += strspn(at, BLANKS)) {
    if (!may_separate)
      bad_at(a, shown, text, at, ": there is no number before a comma");
    may_separate = false;
    separates = true;
    at++;
  }
  if (*at == '\0' && separates && text == shown)
    bad(a, shown, "there is no number behind the last comma");
  return at;
}

// Numbers between commas, spaces or line ends. Of a file `text` is its contents and `shown` its name; else they are the
// same.
static void parse_list(struct argument *a, const char *text, const char *shown) {
  size_t room = 64, count = 0;
  struct number *numbers = allocate(room * sizeof *numbers);
  for (const char *at = text; *(at = next_number(a, shown, text, at));) {
    if (count == room) {
      room *= 2;
      numbers = realloc(numbers, room * sizeof *numbers);
      if (!numbers)
        die(EXIT_KERNEL_FAILED, "no memory for argument %s", a->name);
    }
    const char *word = at;
    if (!read_number(at, &at, &numbers[count++]) || (*at && !strchr(BETWEEN, *at)))
      bad_word(a, shown, text, word);
  }
  if (count == 0)
    bad(a, shown, "it holds no number");
  // Of a structure the user's numbers are all there is to know; a vector takes one number for all its components.
  struct element_type declared;
  if (a->role == ROLE_VALUE && parse_type(a->type_name, strlen(a->type_name), &declared)) {
    if (count != 1 && count != a->type.components)
      bad(a, shown, "the number of components is not that of the kernel's type");
    struct number all[16];
    for (unsigned i = 0; i < a->type.components; i++)
      all[i] = numbers[count == 1 ? 0 : i];
    fill_from_numbers(a, shown, all, a->type.components);
  } else {
    fill_from_numbers(a, shown, numbers, count);
  }
  free(numbers);
}

static bool ends_in(const char *path, const char *suffix) {
  const char *dot = strrchr(path, '.');
  return dot && strcasecmp(dot, suffix) == 0;
}

// Rows of a table have as many numbers each; that is its shape. Lines that are blank are none.
static void shape_of_table(struct argument *a, const char *path, const char *text) {
  size_t rows = 0, columns = 0;
  char separator = 0;
  for (const char *at = text; *at; at += *at == '\n') {
    const char *line = at, *end = at + strcspn(at, "\n");
    size_t numbers = 0;
    bool is_open = false;  // behind a separator
    for (at += strspn(at, " \t\r"); at < end; at += strspn(at, " \t\r"))
      if (strchr(SEPARATORS, *at)) {
        if (separator != 0 && separator != *at)
          bad_at(a, path, text, line, " has commas and semicolons: one of them has to stand between the numbers");
        if (numbers == 0)
          bad_at(a, path, text, line, " begins with an empty cell");
        separator = *at++;
        is_open = true;
      } else {
        numbers++;
        at += strcspn(at, BETWEEN);
        is_open = false;
      }
    if (is_open)
      bad_at(a, path, text, line, " ends with an empty cell");
    if (numbers == 0)
      continue;
    if (rows++ == 0)
      columns = numbers;
    if (numbers != columns) {
      char why[100];
      snprintf(why, sizeof why, " has %zu numbers, the lines before it %zu", numbers, columns);
      bad_at(a, path, text, line, why);
    }
  }
  if (a->type.components == 1 && columns > 1)
    give_shape(a, (const size_t[]){rows, columns}, 2);
  else if (columns == a->type.components)
    give_shape(a, &rows, 1);
}

static void parse_file(struct argument *a, const char *path) {
  enum { CHARACTERS_A_BYTE = 16 };
  if (ends_in(path, ".npy")) {
    read_npy(a, path);
    return;
  }
  if (ends_in(path, ".png")) {
    read_png_file(a, path);
    return;
  }
  size_t bytes;
  const bool is_text = ends_in(path, ".txt") || ends_in(path, ".csv");
  char *text = read_file_up_to(path, is_text ? CHARACTERS_A_BYTE * a->most_bytes : a->most_bytes, &bytes);
  if (is_text) {
    if (strlen(text) != bytes)
      bad(a, path, "it has a zero byte, so it is no text");
    const char *numbers = text + (strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0);  // spreadsheets begin UTF-8 so
    parse_list(a, numbers, path);
    if (ends_in(path, ".csv"))
      shape_of_table(a, path, numbers);
    free(text);
    return;
  }
  a->data = text;
  a->bytes = bytes;
  if (bytes == 0)
    bad(a, path, "the file is empty");
  if (a->role == ROLE_VALUE && bytes != stride_of(&a->type))
    bad(a, path, "the file does not have the bytes of the kernel's type");
  if (bytes % stride_of(&a->type) != 0) {
    char why[120];
    snprintf(why, sizeof why, "the file's %zu bytes are no multiple of the %zu of an element of the kernel's", bytes,
             stride_of(&a->type));
    bad(a, path, why);
  }
}

static uint64_t next_random(uint64_t *state) {  // splitmix64
  uint64_t z = (*state += 0x9E3779B97F4A7C15u);
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

static struct number integer_number(long long value) {
  return (struct number){.integer = value, .real = (double)value};
}

// The same of bits that are a number without a sign.
static struct number unsigned_number(uint64_t value) {
  return (struct number){.integer = (long long)value, .real = (double)value};
}

// Of numbers that are integers, from -2^63 to 2^64 - 1.
static bool is_below(struct number one, struct number other) {
  if ((one.real < 0) != (other.real < 0))
    return one.real < 0;
  return one.real < 0 ? one.integer < other.integer : (uint64_t)one.integer < (uint64_t)other.integer;
}

// zeros(N), fill(V,N), range(N), range(A,B[,STEP]), random(N[,LOW,HIGH[,SEED]]); false when it is none of them.
static bool parse_generator(struct argument *a, const char *text) {
  static const struct {
    const char *name;
    unsigned least, most;
  } forms[] = {{"zeros", 1, 1}, {"fill", 2, 2}, {"range", 1, 3}, {"random", 1, 4}};
  enum { ZEROS, FILL, RANGE, RANDOM, FORMS };
  const size_t letters = strspn(text, "abcdefghijklmnopqrstuvwxyz");
  unsigned form = 0;
  while (form < FORMS && !(strlen(forms[form].name) == letters && memcmp(forms[form].name, text, letters) == 0))
    form++;
  if (form == FORMS || text[letters] != '(')
    return false;

  struct number p[4];
  unsigned count = 0;
  const char *at = text + letters + 1;
  while (*at != ')') {
    at += strspn(at, " ");
    if (count == 4 || !read_number(at, &at, &p[count++]))
      bad(a, text, "expected numbers between the brackets");
    at += strspn(at, " ");
    if (*at == ',')
      at++;
    else if (*at != ')')
      bad(a, text, "expected a comma or the closing bracket");
  }
  if (at[1] || count < forms[form].least || count > forms[form].most)
    bad(a, text, "wrong number of values between the brackets");
  for (unsigned i = 0; i < count; i++) {
    if (!p[i].is_float)
      continue;
    if (!(fabs(p[i].real) < 9e18) && form != FILL && a->type.kind != ELEMENT_FLOAT)
      bad(a, text, "a number is out of range");
    p[i].integer = fabs(p[i].real) < 9e18 ? (long long)p[i].real : 0;
  }

  if (form == RANGE) {
    const struct number start = count == 1 ? integer_number(0) : p[0], end = count == 1 ? p[0] : p[1];
    const struct number step = count == 3 ? p[2] : integer_number(1);
    const double length = step.real == 0 ? -1 : ceil((end.real - start.real) / step.real);
    if (!(length >= 1))
      bad(a, text, "the range is empty or never ends: check the sign of STEP");
    if (!(length <= (double)(a->most_bytes / a->type.bytes)))
      bad(a, text, "the device has no room for so much");
    struct number *numbers = allocate((size_t)length * sizeof *numbers);
    for (size_t i = 0; i < (size_t)length; i++)
      numbers[i] = (struct number){.is_float = start.is_float || step.is_float,
                                   .integer = (int64_t)((uint64_t)start.integer + i * (uint64_t)step.integer),
                                   .real = start.real + (double)i * step.real};
    fill_from_numbers(a, text, numbers, (size_t)length);
    free(numbers);
    return true;
  }

  const struct number size = form == FILL ? p[1] : p[0];
  if (size.integer < 1)
    bad(a, text, "a buffer has at least one element");
  make_room(a, text, (size_t)size.integer);
  const size_t components = (size_t)size.integer * a->type.components;
  if (form == FILL)
    for (size_t i = 0; i < components; i++)
      if (!store(&a->type, component(a, i), p[0]))
        bad(a, text, "the number does not fit the type");
  if (form == RANDOM) {
    const bool real = a->type.kind == ELEMENT_FLOAT;
    if (count == 2)
      bad(a, text, "random takes N, or N,LOW,HIGH, or N,LOW,HIGH,SEED");
    const struct number low = count >= 3 ? p[1] : integer_number(0);
    const struct number high = count >= 3 ? p[2] : integer_number(real ? 1 : 100);
    uint64_t state = count == 4 ? (uint64_t)p[3].integer : 1;
    if (!real && (low.real != trunc(low.real) || high.real != trunc(high.real)))
      bad(a, text, "LOW and HIGH are whole numbers where the type's are");
    if (real ? !(low.real < high.real) : !is_below(low, high))
      bad(a, text, "LOW must be below HIGH");
    for (size_t i = 0; i < components; i++) {
      const uint64_t bits = next_random(&state);
      const uint64_t sum = real ? 0 : (uint64_t)low.integer + bits % ((uint64_t)high.integer - (uint64_t)low.integer);
      struct number n = low.real < 0 ? integer_number((int64_t)sum) : unsigned_number(sum);
      if (real)
        n = (struct number){.is_float = true,
                            .real = low.real + (high.real - low.real) * ((double)(bits >> 11) * 0x1p-53)};
      if (!store(&a->type, component(a, i), n))
        bad(a, text, "LOW or HIGH does not fit the type");
    }
  }
  return true;
}

void parse_argument(struct argument *a, const char *text) {
  const char *rest = text;
  const char *colon = strchr(text, ':');
  if (a->is_image)
    bad(a, text, "heddle run makes no images and no samplers; a program that calls OpenCL does");
  if (a->role == ROLE_LOCAL) {
    if (strncmp(text, "local:", 6) == 0)
      rest = text + 6;
    char *end;
    errno = 0;
    const unsigned long bytes = strtoul(rest, &end, number_base(rest));
    if (*rest < '0' || *rest > '9' || *end || bytes == 0)
      bad(a, text, "local memory is given as local:BYTES");
    if (errno != 0 || bytes > UINT32_MAX)
      bad(a, text, "no device has so much local memory; `heddle info` says how much");
    a->bytes = bytes;
    return;
  }
  if (*text != '@' && colon) {
    if (!parse_type(text, (size_t)(colon - text), &a->type))
      bad(a, text, "the word before the colon is not a type; try int:, uint: or float:");
    rest = colon + 1;
  }
  if (*rest == '@') {
    if (a->type.bytes == 0)
      a->type = (struct element_type){ELEMENT_UNSIGNED, 1, 1};
    parse_file(a, rest + 1);
    return;
  }
  if (a->type.bytes == 0) {
    char why[200];
    snprintf(why, sizeof why, "%s is no number type; name one, as int:..., or give @FILE", a->type_name);
    bad(a, text, why);
  }
  if (!(a->role == ROLE_BUFFER && parse_generator(a, rest)))
    parse_list(a, rest, text);
}

// ---- bytes to text

static void print_number(FILE *stream, const struct element_type *type, const char *at) {
  const struct number n = load(type, at);
  if (type->kind == ELEMENT_FLOAT)
    fprintf(stream, type->bytes == 2 ? "%.5g" : type->bytes == 4 ? "%.9g" : "%.17g", n.real);
  else if (type->kind == ELEMENT_SIGNED)
    fprintf(stream, "%lld", n.integer);
  else
    fprintf(stream, "%llu", (unsigned long long)n.integer);
}

static void print_element(FILE *stream, const struct argument *a, size_t index) {
  if (a->type.components > 1)
    fputc('(', stream);
  for (unsigned c = 0; c < a->type.components; c++) {
    if (c)
      fputc(',', stream);
    print_number(stream, &a->type, component(a, index * a->type.components + c));
  }
  if (a->type.components > 1)
    fputc(')', stream);
}

void print_elements(FILE *stream, const struct argument *a, size_t most) {
  enum { A_LINE = 16 };
  const size_t count = number_of_elements(a), shown = most && most < count ? most : count;
  fprintf(stream, "%s =", a->name);
  for (size_t i = 0; i < shown; i++) {
    if (shown > A_LINE && i % A_LINE == 0)
      fprintf(stream, "\n%8zu: ", i);
    else
      fputc(' ', stream);
    print_element(stream, a, i);
  }
  if (shown < count)
    fprintf(stream, "\n          and %zu more (--print %s shows all, --out %s=FILE saves them)", count - shown, a->name,
            a->name);
  fputc('\n', stream);
}

void save_elements(const struct argument *a, const char *path) {
  if (ends_in(path, ".png")) {
    write_png_file(a, path);
    return;
  }
  FILE *file = fopen(path, "wb");
  if (!file)
    die(EXIT_USAGE, "cannot write %s: %s", path, strerror(errno));
  if (ends_in(path, ".npy")) {
    write_npy(a, path, file);
  } else if (ends_in(path, ".txt") || ends_in(path, ".csv")) {
    // A row of a table is a line; else an element is.
    const bool is_table = ends_in(path, ".csv") && a->dimensions == 2 && a->type.components == 1;
    const size_t row = is_table ? a->shape[1] : a->type.components;
    for (size_t i = 0; i < number_of_elements(a) * a->type.components; i++) {
      print_number(file, &a->type, component(a, i));
      fputc((i + 1) % row != 0 ? ',' : '\n', file);
    }
  } else {
    fwrite(a->data, 1, a->bytes, file);
  }
  const bool failed = ferror(file);
  if (fclose(file) != 0 || failed) {
    heddle_output_file_withdraw(path);
    die(EXIT_USAGE, "cannot write %s: %s", path, strerror(errno));
  }
}
