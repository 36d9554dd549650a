// The protocol of the program and its decoder: messages over a socket, and the bytes of a picture
// and its pixels in shared memory.
//
//     program                                        decoder
//        │ ◀─────────────── greeting ─────────────────│  it is set up, of the same version
//        │ ──── request, a descriptor of memory ─────▶│  [pixels, up to a page's end][bytes]
//        │ ◀─────────────── outcome ──────────────────│  the pixels are there
//
// 1. The program makes the memory, of a size that can no longer change, and knows from its own
//    request where the pixels are. Nothing that the decoder sends is a size or a place.
// 2. One request at a time: none is sent while an unexpected answer is there, or a request that was
//    answered but not read. The end of the socket ends the decoder.
#pragma once
#include <CPictureDecoding.h>

// The number that each message begins with; another one is refused.
enum { decoder_channel_version = 0x74640003 };

// The first message of a decoder.
typedef struct {
  uint32_t version;
  // 0, or the errno that explains why its system calls are not filtered.
  int32_t unfiltered;
} decoder_greeting;

// The two ends of a channel, closed in started programs. Returns 0 or errno.
int decoder_channel_open(int *_Nonnull program, int *_Nonnull decoder);

// Memory for `pixels` bytes of pixels, zeroed, with `count` bytes of a picture behind them, and a
// descriptor of all of it. Only the pixels are mapped here, where the bytes are not read again;
// munmap() ends that. Returns 0 or errno.
int decoder_memory_make(size_t pixels, const uint8_t *_Nonnull bytes, size_t count,
                        int *_Nonnull descriptor, void *_Nullable *_Nonnull memory);

// For the program. Each returns 0, or errno: ETIMEDOUT if nothing came within `milliseconds`, EPIPE
// if the other end is closed, EPROTO for a message that is invalid or out of turn.
int decoder_channel_greeted(int channel, int milliseconds, int *_Nonnull unfiltered);
int decoder_channel_send(int channel, const picture_request *_Nonnull request, size_t count,
                         int memory);
int decoder_channel_outcome(int channel, picture_outcome *_Nonnull outcome, int milliseconds);

// For the decoder: greets, and works until the channel ends, or until it has used `seconds` of
// processor time.
void decoder_serve(int channel, int unfiltered, int seconds);
