// JPEG through TurboJPEG, scaled down while it is decoded.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <turbojpeg.h>

#include "../library.h"
#include "codecs.h"

#define TURBOJPEG_FUNCTIONS(EACH)                                          \
  EACH(tjInitDecompress) EACH(tjDecompressHeader3) EACH(tjDecompress2)     \
  EACH(tjDestroy) EACH(tjGetErrorCode) EACH(tjGetErrorStr2)

LIBRARY(TurboJPEGFunctions, turbojpeg_library, "libturbojpeg.so.0", TURBOJPEG_FUNCTIONS)

OPENED_ONCE(TurboJPEGFunctions, turbojpeg_library)

void jpeg_open(void) { (void)library(); }

// Properties of the pixels, from the segments of a whole file (ITU T.81, B.2.3 and G.1).
typedef struct {
  // The number of scans, as the standard calls passes over the pixels; `maximum_passes` + 1 if
  // there are more.
  int passes;
  // Whether an Adobe segment precedes the first pass: CMYK is stored inverted then.
  int has_adobe_segment;
} scans;

// A pass of a progressive file can cover the whole picture with a few bytes, so a small file could
// keep a decoder busy for minutes. libjpeg's own programs write ten passes, the most thorough
// encoders fewer than forty.
enum { maximum_passes = 64 };

static scans count_scans(const uint8_t *bytes, size_t count) {
  scans scans = {0, 0};
  size_t place = 2;
  while (scans.passes <= maximum_passes && place < count && count - place >= 2) {
    if (bytes[place] != 0xFF) {
      // Coded pixels, up to the next marker.
      const uint8_t *next = memchr(bytes + place, 0xFF, count - place);
      if (next == NULL) break;
      place = (size_t)(next - bytes);
      continue;
    }
    const uint8_t marker = bytes[place + 1];
    if (marker == 0x00 || marker == 0xFF) {
      place += 1;
    } else if (marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8)) {
      place += 2;
    } else if (marker == 0xD9 || count - place < 4) {
      break;
    } else {
      size_t length = (size_t)bytes[place + 2] << 8 | bytes[place + 3];
      if (marker == 0xDA) scans.passes++;
      if (marker == 0xEE && scans.passes == 0 && count - place >= 9 &&
          memcmp(bytes + place + 4, "Adobe", 5) == 0)
        scans.has_adobe_segment = 1;
      place += 2 + (length < 2 ? 2 : length);
    }
  }
  return scans;
}

// The smallest of 1/8, 1/4, 1/2 and 1/1 of `stored` that is no smaller than `target`. TurboJPEG has
// other scaling factors too, but these are the fast ones. It rounds sides up.
static picture_size scaled_size(picture_size stored, picture_size target) {
  for (uint32_t divisor = 8; divisor > 1; divisor /= 2) {
    picture_size scaled = {(stored.width + divisor - 1) / divisor,
                           (stored.height + divisor - 1) / divisor};
    if (scaled.width >= target.width && scaled.height >= target.height) return scaled;
  }
  return stored;
}

// Converts CMYK to opaque RGBA, in place. Files with an Adobe segment are inverted: they store 255
// for no ink.
static void convert_cmyk(uint8_t *pixels, size_t count, int is_inverted) {
  const uint8_t flip = is_inverted ? 0 : 255;
  for (size_t i = 0; i < count; i++, pixels += 4) {
    const uint32_t black = pixels[3] ^ flip;
    for (int channel = 0; channel < 3; channel++)
      pixels[channel] = (uint8_t)(((uint32_t)(pixels[channel] ^ flip) * black + 127) / 255);
    pixels[3] = 255;
  }
}

static picture_outcome decode_with(const TurboJPEGFunctions *jpeg, tjhandle handle,
                                   const picture_request *request, scans scans,
                                   const uint8_t *bytes, size_t count, uint8_t *pixels) {
  int width = 0, height = 0, subsampling = 0, colorspace = -1;
  // It also fails for subsampling that it cannot name but can decode, so only the size counts.
  (void)jpeg->tjDecompressHeader3(handle, bytes, count, &width, &height, &subsampling, &colorspace);
  if (width < 1 || height < 1 || !picture_is(request->stored, (uint32_t)width, (uint32_t)height))
    return picture_broken(jpeg->tjGetErrorStr2(handle));
  const int is_cmyk = colorspace == TJCS_CMYK || colorspace == TJCS_YCCK;
  const picture_size target = request->target;
  const picture_size size = scaled_size(request->stored, target);
  // If no filter is needed, the codec writes to `pixels` itself.
  const int is_direct = picture_is(size, target.width, target.height);
  uint8_t *decoded = is_direct ? pixels : calloc((size_t)size.width * size.height, 4);
  if (decoded == NULL) return picture_needs_memory();
  picture_outcome outcome = picture_whole();
  if (jpeg->tjDecompress2(handle, bytes, count, decoded, (int)size.width, 0, (int)size.height,
                          is_cmyk ? TJPF_CMYK : TJPF_RGBA, TJFLAG_LIMITSCANS) != 0) {
    const char *reason = jpeg->tjGetErrorStr2(handle);
    if (strcasestr(reason, "insufficient memory") != NULL) outcome = picture_needs_memory();
    else if (jpeg->tjGetErrorCode(handle) != TJERR_WARNING) outcome = picture_broken(reason);
    // The codec fills missing rows with grey.
    else if (strcasestr(reason, "premature end") != NULL) outcome = picture_cut_short(1);
  }
  if (outcome.status == PICTURE_WHOLE || outcome.status == PICTURE_CUT_SHORT) {
    if (is_cmyk)
      convert_cmyk(decoded, (size_t)size.width * size.height, scans.has_adobe_segment);
    row_sink sink = {.filter = NULL};
    if (!is_direct && row_sink_start(&sink, size, target, 0, pixels)) {
      for (uint32_t y = 0; y < size.height; y++)
        row_sink_add_row(&sink, y, decoded + (size_t)y * size.width * 4);
    } else if (!is_direct) {
      outcome = picture_needs_memory();
    }
    row_sink_end(&sink);
  }
  if (!is_direct) free(decoded);
  return outcome;
}

picture_outcome jpeg_decode(const picture_request *request, const uint8_t *bytes, size_t count,
                            uint8_t *pixels) {
  const scans scans = count_scans(bytes, count);
  if (scans.passes > maximum_passes)
    return picture_broken("more than 64 passes over its pixels");
  const TurboJPEGFunctions *jpeg = library();
  if (jpeg == NULL) return picture_broken("libturbojpeg is not installed");
  tjhandle handle = jpeg->tjInitDecompress();
  if (handle == NULL) return picture_broken("the decoder does not start");
  picture_outcome outcome = decode_with(jpeg, handle, request, scans, bytes, count, pixels);
  jpeg->tjDestroy(handle);
  return outcome;
}
