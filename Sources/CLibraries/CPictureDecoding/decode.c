#include <CBoxFilter.h>
#include <stdio.h>
#include <string.h>

#include "codecs.h"

static int is_possible(picture_size size) {
  const uint32_t largest = 1u << 30;
  return size.width >= 1 && size.height >= 1 && size.width <= largest && size.height <= largest;
}

picture_outcome picture_decode(const picture_request *request, const uint8_t *bytes, size_t count,
                               uint8_t *pixels) {
  if (!is_possible(request->stored) || !is_possible(request->target) ||
      request->target.width > request->stored.width ||
      request->target.height > request->stored.height)
    return picture_broken("it has no possible size");
  switch (request->format) {
    case PICTURE_JPEG: return jpeg_decode(request, bytes, count, pixels);
    case PICTURE_PNG: return png_decode(request, bytes, count, pixels);
    case PICTURE_WEBP: return webp_decode(request, bytes, count, pixels);
    case PICTURE_GIF: return gif_decode(request, bytes, count, pixels);
  }
  return picture_broken("its format is unknown");
}

void picture_codecs_open(void) {
  jpeg_open();
  png_open();
  webp_open();
  gif_open();
}

picture_outcome picture_whole(void) { return (picture_outcome){.status = PICTURE_WHOLE}; }

picture_outcome picture_cut_short(int has_rows) {
  if (!has_rows) return picture_broken("it ends early");
  return (picture_outcome){.status = PICTURE_CUT_SHORT};
}

picture_outcome picture_broken(const char *reason) {
  picture_outcome outcome = {.status = PICTURE_BROKEN};
  snprintf(outcome.reason, sizeof outcome.reason, "%s", reason);
  return outcome;
}

picture_outcome picture_needs_memory(void) {
  return (picture_outcome){.status = PICTURE_NEEDS_MEMORY};
}

int picture_is(picture_size size, uint32_t width, uint32_t height) {
  return size.width == width && size.height == height;
}

int row_sink_start(row_sink *sink, picture_size stored, picture_size target, int any_order,
                   uint8_t *pixels) {
  *sink = (row_sink){.stored = stored, .target = target, .pixels = pixels, .filter = NULL};
  if (picture_is(stored, target.width, target.height)) return 1;
  sink->filter = box_filter_start(stored.width, stored.height, target.width, target.height,
                                  any_order, pixels);
  return sink->filter != NULL;
}

void row_sink_add_row(row_sink *sink, uint32_t y, const uint8_t *row) {
  if (y >= sink->stored.height) return;
  sink->has_rows = 1;
  if (sink->filter != NULL) return box_filter_add_row(sink->filter, y, row);
  const size_t length = (size_t)sink->target.width * 4;
  memcpy(sink->pixels + y * length, row, length);
}

void row_sink_add_pixels(row_sink *sink, uint32_t y, uint32_t x, uint32_t step, uint32_t count,
                         const uint8_t *pixels) {
  if (y >= sink->stored.height) return;
  sink->has_rows = 1;
  if (sink->filter != NULL)
    return box_filter_add_pixels(sink->filter, y, x, step, count, pixels);
  uint8_t *row = sink->pixels + (size_t)y * sink->target.width * 4;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t column = x + (uint64_t)i * step;
    if (column >= sink->target.width) return;
    memcpy(row + column * 4, pixels + (size_t)i * 4, 4);
  }
}

void row_sink_end(row_sink *sink) {
  if (sink->filter != NULL) box_filter_end(sink->filter);
  sink->filter = NULL;
}
