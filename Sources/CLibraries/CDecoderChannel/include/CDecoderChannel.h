// The protocol between the program and its decoder: messages over a socket, and the bytes of a
// picture and its pixels in shared memory.
//
//     program                                        decoder
//        │ ◀─────────────── greeting ─────────────────│  the decoder is ready; its version
//        │ ──── request, a descriptor of memory ─────▶│  [pixels, padded to a page][bytes]
//        │ ◀─────────────── outcome ──────────────────│  the pixels are written
//
// 1. The program makes the memory, of a size that can no longer change, and knows from its own
//    request where the pixels are. No size or offset from the decoder determines its accesses.
// 2. One request at a time: sending fails while the socket holds an outcome that the program has
//    not read, or a request that the decoder has not. The decoder stops when the program closes its
//    end.
#pragma once
#include <CPictureDecoding.h>

// The first field of every message; one with another value is refused.
enum { decoder_channel_version = 0x74640003 };

// The first message of a decoder.
typedef struct {
  uint32_t version;
  // 0, or the errno that explains why its system calls are not filtered.
  int32_t unfiltered;
} decoder_greeting;

// Opens a channel, whose two ends are closed on exec. Returns 0 or errno.
int decoder_channel_open(int *_Nonnull program, int *_Nonnull decoder);

// Makes shared memory of `pixels` zeroed bytes for pixels, at least 1, followed by the `count`
// bytes of a picture; `descriptor` refers to all of it. `memory` maps only the pixels, because the
// program does not read the bytes again, and must be unmapped with munmap(). Returns 0 or errno.
int decoder_memory_make(size_t pixels, const uint8_t *_Nonnull bytes, size_t count,
                        int *_Nonnull descriptor, void *_Nullable *_Nonnull memory);

// For the program. Each returns 0, or errno: ETIMEDOUT if nothing came within `milliseconds`, EPIPE
// if the other end is closed, EPROTO for a message that is invalid or out of turn. `memory` and
// `count` are the descriptor and the count of decoder_memory_make().
int decoder_channel_greeted(int channel, int milliseconds, int *_Nonnull unfiltered);
int decoder_channel_send(int channel, const picture_request *_Nonnull request, size_t count,
                         int memory);
int decoder_channel_outcome(int channel, picture_outcome *_Nonnull outcome, int milliseconds);

// For the decoder: greets, and serves requests until the channel is closed or a request is invalid,
// or until it has used `seconds` of processor time.
void decoder_serve(int channel, int unfiltered, int seconds);
