// The first frame of a GIF through giflib, row by row; later frames are not read.
#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

#include "../library.h"
#include "codecs.h"

#define GIF_FUNCTIONS(EACH)                                                \
  EACH(DGifOpen) EACH(DGifCloseFile) EACH(DGifGetRecordType)               \
  EACH(DGifGetExtension) EACH(DGifGetExtensionNext)                        \
  EACH(DGifGetImageDesc) EACH(DGifGetLine) EACH(GifErrorString)

LIBRARY(GIFFunctions, gif_library, "libgif.so.7", GIF_FUNCTIONS)

OPENED_ONCE(GIFFunctions, gif_library)

void gif_open(void) { (void)library(); }

typedef struct {
  const uint8_t *bytes;
  size_t left;
} source;

static int read_bytes(GifFileType *file, GifByteType *out, int wanted) {
  source *source = file->UserData;
  size_t count = wanted < 0 ? 0 : (size_t)wanted;
  if (count > source->left) count = source->left;
  memcpy(out, source->bytes, count);
  source->bytes += count;
  source->left -= count;
  return (int)count;
}

static picture_outcome broken(const GIFFunctions *gif, int code) {
  if (code == D_GIF_ERR_NOT_ENOUGH_MEM) return picture_needs_memory();
  const char *text = gif->GifErrorString(code);
  return picture_broken(text == NULL ? "it cannot be decoded" : text);
}

static const int nothing_transparent = -1;

// Reads an extension. A graphic control (GIF89a, 23) sets `transparent`, the index that is not
// drawn.
static int read_extension(const GIFFunctions *gif, GifFileType *file, int *transparent) {
  int function = 0;
  GifByteType *block = NULL;
  if (gif->DGifGetExtension(file, &function, &block) != GIF_OK) return 0;
  while (block != NULL) {
    if (function == GRAPHICS_EXT_FUNC_CODE && block[0] >= 4)
      *transparent = block[1] & 1 ? block[4] : nothing_transparent;
    if (gif->DGifGetExtensionNext(file, &block) != GIF_OK) return 0;
  }
  return 1;
}

// The place of a frame and the meaning of its pixels.
typedef struct {
  uint32_t left, top, width, height;
  int is_interlaced, transparent;
  const ColorMapObject *colors;
} frame;

static void color_row(const frame *frame, const GifPixelType *indices, uint32_t count,
                      uint8_t *row) {
  for (uint32_t x = 0; x < count; x++, row += 4) {
    const int index = indices[x];
    if (index == frame->transparent || index >= frame->colors->ColorCount) {
      memset(row, 0, 4);
      continue;
    }
    const GifColorType color = frame->colors->Colors[index];
    row[0] = color.Red;
    row[1] = color.Green;
    row[2] = color.Blue;
    row[3] = 255;
  }
}

// The row stored after `row` (GIF89a, appendix E); `height` or more after the last.
static uint32_t next_row(const frame *frame, uint32_t row, int *pass) {
  static const uint32_t starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
  if (!frame->is_interlaced) return row + 1;
  row += steps[*pass];
  while (row >= frame->height && *pass < 3) row = starts[++*pass];
  return row;
}

static picture_outcome read_rows(const GIFFunctions *gif, GifFileType *file, const frame *frame,
                                 row_sink *sink, GifPixelType *line, uint8_t *row) {
  // A frame may hang over the canvas on the right and below.
  const uint32_t canvas = sink->stored.width;
  uint32_t visible = frame->left >= canvas ? 0 : canvas - frame->left;
  if (visible > frame->width) visible = frame->width;
  int pass = 0;
  for (uint32_t y = 0; y < frame->height; y = next_row(frame, y, &pass)) {
    if (gif->DGifGetLine(file, line, (int)frame->width) != GIF_OK) {
      const int code = file->Error;
      if (code == D_GIF_ERR_READ_FAILED || code == D_GIF_ERR_EOF_TOO_SOON)
        return picture_cut_short(sink->has_rows);
      return broken(gif, code);
    }
    if (visible == 0) continue;
    color_row(frame, line, visible, row + (size_t)frame->left * 4);
    row_sink_add_row(sink, frame->top + y, row);
  }
  return picture_whole();
}

static picture_outcome read_frame(const GIFFunctions *gif, GifFileType *file,
                                  const picture_request *request, int transparent,
                                  uint8_t *pixels) {
  if (gif->DGifGetImageDesc(file) != GIF_OK) return broken(gif, file->Error);
  const GifImageDesc found = file->Image;
  if (found.Width <= 0 || found.Height <= 0) return picture_broken("a frame of no size");
  const frame frame = {
      .left = (uint32_t)(found.Left < 0 ? 0 : found.Left),
      .top = (uint32_t)(found.Top < 0 ? 0 : found.Top),
      .width = (uint32_t)found.Width,
      .height = (uint32_t)found.Height,
      .is_interlaced = found.Interlace,
      .transparent = transparent,
      .colors = found.ColorMap != NULL ? found.ColorMap : file->SColorMap,
  };
  if ((uint64_t)frame.width * frame.height > request->maximum_pixels ||
      frame.width > request->maximum_side || frame.height > request->maximum_side)
    return (picture_outcome){
        .status = PICTURE_TOO_LARGE, .size = {.width = frame.width, .height = frame.height}};
  if (frame.colors == NULL || frame.colors->Colors == NULL)
    return picture_broken("it has no colours");
  row_sink sink = {.filter = NULL};
  GifPixelType *line = malloc(frame.width);
  // The row beside the frame stays transparent.
  uint8_t *row = calloc(request->stored.width, 4);
  picture_outcome outcome = picture_needs_memory();
  if (line != NULL && row != NULL &&
      row_sink_start(&sink, request->stored, request->target, frame.is_interlaced, pixels))
    outcome = read_rows(gif, file, &frame, &sink, line, row);
  row_sink_end(&sink);
  free(row);
  free(line);
  return outcome;
}

static picture_outcome read_all(const GIFFunctions *gif, GifFileType *file,
                                const picture_request *request, uint8_t *pixels) {
  int transparent = nothing_transparent;
  for (;;) {
    GifRecordType kind = UNDEFINED_RECORD_TYPE;
    if (gif->DGifGetRecordType(file, &kind) != GIF_OK) return broken(gif, file->Error);
    switch (kind) {
      case EXTENSION_RECORD_TYPE:
        if (!read_extension(gif, file, &transparent)) return broken(gif, file->Error);
        break;
      case IMAGE_DESC_RECORD_TYPE:
        return read_frame(gif, file, request, transparent, pixels);
      case TERMINATE_RECORD_TYPE: return picture_broken("it has no frame");
      default: break;
    }
  }
}

picture_outcome gif_decode(const picture_request *request, const uint8_t *bytes, size_t count,
                           uint8_t *pixels) {
  const GIFFunctions *gif = library();
  if (gif == NULL) return picture_broken("giflib is not installed");
  source source = {.bytes = bytes, .left = count};
  int code = 0;
  GifFileType *file = gif->DGifOpen(&source, read_bytes, &code);
  if (file == NULL) return broken(gif, code);
  picture_outcome outcome = read_all(gif, file, request, pixels);
  gif->DGifCloseFile(file, &code);
  return outcome;
}
