/// Where things stand in a JSON document: the members of its head, and each of its items.
///
/// Knows three shapes: JSON Feed (`{"items": […]}`), RSS in JSON (`{"rss": {"channel": {"item": […]}}}`)
/// and a bare array of items.
struct JSONDocumentMap {
  /// Members of the head but for the items.
  private(set) var head: [String: Range<Int>] = [:]
  private(set) var items: [JSONScanner.Span] = []
  private(set) var isRSS = false
  private(set) var hasItems = false
  /// What is wrong outside any item.
  private(set) var fault: JSONScanner.Fault?

  /// - Complexity: O(n) in the bytes.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var scanner = JSONScanner(bytes)
    if scanner.accept("[") {
      readItems(&scanner)
    } else if scanner.accept("{") {
      readMembers(&scanner, depth: 0)
    } else {
      fault = JSONScanner.Fault(byte: scanner.position, reason: "neither an object nor an array")
      return
    }
    if fault == nil, scanner.peek() != nil {
      fault = JSONScanner.Fault(
        byte: scanner.position, reason: "more behind the end of the document")
    }
  }

  private mutating func readMembers(_ scanner: inout JSONScanner, depth: Int) {
    while true {
      while scanner.accept(",") {}
      if scanner.accept("}") { return }
      if scanner.isAtEnd, items.last?.fault?.missing.isEmpty == false { return }
      guard let name = scanner.key() else {
        note(scanner.position, scanner.isAtEnd ? "ends inside an object" : "not a member's name")
        return
      }
      let next = scanner.peek()
      let isObject = next == UInt8(ascii: "{")
      if isObject, depth == 0 && name == "rss" || depth == 1 && name == "channel" && isRSS {
        isRSS = true
        _ = scanner.accept("{")
        readMembers(&scanner, depth: depth + 1)
      } else if next == UInt8(ascii: "["), name == (isRSS ? "item" : "items"), !hasItems {
        _ = scanner.accept("[")
        readItems(&scanner)
      } else {
        let span = scanner.value()
        if isRSS, name == "item", isObject {
          hasItems = true
          items.append(span)
          continue
        }
        head[name] = span.range
        if let broken = span.fault { note(broken.byte, broken.reason) }
        if span.range.isEmpty {
          note(scanner.position, "no value")
          return
        }
      }
      if fault != nil, scanner.isAtEnd { return }
    }
  }

  private mutating func readItems(_ scanner: inout JSONScanner) {
    hasItems = true
    while true {
      while scanner.accept(",") {}
      guard let next = scanner.peek() else {
        if items.last?.fault?.missing.isEmpty ?? true {
          note(scanner.position, "ends inside the list of items")
        }
        return
      }
      if next == UInt8(ascii: "]") {
        scanner.position += 1
        return
      }
      let span = scanner.value()
      if span.range.isEmpty {
        // A closing brace between items: left over from one that was broken.
        note(scanner.position, "“\(Character(.init(next)))” out of place")
        scanner.position += 1
      } else {
        items.append(span)
      }
    }
  }

  private mutating func note(_ byte: Int, _ reason: String) {
    if fault == nil { fault = JSONScanner.Fault(byte: byte, reason: reason) }
  }
}
