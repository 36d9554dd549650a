#pragma once
#include <gif_lib.h>

#include "../library.h"

#define GIF_FUNCTIONS(EACH)                                                \
  EACH(DGifOpen) EACH(DGifCloseFile) EACH(DGifGetRecordType)               \
  EACH(DGifGetExtension) EACH(DGifGetExtensionNext)                        \
  EACH(DGifGetImageDesc) EACH(DGifGetLine) EACH(GifErrorString)

LIBRARY(GIFFunctions, gif_library, "libgif.so.7", GIF_FUNCTIONS)
