// How the program and its decoder talk: over a socket of messages, with the bytes of a picture and
// its pixels in memory that both see.
//
//     program                                        decoder
//        │ ◀─────────────── greeting ─────────────────│  it is set up, of the same version
//        │ ──── request, a descriptor of memory ─────▶│  [pixels, up to a page's end][bytes]
//        │ ◀─────────────── outcome ──────────────────│  the pixels are there
//
// 1. The program makes the memory, of a size that nobody can change any more, and knows from its
//    own request where the pixels lie in it. Nothing that the decoder says is a size or a place.
// 2. One request at a time: none is sent while an answer that nobody asked for is there, or a
//    request that was answered but not taken. The end of the socket ends the decoder.
#pragma once
#include <CPictureDecoding.h>

// What each message begins with: other messages have another number.
enum { decoder_channel_version = 0x74640003 };

// What a decoder says first.
typedef struct {
  uint32_t version;
  // 0, or the errno for which its system calls are not filtered.
  int32_t unfiltered;
} decoder_greeting;

// The two ends of a channel, closed in programs that are started. Returns 0 or errno.
int decoder_channel_open(int *_Nonnull program, int *_Nonnull decoder);

// Where the bytes lie behind so many bytes of pixels.
size_t decoder_memory_offset(size_t pixels);

// Memory for so many bytes of pixels, zeroed, with `count` bytes of a picture behind them, and a
// descriptor of all of it. Only the pixels are mapped here, where nobody looks at the bytes again.
// Returns 0 or errno.
int decoder_memory_make(size_t pixels, const uint8_t *_Nonnull bytes, size_t count,
                        int *_Nonnull descriptor, void *_Nullable *_Nonnull memory);

// Gives back what a descriptor is mapped to.
void decoder_memory_free(void *_Nonnull memory, size_t size);

// For the program. Each returns 0, or errno: ETIMEDOUT where nothing came within `milliseconds`,
// EPIPE where the other end is closed, EPROTO for what is no such message, or not its turn.
int decoder_channel_greeted(int channel, int milliseconds, int *_Nonnull unfiltered);
int decoder_channel_send(int channel, const picture_request *_Nonnull request, size_t count,
                         int memory);
int decoder_channel_outcome(int channel, picture_outcome *_Nonnull outcome, int milliseconds);

// For the decoder: greets, and works until the channel ends, or until it has used so many seconds
// of the processor.
void decoder_serve(int channel, int unfiltered, int seconds);
