// SPDX-License-Identifier: Apache-2.0
// What an OpenCL program is promised of a board on USB, at both packet sizes: results, whatever the endpoints do;
// boards that come and go, under load too; and boards that cannot be used. libheddle.so and libusb are as they are
// installed; usb_bed.h stands for the kernel and the board.
#include "host/transport/usb.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/transport/frames.h"
#include "tests/opencl/harness.h"
#include "tests/transport/board_checks.h"
#include "tests/transport/usb_bed.h"

enum { FULL_SPEED = 64, HIGH_SPEED = 512 };

static void plug_in(enum usb_bed_board board, unsigned packet_bytes) {
  usb_bed_create(board, packet_bytes);
  usb_bed_plug();
  setenv("HEDDLE_TEST_DEVICE", "board", 1);
}

// ---- Results

static void expect_results(unsigned packet_bytes) {
  plug_in(USB_BED_MODEL, packet_bytes);
  expect_scan(1024);
  expect_words_back(65536);
  const struct usb_bed_figures figures = usb_bed_figures();
  cr_assert(figures.most_packet == packet_bytes, "the longest packet had %llu bytes",
            (unsigned long long)figures.most_packet);
}

Test(usb, runs_collectives_at_full_speed) {
  expect_results(FULL_SPEED);
}

Test(usb, runs_collectives_at_high_speed) {
  expect_results(HIGH_SPEED);
}

Test(usb, runs_collectives_on_the_verilated_device) {
  plug_in(USB_BED_VERILATED, FULL_SPEED);
  expect_scan(64);
}

Test(usb, reports_a_fault_and_runs_the_next_kernel) {
  plug_in(USB_BED_MODEL, FULL_SPEED);
  expect_fault();
  expect_scan(64);
}

// ---- Trouble at the endpoints

// Everything is right although this happens, all of it. Returns what happened.
static struct usb_bed_figures expect_results_in(const struct usb_bed_trouble *trouble, unsigned packet_bytes) {
  plug_in(USB_BED_MODEL, packet_bytes);
  expect_scan(8);
  usb_bed_trouble(trouble);
  expect_words_back(16384);
  expect_scan(64);
  const struct usb_bed_trouble left = usb_bed_trouble_left();
  cr_assert(left.stall_in == 0 && left.stall_out == 0 && left.babble == 0 && left.protocol == 0,
            "not all of it happened: %d %d %d %d", left.stall_in, left.stall_out, left.babble, left.protocol);
  return usb_bed_figures();
}

#define AT_BOTH_SPEEDS(name, expression) \
  Test(usb, name##_at_full_speed) {      \
    const unsigned speed = FULL_SPEED;   \
    expression;                          \
  }                                      \
  Test(usb, name##_at_high_speed) {      \
    const unsigned speed = HIGH_SPEED;   \
    expression;                          \
  }

static void expect_halts_answered(const struct usb_bed_trouble *trouble, unsigned speed, unsigned halts) {
  const struct usb_bed_figures figures = expect_results_in(trouble, speed);
  cr_assert(figures.halts_cleared >= halts, "%llu halts were cleared, at least %u are expected",
            (unsigned long long)figures.halts_cleared, halts);
}

AT_BOTH_SPEEDS(clears_stalls_from_the_board, expect_halts_answered(&(struct usb_bed_trouble){.stall_in = 3}, speed, 3))
AT_BOTH_SPEEDS(clears_stalls_to_the_board, expect_halts_answered(&(struct usb_bed_trouble){.stall_out = 3}, speed, 3))
AT_BOTH_SPEEDS(loses_nothing_when_the_board_babbles, expect_results_in(&(struct usb_bed_trouble){.babble = 3}, speed))
AT_BOTH_SPEEDS(loses_nothing_to_errors_on_the_wire, expect_results_in(&(struct usb_bed_trouble){.protocol = 3}, speed))
AT_BOTH_SPEEDS(takes_packets_of_any_length, expect_results_in(&(struct usb_bed_trouble){.short_packets = 1}, speed))

// A board that does not end a transfer leaves bytes in it, which are taken by cancelling it.
static void expect_unended_taken(unsigned speed) {
  struct usb_bed_figures figures = expect_results_in(&(struct usb_bed_trouble){.no_empty_packet = 1}, speed);
  // Whether any answer so far came alone and ended with a full packet is a matter of time. One with 47 bytes is a
  // packet.
  for (int i = 0; i < 100 && speed == FULL_SPEED && figures.unended == 0; i++) {
    uint8_t bytes[47] = {(uint8_t)i}, back[sizeof bytes] = {0};
    cl_mem buffer = buffer_with(bytes, sizeof bytes);
    EXPECT_SUCCESS(clEnqueueMigrateMemObjects(harness()->queue, 1, &buffer, 0, 0, NULL, NULL));
    read_buffer(buffer, back, sizeof back);
    cr_assert(memcmp(bytes, back, sizeof back) == 0);
    figures = usb_bed_figures();
  }
  cr_assert(figures.unended == 0 || figures.cancelled > 0);
  cr_assert(figures.unended > 0 || speed != FULL_SPEED, "it did not happen");
}
AT_BOTH_SPEEDS(takes_what_a_board_does_not_end, expect_unended_taken(speed))

// Each byte that is sent comes to the board once, also of a transfer that it takes in four pieces. Frames would mend
// what comes twice, so the bytes are counted, below OpenCL.
static void expect_each_byte_once(unsigned speed) {
  enum { BYTES = 8192, PIECES = 3, MOST_READS = 16 };
  static uint8_t data[BYTES], back[BYTES];
  struct heddle_bus_location place;
  struct heddle_link link;
  struct heddle_error error;
  struct heddle_frames_figures sent;
  usb_bed_create(USB_BED_MODEL, speed);
  usb_bed_plug();
  cr_assert(heddle_usb_list(&place, 1) == 1);
  cr_assert(heddle_usb_open(&place, &link, &error) == 0, "%s", error.text);
  for (size_t i = 0; i < BYTES; i++)
    data[i] = (uint8_t)(i * 31 + i / 256);
  usb_bed_trouble(&(struct usb_bed_trouble){.break_out = PIECES});
  cr_assert(link.transport->write(link.state, 0x2000, data, BYTES) == 0);
  cr_assert(usb_bed_trouble_left().break_out == 0, "the transfers were too short");
  uint64_t come = 0;
  // What is sent last, when the board is slow, is on its way until another answer comes.
  for (int i = 0; i < MOST_READS && (i == 0 || come < sent.sent); i++) {
    cr_assert(link.transport->read(link.state, 0x2000, back, BYTES) == 0);
    cr_assert(memcmp(back, data, BYTES) == 0);
    heddle_frames_figures(&link, &sent);
    come = usb_bed_figures().bytes_to_board;
  }
  cr_assert(come == sent.sent, "%llu bytes came to the board, %llu were sent", (unsigned long long)come,
            (unsigned long long)sent.sent);
  link.transport->close(link.state);
}
AT_BOTH_SPEEDS(brings_each_byte_once_to_a_board_that_takes_pieces, expect_each_byte_once(speed))

static void expect_gone(const struct usb_bed_trouble *trouble) {
  uint32_t words[256] = {0};
  plug_in(USB_BED_MODEL, FULL_SPEED);
  expect_scan(8);
  cl_mem buffer = buffer_with(NULL, sizeof words);
  read_buffer(buffer, words, sizeof words);
  usb_bed_trouble(trouble);
  for (int i = 0; i < 2; i++)
    EXPECT_CODE(CL_DEVICE_NOT_AVAILABLE,
                clEnqueueWriteBuffer(harness()->queue, buffer, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL));
}

Test(usb, board_that_falls_silent_is_gone, .timeout = 60) {
  expect_gone(&(struct usb_bed_trouble){.deaf = 1});
}

Test(usb, board_that_stalls_for_ever_is_gone, .timeout = 60) {
  expect_gone(&(struct usb_bed_trouble){.stall_out = 1 << 30});
}

Test(usb, board_that_only_babbles_is_gone, .timeout = 60) {
  expect_gone(&(struct usb_bed_trouble){.babble = 1 << 30});
}

// (Calls the transport itself: OpenCL closes a board that is there only when the process ends.)
Test(usb, closing_cancels_what_waits_and_gives_the_board_back) {
  struct heddle_bus_location place;
  struct heddle_link link;
  struct heddle_error error;
  uint32_t word = 0;
  usb_bed_create(USB_BED_MODEL, FULL_SPEED);
  usb_bed_plug();
  cr_assert(heddle_usb_list(&place, 1) == 1);
  for (int i = 0; i < 3; i++) {
    cr_assert(heddle_usb_open(&place, &link, &error) == 0, "%s", error.text);
    cr_assert(link.transport->read(link.state, 0x2000, &word, sizeof word) == 0);
    cr_assert(usb_bed_figures().in_flight > 0 && usb_bed_figures().claimed == 1);
    link.transport->close(link.state);
    cr_assert(usb_bed_figures().in_flight == 0 && usb_bed_figures().claimed == 0);
  }
}

// ---- Boards that come and go

Test(usb, board_is_there_when_it_is_plugged_in_and_not_before) {
  cl_device_id devices[32], board;
  usb_bed_create(USB_BED_MODEL, FULL_SPEED);
  const cl_uint without = devices_now(devices);
  usb_bed_plug();
  cr_assert(devices_now(devices) == without + 1);
  board = board_now();
  cr_assert(is_available(board) && board_now() == board);
  usb_bed_unplug();
  cr_assert(devices_now(devices) == without && !is_called(devices[0], "Heddle board on USB"));
  cr_assert(!is_available(board));
  usb_bed_plug();
  cr_assert(devices_now(devices) == without + 1 && is_available(board_now()));
}

Test(usb, board_that_goes_ends_its_events_and_later_calls, .timeout = 60) {
  plug_in(USB_BED_MODEL, FULL_SPEED);
  const cl_mem buffer = buffer_with(NULL, 4);
  const int word = 0;
  cl_int error;
  expect_events_to_end(build(spin_source, "-cl-std=CL3.0"), usb_bed_unplug);
  // Plugged in again it is another device; contexts of the one that went stay as they are.
  usb_bed_plug();
  cl_device_id again = board_now();
  cr_assert(again != harness()->device && is_available(again) && !is_available(harness()->device));
  EXPECT_CODE(CL_DEVICE_NOT_AVAILABLE,
              clEnqueueWriteBuffer(harness()->queue, buffer, CL_TRUE, 0, 4, &word, 0, NULL, NULL));
  cr_assert(!clCreateContext(NULL, 1, &harness()->device, NULL, NULL, &error));
  EXPECT_CODE(CL_DEVICE_NOT_AVAILABLE, error);
}

// ---- Boards that cannot be used

Test(usb, board_in_use_says_by_whom_and_is_there_when_it_is_free) {
  char holder[64];
  plug_in(USB_BED_MODEL, FULL_SPEED);
  const int file = open(usb_bed_file(), O_RDWR | O_NONBLOCK);
  cr_assert(file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0);
  snprintf(holder, sizeof holder, "is in use by process %ld", (long)getpid());
  expect_unavailable(holder);
  close(file);
  cr_assert(is_available(board_now()));
}

// Such as a program of libusb that is not ours, which takes no lock.
Test(usb, board_that_another_program_has_claimed_says_which) {
  char holder[64];
  int ready[2], end[2];
  plug_in(USB_BED_MODEL, FULL_SPEED);
  usb_bed_claim();
  cr_assert(pipe(ready) == 0 && pipe(end) == 0);
  const pid_t other = fork();
  if (other == 0) {
    char byte = 0;
    close(end[1]);
    const int file = open(usb_bed_file(), O_RDWR | O_NONBLOCK);
    _exit(file < 0 || write(ready[1], &byte, 1) != 1 || read(end[0], &byte, 1) != 0);
  }
  char byte;
  cr_assert(other > 0 && read(ready[0], &byte, 1) == 1);
  snprintf(holder, sizeof holder, "is in use by process %ld", (long)other);
  expect_unavailable(holder);
  close(end[1]);
  cr_assert(waitpid(other, NULL, 0) == other);
}

// What the library and this program load comes through here.
static bool without_libusb;
void *dlopen(const char *file, int mode);
void *dlopen(const char *file, int mode) {
  void *(*next)(const char *, int);
  *(void **)&next = dlsym(RTLD_NEXT, "dlopen");
  return next(file && without_libusb && strncmp(file, "libusb", 6) == 0 ? "libusb-that-is-not-there.so" : file, mode);
}

Test(usb, without_libusb_boards_say_what_is_missing_and_other_devices_work) {
  cl_device_id devices[32];
  without_libusb = true;
  plug_in(USB_BED_MODEL, FULL_SPEED);
  expect_unavailable("boards on USB need libusb-1.0");
  const cl_uint count = devices_now(devices);
  cr_assert(count > 1 && is_available(devices[count - 1]));
}

// Root may open what it likes; without this capability it may not.
static void give_up_privilege(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct data[2];
  cr_assert(syscall(SYS_capget, &header, data) == 0);
  data[0].effective &= ~(1u << CAP_DAC_OVERRIDE);
  cr_assert(syscall(SYS_capset, &header, data) == 0);
}

Test(usb, missing_permission_names_the_udev_rule) {
  plug_in(USB_BED_MODEL, FULL_SPEED);
  cr_assert(chmod(usb_bed_file(), 0) == 0);
  give_up_privilege();
  expect_unavailable("install the udev rule 70-heddle.rules");
}

Test(usb, device_of_somebody_else_with_the_test_number_is_left_alone) {
  cl_device_id devices[32];
  usb_bed_create(USB_BED_MODEL, FULL_SPEED);
  usb_bed_pretend("Blinking lamp", 0);
  const cl_uint without = devices_now(devices);
  usb_bed_plug();
  cr_assert(devices_now(devices) == without);
}

Test(usb, board_without_the_interface_is_reported) {
  usb_bed_create(USB_BED_MODEL, FULL_SPEED);
  usb_bed_pretend(NULL, 3);
  usb_bed_plug();
  expect_unavailable("has no interface of class 0xFF");
}

Test(usb, board_that_does_not_answer_is_reported, .timeout = 60) {
  plug_in(USB_BED_MODEL, FULL_SPEED);
  usb_bed_trouble(&(struct usb_bed_trouble){.deaf = 1});
  expect_unavailable("no Heddle device answers there");
}

// ---- Again and again

static unsigned entries_of(const char *path) {
  unsigned count = 0;
  DIR *folder = opendir(path);
  while (folder && readdir(folder))
    count++;
  if (folder)
    closedir(folder);
  return count;
}

struct program_binary {
  unsigned char *bytes;
  size_t size;
};

static struct program_binary binary_of(cl_program program) {
  struct program_binary binary;
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof binary.size, &binary.size, NULL));
  binary.bytes = allocate(binary.size);
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary.bytes, &binary.bytes, NULL));
  return binary;
}

// Works on a board that goes (see pull_out_in_flight) and gives everything back. Returns how many events ended well.
static unsigned work_and_go(const struct program_binary *binary, uint32_t *seed) {
  cl_device_id board = board_now();
  cl_int error;
  cl_context context = clCreateContext(NULL, 1, &board, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, board, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_program program = clCreateProgramWithBinary(context, 1, &board, &binary->size,
                                                 (const unsigned char **)(uintptr_t)&binary->bytes, NULL, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clBuildProgram(program, 1, &board, NULL, NULL, NULL));
  const unsigned well = pull_out_in_flight(queue, program, seed, usb_bed_unplug);
  EXPECT_SUCCESS(clReleaseProgram(program));
  EXPECT_SUCCESS(clReleaseCommandQueue(queue));
  EXPECT_SUCCESS(clReleaseContext(context));
  return well;
}

// What the process has: what it must not have more of after each cycle.
struct holdings {
  unsigned files, threads;
  size_t heap;
};

static struct holdings holdings_now(void) {
  cl_device_id devices[32];
  devices_now(devices);  // lets go of boards that went
  return (struct holdings){
      .files = entries_of("/proc/self/fd"), .threads = entries_of("/proc/self/task"), .heap = mallinfo2().uordblks};
}

// (umockdev's end of a file is closed some time after the program's.)
static void expect_no_more(const struct holdings *before, unsigned cycle) {
  enum { MOST_LOOKS = 1000, MICROSECONDS = 5000 };
  struct holdings now = holdings_now();
  for (int i = 0; i < MOST_LOOKS && (now.files > before->files || now.threads > before->threads); i++) {
    usleep(MICROSECONDS);
    now = holdings_now();
  }
  cr_assert(now.files <= before->files && now.threads <= before->threads,
            "cycle %u: %u files and %u threads, %u and %u before", cycle, now.files, now.threads, before->files,
            before->threads);
}

Test(usb, plugged_in_and_out_under_load_leaks_nothing_and_ends_every_event, .timeout = 3600) {
  const bool is_long = getenv("HEDDLE_TEST_LONG");
  const unsigned cycles = is_long ? 1000 : 20, warm = 10;
  // umockdev itself keeps some hundred bytes of each plugging; the fewer there are the more is chance.
  const long most_growth = is_long ? 1024 : 4096;
  struct holdings before = {0};
  uint32_t seed = 11;
  unsigned well = 0;
  plug_in(USB_BED_MODEL, FULL_SPEED);
  const struct program_binary binary = binary_of(build(scan_source, "-cl-std=CL3.0"));
  usb_bed_unplug();
  for (unsigned i = 0; i < warm + cycles; i++) {
    usb_bed_plug();
    well += work_and_go(&binary, &seed);
    if (i + 1 == warm)
      before = holdings_now();
    else if (i >= warm)
      expect_no_more(&before, i);
  }
  const struct holdings after = holdings_now();
  const long growth = ((long)after.heap - (long)before.heap) / (long)cycles;
  cr_assert(growth < most_growth, "the heap has %ld bytes more after each cycle", growth);
  printf("%u cycles, %u events ended well; heap: %ld bytes more a cycle, %u files, %u threads\n", cycles, well, growth,
         after.files, after.threads);
}
