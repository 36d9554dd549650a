import FoundationEssentials
import TestSupport
import Testing

@testable import Feeds

@Suite struct JSONParserTests {
  private func parse(_ text: String) -> JSONValue? { try? JSONParser.value(of: Array(text.utf8)) }

  @Test func everyKindOfValue() {
    let text =
      #" {"a" : [1, -0.5, 1e3, true, false, null], "b":{}, "c":[] , "a":"\u00e9\ud83d\udea2\n"} "#
    #expect(
      parse(text)
        == .object([
          .init(
            key: "a",
            value: .array([
              .number("1"), .number("-0.5"), .number("1000"), .bool(true), .bool(false), .null,
            ])),
          .init(key: "b", value: .object([])), .init(key: "c", value: .array([])),
          .init(key: "a", value: .string("é🚢\n")),
        ]))
  }

  @Test func numbersKeepTheirDigits() {
    #expect(parse("123456789012345678901234567890")?.text == "123456789012345678901234567890")
    #expect(parse("1e3")?.text == "1000")
    #expect(parse("2.50")?.text == "2.5")
    #expect(parse("1e999")?.text == "1e999")
  }

  @Test(arguments: [
    "", " ", "{", "[1,]", "{\"a\":}", "{\"a\" 1}", "{a:1}", "[1 2]", "01", "1.", ".5", "+1", "-",
    "1e", "tru", "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\\u004\"", "[1]]", "{}{}", "nan", "'a'",
  ]) func invalidJSONIsRefused(text: String) {
    #expect(parse(text) == nil)
  }

  @Test(arguments: [
    ("\"\\ud800\"", "\u{FFFD}"), ("\"\\ud800\\u0041\"", "\u{FFFD}A"),
    ("\"\\udc00x\"", "\u{FFFD}x"), ("\"\\ud83d\\ud83d\\udea2\"", "\u{FFFD}🚢"),
    ("\"\\ud800\\n\"", "\u{FFFD}\n"), ("\"\\\\ud800\"", "\\ud800"),
  ]) func unpairedSurrogatesAreReplaced(text: String, expected: String) {
    #expect(parse(text) == .string(expected))
  }

  @Test func bracketsAreBounded() {
    let deep = { (count: Int) in
      String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }
    #expect(parse(deep(JSONScanner.maximumDepth)) != nil)
    #expect(throws: JSONScanner.Failure.self) {
      try JSONParser.value(of: Array(deep(JSONScanner.maximumDepth + 1).utf8))
    }
    #expect(parse(String(repeating: "[", count: 1_000_000)) == nil)
  }

  @Test(arguments: 0..<4) func agreesWithAnIndependentReader(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for round in 0..<150 {
      var bytes = Array(RandomJSON.text(depth: 4, using: &random).utf8)
      #expect(
        (try? JSONParser.value(of: bytes)) == RandomJSON.reference(bytes),
        "seed \(seed), round \(round): \(String(decoding: bytes, as: UTF8.self))")
      // With one byte changed, removed or inserted, both agree whether the text is JSON.
      let place = Int.random(in: bytes.indices, using: &random)
      let byte = Array("{}[]\",:\\0-1.eEtu x".utf8).randomElement(using: &random) ?? 0x20
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[place] = byte
      case 1: bytes.remove(at: place)
      default: bytes.insert(byte, at: place)
      }
      guard String(validating: bytes, as: UTF8.self) != nil else { continue }
      #expect(
        ((try? JSONParser.value(of: bytes)) == nil)
          == (RandomJSON.reference(RandomJSON.withoutLoneSurrogates(bytes)) == nil),
        "seed \(seed), round \(round): \(String(decoding: bytes, as: UTF8.self))")
    }
  }
}

/// Random JSON, and its value by Foundation's decoder. Numbers are small integers, names are
/// unique.
private enum RandomJSON {
  static func text(depth: Int, using random: inout SeededGenerator) -> String {
    let space = [" ", "", "", "\n", "\t "].randomElement(using: &random) ?? ""
    let value: String
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
    case 0: value = "null"
    case 1: value = "true"
    case 2: value = "false"
    case 3: value = String(Int.random(in: -99...99, using: &random))
    case 4, 5: value = string(using: &random)
    case 6:
      let elements = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
        text(depth: depth - 1, using: &random)
      }
      value = "[" + elements.joined(separator: ",") + "]"
    default:
      let members = (0..<Int.random(in: 0..<4, using: &random)).map { index in
        "\"k\(index)\"" + space + ":" + text(depth: depth - 1, using: &random)
      }
      value = "{" + members.joined(separator: ",") + "}"
    }
    return space + value + space
  }

  private static func string(using random: inout SeededGenerator) -> String {
    let parts = [
      "a", "潮", "🚢", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\ud83d\\udea2", "x y", "{",
    ]
    let count = Int.random(in: 0..<6, using: &random)
    return "\""
      + (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined() + "\""
  }

  /// Replaces unpaired surrogates, which Foundation's decoder rejects.
  static func withoutLoneSurrogates(_ bytes: [UInt8]) -> [UInt8] {
    func unit(_ start: Int) -> Int? {
      guard start + 6 <= bytes.count, bytes[start..<start + 2].elementsEqual("\\u".utf8) else {
        return nil
      }
      return Int(String(decoding: bytes[start + 2..<start + 6], as: UTF8.self), radix: 16)
    }
    var result = bytes
    var index = 0
    while index < bytes.count {
      if let first = unit(index), 0xD800...0xDFFF ~= first {
        if first < 0xDC00, let low = unit(index + 6), 0xDC00...0xDFFF ~= low {
          index += 12
        } else {
          result.replaceSubrange(index + 2..<index + 6, with: "fffd".utf8)
          index += 6
        }
      } else {
        index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
      }
    }
    return result
  }

  static func reference(_ bytes: [UInt8]) -> JSONValue? {
    (try? JSONDecoder().decode(Reference.self, from: Data(bytes)))?.value
  }

  private struct Reference: Decodable {
    var value: JSONValue

    init(from decoder: any Decoder) throws {
      if let container = try? decoder.container(keyedBy: Key.self) {
        // The order of the names is the order in which the members were written.
        value = .object(
          try container.allKeys.sorted { $0.stringValue < $1.stringValue }.map { key in
            JSONValue.Member(
              key: key.stringValue,
              value: try container.decode(Reference.self, forKey: key).value)
          })
      } else if var container = try? decoder.unkeyedContainer() {
        var array: [JSONValue] = []
        while !container.isAtEnd { array.append(try container.decode(Reference.self).value) }
        value = .array(array)
      } else {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
          value = .null
        } else if let text = try? container.decode(String.self) {
          value = .string(text)
        } else if let flag = try? container.decode(Bool.self) {
          value = .bool(flag)
        } else {
          let number = try container.decode(Int.self)
          value = .number(String(number))
        }
      }
    }

    struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init?(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
  }
}
