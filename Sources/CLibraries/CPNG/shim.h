#pragma once
#include <png.h>

#include "../library.h"

/* Swift does not import macros made of other macros' values. */
static inline png_uint_32 tideline_png_format_rgba(void) { return PNG_FORMAT_RGBA; }

#define PNG_FUNCTIONS(EACH) EACH(png_image_write_to_memory)

LIBRARY(PNGFunctions, png_library, "libpng16.so.16", PNG_FUNCTIONS)
