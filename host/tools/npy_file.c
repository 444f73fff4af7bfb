// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy files as arguments (argument_file.h): format 1.0 to 3.0, little-endian numbers in C order.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/tools/argument_file.h"
#include "host/tools/client.h"

enum { MAGIC_BYTES = 6, MOST_HEADER = 1 << 16, ALIGNMENT = 64, NAME_BYTES = 16 };
static const char magic[MAGIC_BYTES + 1] = "\x93NUMPY";

struct header {
  char kind;  // of the numbers: i, u, f, b
  unsigned bytes;
  size_t shape[MOST_DIMENSIONS];
  unsigned dimensions;
};

// What is behind 'KEY': in the header, which is a Python dictionary of three known keys; NULL: it is not there.
static const char *value_of(const char *text, const char *key) {
  const char *at = strstr(text, key);
  if (!at)
    return NULL;
  at += strlen(key);
  at += strspn(at, " ");
  if (*at++ != ':')
    return NULL;
  return at + strspn(at, " ");
}

static bool read_shape(const char *at, struct header *header) {
  if (*at++ != '(')
    return false;
  for (at += strspn(at, " "); *at != ')'; at += strspn(at, ", ")) {
    char *end;
    errno = 0;
    const unsigned long long size = strtoull(at, &end, 10);
    if (*at < '0' || *at > '9' || errno != 0 || size > SIZE_MAX || header->dimensions == MOST_DIMENSIONS)
      return false;
    header->shape[header->dimensions++] = (size_t)size;
    at = end;
  }
  return true;
}

static struct header parse_header(const char *path, const char *text) {
  struct header header = {0};
  const char *descr = value_of(text, "'descr'"), *order = value_of(text, "'fortran_order'");
  const char *shape = value_of(text, "'shape'");
  if (!descr || !order || !shape || !read_shape(shape, &header))
    die(EXIT_USAGE, "%s: the header of this .npy file cannot be read: \"%.60s\"", path, text);
  char byte_order;
  if (sscanf(descr, "'%c%c%u'", &byte_order, &header.kind, &header.bytes) != 3 || !strchr("iufb", header.kind))
    die(EXIT_USAGE, "%s holds %.20s, which no kernel takes: convert it with NumPy's astype", path, descr);
  if (byte_order == '>')
    die(EXIT_USAGE, "%s holds big-endian numbers: save a.astype(a.dtype.newbyteorder('<'))", path);
  if (strncmp(order, "False", 5) != 0 && header.dimensions > 1)
    die(EXIT_USAGE, "%s is in Fortran's order: save numpy.ascontiguousarray of it", path);
  return header;
}

static char letter_of(enum element_kind kind) {
  return kind == ELEMENT_FLOAT ? 'f' : kind == ELEMENT_SIGNED ? 'i' : 'u';
}

// A type as NumPy calls it; b stands for numbers of one byte without a sign.
static void numpy_name(char letter, unsigned bytes, char text[NAME_BYTES]) {
  snprintf(text, NAME_BYTES, "%s%u", letter == 'f' ? "float" : letter == 'i' ? "int" : "uint", 8 * bytes);
}

static void check_type(const struct argument *a, const char *path, const struct header *header) {
  const bool is_truth = header->kind == 'b' && a->type.kind != ELEMENT_FLOAT;
  char wanted[NAME_BYTES], there[NAME_BYTES];
  numpy_name(letter_of(a->type.kind), a->type.bytes, wanted);
  numpy_name(header->kind, header->bytes, there);
  if (header->bytes != a->type.bytes || (header->kind != letter_of(a->type.kind) && !is_truth))
    die(EXIT_USAGE, "argument %s: %s holds %s, the kernel takes %s: convert it with astype(\"%s\")", a->name, path,
        there, a->type_name, wanted);
}

void read_npy(struct argument *a, const char *path) {
  size_t bytes;
  char *file = read_file_up_to(path, a->most_bytes + MOST_HEADER, &bytes);
  const unsigned char *start = (const unsigned char *)file;
  if (bytes < MAGIC_BYTES + 4 || memcmp(file, magic, MAGIC_BYTES) != 0)
    die(EXIT_USAGE, "%s is no .npy file: its first bytes are not NumPy's", path);
  const unsigned version = start[MAGIC_BYTES];
  if (version < 1 || version > 3 || start[MAGIC_BYTES + 1] != 0)
    die(EXIT_USAGE, "%s has version %u.%u of the .npy format; 1.0, 2.0 and 3.0 are known", path, version,
        start[MAGIC_BYTES + 1]);
  const bool is_first = version == 1;
  const size_t length_bytes = is_first ? 2 : 4;
  size_t header_bytes = 0;
  if (bytes < MAGIC_BYTES + 2 + length_bytes)
    die(EXIT_USAGE, "%s is cut off in its header", path);
  for (size_t i = 0; i < length_bytes; i++)
    header_bytes |= (size_t)start[MAGIC_BYTES + 2 + i] << (8 * i);
  const size_t first = MAGIC_BYTES + 2 + length_bytes;
  if (header_bytes > MOST_HEADER || header_bytes > bytes - first)
    die(EXIT_USAGE, "%s is cut off in its header", path);
  char *text = allocate(header_bytes + 1);
  memcpy(text, file + first, header_bytes);
  const struct header header = parse_header(path, text);
  free(text);
  check_type(a, path, &header);

  size_t numbers = 1;
  for (unsigned i = 0; i < header.dimensions; i++)
    if (__builtin_mul_overflow(numbers, header.shape[i], &numbers))
      die(EXIT_USAGE, "%s: its shape is too large", path);
  const size_t there = bytes - first - header_bytes;
  if (numbers > there / header.bytes || numbers * header.bytes != there)
    die(EXIT_USAGE,
        "%s has %zu bytes of numbers where its shape asks for %zu of %u bytes each: it is cut off or longer", path,
        there, numbers, header.bytes);
  take_numbers(a, path, file + first + header_bytes, numbers);
  // Of a vector the last dimension is its components.
  a->dimensions = header.dimensions;
  memcpy(a->shape, header.shape, sizeof a->shape);
  if (a->type.components > 1 && a->dimensions > 0) {
    if (a->dimensions > 1 && a->shape[a->dimensions - 1] != a->type.components)
      die(EXIT_USAGE, "argument %s: the last dimension of %s is %zu, the kernel's %s has %u components", a->name, path,
          a->shape[a->dimensions - 1], a->type_name, a->type.components);
    if (a->dimensions == 1)
      a->shape[0] /= a->type.components;
    else
      a->dimensions--;
  }
  free(file);
}

void write_npy(const struct argument *a, const char *path, FILE *file) {
  char shape[32 * (MOST_DIMENSIONS + 1)] = "";
  size_t used = 0;
  const unsigned dimensions = a->dimensions ? a->dimensions : 1;
  for (unsigned i = 0; i < dimensions; i++)
    used += (size_t)snprintf(shape + used, sizeof shape - used, "%zu, ",
                             a->dimensions ? a->shape[i] : number_of_elements(a));
  if (a->type.components > 1)
    snprintf(shape + used, sizeof shape - used, "%u, ", a->type.components);
  char text[sizeof shape + 128];
  const int length = snprintf(text, sizeof text, "{'descr': '%s%c%u', 'fortran_order': False, 'shape': (%s), }",
                              a->type.bytes == 1 ? "|" : "<", letter_of(a->type.kind), a->type.bytes, shape);
  // The numbers begin at a multiple of 64 bytes.
  const size_t before = MAGIC_BYTES + 4 + (size_t)length + 1;
  const size_t padding = (ALIGNMENT - before % ALIGNMENT) % ALIGNMENT, header = (size_t)length + 1 + padding;
  if (header > UINT16_MAX)
    die(EXIT_USAGE, "cannot write %s: its shape is too long", path);
  fwrite(magic, 1, MAGIC_BYTES, file);
  const unsigned char rest[] = {1, 0, (unsigned char)header, (unsigned char)(header >> 8)};
  fwrite(rest, 1, sizeof rest, file);
  fprintf(file, "%s%*s\n", text, (int)padding, "");
  for (size_t i = 0; i < number_of_elements(a) * a->type.components; i++)
    fwrite(component(a, i), 1, a->type.bytes, file);
}
