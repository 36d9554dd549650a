import HTTP
import System

/// HTML in its source's form, with addresses that are absolute and contain no name and password,
/// and its pictures.
struct HTMLAddressRewriter {
  private(set) var html: String
  private(set) var pictures: [Post.Picture] = []
  /// Whether a reader would see nothing of it.
  private(set) var isBlank = true

  private let base: String?
  private var media: HTMLMedia
  /// The scheme and host of the base, which suffice to make most addresses absolute.
  private let origin: String?
  private var result: [UInt8] = []
  private var copied = 0
  /// The number of texts between tags so far; counted only while a copy of a picture may follow.
  private var texts = 0

  /// - Complexity: O(n) in the bytes.
  init(_ source: String, base: String?) {
    html = source
    self.base = base
    media = HTMLMedia(base: base)
    origin = base.flatMap(FeedAddress.plainOrigin)
    var source = source
    let changed = source.withUTF8 { bytes -> [UInt8]? in
      scan(bytes)
      return copied > 0 ? result + bytes[copied...] : nil
    }
    if let changed { html = String(decoding: changed, as: UTF8.self) }
    pictures = media.pictures
    if !pictures.isEmpty { isBlank = false }
    result = []
  }

  private mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) {
    HTMLTagScanner.scan(
      bytes, isRaw: { HTMLElement($0)?.has(.opaque) == true },
      text: { text in
        if isBlank || media.mayHaveCopy, text.contains(where: { $0 > 32 }) {
          isBlank = false
          texts += 1
        }
      },
      tag: { read(&$0, isStart: $1) })
  }

  private mutating func read(_ tag: inout HTMLTagScanner, isStart: Bool) {
    let element = HTMLElement(tag.name)
    let addresses = element?.addresses ?? []
    let hasSets = addresses.contains("srcset")
    var attributes: [(name: String, value: String)] = []
    while let attribute = tag.next() {
      guard !attribute.value.isEmpty else { continue }
      if hasSets {
        let name = String(decoding: tag.bytes[attribute.name], as: UTF8.self).lowercased()
        attributes.append((name, Self.decoded(tag.bytes[attribute.value])))
      }
      replace(attribute, in: tag.bytes, Self.value(of: tag.bytes[attribute.name], addresses))
    }
    guard !addresses.isEmpty, let effect = element?.effect else { return }
    switch effect {
    case .image, .source, .picture, .noscript:
      if isStart {
        _ = media.start(effect, HTMLAttributes(pairs: attributes), at: texts)
      } else {
        media.end(effect)
      }
    default: break
    }
  }

  /// The kind of an attribute's value.
  private enum Value {
    case address, addresses, other
  }

  private static func value(
    of name: Slice<UnsafeBufferPointer<UInt8>>, _ addresses: Set<ElementName>
  ) -> Value {
    guard !addresses.isEmpty, case let name = ElementName(name), addresses.contains(name) else {
      return .other
    }
    return name == "srcset" ? .addresses : .address
  }

  private mutating func replace(
    _ attribute: HTMLTagScanner.Attribute, in bytes: UnsafeBufferPointer<UInt8>, _ kind: Value
  ) {
    let value = bytes[attribute.value]
    let mayContainUser = Self.mayContainUser(value)
    if !mayContainUser {
      guard kind != .other else { return }
      if kind == .address, let origin, value.count <= FeedAddress.longestPlainPath,
        FeedAddress.isPlainPath(value)
      {
        result += bytes[copied..<attribute.value.lowerBound]
        if !attribute.isQuoted { result.append(UInt8(ascii: "\"")) }
        result += origin.utf8
        result += value
        if !attribute.isQuoted { result.append(UInt8(ascii: "\"")) }
        copied = attribute.value.upperBound
        return
      }
      if kind == .address, Self.isWeb(value) { return }
      if kind == .addresses, SourceSet(value).allSatisfy({ Self.isWeb(value[$0.address]) }) {
        return
      }
    }
    let written = Self.decoded(value)
    let clean =
      mayContainUser
      ? FeedAddress.removingUserInfo(in: written, isAddress: kind == .address) : written
    let address =
      switch kind {
      case .address: Self.absolute(clean, base: base) ?? clean
      case .addresses: Self.absoluteSet(clean, base: base) ?? clean
      case .other: clean
      }
    guard address != written else { return }
    result += bytes[copied..<attribute.value.lowerBound]
    if !attribute.isQuoted { result.append(UInt8(ascii: "\"")) }
    for byte in address.utf8 {
      switch byte {
      case UInt8(ascii: "&"): result += Array("&amp;".utf8)
      case UInt8(ascii: "\""): result += Array("&quot;".utf8)
      case UInt8(ascii: "'"): result += Array("&#39;".utf8)
      default: result.append(byte)
      }
    }
    if !attribute.isQuoted { result.append(UInt8(ascii: "\"")) }
    copied = attribute.value.upperBound
  }

  /// Whether the value contains an `@`, or a numeric reference that may stand for one.
  private static func mayContainUser(_ value: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    var previous: UInt8 = 0
    for byte in value {
      if byte == UInt8(ascii: "@") || byte == UInt8(ascii: "#") && previous == UInt8(ascii: "&") {
        return true
      }
      previous = byte
    }
    return false
  }

  private static func isWeb(_ address: some Collection<UInt8>) -> Bool {
    address.starts(with: "https://".utf8) || address.starts(with: "http://".utf8)
  }

  /// The absolute form of `address`; `nil` if it is absolute already or cannot be made so.
  private static func absolute(_ address: String, base: String?) -> String? {
    guard URLReference.scheme(of: String(address.trimmingBlanks)) == nil else { return nil }
    return FeedAddress.resolve(address, base: base)
  }

  /// The `srcset` with absolute addresses; `nil` if all of them already are.
  ///
  /// - Complexity: O(n) in the bytes.
  private static func absoluteSet(_ set: String, base: String?) -> String? {
    var set = set
    return set.withUTF8 { bytes in
      var result = ""
      var copied = 0
      for candidate in SourceSet(bytes[...]) {
        let written = String(decoding: bytes[candidate.address], as: UTF8.self)
        guard let address = absolute(written, base: base) else { continue }
        result += String(decoding: bytes[copied..<candidate.address.lowerBound], as: UTF8.self)
        result += address
        copied = candidate.address.upperBound
      }
      guard copied > 0 else { return nil }
      return result + String(decoding: bytes[copied...], as: UTF8.self)
    }
  }

  /// The value of an attribute with its character references resolved.
  ///
  /// - Complexity: O(n) in the bytes.
  static func decoded(_ value: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    guard value.contains(UInt8(ascii: "&")) else { return String(decoding: value, as: UTF8.self) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(value.count)
    var position = value.startIndex
    while position < value.endIndex {
      guard value[position] == UInt8(ascii: "&") else {
        bytes.append(value[position])
        position += 1
        continue
      }
      // In an attribute, `&name=` is no reference, whatever the name.
      let parameter = value[(position + 1)...].prefix { $0.isAlphanumeric }
      if !parameter.isEmpty, parameter.endIndex < value.endIndex,
        value[parameter.endIndex] == UInt8(ascii: "=")
      {
        bytes += value[position..<parameter.endIndex]
        position = parameter.endIndex
        continue
      }
      let name = value[(position + 1)...].prefix(8).prefix { $0 != UInt8(ascii: ";") }
      guard name.endIndex < value.endIndex, value[name.endIndex] == UInt8(ascii: ";"),
        let sign = signs[ElementName(name)]
      else { return HTMLReader.decodingEntities(String(decoding: value, as: UTF8.self)) }
      bytes.append(sign)
      position = name.endIndex + 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The only character references in most values.
  private static let signs = [ElementName: UInt8](names: [
    (UInt8(ascii: "&"), "amp #38 #038 #x26"), (UInt8(ascii: "\""), "quot #34 #034 #x22"),
    (UInt8(ascii: "'"), "#39 #039 #x27"), (UInt8(ascii: "<"), "lt #60"),
    (UInt8(ascii: ">"), "gt #62"),
  ])
}
