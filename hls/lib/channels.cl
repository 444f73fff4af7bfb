// SPDX-License-Identifier: Apache-2.0
// What channels.h calls: pipe functions, of the pipe that a channel is. heddlec knows which that is (hls/channels.c).
#include "hls/lib/device.h"

#define INLINE __attribute__((always_inline))

global void *__heddle_channel_to_write(const constant void *channel, uint bytes);
global void *__heddle_channel_to_read(const constant void *channel, uint bytes);
int __write_pipe_2(global void *p, const generic void *from, uint bytes, uint alignment);
int __read_pipe_2(global void *p, generic void *to, uint bytes, uint alignment);
int __heddle_try_write_pipe(global void *p, const generic void *from, uint bytes, uint alignment);
int __heddle_try_read_pipe(global void *p, generic void *to, uint bytes, uint alignment);

INLINE int __heddle_write_channel(const constant void *channel, const private void *packet, uint bytes,
                                  uint alignment) {
  return __write_pipe_2(__heddle_channel_to_write(channel, bytes), packet, bytes, alignment);
}

INLINE int __heddle_read_channel(const constant void *channel, private void *packet, uint bytes, uint alignment) {
  return __read_pipe_2(__heddle_channel_to_read(channel, bytes), packet, bytes, alignment);
}

INLINE int __heddle_try_write_channel(const constant void *channel, const private void *packet, uint bytes,
                                      uint alignment) {
  return __heddle_try_write_pipe(__heddle_channel_to_write(channel, bytes), packet, bytes, alignment);
}

INLINE int __heddle_try_read_channel(const constant void *channel, private void *packet, uint bytes, uint alignment) {
  return __heddle_try_read_pipe(__heddle_channel_to_read(channel, bytes), packet, bytes, alignment);
}
