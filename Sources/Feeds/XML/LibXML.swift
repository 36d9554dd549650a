import CXML2

/// The one place where libxml2 is made ready. Its own printing and loading stay off: every parser
/// here has its own error handler and never opens a file or an address.
enum LibXML {
  /// Its functions; nil where it is not installed. Opened once, with the first markup, whichever
  /// thread comes first; parsers are used on many.
  static let functions: LibXMLFunctions? = {
    guard let xml = libxml_library()?.pointee else { return nil }
    xml.xmlInitParser()
    // Errors outside of any parser would be printed, onto the screen. Handlers are kept by thread:
    // one for this, one for those that come later.
    xml.xmlSetStructuredErrorFunc(nil) { _, _ in }
    xml.xmlThrDefSetStructuredErrorFunc(nil) { _, _ in }
    return xml
  }()

  /// The value that a parser's context was given; it stays in its place while the parser runs.
  static func owner<Owner>(
    of context: UnsafeMutableRawPointer?
  ) -> UnsafeMutablePointer<Owner>? {
    let parser = context?.assumingMemoryBound(to: xmlParserCtxt.self)
    return parser?.pointee._private?.assumingMemoryBound(to: Owner.self)
  }

  /// A C string of libxml2 as a Swift one; invalid UTF-8 is repaired.
  static func string(_ pointer: UnsafePointer<xmlChar>?) -> String? {
    pointer.map { String(cString: $0) }
  }

  static func string(from start: UnsafePointer<xmlChar>?, to end: UnsafePointer<xmlChar>?) -> String
  {
    guard let start, let end, end >= start else { return "" }
    return String(decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self)
  }
}
