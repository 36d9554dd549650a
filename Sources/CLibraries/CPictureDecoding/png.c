// PNG through libpng's progressive reader, which gives every row that the bytes reach.
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "../library.h"
#include "codecs.h"

#define PNG_FUNCTIONS(EACH)                                                             \
  EACH(png_create_read_struct) EACH(png_create_info_struct) EACH(png_destroy_read_struct) \
  EACH(png_get_error_ptr) EACH(png_get_progressive_ptr) EACH(png_set_progressive_read_fn) \
  EACH(png_process_data) EACH(png_set_user_limits) EACH(png_set_chunk_malloc_max)         \
  EACH(png_set_keep_unknown_chunks) EACH(png_set_benign_errors)                           \
  EACH(png_get_image_width) EACH(png_get_image_height) EACH(png_get_interlace_type)       \
  EACH(png_set_alpha_mode_fixed) EACH(png_set_expand) EACH(png_set_scale_16)              \
  EACH(png_set_gray_to_rgb) EACH(png_set_add_alpha) EACH(png_read_update_info)            \
  EACH(png_get_rowbytes)

LIBRARY(PNGFunctions, png_library, "libpng16.so.16", PNG_FUNCTIONS)

typedef struct {
  const PNGFunctions *png;
  const picture_request *request;
  uint8_t *pixels;
  row_sink sink;
  int is_interlaced, is_ended;
  picture_outcome failure;
  // All failures jump here.
  jmp_buf leave;
} reading;

OPENED_ONCE(PNGFunctions, png_library)

void png_open(void) { (void)library(); }

static _Noreturn void leave(reading *reading, picture_outcome failure) {
  reading->failure = failure;
  longjmp(reading->leave, 1);
}

static _Noreturn void fail(reading *reading, const char *reason) {
  leave(reading, picture_broken(reason));
}

static void take_error(png_structp file, png_const_charp message) {
  reading *reading = library()->png_get_error_ptr(file);
  leave(reading, strcmp(message, "Out of memory") == 0 ? picture_needs_memory()
                                                       : picture_broken(message));
}

static void take_warning(png_structp file, png_const_charp message) {
  (void)file;
  (void)message;
}

static void take_header(png_structp file, png_infop info) {
  const PNGFunctions *png = library();
  reading *reading = png->png_get_progressive_ptr(file);
  const picture_size stored = reading->request->stored;
  if (!picture_is(stored, png->png_get_image_width(file, info),
                  png->png_get_image_height(file, info)))
    fail(reading, "its size is contradictory");
  reading->is_interlaced = png->png_get_interlace_type(file, info) != PNG_INTERLACE_NONE;
  // All kinds become RGBA of 8 bits in sRGB, which is also assumed for pictures that do not say.
  png->png_set_alpha_mode_fixed(file, PNG_ALPHA_PNG, PNG_DEFAULT_sRGB);
  png->png_set_expand(file);
  png->png_set_scale_16(file);
  png->png_set_gray_to_rgb(file);
  png->png_set_add_alpha(file, 255, PNG_FILLER_AFTER);
  png->png_read_update_info(file, info);
  if (png->png_get_rowbytes(file, info) != (png_size_t)stored.width * 4)
    fail(reading, "its rows are contradictory");
  if (!row_sink_start(&reading->sink, stored, reading->request->target, reading->is_interlaced,
                      reading->pixels))
    leave(reading, picture_needs_memory());
}

// The rows of an interlaced picture come as stored: those of seven small pictures, each pixel once.
static void take_row(png_structp file, png_bytep row, png_uint_32 number, int pass) {
  reading *reading = library()->png_get_progressive_ptr(file);
  if (row == NULL) return;
  if (!reading->is_interlaced) return row_sink_add_row(&reading->sink, number, row);
  if (pass < 0 || pass > 6) return;
  row_sink_add_pixels(&reading->sink, PNG_ROW_FROM_PASS_ROW(number, pass),
                      PNG_PASS_START_COL(pass), 1u << PNG_PASS_COL_SHIFT(pass),
                      PNG_PASS_COLS(reading->request->stored.width, pass), row);
}

static void take_end(png_structp file, png_infop info) {
  (void)info;
  reading *reading = library()->png_get_progressive_ptr(file);
  reading->is_ended = 1;
}

static void read_all(reading *reading, png_structp file, png_infop info, const uint8_t *bytes,
                     size_t count) {
  const PNGFunctions *png = reading->png;
  // Of the other chunks only those that give the pixels' meaning are read.
  static const png_byte meant[] = "gAMA\0sRGB";
  png->png_set_keep_unknown_chunks(file, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png->png_set_keep_unknown_chunks(file, PNG_HANDLE_CHUNK_AS_DEFAULT, meant, 2);
  png->png_set_user_limits(file, reading->request->stored.width, reading->request->stored.height);
  png->png_set_chunk_malloc_max(file, 1 << 20);
  png->png_set_benign_errors(file, 1);
  png->png_set_progressive_read_fn(file, reading, take_header, take_row, take_end);
  // libpng declares the bytes as mutable, but does not write to them.
  png->png_process_data(file, info, (png_bytep)bytes, count);
}

picture_outcome png_decode(const picture_request *request, const uint8_t *bytes, size_t count,
                           uint8_t *pixels) {
  const PNGFunctions *png = library();
  if (png == NULL) return picture_broken("libpng is not installed");
  reading *reading = calloc(1, sizeof *reading);
  if (reading == NULL) return picture_needs_memory();
  reading->png = png;
  reading->request = request;
  reading->pixels = pixels;
  png_structp file =
      png->png_create_read_struct(PNG_LIBPNG_VER_STRING, reading, take_error, take_warning);
  png_infop info = file == NULL ? NULL : png->png_create_info_struct(file);
  picture_outcome outcome;
  if (info == NULL) {
    outcome = picture_broken("the decoder does not start");
  } else if (setjmp(reading->leave) == 0) {
    read_all(reading, file, info, bytes, count);
    outcome = reading->is_ended ? picture_whole() : picture_cut_short(reading->sink.has_rows);
  } else {
    outcome = reading->failure;
  }
  row_sink_end(&reading->sink);
  if (file != NULL) png->png_destroy_read_struct(&file, &info, NULL);
  free(reading);
  return outcome;
}
