import System

/// Copies what an item of XML may show of its texts and attributes.
struct ShownXML {
  private enum Content {
    /// Kept as it is.
    case text
    case html
    /// An address or a time.
    case unshown
  }

  private(set) var shown: ShownBytes
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  /// Names of the elements that are open.
  private var open: [Range<Int>] = []
  /// What the child of the item that is open holds.
  private var content = Content.text

  private static let contents = ElementNames<Content>([
    (.html, "description content:encoded"),
    (.unshown, "guid link id pubdate updated published comments"),
  ])

  init(_ bytes: UnsafeBufferPointer<UInt8>, keepsOrder: Bool) {
    self.bytes = bytes
    shown = ShownBytes(room: bytes.count, keepsOrder: keepsOrder)
  }

  /// - Returns: whether all of it was understood.
  mutating func read() -> Bool {
    while let opening = next(UInt8(ascii: "<"), from: position) {
      if open.isEmpty {
        guard shown.bytes.isEmpty, bytes[position..<opening].allSatisfy({ $0 <= 0x20 }) else {
          return false
        }
      } else {
        append(position..<opening, .escaped)
      }
      guard opening + 1 < bytes.count else { return false }
      position = opening
      switch bytes[opening + 1] {
      case UInt8(ascii: "!"): guard section() else { return false }
      case UInt8(ascii: "/"):
        guard endTag() else { return false }
        if open.isEmpty {
          shown.append(position..<bytes.count, of: bytes)
          return true
        }
      default: guard startTag() else { return false }
      }
    }
    return false
  }

  private func next(_ byte: UInt8, from start: Int) -> Int? {
    UnsafeRawBufferPointer(bytes).index(of: byte, from: start)
  }

  /// Text of the element that is open.
  private mutating func append(_ range: Range<Int>, _ form: ShownHTML.Form) {
    switch content {
    case .unshown where open.count == 2: break
    case .html where open.count == 2:
      // What follows a piece that is not understood may be a part of it.
      if !ShownHTML.append(range, of: bytes, form, to: &shown) { content = .text }
    default:
      shown.takeIn(name: range, of: bytes)
      shown.append(range, of: bytes)
    }
  }

  private mutating func section() -> Bool {
    let opening = Array("<![CDATA[".utf8)
    guard bytes[position...].starts(with: opening) else { return false }
    let start = position + opening.count
    guard
      let end = XMLScan.end(UInt8(ascii: "]"), in: UnsafeRawBufferPointer(bytes), from: start)
    else { return false }
    shown.append(position..<start, of: bytes)
    append(start..<end - 3, .section)
    shown.append(end - 3..<end, of: bytes)
    position = end
    return true
  }

  // MARK: Tags

  private static func isName(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric || "_:.-".utf8.contains(byte)
  }

  private func name(from start: Int) -> Range<Int> {
    var end = start
    while end < bytes.count, Self.isName(bytes[end]) { end += 1 }
    return start..<end
  }

  private func skipBlanks(from place: Int) -> Int {
    var place = place
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
    return place
  }

  private mutating func endTag() -> Bool {
    let name = name(from: position + 2)
    guard let last = open.popLast(), bytes[last].elementsEqual(bytes[name]),
      case let end = skipBlanks(from: name.upperBound), end < bytes.count,
      bytes[end] == UInt8(ascii: ">")
    else { return false }
    if open.count == 1 { content = .text }
    shown.append(position..<end + 1, of: bytes)
    position = end + 1
    return true
  }

  private mutating func startTag() -> Bool {
    let name = name(from: position + 1)
    guard !name.isEmpty else { return false }
    shown.append(position..<name.upperBound, of: bytes)
    var place = name.upperBound
    var type: Slice<UnsafeBufferPointer<UInt8>>?
    while true {
      let before = place
      place = skipBlanks(from: place)
      guard place < bytes.count else { return false }
      if bytes[place] == UInt8(ascii: ">") { break }
      if bytes[place] == UInt8(ascii: "/") {
        guard place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: ">") else { return false }
        shown.append("/")
        shown.append(">")
        position = place + 2
        // An item that holds nothing is read as it is.
        return !open.isEmpty
      }
      guard place > before, let attribute = attribute(at: place) else { return false }
      let own = bytes[attribute.name]
      // Vocabularies are those of the document.
      if own.elementsEqual("xmlns".utf8), open.count < 2 { return false }
      if own.elementsEqual("type".utf8) { type = bytes[attribute.value] }
      place = attribute.value.upperBound + 1
      shown.append(attribute: attribute.name, all: before..<place, of: bytes)
    }
    shown.append(">")
    if open.count == 1 { content = Self.content(bytes[name], type: type) }
    // Elements in a text may hide what they hold; those in an author do not.
    if open.count > 1,
      !["name", "uri", "email"].contains(where: { bytes[name].elementsEqual($0.utf8) })
    {
      shown.isInOrder = false
    }
    open.append(name)
    position = place + 1
    return true
  }

  private func attribute(at start: Int) -> (name: Range<Int>, value: Range<Int>)? {
    let name = name(from: start)
    let equals = skipBlanks(from: name.upperBound)
    guard !name.isEmpty, equals < bytes.count, bytes[equals] == UInt8(ascii: "=") else {
      return nil
    }
    let opening = skipBlanks(from: equals + 1)
    guard opening < bytes.count, bytes[opening] == 0x22 || bytes[opening] == 0x27,
      let end = next(bytes[opening], from: opening + 1)
    else { return nil }
    let value = opening + 1..<end
    return bytes[value].contains(UInt8(ascii: "<")) ? nil : (name, value)
  }

  private static func content(
    _ name: Slice<UnsafeBufferPointer<UInt8>>, type: Slice<UnsafeBufferPointer<UInt8>>?
  ) -> Content {
    if name.elementsEqual("content".utf8) || name.elementsEqual("summary".utf8) {
      let isHTML = type.map { $0.elementsEqual("html".utf8) || $0.elementsEqual("text/html".utf8) }
      return isHTML == true ? .html : .text
    }
    return name.count <= 16 ? contents[ElementName(name)] ?? .text : .text
  }
}
