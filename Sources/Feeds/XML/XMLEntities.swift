import CXML2

/// Resolves `&name;` in a feed: XML's five entities, those that the document itself declares, and
/// HTML's, which feeds use without declaring them.
enum XMLEntities {
  /// Whether a declared entity may be expanded: at most 1,024 bytes without a reference.
  ///
  /// libxml2's own bound on expansion does not apply here: `entity(_:in:)` clears the flag that it
  /// depends on.
  static func isPlain(_ content: UnsafePointer<xmlChar>) -> Bool {
    var length = 0
    while content[length] != 0 {
      if content[length] == UInt8(ascii: "&") || length == 1_024 { return false }
      length += 1
    }
    return true
  }

  /// The entity of that name, owned by the context's document; `nil` if there is none.
  static func entity(
    _ name: UnsafePointer<xmlChar>, in context: UnsafeMutablePointer<xmlParserCtxt>
  ) -> xmlEntityPtr? {
    // After the first error libxml2 drops every reference that follows, `&amp;` included, unless
    // the document counts as well formed again. This is the last moment before it looks.
    context.pointee.wellFormed = 1
    guard let xml = LibXML.functions else { return nil }
    if let known = xml.xmlGetPredefinedEntity(name) ?? xml.xmlSAX2GetEntity(context, name) {
      return known
    }
    guard let html = xml.htmlEntityLookup(name), let document = context.pointee.myDoc,
      let scalar = Unicode.Scalar(html.pointee.value)
    else { return nil }
    if document.pointee.intSubset == nil { _ = xml.xmlCreateIntSubset(document, "html", nil, nil) }
    return xml.xmlAddDocEntity(
      document, name, Int32(XML_INTERNAL_GENERAL_ENTITY.rawValue), nil, nil,
      String(Character(scalar)))
  }
}
