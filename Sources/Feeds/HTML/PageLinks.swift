import HTTP

/// The links by which a web page names its feeds and itself.
package struct PageLinks: Hashable, Sendable {
  /// A feed that the page names (`<link rel="alternate">`).
  package struct Alternate: Hashable, Sendable {
    /// An absolute http(s) address.
    package let address: String
    /// The media type in lower case, without parameters.
    package let type: String
    /// The title as the page writes it; empty if there is none.
    package let title: String

    package init(address: String, type: String, title: String) {
      self.address = address
      self.type = type
      self.title = title
    }
  }

  /// In the order of the page, each address once.
  package private(set) var alternates: [Alternate] = []
  /// The address that the page gives for itself.
  package private(set) var canonical: String?

  /// The maximum number of alternates that are read.
  private static let limit = 100

  private struct Link {
    var relations: [String] = []
    var target = ""
    var type = ""
    var title = ""
  }

  /// Reads the links of a page at `address`. Addresses are resolved against its `<base>`.
  ///
  /// - Complexity: O(n) in the bytes.
  package init(_ page: [UInt8], address: String) {
    var links: [Link] = []
    var base: String?
    UnicodeText(page).bytes.withUnsafeBufferPointer { bytes in
      let read = { (tag: inout HTMLTagScanner, isStart: Bool) in
        var attributes: [HTMLTagScanner.Attribute] = []
        while let attribute = tag.next() {
          if attributes.count < FeedLimits.tagAttributes { attributes.append(attribute) }
        }
        guard isStart else { return }
        switch tag.name {
        case "link": if let link = Self.link(attributes, in: bytes) { links.append(link) }
        case "base":
          let address = attributes.first { ElementName(bytes[$0.name]) == "href" }
          base = base ?? address.map { HTMLAddressRewriter.decoded(bytes[$0.value]) }
        default: break
        }
      }
      HTMLTagScanner.scan(bytes, isRaw: Self.rawText.contains, text: { _ in }, tag: read)
    }
    let origin = FeedAddress.resolve(base, base: address) ?? address
    var seen: Set<String> = []
    for link in links {
      guard let target = FeedAddress.resolve(link.target, base: origin), FeedAddress.isWeb(target)
      else { continue }
      if link.relations.contains("canonical"), canonical == nil { canonical = target }
      if link.relations.contains("alternate"), alternates.count < Self.limit,
        seen.insert(target).inserted
      {
        alternates.append(
          Alternate(address: target, type: link.type, title: Sanitizing.collapsed(link.title)))
      }
    }
  }

  private static let rawText: Set<ElementName> = [
    "script", "style", "template", "textarea", "title", "xmp",
  ]

  private static func link(
    _ attributes: [HTMLTagScanner.Attribute], in bytes: UnsafeBufferPointer<UInt8>
  ) -> Link? {
    var link = Link()
    for attribute in attributes {
      let value = HTMLAddressRewriter.decoded(bytes[attribute.value])
      switch ElementName(bytes[attribute.name]) {
      case "rel":
        link.relations = value.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
      case "href": link.target = value
      case "type":
        let type = value.prefix { $0 != ";" }
        link.type = type.lowercased().filter { !$0.isWhitespace }
      case "title": link.title = value
      default: break
      }
    }
    return link.relations.isEmpty || link.target.isEmpty ? nil : link
  }
}
