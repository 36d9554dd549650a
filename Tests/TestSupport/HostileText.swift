/// A text with which an attacker could control a terminal or mislead a reader.
public struct HostileText: Sendable, CustomStringConvertible {
  /// The ways to write a text into a document.
  public enum Writing: CaseIterable, Sendable {
    case raw
    /// As JSON's `\u` escapes.
    case escapes
    /// As XML's character references.
    case references
    /// As references in HTML that is escaped in XML or JSON.
    case escapedReferences
  }

  public let description: String
  /// May include surrogates, which no string of Swift can hold.
  private let scalars: [UInt32]
  /// Bytes that are not text; the scalars are then empty.
  private let bytes: [UInt8]

  private init(_ name: String, _ scalars: [UInt32]) {
    (description, self.scalars, bytes) = (name, scalars, [])
  }

  private init(_ name: String, bytes: [UInt8]) {
    (description, scalars, self.bytes) = (name, [], bytes)
  }

  private init(_ name: String, _ text: String) {
    self.init(name, text.unicodeScalars.map(\.value))
  }

  /// Letters around each of `scalars`: `a·b·c`.
  private init(_ name: String, each scalars: some Sequence<UInt32>) {
    self.init(name, scalars.flatMap { [0x61, $0] } + [0x62])
  }

  /// A number that is in none of the program's own sequences.
  public static let mark = "4242"

  public static let all: [HostileText] =
    [
      HostileText("C0 but ESC", each: (0...0x1F).filter { $0 != 0x1B } + [0x7F]),
      HostileText("ESC alone", "a\u{1b}"),
      HostileText("C1 but introducers", each: (0x80...0x9F).filter { !introducers.contains($0) }),
      HostileText("bidi controls", each: Array(0x202A...0x202E) + Array(0x2066...0x2069)),
      HostileText("bidi marks", each: [0x200E, 0x200F, 0x61C]),
      HostileText("separators", each: [0x2028, 0x2029, 0x85, 0xFEFF, 0x180E]),
      HostileText("noncharacters", each: [0xFFFE, 0xFFFF, 0xFDD0, 0xFDEF, 0x1FFFE, 0x10FFFF]),
      HostileText("annotations", each: [0xFFF9, 0xFFFA, 0xFFFB, 0x1D173, 0x1D17A, 0x10EEEE]),
      HostileText("invisible", each: Array(0x2060...0x206F) + [0x200B, 0x200C, 0x200D, 0xAD]),
      HostileText("tags", each: [0xE0001, 0xE0041, 0xE0042, 0xE007F]),
      HostileText("a high surrogate", each: [0xD800]),
      HostileText("a low surrogate", each: [0xDC00, 0xDFFF]),
      HostileText(
        "10,000 combining marks", [0x61] + Array(repeating: 0x301, count: 10_000)),
      HostileText("10,000 joiners", [0x61] + Array(repeating: 0x200D, count: 10_000)),
      HostileText("bytes 80 to 9F", bytes: (0x80...0x9F).flatMap { [0x61, $0] }),
      HostileText(
        "bytes that are not UTF-8", bytes: [0xFF, 0xFE, 0xC0, 0xAF, 0xF5, 0x80, 0xE2, 0x82]),
      HostileText("a byte CSI", bytes: [0x61, 0x9B] + Array("\(mark)m".utf8)),
      HostileText("a byte OSC", bytes: [0x61, 0x9D] + Array("0;\(mark)".utf8) + [0x9C]),
    ] + sequences

  private static let introducers: [UInt32] = [0x90, 0x98, 0x9B, 0x9C, 0x9D, 0x9E, 0x9F]

  private static var sequences: [HostileText] {
    var list = [
      HostileText("CSI SGR", "a\u{1b}[\(mark)m"), HostileText("CSI DECSET", "a\u{1b}[?\(mark)h"),
      HostileText("CSI erase", "a\u{1b}[\(mark)J"), HostileText("CSI query", "a\u{1b}[\(mark)n"),
      HostileText("C1 CSI", "a\u{9b}\(mark)m"), HostileText("reset", "a\u{1b}c\(mark)"),
      HostileText("an alternate set", "a\u{1b}(0\(mark)"),
      HostileText("OSC without an end", "a\u{1b}]0;\(mark)"),
    ]
    let strings: [(String, String, String)] = [
      ("OSC title", "]0;", "\u{9d}0;"), ("OSC clipboard", "]52;c;", "\u{9d}52;c;"),
      ("OSC link", "]8;;", "\u{9d}8;;"), ("DCS", "Pq", "\u{90}q"), ("APC", "_G", "\u{9f}G"),
      ("PM", "^", "\u{9e}"), ("SOS", "X", "\u{98}"),
    ]
    for (name, seven, eight) in strings {
      list.append(HostileText(name, "a\u{1b}\(seven)\(mark)\u{1b}\\"))
      list.append(HostileText("\(name), ended by BEL", "a\u{1b}\(seven)\(mark)\u{7}"))
      list.append(HostileText("C1 \(name)", "a\(eight)\(mark)\u{9c}"))
    }
    return list
  }

  /// Whether it is so long that trying it in every field would take minutes, so that only a few get
  /// it.
  public var isLong: Bool { scalars.count > 1_000 }

  /// Names and values that contain all texts that a string can hold, at most `limit` bytes each,
  /// without characters that are impossible in arguments and file names.
  public static func names(ofAtMost limit: Int) -> [String] {
    var names: [String] = [""]
    for text in all where !text.isLong {
      let scalars = text.string.map { $0.unicodeScalars.filter { $0 != "\0" && $0 != "/" } }
      guard let scalars, !scalars.isEmpty else { continue }
      let part = String(String.UnicodeScalarView(scalars)) + "·"
      // A text without an end would swallow the next one.
      let isEnd = text.description.contains("without")
      if isEnd || names[names.count - 1].utf8.count + part.utf8.count > limit { names.append("") }
      names[names.count - 1] += part
      if isEnd { names.append("") }
    }
    return names.filter { !$0.isEmpty }
  }

  /// The text as a string of Swift; `nil` if no string can hold it.
  public var string: String? {
    guard !scalars.isEmpty else { return nil }
    var result = ""
    for value in scalars {
      guard let scalar = Unicode.Scalar(value) else { return nil }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  /// The bytes to write, with surrogates encoded in UTF-8 like characters; `nil` if the text cannot
  /// be written in this way.
  public func bytes(_ writing: Writing) -> [UInt8]? {
    if scalars.isEmpty { return writing == .raw ? bytes : nil }
    switch writing {
    case .raw: return scalars.flatMap(Self.encoded)
    case .escapes: return Array(scalars.map(Self.escape).joined().utf8)
    case .references: return Array(scalars.map { "&#x\(String($0, radix: 16));" }.joined().utf8)
    case .escapedReferences: return Array(scalars.map { "&amp;#\($0);" }.joined().utf8)
    }
  }

  private static func encoded(_ value: UInt32) -> [UInt8] {
    let tail = { (shift: UInt32) in UInt8(0x80 | value >> shift & 0x3F) }
    switch value {
    case ..<0x80: return [UInt8(value)]
    case ..<0x800: return [UInt8(0xC0 | value >> 6), tail(0)]
    case ..<0x10000: return [UInt8(0xE0 | value >> 12), tail(6), tail(0)]
    default: return [UInt8(0xF0 | value >> 18), tail(12), tail(6), tail(0)]
    }
  }

  private static func escape(_ value: UInt32) -> String {
    let unit = { (unit: UInt32) in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    guard value > 0xFFFF else { return unit(value) }
    return unit(0xD800 + (value - 0x10000) >> 10) + unit(0xDC00 + (value - 0x10000) & 0x3FF)
  }
}
