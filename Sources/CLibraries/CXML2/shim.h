#pragma once
// libxml2 may be built with ICU, whose headers define types that clash with Foundation's. Nothing
// here needs them, so the feature is turned off before any header that would include them.
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
  EACH(htmlNewParserCtxt) EACH(htmlCtxtReadMemory) EACH(htmlFreeParserCtxt)                 \
  EACH(xmlSwitchEncoding)

LIBRARY(LibXMLFunctions, libxml_library, LIBXML_FILE, LIBXML_FUNCTIONS)

/// Makes the parser read its input as UTF-8 whatever its first bytes are: it would take text that
/// begins with zeros for another encoding.
static inline void libxml_assume_utf8(LibXMLFunctions xml, xmlParserCtxtPtr _Nonnull context) {
#if LIBXML_VERSION >= 21200
  xml.xmlSwitchEncoding(context, XML_CHAR_ENCODING_UTF8);
#else
  context->encoding = xml.xmlStrdup((const xmlChar *)"UTF-8");
#endif
}

/// Makes the parser report the next error. Since 2.13 it is silent after the hundredth.
static inline void libxml_continue_reporting(xmlParserCtxtPtr _Nonnull context) {
#if LIBXML_VERSION >= 21300
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  context->nbErrors = 0;
#pragma clang diagnostic pop
#endif
}
