#pragma once
#include <webp/decode.h>

#include "../library.h"

#define WEBP_FUNCTIONS(EACH)                                               \
  EACH(WebPInitDecoderConfigInternal) EACH(WebPGetFeaturesInternal)        \
  EACH(WebPDecode) EACH(WebPFreeDecBuffer)                                 \
  EACH(WebPIDecode) EACH(WebPIAppend) EACH(WebPIDelete)

LIBRARY(WebPFunctions, webp_library, "libwebp.so.7", WEBP_FUNCTIONS)
