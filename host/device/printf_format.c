// SPDX-License-Identifier: Apache-2.0
// One conversion at a time is done by the C library's snprintf, with a specification that is made anew from what was
// understood of the kernel's (printf_format.h).
#include "host/device/printf_format.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "contract/device_map.h"
#include "contract/half.h"

// Width and precision: C asks for at least so many characters of one conversion. More is refused, so that no kernel
// file has the host make room for gigabytes.
enum { NUMBER_MAX = 4095, FLAGS = 5, NO_PRECISION = -1 };

enum length { LENGTH_NONE, LENGTH_HH, LENGTH_H, LENGTH_HL, LENGTH_L };

// %[flags][width][.precision][vN][length]conversion
struct specification {
  char flags[FLAGS + 1];
  int width;          // 0: none
  int precision;      // NO_PRECISION: none
  unsigned elements;  // 0: no vector
  enum length length;
  char conversion;
};

static bool is_one_of(char c, const char *characters) {
  return c != 0 && strchr(characters, c);
}

// A decimal number from the front of *at, which moves on; 0 where there is none. False: it is too large.
static bool read_number(const char **at, int *number) {
  for (*number = 0; **at >= '0' && **at <= '9'; (*at)++) {
    *number = *number * 10 + (**at - '0');
    if (*number > NUMBER_MAX)
      return false;
  }
  return true;
}

static bool read_vector(const char **at, unsigned *elements) {
  int number;
  *elements = 0;
  if (**at != 'v')
    return true;
  (*at)++;
  if (!read_number(at, &number))
    return false;
  *elements = (unsigned)number;
  return number == 2 || number == 3 || number == 4 || number == 8 || number == 16;
}

static enum length read_length(const char **at) {
  static const struct {
    const char *text;
    enum length length;
  } lengths[] = {{"hh", LENGTH_HH}, {"hl", LENGTH_HL}, {"h", LENGTH_H}, {"l", LENGTH_L}};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    const size_t count = strlen(lengths[i].text);
    if (strncmp(*at, lengths[i].text, count) == 0) {
      *at += count;
      return lengths[i].length;
    }
  }
  return LENGTH_NONE;
}

// Whether the parts go together. hl is of vectors only; c, s and p have neither vectors nor lengths.
static bool is_sound(const struct specification *spec) {
  if (is_one_of(spec->conversion, "diouxX"))
    return spec->length != LENGTH_HL || spec->elements != 0;
  if (is_one_of(spec->conversion, "fFeEgGaA"))
    return spec->length == LENGTH_NONE || spec->length == LENGTH_L ||
           (spec->elements != 0 && spec->length != LENGTH_HH);
  return is_one_of(spec->conversion, "csp") && spec->elements == 0 && spec->length == LENGTH_NONE;
}

// Reads what follows a % from *at, which moves behind it. False: it is no specification, and *at is anywhere in it.
static bool read_specification(const char **at, struct specification *spec) {
  size_t flags = 0;
  *spec = (struct specification){.precision = NO_PRECISION};
  for (; is_one_of(**at, "-+ #0"); (*at)++)
    if (!strchr(spec->flags, **at))
      spec->flags[flags++] = **at;
  if (!read_number(at, &spec->width))
    return false;
  if (**at == '.') {
    (*at)++;
    if (!read_number(at, &spec->precision))
      return false;
  }
  if (!read_vector(at, &spec->elements))
    return false;
  spec->length = read_length(at);
  spec->conversion = **at;
  if (!is_sound(spec))
    return false;
  (*at)++;
  return true;
}

static bool fits(const struct specification *spec, const struct heddle_printf_value *value) {
  const uint8_t kind = is_one_of(spec->conversion, "sp")        ? HEDDLE_PRINTF_POINTER
                       : is_one_of(spec->conversion, "diouxXc") ? HEDDLE_PRINTF_INTEGER
                                                                : HEDDLE_PRINTF_FLOAT;
  return value->kind == kind && value->count == (spec->elements ? spec->elements : 1);
}

static uint64_t element_at(const uint8_t *at, unsigned bytes) {
  uint64_t element = 0;
  for (unsigned i = 0; i < bytes; i++)
    element |= (uint64_t)at[i] << (8 * i);
  return element;
}

static double float_element(uint64_t element, unsigned bytes) {
  const uint32_t word = (uint32_t)element;
  float single;
  double value;
  if (bytes == 2)
    return heddle_half_value((uint16_t)element);
  memcpy(&single, &word, sizeof single);
  memcpy(&value, &element, sizeof value);
  return bytes == 4 ? (double)single : value;
}

// The low `bytes` of an element, as a number of that size.
static int64_t as_signed(uint64_t element, unsigned bytes) {
  const unsigned unused = 64 - 8 * bytes;
  return (int64_t)(element << unused) >> unused;
}

static uint64_t as_unsigned(uint64_t element, unsigned bytes) {
  const unsigned unused = 64 - 8 * bytes;
  return element << unused >> unused;
}

// Bytes of the type that the specification names. Of a vector without a length, of its elements.
static unsigned bytes_of(enum length length, const struct heddle_printf_value *value) {
  static const uint8_t bytes[] = {[LENGTH_HH] = 1, [LENGTH_H] = 2, [LENGTH_HL] = 4, [LENGTH_L] = 8};
  return length != LENGTH_NONE ? bytes[length] : value->count > 1 ? value->bytes : 4;
}

// Adds what snprintf makes of one value: width, precision (negative: none), the value. `length` is the C library's.
static bool add_converted(struct heddle_text *text, const struct specification *spec, const char *length, ...) {
  char how[FLAGS + 8];
  snprintf(how, sizeof how, "%%%s*.*%s%c", spec->flags, length, spec->conversion);
  va_list values, again;
  va_start(values, length);
  va_copy(again, values);
  const int count = vsnprintf(NULL, 0, how, values);
  char *start = count < 0 ? NULL : heddle_text_extend(text, (size_t)count + 1);
  if (start) {
    vsnprintf(start, (size_t)count + 1, how, again);
    text->count--;  // the zero behind it
  }
  va_end(again);
  va_end(values);
  return start;
}

static bool add_element(struct heddle_text *text, const struct specification *spec,
                        const struct heddle_printf_value *value, uint64_t element) {
  if (value->kind == HEDDLE_PRINTF_FLOAT)
    return add_converted(text, spec, "", spec->width, spec->precision, float_element(element, value->bytes));
  const unsigned bytes = bytes_of(spec->length, value);
  if (is_one_of(spec->conversion, "di"))
    return add_converted(text, spec, "ll", spec->width, spec->precision,
                         (long long)as_signed((uint64_t)as_signed(element, value->bytes), bytes));
  return add_converted(text, spec, "ll", spec->width, spec->precision, (unsigned long long)as_unsigned(element, bytes));
}

// c, s and p: of the flags C gives them only -, and a precision only s.
static bool add_plain(struct heddle_text *text, struct specification *spec, uint64_t element,
                      heddle_printf_string *string, void *user) {
  const bool to_the_left = strchr(spec->flags, '-');
  strcpy(spec->flags, to_the_left ? "-" : "");
  if (spec->conversion != 's')
    spec->precision = NO_PRECISION;
  if (spec->conversion == 'c')
    return add_converted(text, spec, "", spec->width, spec->precision, (int)(unsigned char)element);
  if (spec->conversion == 'p')
    return add_converted(text, spec, "", spec->width, spec->precision, (void *)(uintptr_t)element);
  const char *found = string(user, (uint32_t)element);
  return add_converted(text, spec, "", spec->width, spec->precision,
                       found          ? found
                       : element == 0 ? "(null)"
                                      : "(no string literal)");
}

static bool convert(struct heddle_text *text, struct specification *spec, const struct heddle_printf_value *value,
                    const uint8_t *record, heddle_printf_string *string, void *user) {
  const uint8_t *at = record + value->offset;
  if (is_one_of(spec->conversion, "csp"))
    return add_plain(text, spec, element_at(at, value->bytes), string, user);
  bool added = true;
  for (unsigned i = 0; i < value->count && added; i++)
    added = (i == 0 || heddle_text_add(text, ",", 1)) &&
            add_element(text, spec, value, element_at(at + (size_t)i * value->bytes, value->bytes));
  return added;
}

bool heddle_printf_format(struct heddle_text *text, const char *format, const struct heddle_printf_layout *layout,
                          const uint8_t *record, heddle_printf_string *string, void *user) {
  uint32_t next = 0;
  bool added = true;
  while (*format != 0 && added) {
    const size_t plain = strcspn(format, "%");
    if (plain != 0) {
      added = heddle_text_add(text, format, plain);
      format += plain;
      continue;
    }
    const char *start = format++;
    struct specification spec;
    if (*format == '%') {
      added = heddle_text_add(text, format++, 1);
    } else if (read_specification(&format, &spec) && next < layout->num_values && fits(&spec, &layout->values[next])) {
      added = convert(text, &spec, &layout->values[next++], record, string, user);
    } else {
      // What was read of it stays; an argument of another kind is passed over with it.
      next += is_one_of(spec.conversion, "diouxXfFeEgGaAcsp");
      added = heddle_text_add(text, start, (size_t)(format - start));
    }
  }
  return added;
}
