#pragma once
// libxml2 may be built with ICU, whose headers define types that clash with Foundation's. Nothing here
// needs them, so the feature is hidden before any header that would include them.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/entities.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
