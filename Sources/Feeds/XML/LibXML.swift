import CXML2

/// The only place where libxml2 is initialized. Its own printing and loading stay off: every parser
/// here has its own error handler and never opens a file or an address.
enum LibXML {
  /// The library's functions; `nil` if it is not installed. Opened once, for the first markup, on
  /// any thread; parsers run on many.
  static let functions: LibXMLFunctions? = {
    guard let xml = libxml_library()?.pointee else { return nil }
    xml.xmlInitParser()
    // libxml2 would print errors outside of any parser onto the screen. It keeps a handler per
    // thread: the first call sets this thread's, the second that of later threads.
    xml.xmlSetStructuredErrorFunc(nil) { _, _ in }
    xml.xmlThrDefSetStructuredErrorFunc(nil) { _, _ in }
    return xml
  }()

  /// The value that is stored in a parser's context; it does not move while the parser runs.
  static func owner<Owner>(
    of context: UnsafeMutableRawPointer?
  ) -> UnsafeMutablePointer<Owner>? {
    let parser = context?.assumingMemoryBound(to: xmlParserCtxt.self)
    return parser?.pointee._private?.assumingMemoryBound(to: Owner.self)
  }

  /// A C string of libxml2 as a Swift string; invalid UTF-8 is repaired.
  static func string(_ pointer: UnsafePointer<xmlChar>?) -> String? {
    pointer.map { String(cString: $0) }
  }

  static func string(from start: UnsafePointer<xmlChar>?, to end: UnsafePointer<xmlChar>?) -> String
  {
    guard let start, let end, end >= start else { return "" }
    return String(decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self)
  }
}
