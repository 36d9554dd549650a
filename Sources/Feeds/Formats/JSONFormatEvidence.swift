/// Evidence for the format of a JSON object, collected from the names of its members: a few
/// suffice.
struct JSONFormatEvidence {
  /// The number of signs of each format of `FeedFormat.ofJSON`.
  private var counts = [Int](repeating: 0, count: FeedFormat.ofJSON.count)
  /// The object's `type`.
  private var type: String?

  init() {}

  /// The evidence in the members of `value`, if it is an object.
  init(of value: JSONValue) {
    guard case .object(let members) = value else { return }
    for member in members where !member.value.isNull {
      var isObject = false
      if case .object = member.value { isObject = true }
      add(member.key, text: member.value.text, isObject: isObject)
    }
  }

  /// The signs of all formats, by the names of members, each with the index of its format.
  private static let signs: [String: [(format: Int, sign: JSONFormat.Sign)]] = {
    var signs: [String: [(format: Int, sign: JSONFormat.Sign)]] = [:]
    for (index, format) in FeedFormat.ofJSON.enumerated() {
      for (name, sign) in format.json.signs { signs[name, default: []].append((index, sign)) }
    }
    return signs
  }()

  /// - Parameters:
  ///   - text: the value if it is a string; its beginning suffices.
  ///   - isObject: whether the value is an object.
  mutating func add(_ name: String, text: String?, isObject: Bool) {
    if name == "type" { type = text }
    guard let signs = Self.signs[name] else { return }
    for (format, sign) in signs { counts[format] += sign.count(text: text, isObject: isObject) }
  }

  /// The format of a document of such objects; `nil` if it is unclear.
  var format: FeedFormat? {
    for (count, format) in zip(counts, FeedFormat.ofJSON) where count > 0 {
      let (minimum, types) = (format.json.minimumSigns, format.json.types)
      if count >= minimum, types.isEmpty || type.map(types.contains) ?? false { return format }
    }
    return nil
  }

  /// The format of a list by its first four items; `nil` if none shows enough signs, one is not an
  /// object, or the text ends too early.
  ///
  /// - Parameter scanner: positioned just after the list's `[`.
  static func format(ofItems scanner: inout JSONScanner) -> FeedFormat? {
    for _ in 0..<4 {
      _ = scanner.accept(",")
      var inner = scanner
      guard inner.accept("{") else { return nil }
      var signs = JSONFormatEvidence()
      while let name = inner.key() {
        let isObject = inner.peek() == UInt8(ascii: "{")
        let value = inner.value()
        signs.add(
          name, text: inner.beginning(ofStringAt: value.range), isObject: isObject)
        if value.range.isEmpty || value.fault != nil { break }
      }
      if let format = signs.format { return format }
      if scanner.value().fault != nil { return nil }
    }
    return nil
  }
}
