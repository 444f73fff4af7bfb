// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/device.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "contract/argument.h"
#include "contract/device_map.h"
#include "contract/image.h"
#include "contract/image_format.h"
#include "contract/sim.h"
#include "sim/model/device.h"
#include "tests/hls/kernel_file_reader.h"

enum {
  DISPATCH = 0x00800000,
  PACKET = DISPATCH + 64,
  BUFFERS = 0x01000000,
  PRIVATE = 0x06000000,
  GLOBAL_BYTES = 0x08000000,
  LANES = 8,
  SLOTS = 16,
  RTL_SLOTS = 32,
  PRIVATE_LOG2 = 14,
};

// The golden model, or the Verilated device that HEDDLE_TEST_RTL names.
static const struct heddle_sim_api *chosen_api(void) {
  const char *path = getenv("HEDDLE_TEST_RTL");
  if (!path)
    return heddle_model_api();
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  cr_assert(library, "%s", dlerror());
  const struct heddle_sim_api *(*api)(void) = NULL;
  *(void **)&api = dlsym(library, HEDDLE_SIM_SYMBOL);
  cr_assert(api, "%s is no device", path);
  return api();
}

struct machine {
  const struct heddle_sim_api *api;
  void *device;
};

static void put(struct machine *m, uint32_t address, const void *data, size_t bytes) {
  cr_assert_eq(m->api->write(m->device, address, data, bytes), 0, "write of %zu bytes at %x", bytes, address);
}

static void put_word(struct machine *m, uint32_t address, uint32_t value) {
  put(m, address, &value, 4);
}

static uint32_t get_word(struct machine *m, uint32_t address) {
  uint32_t value;
  cr_assert_eq(m->api->read(m->device, address, &value, 4), 0);
  return value;
}

static void control(struct machine *m, uint32_t reg, uint32_t value) {
  put_word(m, HEDDLE_CONTROL_BASE + reg, value);
}

static void load_image(struct machine *m, const struct kernel_file *file) {
  for (int i = 0; i < file->header->e_phnum; i++) {
    const Elf32_Phdr *segment = &file->segments[i];
    if (segment->p_type == PT_LOAD)
      put(m, DEVICE_IMAGE + segment->p_vaddr, file->bytes + segment->p_offset, segment->p_filesz);
  }
  const Elf32_Shdr *relocations = kernel_file_section(file, ".rela.dyn");
  for (size_t i = 0; relocations && i < relocations->sh_size / sizeof(Elf32_Rela); i++) {
    const Elf32_Rela *one = (const Elf32_Rela *)(file->bytes + relocations->sh_offset) + i;
    cr_assert_eq(ELF32_R_TYPE(one->r_info), R_RISCV_RELATIVE);
    put_word(m, DEVICE_IMAGE + one->r_offset, DEVICE_IMAGE + (uint32_t)one->r_addend);
  }
}

// The pixels of an image at an address, and behind them its descriptor, whose address this returns.
static uint32_t put_image(struct machine *m, uint32_t address, const struct image *image) {
  struct heddle_image_format format;
  cr_assert(heddle_image_format(image->order, image->type, &format), "format %x, %x", image->order, image->type);
  const uint32_t words[HEDDLE_IMAGE_WORDS] = {
      [HEDDLE_IMAGE_ADDRESS] = address,
      [HEDDLE_IMAGE_WIDTH] = image->width != 0 ? image->width : 1,
      [HEDDLE_IMAGE_HEIGHT] = image->height != 0 ? image->height : 1,
      [HEDDLE_IMAGE_DEPTH] = image->depth != 0 ? image->depth : 1,
      [HEDDLE_IMAGE_ARRAY_SIZE] = image->array_size != 0 ? image->array_size : 1,
      [HEDDLE_IMAGE_ROW_PITCH] = image->row_pitch,
      [HEDDLE_IMAGE_SLICE_PITCH] = image->slice_pitch,
      [HEDDLE_IMAGE_PAIR_ROW] = image->height > 1 ? image->height - 2 : 0,
      [HEDDLE_IMAGE_NEXT_ROW] = image->height > 1 ? image->row_pitch : 0,
      [HEDDLE_IMAGE_ORDER] = image->order,
      [HEDDLE_IMAGE_TYPE] = image->type,
      [HEDDLE_IMAGE_PIXEL_SHIFT] = format.pixel_shift,
      [HEDDLE_IMAGE_FORM] = heddle_image_form(&format, image->width),
      [HEDDLE_IMAGE_READING] = format.reading,
  };
  const uint32_t descriptor =
      address + (uint32_t)(image->pixels.bytes + HEDDLE_IMAGE_BYTES - 1) / HEDDLE_IMAGE_BYTES * HEDDLE_IMAGE_BYTES;
  put(m, address, image->pixels.data, image->pixels.bytes);
  put(m, descriptor, words, sizeof words);
  return descriptor;
}

static uint32_t next_page(uint32_t address, size_t bytes) {
  return address + (uint32_t)(bytes + 4095) / 4096 * 4096;
}

void run_kernel(const struct result *compiled, const struct dispatch *dispatch) {
  struct kernel_file file = kernel_file_open(compiled->bytes, compiled->size);
  const uint32_t *note = kernel_file_note(&file, dispatch->kernel);
  const char *error = NULL;
  struct machine m = {.api = chosen_api()};
  const bool is_model = m.api == heddle_model_api();
  m.device = m.api->create(
      &(struct heddle_sim_config){
          .lanes = LANES, .slots = is_model ? SLOTS : RTL_SLOTS, .global_bytes = is_model ? GLOBAL_BYTES : 0},
      &error);
  cr_assert_not_null(m.device, "%s", error);
  if (is_model) {
    ((struct model_device *)m.device)->clock = dispatch->clock;
    heddle_model_set_trace(m.device, dispatch->trace, dispatch->trace_user);
    heddle_model_set_sc_choice(m.device, dispatch->choose_sc, dispatch->choose_sc_user);
  }
  load_image(&m, &file);

  uint32_t sub_group_size = dispatch->sub_group_size != 0 ? dispatch->sub_group_size : LANES;
  uint32_t log2 = 0;
  while (1u << log2 < sub_group_size)
    log2++;
  uint32_t items = 1;
  put_word(&m, PACKET, 3);
  for (uint32_t d = 0; d < 3; d++) {
    uint32_t global = dispatch->global[d] != 0 ? dispatch->global[d] : 1;
    uint32_t local = dispatch->local[d] != 0 ? dispatch->local[d] : 1;
    items *= local;
    put_word(&m, PACKET + 4 * (HEDDLE_PACKET_GLOBAL_SIZE + d), global);
    put_word(&m, PACKET + 4 * (HEDDLE_PACKET_GLOBAL_OFFSET + d), dispatch->offset[d]);
    put_word(&m, PACKET + 4 * (HEDDLE_PACKET_LOCAL_SIZE + d), local);
    put_word(&m, PACKET + 4 * (HEDDLE_PACKET_NUM_GROUPS + d), (global + local - 1) / local);
  }
  put_word(&m, PACKET + 4 * HEDDLE_PACKET_NUM_SUB_GROUPS, (items + sub_group_size - 1) / sub_group_size);
  put_word(&m, PACKET + 4 * HEDDLE_PACKET_MAX_SUB_GROUP_SIZE, sub_group_size);

  uint32_t addresses[8] = {0}, next = BUFFERS, local_bytes = (note[3] + 127) / 128 * 128;
  uint32_t image_addresses[4] = {0};
  uint32_t buffer = 0, value = 0, image = 0;
  for (uint32_t i = 0; i < note[12]; i++) {
    const uint32_t *argument = note_argument(note, i);
    uint32_t word;
    if (argument[6] == HEDDLE_BY_VALUE || argument[6] == HEDDLE_SAMPLER) {
      word = dispatch->values[value++];
    } else if (argument[6] == HEDDLE_IMAGE) {
      image_addresses[image] = next;
      word = put_image(&m, next, &dispatch->images[image]);
      next = next_page(next, dispatch->images[image++].pixels.bytes + 2 * HEDDLE_IMAGE_BYTES);
    } else if (argument[3] == 3) {
      word = HEDDLE_LOCAL_BASE + local_bytes;
      local_bytes += (dispatch->local_argument_bytes + 127) / 128 * 128;
    } else {
      word = addresses[buffer] = next;
      put(&m, next, dispatch->buffers[buffer].data, dispatch->buffers[buffer].bytes);
      next = next_page(next, dispatch->buffers[buffer++].bytes);
    }
    put(&m, PACKET + 64 + argument[0], &word, argument[1] < 4 ? argument[1] : 4);
  }

  const uint32_t words[] = {[HEDDLE_DISPATCH_ENTRY] = DEVICE_IMAGE + note[1],
                            [HEDDLE_DISPATCH_SUB_GROUP_LOG2] = log2,
                            [HEDDLE_DISPATCH_LOCAL_BYTES] = local_bytes,
                            [HEDDLE_DISPATCH_PRIVATE_BASE] = PRIVATE,
                            [HEDDLE_DISPATCH_PRIVATE_LOG2] = PRIVATE_LOG2};
  put(&m, DISPATCH, words, sizeof words);
  control(&m, HEDDLE_REG_DISPATCH, DISPATCH);
  control(&m, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_START);
  cr_assert_eq(m.api->run(m.device, 2000000000ull), 1, "kernel %s does not end", dispatch->kernel);
  uint32_t reason = get_word(&m, HEDDLE_CONTROL_BASE + HEDDLE_REG_FAULT_REASON);
  if ((get_word(&m, HEDDLE_CONTROL_BASE + HEDDLE_REG_STATUS) & HEDDLE_STATUS_FAULT) != 0) {
    cr_assert_fail("kernel %s: fault %u at image offset %x, address %x", dispatch->kernel, reason,
                   get_word(&m, HEDDLE_CONTROL_BASE + HEDDLE_REG_FAULT_PC) - DEVICE_IMAGE,
                   get_word(&m, HEDDLE_CONTROL_BASE + HEDDLE_REG_FAULT_ADDRESS));
  }
  if (dispatch->counters) {
    dispatch->counters->cycles = get_word(&m, HEDDLE_CONTROL_BASE + HEDDLE_REG_CYCLES);
    dispatch->counters->issues = get_word(&m, HEDDLE_CONTROL_BASE + HEDDLE_REG_ISSUES);
  }
  for (uint32_t i = 0; i < buffer; i++)
    cr_assert_eq(m.api->read(m.device, addresses[i], dispatch->buffers[i].data, dispatch->buffers[i].bytes), 0);
  for (uint32_t i = 0; i < image; i++) {
    const struct buffer *pixels = &dispatch->images[i].pixels;
    cr_assert_eq(m.api->read(m.device, image_addresses[i], pixels->data, pixels->bytes), 0);
  }
  m.api->destroy(m.device);
}
