/// A link that a server sends in a `Link` header: `<https://a.example/?max_id=7>; rel="next"`
/// (RFC 8288).
package struct LinkField: Hashable, Sendable {
  /// As written, relative to the address of the response.
  package let target: String
  /// The relations of the target to the page, in lower case.
  package let relations: [String]
  /// The media type of the target in lower case, without parameters; empty if it is not given.
  package var type = ""
  /// The title of the target; empty if it is not given.
  package var title = ""
  /// Whether the link has an `anchor`: it then belongs to a page other than that of the response.
  package let concernsAnotherPage: Bool

  /// The links in the value of one field; unreadable parts are skipped.
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
      var concernsAnotherPage = false
      var (type, title) = ("", "")
      while let (name, value) = parameter(&rest) {
        // Only the first `rel` counts.
        if name == "rel", relation == nil { relation = value }
        if name == "type" { type = value.prefix { $0 != ";" }.lowercased().filter { $0 != " " } }
        if name == "title" { title = value }
        if name == "anchor" { concernsAnotherPage = true }
      }
      let names = (relation ?? "").split { $0 == " " || $0 == "\t" }.map { $0.lowercased() }
      links.append(
        LinkField(
          target: String(inside[..<close]), relations: names, type: type, title: title,
          concernsAnotherPage: concernsAnotherPage))
    }
    return links
  }

  /// Removes `; name=value` from the beginning; `nil` if another link or nothing follows.
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
  /// The absolute address that the server links to with `relation`; `nil` if it links to none.
  package func link(_ relation: String) -> String? {
    for field in headers.fields where field.name.lowercased() == "link" {
      for link in LinkField.links(in: field.value)
      where link.relations.contains(relation) && !link.concernsAnotherPage {
        return URLReference(link.target).resolved(against: URLReference(url)).description
      }
    }
    return nil
  }
}
