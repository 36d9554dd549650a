#pragma once
#include <png.h>

/* Swift does not import macros made of other macros' values. */
static inline png_uint_32 tideline_png_format_rgba(void) { return PNG_FORMAT_RGBA; }
