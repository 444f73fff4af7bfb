// SPDX-License-Identifier: Apache-2.0
// Turns a picture on a Heddle device by an image and a sampler (rotate.cl), checks every sample against the CPU, and
// prints where the cycles went. `make demo` runs it.
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/examples/picture.h"
#include "host/examples/stages.h"

static const char usage[] =
    "usage: rotate PICTURE.png [--angle DEGREES] [--device sim|model|NUMBER] [--output FOLDER] [--progress "
    "auto|always|never]\n"
    "\n"
    "Turns the picture clockwise by DEGREES (default 20) and writes before.png and rotated.png into FOLDER (default:\n"
    "here).\n"
    "\n"
    "Exit status: 0 right, 1 the kernel failed or its picture differs from the CPU's, 2 wrong usage or no PNG\n";

enum { CHANNELS = 4, SIDE_MOST = 16384 };

struct request {
  const char *input, *device, *folder;
  double angle;
  enum progress progress;
};

static struct request parse_options(int argc, char **argv) {
  static const struct option options[] = {
      {"angle", required_argument, NULL, 'a'},  {"device", required_argument, NULL, 'd'},
      {"output", required_argument, NULL, 'o'}, {"progress", required_argument, NULL, 'p'},
      {"help", no_argument, NULL, 'h'},         {0}};
  struct request r = {.folder = ".", .angle = 20};
  char *end;
  for (int option; (option = getopt_long(argc, argv, "a:d:o:h", options, NULL)) != -1;)
    switch (option) {
      case 'a':
        r.angle = strtod(optarg, &end);
        if (end == optarg || *end || !(fabs(r.angle) <= 360))
          die(EXIT_USAGE, "the angle is a number of degrees from -360 to 360, not \"%s\"", optarg);
        break;
      case 'd':
        r.device = optarg;
        break;
      case 'o':
        r.folder = optarg;
        break;
      case 'p':
        r.progress = strcmp(optarg, "always") == 0  ? PROGRESS_ON
                     : strcmp(optarg, "never") == 0 ? PROGRESS_OFF
                                                    : PROGRESS_AUTO;
        break;
      case 'h':
        fputs(usage, stdout);
        exit(0);
      default:
        die(EXIT_USAGE, "see `rotate --help`");
    }
  if (optind + 1 != argc)
    die(EXIT_USAGE, "which picture? see `rotate --help`");
  r.input = argv[optind];
  return r;
}

// Red, green, blue and alpha of each pixel, as the device has them.
static unsigned char *to_rgba(const struct picture *picture) {
  const size_t count = (size_t)picture->width * picture->height;
  const unsigned colours = picture->planes >= 3 ? 3 : 1;
  unsigned char *pixels = allocate(count * CHANNELS);
  for (size_t i = 0; i < count; i++) {
    for (unsigned c = 0; c < 3; c++)
      pixels[i * CHANNELS + c] = picture->samples[(c < colours ? c : 0) * count + i];
    pixels[i * CHANNELS + 3] = picture->planes > colours ? picture->samples[colours * count + i] : 255;
  }
  return pixels;
}

static struct picture from_rgba(unsigned width, unsigned height, const unsigned char *pixels) {
  const size_t count = (size_t)width * height;
  struct picture picture = {width, height, CHANNELS, allocate(count * CHANNELS)};
  for (size_t i = 0; i < count; i++)
    for (unsigned c = 0; c < CHANNELS; c++)
      picture.samples[c * count + i] = pixels[i * CHANNELS + c];
  return picture;
}

// ---- The same on the CPU, in double and without a sampler

static double sample_at(const unsigned char *pixels, long width, long height, long x, long y, unsigned channel) {
  const bool inside = x >= 0 && x < width && y >= 0 && y < height;
  return inside ? pixels[(y * width + x) * CHANNELS + channel] : 0;
}

static double blended(const unsigned char *pixels, long width, long height, double x, double y, unsigned channel) {
  const double left = floor(x - 0.5), above = floor(y - 0.5), a = x - 0.5 - left, b = y - 0.5 - above;
  const long i = (long)left, j = (long)above;
  return (1 - a) * (1 - b) * sample_at(pixels, width, height, i, j, channel) +
         a * (1 - b) * sample_at(pixels, width, height, i + 1, j, channel) +
         (1 - a) * b * sample_at(pixels, width, height, i, j + 1, channel) +
         a * b * sample_at(pixels, width, height, i + 1, j + 1, channel);
}

// Samples that are further from what the CPU computes than rounding and floats explain: one step of 255.
static size_t count_wrong(const unsigned char *before, const unsigned char *after, long width, long height,
                          const double turn[2]) {
  size_t wrong = 0;
  for (long y = 0; y < height; y++)
    for (long x = 0; x < width; x++) {
      const double centre_x = (double)width / 2, centre_y = (double)height / 2;
      const double px = (double)x + 0.5 - centre_x, py = (double)y + 0.5 - centre_y;
      const double from_x = turn[0] * px + turn[1] * py + centre_x, from_y = turn[0] * py - turn[1] * px + centre_y;
      for (unsigned c = 0; c < CHANNELS; c++)
        wrong += fabs(blended(before, width, height, from_x, from_y, c) - after[(y * width + x) * CHANNELS + c]) > 1;
    }
  return wrong;
}

static cl_mem new_image(struct session *session, cl_mem_flags flags, unsigned width, unsigned height, void *pixels) {
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height};
  cl_int error;
  cl_mem image =
      clCreateImage(session->context, flags | (pixels ? CL_MEM_COPY_HOST_PTR : 0), &format, &desc, pixels, &error);
  if (error != CL_SUCCESS)
    die(EXIT_KERNEL_FAILED, "the device has no room for an image of %u x %u: %s", width, height, error_name(error));
  return image;
}

int main(int argc, char **argv) {
  program_name = argv[0] = (char[]){"rotate"};
  const struct request request = parse_options(argc, argv);
  const struct picture picture = read_png(request.input);
  const unsigned width = picture.width, height = picture.height;
  if (width > SIDE_MOST || height > SIDE_MOST)
    die(EXIT_USAGE, "%s is too large: %u x %u, images have at most %d pixels a side", request.input, width, height,
        SIDE_MOST);
  unsigned char *before = to_rgba(&picture), *after = allocate((size_t)width * height * CHANNELS);
  make_folder(request.folder);

  setenv("HEDDLE_BUDGET_CYCLES", "0", 0);  // the kernel ends, however large the picture
  struct session session = open_session(choose_device(request.device));
  char *name = device_text(session.device, CL_DEVICE_NAME);
  printf("Turning %s (%u x %u) by %g degrees on %s\n", request.input, width, height, request.angle, name);
  fflush(stdout);

  size_t source_bytes;
  char *source_path = shared_file("rotate.cl"), *source = read_file(source_path, &source_bytes);
  cl_program program = build_program(&session, source, source_bytes, "-cl-std=CL3.0", source_path);
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, "rotate_picture", &error);
  check(error, "clCreateKernel");
  cl_mem from = new_image(&session, CL_MEM_READ_ONLY, width, height, before);
  cl_mem to = new_image(&session, CL_MEM_WRITE_ONLY, width, height, NULL);
  const double radians = request.angle * acos(-1) / 180;
  const cl_float2 turn = {{(float)cos(radians), (float)sin(radians)}};
  check(clSetKernelArg(kernel, 0, sizeof from, &from), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof to, &to), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof turn, &turn), "clSetKernelArg");

  print_heading(session.device);
  const size_t global[2] = {width, height}, origin[3] = {0, 0, 0}, region[3] = {width, height, 1};
  cl_event event;
  double seconds;
  check(clEnqueueNDRangeKernel(session.queue, kernel, 2, NULL, global, NULL, 0, NULL, &event),
        "clEnqueueNDRangeKernel");
  if (wait_with_progress(event, "rotate", request.progress, &seconds) != CL_SUCCESS)
    die(EXIT_KERNEL_FAILED, "the kernel did not complete");
  const struct figures figures = figures_of(session.device, event);
  print_stage("rotate", &figures, seconds);
  check(clEnqueueReadImage(session.queue, to, CL_TRUE, origin, region, 0, 0, after, 0, NULL, NULL),
        "clEnqueueReadImage");

  const struct picture result = from_rgba(width, height, after);
  char *before_path = path_in(request.folder, "before.png"), *after_path = path_in(request.folder, "rotated.png");
  write_png(before_path, &picture);
  write_png(after_path, &result);
  // The CPU turns by the angle that the kernel got.
  const size_t wrong = count_wrong(before, after, (long)width, (long)height, (const double[]){turn.s[0], turn.s[1]});
  if (wrong != 0)
    die(EXIT_KERNEL_FAILED, "%zu of %zu samples differ from the CPU's by more than one step", wrong,
        (size_t)width * height * CHANNELS);
  printf("All %zu samples are the CPU's, within one step of 255. See %s and %s\n", (size_t)width * height * CHANNELS,
         before_path, after_path);
  return 0;
}
