// WebP through libwebp, scaled down while it is decoded.
#include <string.h>
#include <webp/decode.h>

#include "../library.h"
#include "codecs.h"

#define WEBP_FUNCTIONS(EACH)                                               \
  EACH(WebPInitDecoderConfigInternal) EACH(WebPGetFeaturesInternal)        \
  EACH(WebPDecode) EACH(WebPFreeDecBuffer)                                 \
  EACH(WebPIDecode) EACH(WebPIAppend) EACH(WebPIDecGetRGB) EACH(WebPIDelete)

LIBRARY(WebPFunctions, webp_library, "libwebp.so.7", WEBP_FUNCTIONS)

OPENED_ONCE(WebPFunctions, webp_library)

void webp_open(void) { (void)library(); }

static int is_short(VP8StatusCode status) {
  return status == VP8_STATUS_NOT_ENOUGH_DATA || status == VP8_STATUS_SUSPENDED;
}

static const char *reason(VP8StatusCode status) {
  switch (status) {
    case VP8_STATUS_UNSUPPORTED_FEATURE: return "it uses an unknown feature";
    case VP8_STATUS_NOT_ENOUGH_DATA:
    case VP8_STATUS_SUSPENDED: return "it ends early";
    default: return "its data is damaged";
  }
}

// Decodes as far as the bytes reach, which the library does only in its incremental mode. `rows` is
// the number of decoded rows.
static VP8StatusCode decode_rows(const WebPFunctions *webp, const uint8_t *bytes, size_t count,
                                 WebPDecoderConfig *config, int *rows) {
  WebPIDecoder *pieces = webp->WebPIDecode(NULL, 0, config);
  if (pieces == NULL) return VP8_STATUS_OUT_OF_MEMORY;
  VP8StatusCode status = webp->WebPIAppend(pieces, bytes, count);
  if (webp->WebPIDecGetRGB(pieces, rows, NULL, NULL, NULL) == NULL) *rows = 0;
  webp->WebPIDelete(pieces);
  return status;
}

// The part of an axis of `target` pixels for the `length` from `start` on of one of `stored`
// pixels; at least one pixel.
static void fit(uint32_t start, uint32_t length, uint32_t stored, uint32_t target,
                uint32_t *target_start, uint32_t *target_length) {
  uint64_t half = stored / 2;
  uint64_t from = ((uint64_t)start * target + half) / stored;
  uint64_t to = ((uint64_t)(start + length) * target + half) / stored;
  if (from >= target) from = target - 1;
  if (to <= from) to = from + 1;
  *target_start = (uint32_t)from;
  *target_length = (uint32_t)(to - from);
}

picture_outcome webp_decode(const picture_request *request, const uint8_t *bytes, size_t count,
                            uint8_t *pixels) {
  const WebPFunctions *webp = library();
  if (webp == NULL) return picture_broken("libwebp is not installed");
  const picture_size stored = request->stored, target = request->target, frame = request->frame;
  if (frame.width < 1 || frame.height < 1 || frame.width > stored.width ||
      frame.height > stored.height || request->frame_x > stored.width - frame.width ||
      request->frame_y > stored.height - frame.height)
    return picture_broken("a frame beyond the canvas");
  WebPDecoderConfig config;
  if (!webp->WebPInitDecoderConfigInternal(&config, WEBP_DECODER_ABI_VERSION))
    return picture_broken("libwebp is of another version");
  if (webp->WebPGetFeaturesInternal(bytes, count, &config.input, WEBP_DECODER_ABI_VERSION) !=
          VP8_STATUS_OK ||
      config.input.width < 0 || config.input.height < 0 ||
      !picture_is(frame, (uint32_t)config.input.width, (uint32_t)config.input.height))
    return picture_broken("its size is contradictory");
  uint32_t x, y;
  picture_size drawn;
  fit(request->frame_x, frame.width, stored.width, target.width, &x, &drawn.width);
  fit(request->frame_y, frame.height, stored.height, target.height, &y, &drawn.height);
  if (!picture_is(drawn, frame.width, frame.height)) {
    config.options.use_scaling = 1;
    config.options.scaled_width = (int)drawn.width;
    config.options.scaled_height = (int)drawn.height;
  }
  const size_t stride = (size_t)target.width * 4;
  if (stride > INT32_MAX) return picture_broken("it has no possible size");
  config.output.colorspace = MODE_RGBA;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = pixels + y * stride + (size_t)x * 4;
  config.output.u.RGBA.stride = (int)stride;
  config.output.u.RGBA.size = (drawn.height - 1) * stride + (size_t)drawn.width * 4;
  VP8StatusCode status = webp->WebPDecode(bytes, count, &config);
  int rows = 0;
  if (is_short(status)) status = decode_rows(webp, bytes, count, &config, &rows);
  webp->WebPFreeDecBuffer(&config.output);
  if (status == VP8_STATUS_OK) return picture_whole();
  if (status == VP8_STATUS_OUT_OF_MEMORY) return picture_needs_memory();
  return is_short(status) ? picture_cut_short(rows > 0) : picture_broken(reason(status));
}
