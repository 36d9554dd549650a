import TextLayout

/// JSON that is written member by member, without spaces.
struct JSONWriter {
  private(set) var bytes: [UInt8]

  init(appendingTo bytes: consuming [UInt8] = []) { self.bytes = bytes }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func object(_ body: (inout JSONWriter) -> Void) { within("{", "}", body) }

  mutating func array<Element>(
    _ elements: some Sequence<Element>, _ body: (Element, inout JSONWriter) -> Void
  ) {
    within("[", "]") { output in
      for element in elements {
        output.separate()
        body(element, &output)
      }
    }
  }

  private mutating func within(
    _ first: UnicodeScalar, _ last: UnicodeScalar, _ body: (inout JSONWriter) -> Void
  ) {
    bytes.append(UInt8(ascii: first))
    body(&self)
    bytes.append(UInt8(ascii: last))
  }

  /// Writes a comma, unless the next member or element is the first.
  private mutating func separate() {
    if let last = bytes.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") {
      bytes.append(UInt8(ascii: ","))
    }
  }

  /// Writes a member's name; its value must follow.
  mutating func name(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes a member with a text, or nothing if `text` is `nil`.
  mutating func member(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    self.name(name)
    JSONStringEscaping.append(text, to: &bytes)
  }

  /// As `member`, but writes nothing if `text` is empty.
  mutating func words(_ name: StaticString, _ text: String) {
    if !text.isEmpty { member(name, text) }
  }

  mutating func member(_ name: StaticString, number: Int?) {
    guard let number else { return }
    self.name(name)
    bytes.append(contentsOf: String(number).utf8)
  }

  /// Writes a member with a number, or nothing if `number` is `nil`, infinite or not a number.
  mutating func member(_ name: StaticString, number: Double?) {
    guard let number, number.isFinite else { return }
    self.name(name)
    bytes.append(contentsOf: String(number).utf8)
  }

  /// Writes a member that is `true`, or nothing if `flag` is false.
  mutating func member(_ name: StaticString, flag: Bool) {
    guard flag else { return }
    self.name(name)
    bytes.append(contentsOf: "true".utf8)
  }

  mutating func lineBreak() { bytes.append(UInt8(ascii: "\n")) }

  mutating func string(_ text: String) { JSONStringEscaping.append(text, to: &bytes) }

  /// Writes a member with an object, unless the object is empty.
  mutating func member(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    let before = bytes.count
    self.name(name)
    let start = bytes.count
    object(body)
    if bytes.count == start + 2 { bytes.removeLast(bytes.count - before) }
  }

  /// Writes a member with an array, unless the array is empty.
  mutating func member<Element>(
    _ name: StaticString, _ elements: [Element], _ body: (Element, inout JSONWriter) -> Void
  ) {
    guard !elements.isEmpty else { return }
    self.name(name)
    array(elements, body)
  }
}
