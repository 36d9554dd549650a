// Decodes JPEG, PNG, WebP and GIF, scaling while it reads: the one place where the system's codecs
// are called. The helper program runs it; a program without the helper calls it in its own process.
//
//     request, bytes ──▶ codec ──rows──▶ box filter ──▶ pixels
//
// 1. The request describes the picture: its header was read and checked against the limits in
//    memory-safe code. A codec that finds another size is not trusted.
// 2. No buffer of the stored size is allocated for formats decoded row by row: PNG and GIF. JPEG is
//    decoded at an eighth, a quarter or half of its size if that suffices, lossy WebP at the
//    target's.
// 3. A truncated picture is decoded as far as its bytes go; missing rows stay as they were, or
//    become grey in a JPEG. Without a decoded row it is broken.
// 4. The codecs are opened at first use (`library.h`).
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t width, height;
} picture_size;

typedef enum : uint32_t {
  PICTURE_JPEG = 1,
  PICTURE_PNG = 2,
  PICTURE_WEBP = 3,
  PICTURE_GIF = 4,
} picture_format;

// A picture to decode. Sides are at least 1 and at most 2^30.
typedef struct {
  picture_format format;
  // The size in the header; for an animation, that of the canvas.
  picture_size stored;
  // The size to scale to, on neither side more than `stored`.
  picture_size target;
  // WebP: the frame's rectangle on the canvas; for a still picture, the whole canvas.
  uint32_t frame_x, frame_y;
  picture_size frame;
  // GIF: the limits of a frame, which may extend beyond the canvas.
  uint64_t maximum_pixels;
  uint32_t maximum_side;
} picture_request;

typedef enum : uint32_t {
  // The whole picture.
  PICTURE_WHOLE = 1,
  // The bytes end before the picture does, but after a row.
  PICTURE_CUT_SHORT = 2,
  // It cannot be decoded; `reason` says why.
  PICTURE_BROKEN = 3,
  // A frame exceeds the limits; `size` is that of the frame.
  PICTURE_TOO_LARGE = 4,
  // There is not enough memory; the picture may be sound.
  PICTURE_NEEDS_MEMORY = 5,
} picture_status;

typedef struct {
  picture_status status;
  picture_size size;
  // A few words, NUL-terminated.
  char reason[112];
} picture_outcome;

// Decodes `count` bytes into `pixels`: `target.width * target.height * 4` zero bytes, which become
// rows of RGBA with straight alpha, in the orientation as stored.
picture_outcome picture_decode(const picture_request *_Nonnull request,
                               const uint8_t *_Nonnull bytes, size_t count,
                               uint8_t *_Nonnull pixels);

// Opens every installed codec, for a process that cannot open files later.
void picture_codecs_open(void);
