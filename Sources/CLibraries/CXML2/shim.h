#pragma once
// libxml2 may be built with ICU, whose headers define types that clash with Foundation's. Nothing
// here needs them, so the feature is hidden before any header that would include them.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/entities.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>

#include "../library.h"

#if LIBXML_VERSION >= 21400
#define LIBXML_FILE "libxml2.so.16"
#else
#define LIBXML_FILE "libxml2.so.2"
#endif

#define LIBXML_FUNCTIONS(EACH)                                                             \
  EACH(xmlInitParser) EACH(xmlSetStructuredErrorFunc) EACH(xmlThrDefSetStructuredErrorFunc) \
  EACH(xmlCreateMemoryParserCtxt) EACH(xmlCtxtUseOptions) EACH(xmlFreeParserCtxt)           \
  EACH(xmlParseDocument) EACH(xmlStopParser) EACH(xmlFreeDoc) EACH(xmlStrdup)               \
  EACH(xmlSAX2StartDocument) EACH(xmlSAX2InternalSubset) EACH(xmlSAX2EntityDecl)            \
  EACH(xmlSAX2GetEntity) EACH(xmlGetPredefinedEntity) EACH(xmlAddDocEntity)                 \
  EACH(xmlCreateIntSubset) EACH(htmlEntityLookup) EACH(htmlTagLookup)                       \
  EACH(htmlNewParserCtxt) EACH(htmlCtxtReadMemory) EACH(htmlFreeParserCtxt)

LIBRARY(LibXMLFunctions, libxml_library, LIBXML_FILE, LIBXML_FUNCTIONS)
