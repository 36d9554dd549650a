// The common part of the codecs. Each decodes one format, as `picture_decode` says.
#pragma once
#include <pthread.h>

#include "CPictureDecoding.h"

// The table of a library's functions, opened at first use; NULL if there is none.
#define OPENED_ONCE(Table, open)                      \
  static const Table *opened;                         \
  static void open_once(void) { opened = open(); }    \
  static const Table *library(void) {                 \
    static pthread_once_t once = PTHREAD_ONCE_INIT;   \
    pthread_once(&once, open_once);                   \
    return opened;                                    \
  }

picture_outcome jpeg_decode(const picture_request *request, const uint8_t *bytes, size_t count,
                            uint8_t *pixels);
picture_outcome png_decode(const picture_request *request, const uint8_t *bytes, size_t count,
                           uint8_t *pixels);
picture_outcome webp_decode(const picture_request *request, const uint8_t *bytes, size_t count,
                            uint8_t *pixels);
picture_outcome gif_decode(const picture_request *request, const uint8_t *bytes, size_t count,
                           uint8_t *pixels);

void jpeg_open(void);
void png_open(void);
void webp_open(void);
void gif_open(void);

picture_outcome picture_whole(void);
// Broken if not one row was decoded.
picture_outcome picture_cut_short(int has_rows);
picture_outcome picture_broken(const char *reason);
picture_outcome picture_needs_memory(void);
int picture_is(picture_size size, uint32_t width, uint32_t height);

// Receives rows, and scales them unless the target is as large as the stored picture.
typedef struct {
  picture_size stored;
  picture_size target;
  uint8_t *pixels;
  // NULL if nothing is scaled.
  struct box_filter *filter;
  int has_rows;
} row_sink;

// Returns 0 if there is not enough memory.
int row_sink_start(row_sink *sink, picture_size stored, picture_size target, int any_order,
                   uint8_t *pixels);
void row_sink_add_row(row_sink *sink, uint32_t y, const uint8_t *row);
// Only with `any_order`.
void row_sink_add_pixels(row_sink *sink, uint32_t y, uint32_t x, uint32_t step, uint32_t count,
                         const uint8_t *pixels);
void row_sink_end(row_sink *sink);
