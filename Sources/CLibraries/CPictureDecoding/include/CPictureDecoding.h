// Pictures out of JPEG, PNG, WebP and GIF, scaled while they are read: the one place where the
// system's codecs are called. The program's helper runs it, and who has no helper calls it in the
// own process.
//
//     request, bytes ──▶ codec ──rows──▶ box filter ──▶ pixels
//
// 1. What is known of the picture comes with the request: its header was read, and held against the
//    limits, where memory is safe. A codec that finds another size is not believed.
// 2. Nothing is allocated for the picture as a whole where its codec gives rows: PNG and GIF. JPEG
//    is decoded at an eighth, a quarter or half of its size where that suffices, lossy WebP at the
//    target's.
// 3. Of what is cut short there is as much as its bytes tell; rows that do not come stay as they
//    were.
// 4. The codecs are opened when they are first used (`library.h`).
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

// What is to be decoded. Sides are 1 or more and 2^30 at most.
typedef struct {
  picture_format format;
  // As stored, by the header: the canvas of what is animated.
  picture_size stored;
  // What is wanted, in no place more than `stored`.
  picture_size target;
  // WebP: where the frame lies on the canvas that the bytes hold; all of it for a still.
  uint32_t frame_x, frame_y;
  picture_size frame;
  // GIF: what a frame, which may hang over the canvas, may measure.
  uint64_t maximum_pixels;
  uint32_t maximum_side;
} picture_request;

typedef enum : uint32_t {
  // All of it.
  PICTURE_WHOLE = 1,
  // The bytes end before the picture does.
  PICTURE_CUT_SHORT = 2,
  // It cannot be decoded; the reason says why.
  PICTURE_BROKEN = 3,
  // A frame is over the limits; `size` is what it measures.
  PICTURE_TOO_LARGE = 4,
  // There is not enough memory for it, which says nothing against the picture.
  PICTURE_NEEDS_MEMORY = 5,
} picture_status;

typedef struct {
  picture_status status;
  picture_size size;
  // A few words, ended by a zero.
  char reason[112];
} picture_outcome;

// Decodes `count` bytes into `pixels`: `target.width * target.height * 4` zero bytes, which become
// rows of RGBA with straight alpha, turned as they are stored.
picture_outcome picture_decode(const picture_request *_Nonnull request,
                               const uint8_t *_Nonnull bytes, size_t count,
                               uint8_t *_Nonnull pixels);

// Opens every codec that is installed, for who cannot open files later.
void picture_codecs_open(void);
