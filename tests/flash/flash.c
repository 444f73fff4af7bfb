// SPDX-License-Identifier: Apache-2.0
// What `make flash` promises, with a simulated chip behind a virtual JTAG cable and the loader that people use: every
// byte arrives, and "DONE" is only said when the chip says it.
#include <criterion/criterion.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/temporary.h"

// FLASH_BUILD: the build folder; FLASH_PYTHON: the project's. Tests run in the checkout.
#define COMPRESSED FLASH_BUILD "/tests/flash/compressed.bit"
#define PLAIN FLASH_BUILD "/tests/flash/plain.bit"

enum { FILE_MOST = 1 << 24 };  // bytes of the flash

extern char **environ;

static char folder[TEMPORARY_BYTES], cable[TEMPORARY_BYTES + 64];
static pid_t target;
static FILE *reports;

static void begin(void) {
  cr_assert(mkdtemp(temporary_name(folder)));
}

static void finish(void) {
  char command[TEMPORARY_BYTES + 16];
  if (target != 0) {
    kill(target, SIGKILL);
    waitpid(target, NULL, 0);
  }
  snprintf(command, sizeof command, "rm -r %s", folder);
  cr_assert(system(command) == 0);
}

TestSuite(flash, .init = begin, .fini = finish);

static const char *in_folder(const char *name) {
  static char paths[4][96];
  static unsigned next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

// A chip, and the virtual cable to it; an option of heddle-jtag-target, or NULL.
static void plug_in(const char *part, const char *option) {
  static const char program[] = FLASH_BUILD "/bin/heddle-jtag-target";
  int pipes[2];
  char line[128], received[96], contents[96];
  posix_spawn_file_actions_t actions;
  snprintf(received, sizeof received, "%s", in_folder("received"));
  snprintf(contents, sizeof contents, "%s", in_folder("flash"));
  char *const arguments[] = {(char *)program, "--part", (char *)part,   "--received", received,
                             "--flash",       contents, (char *)option, NULL};
  cr_assert(pipe(pipes) == 0);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipes[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, pipes[0]);
  cr_assert_eq(posix_spawn(&target, arguments[0], &actions, NULL, arguments, environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  close(pipes[1]);
  reports = fdopen(pipes[0], "r");
  cr_assert(reports && fgets(line, sizeof line, reports));
  const char *address = strstr(line, "xvc://");
  cr_assert(address, "%s", line);
  snprintf(cable, sizeof cable, "--xvc %.*s", (int)strcspn(address + 6, "\n"), address + 6);
}

static void expect_report(const char *words) {
  char line[256];
  cr_assert(fgets(line, sizeof line, reports));
  cr_expect(strstr(line, words), "the chip was to report \"%s\", but: %s", words, line);
}

struct result {
  int status;
  char said[8192];
};

static struct result run(const char *command) {
  static struct result result;
  char line[1024];
  snprintf(line, sizeof line, "%s 2>&1 </dev/null", command);
  FILE *pipe = popen(line, "r");
  cr_assert(pipe);
  memset(&result, 0, sizeof result);
  cr_assert_lt(fread(result.said, 1, sizeof result.said - 1, pipe), sizeof result.said - 1);
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

static struct result flash(const char *board, const char *options) {
  char command[512];
  snprintf(command, sizeof command, FLASH_PYTHON " constraints/flash.py %s %s %s", board, target ? cable : "", options);
  return run(command);
}

static void expect(int status, const char *words, struct result result) {
  cr_expect_eq(result.status, status, "expected status %d, got %d and: %s", status, result.status, result.said);
  cr_expect(strstr(result.said, words), "expected \"%s\", got: %s", words, result.said);
  cr_expect((status == 0) == !!strstr(result.said, "DONE: "), "only a success is one: %s", result.said);
}

static uint8_t *bytes_of(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  uint8_t *bytes = malloc(FILE_MOST);
  cr_assert(file && bytes, "%s", path);
  *size = fread(bytes, 1, FILE_MOST, file);
  cr_assert(*size > 0 && *size <= FILE_MOST && ferror(file) == 0);
  fclose(file);
  return bytes;
}

// All that stands in a bitstream from its comments on; only the two bytes that begin the file are the loader's affair.
static void expect_contents(const char *bitstream, const char *name) {
  size_t size, found_size;
  uint8_t *expected = bytes_of(bitstream, &size), *found = bytes_of(in_folder(name), &found_size);
  uint8_t *begin = memmem(found, found_size, expected + 2, 16);
  cr_assert(begin && (size_t)(found + found_size - begin) >= size - 2, "%zu bytes of %zu", found_size, size);
  cr_expect(memcmp(begin, expected + 2, size - 2) == 0, "some bytes are others");
  free(expected);
  free(found);
}

enum { NONE = -1 };

// An option that names a copy of which only so many bytes are there (0: all), and in which a bit of a byte is another.
static const char *damaged(size_t keep, ptrdiff_t flip) {
  size_t size;
  uint8_t *bytes = bytes_of(PLAIN, &size);
  if (flip != NONE)
    bytes[flip] ^= 4;
  FILE *file = fopen(in_folder("damaged.bit"), "wb");
  cr_assert(file && keep <= size);
  cr_assert(fwrite(bytes, 1, keep ? keep : size, file) != 0);
  cr_assert(fclose(file) == 0);
  free(bytes);
  static char option[128];
  snprintf(option, sizeof option, "--bitstream %s", in_folder("damaged.bit"));
  return option;
}

Test(flash, loads_every_byte_and_says_done_when_the_chip_does) {
  plug_in("LFE5U-25F", NULL);
  expect(0, "works with it until power goes", flash("ulx3s-25f", "--bitstream " PLAIN));
  expect_report("is whole");
  expect_contents(PLAIN, "received");
  expect(0, "works with it until power goes", flash("ulx3s-25f", "--bitstream " COMPRESSED));
  expect_report("DONE 1");
  expect_contents(COMPRESSED, "received");
}

Test(flash, writes_the_flash_that_the_chip_then_starts_from) {
  plug_in("LFE5U-25F", NULL);
  expect(0, "works with it", flash("ulx3s-25f", "--spi --bitstream " COMPRESSED));
  expect_report("flash: the bitstream is whole");
  expect_contents(COMPRESSED, "flash");
}

Test(flash, a_chip_whose_done_stays_low_is_no_success_though_the_loader_takes_it_for_one) {
  plug_in("LFE5U-25F", "--done-low");
  expect(1, "DONE stays low", flash("ulx3s-25f", "--bitstream " PLAIN));
  expect_report("is whole (offset");
  expect(1, "DONE stays low", flash("ulx3s-25f", "--spi --bitstream " PLAIN));
  char command[256];
  snprintf(command, sizeof command, "openFPGALoader -c xvc-client --ip 127.0.0.1 --port %s %s", strrchr(cable, ':') + 1,
           PLAIN);
  cr_expect_eq(run(command).status, 0, "the loader has learned to tell: flash.py could ask it");
}

Test(flash, another_chip_is_named_and_keeps_what_it_has) {
  plug_in("LFE5U-85F", NULL);
  expect(1, "another chip is there: LFE5U-85F (IDCODE 0x01113043)", flash("ulx3s-25f", "--bitstream " PLAIN));
  expect_report("loaded nothing");
}

Test(flash, a_bitstream_of_another_chip_is_not_sent) {
  plug_in("LFE5U-85F", NULL);
  expect(1, "is for LFE5U-25F (IDCODE 0x41111043), but ulx3s-85f has LFE5U-85F",
         flash("ulx3s-85f", "--bitstream " PLAIN));
}

// A bit in every part of the file: its frames, and what stands behind them.
Test(flash, a_damaged_bitstream_is_refused_by_the_chip) {
  size_t size;
  free(bytes_of(PLAIN, &size));
  plug_in("LFE5U-25F", NULL);
  const size_t places[] = {size / 4, size / 2, size * 3 / 4, size - 30, size - 11};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    struct result result = flash("ulx3s-25f", damaged(0, (ptrdiff_t)places[i]));
    cr_expect(result.status == 1 && strstr(result.said, "the chip refused the bitstream"), "byte %zu: %s", places[i],
              result.said);
    expect_report("DONE 0");
  }
}

Test(flash, a_truncated_bitstream_is_refused) {
  plug_in("LFE5U-25F", NULL);
  expect(1, "the chip refused the bitstream", flash("ulx3s-25f", damaged(100000, NONE)));
  expect_report("ends too early");
  expect(1, "is no bitstream", flash("ulx3s-25f", damaged(12, NONE)));
}

Test(flash, without_a_board_it_says_what_to_look_at) {
  expect(1, "Is it plugged in", flash("ulx3s-25f", "--xvc 127.0.0.1:9 --bitstream " PLAIN));
}

Test(flash, wrong_calls_are_told_from_boards_that_fail) {
  expect(2, "no board is called nothing; there are: ", flash("nothing", ""));
  expect(2, "--xvc wants HOST:PORT", flash("ulx3s-25f", "--xvc here"));
  expect(1, "`make bitstream BOARD=ulx3s-25f` makes it", flash("ulx3s-25f", "--made /nonexistent"));
  expect(1, "is no bitstream of an ECP5", flash("ulx3s-25f", "--bitstream constraints/flash.py"));
}

Test(flash, the_target_refuses_what_is_not_the_protocol_and_serves_the_next_client) {
  plug_in("LFE5U-25F", NULL);
  char command[256];
  static const char *const wrong[] = {"hello", "shift:\\\\xff\\\\xff\\\\xff\\\\xff", "getinfx:", ""};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    snprintf(command, sizeof command, "bash -c \"printf '%s' > /dev/tcp/127.0.0.1/%s\"", wrong[i],
             strrchr(cable, ':') + 1);
    run(command);
    expect_report("loaded nothing");
  }
  expect(0, "works with it", flash("ulx3s-25f", "--bitstream " COMPRESSED));
}

Test(flash, the_target_reports_a_load_when_its_files_are_written) {
  plug_in("LFE5U-25F", "--flash=/dev/full");
  char command[128], line[128];
  snprintf(command, sizeof command, "bash -c \"printf 'getinfx:' > /dev/tcp/127.0.0.1/%s\"", strrchr(cable, ':') + 1);
  run(command);
  cr_expect(!fgets(line, sizeof line, reports), "reported though the flash's contents could not be written: %s", line);
  int status;
  cr_assert_eq(waitpid(target, &status, 0), target);
  target = 0;
  cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 1, "status %d", status);
}
