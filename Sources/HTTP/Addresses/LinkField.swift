/// A link that a server sends in a `Link` header: `<https://a.example/?max_id=7>; rel="next"`
/// (RFC 8288).
package struct LinkField: Hashable, Sendable {
  /// As written, relative to the address of the answer.
  package let target: String
  /// What the target is to the page, in lower case.
  package let relations: [String]
  /// Whether it is a link of another page than the one it came with.
  package let isOfAnotherPage: Bool

  /// The links of one field, as far as they can be read: what is no link is passed over.
  ///
  /// - Complexity: O(n) in the characters.
  package static func links(in value: String) -> [LinkField] {
    var links: [LinkField] = []
    var rest = value[...]
    while let open = rest.firstIndex(of: "<") {
      let inside = rest[rest.index(after: open)...]
      guard let close = inside.firstIndex(of: ">") else { break }
      rest = inside[inside.index(after: close)...]
      var relation: String?
      var isOfAnotherPage = false
      while let (name, value) = parameter(&rest) {
        // Only the first of a name counts.
        if name == "rel", relation == nil { relation = value }
        if name == "anchor" { isOfAnotherPage = true }
      }
      let names = (relation ?? "").split { $0 == " " || $0 == "\t" }.map { $0.lowercased() }
      links.append(
        LinkField(
          target: String(inside[..<close]), relations: names, isOfAnotherPage: isOfAnotherPage))
    }
    return links
  }

  /// Takes `; name=value` off the beginning; nil where another link or nothing follows.
  private static func parameter(_ rest: inout Substring) -> (name: String, value: String)? {
    rest = rest.drop { $0 != ";" && $0 != "," && $0 != "<" }
    guard rest.first == ";" else { return nil }
    rest = rest.dropFirst()
    let name = rest.prefix { !"=;,<".contains($0) }
    rest = rest[name.endIndex...]
    var value = ""
    if rest.first == "=" {
      rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
      if rest.first == "\"" {
        value = quoted(&rest)
      } else {
        let token = rest.prefix { $0 != ";" && $0 != "," }
        rest = rest[token.endIndex...]
        value = String(token)
      }
    }
    return (name.filter { $0 != " " && $0 != "\t" }.lowercased(), value)
  }

  private static func quoted(_ rest: inout Substring) -> String {
    var value = ""
    rest = rest.dropFirst()
    while let character = rest.popFirst(), character != "\"" {
      if character == "\\", let escaped = rest.popFirst() {
        value.append(escaped)
      } else {
        value.append(character)
      }
    }
    return value
  }
}

extension HTTPResponse {
  /// The address that the server links to as `relation` of what it sent, absolute; nil where it
  /// does not.
  package func link(_ relation: String) -> String? {
    for field in headers.fields where field.name.lowercased() == "link" {
      for link in LinkField.links(in: field.value)
      where link.relations.contains(relation) && !link.isOfAnotherPage {
        return URLReference(link.target).resolved(against: URLReference(url)).description
      }
    }
    return nil
  }
}
