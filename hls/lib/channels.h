// SPDX-License-Identifier: Apache-2.0
// Channels, as Intel's SDK for FPGAs has them (cl_intel_channels), for sources that enable the extension. A channel is
// a variable of the program that nobody makes: hls/channels.c gives each kernel an argument for each of its ends, which
// is a pipe. Works in OpenCL C from 1.2 on.
#ifndef HEDDLE_CHANNELS_H
#define HEDDLE_CHANNELS_H

#define cl_intel_channels 1

// The number of packets goes by the section's name, as clang keeps no attribute that it does not know.
#define channel extern const __constant
#define depth(packets) __heddle_depth(packets)
#define __heddle_depth(packets) section("heddle.channel." #packets)

// Kernels that nobody enqueues (hls/autorun.h).
#define autorun annotate("heddle.autorun", 1)
// Which of a kernel's copies this one is (hls/compute_ids.h).
unsigned __heddle_compute_id(unsigned dimension);
#define get_compute_id(dimension) ((size_t)__heddle_compute_id(dimension))

// 0: it has been done. channels.cl.
int __heddle_write_channel(const __constant void *ch, const __private void *packet, unsigned bytes, unsigned alignment);
int __heddle_read_channel(const __constant void *ch, __private void *packet, unsigned bytes, unsigned alignment);
// These do not wait for what is not there or has no room at once.
int __heddle_try_write_channel(const __constant void *ch, const __private void *packet, unsigned bytes,
                               unsigned alignment);
int __heddle_try_read_channel(const __constant void *ch, __private void *packet, unsigned bytes, unsigned alignment);
// Of what one of these says, where it is awaited (hls/autorun.h, hls/channels.c): an autorun kernel ends if it has not
// been done, and on programmable units others fault.
int __heddle_awaited(int said, int reads);

// A value of the channel's type: a comma takes address space and const away.
#define __HEDDLE_PACKET(ch) __typeof__(((void)0, (ch)))
#define __HEDDLE_SEND(ch, packet) __heddle_write_channel(&(ch), &packet, sizeof packet, __alignof__(packet))
#define __HEDDLE_RECEIVE(ch, packet) __heddle_read_channel(&(ch), &packet, sizeof packet, __alignof__(packet))
#define __HEDDLE_TRY_SEND(ch, packet) __heddle_try_write_channel(&(ch), &packet, sizeof packet, __alignof__(packet))
#define __HEDDLE_TRY_RECEIVE(ch, packet) __heddle_try_read_channel(&(ch), &packet, sizeof packet, __alignof__(packet))

#define write_channel_intel(ch, ...)                                   \
  ({                                                                   \
    const __HEDDLE_PACKET(ch) __heddle_sent = (__VA_ARGS__);           \
    while (__heddle_awaited(__HEDDLE_SEND(ch, __heddle_sent), 0) != 0) \
      ;                                                                \
    (void)0;                                                           \
  })
#define read_channel_intel(ch)                                                \
  ({                                                                          \
    __HEDDLE_PACKET(ch) __heddle_received;                                    \
    while (__heddle_awaited(__HEDDLE_RECEIVE(ch, __heddle_received), 1) != 0) \
      ;                                                                       \
    __heddle_received;                                                        \
  })
#define write_channel_nb_intel(ch, ...)                      \
  ({                                                         \
    const __HEDDLE_PACKET(ch) __heddle_sent = (__VA_ARGS__); \
    (bool)(__HEDDLE_TRY_SEND(ch, __heddle_sent) == 0);       \
  })
#define read_channel_nb_intel(ch, valid)                               \
  ({                                                                   \
    __HEDDLE_PACKET(ch) __heddle_received;                             \
    __builtin_memset(&__heddle_received, 0, sizeof __heddle_received); \
    *(valid) = __HEDDLE_TRY_RECEIVE(ch, __heddle_received) == 0;       \
    __heddle_received;                                                 \
  })

// Kernels keep the order of what they do to channels.
#define CLK_CHANNEL_MEM_FENCE CLK_LOCAL_MEM_FENCE

// The names that came before.
#define write_channel_altera write_channel_intel
#define read_channel_altera read_channel_intel
#define write_channel_nb_altera write_channel_nb_intel
#define read_channel_nb_altera read_channel_nb_intel

#endif
