@testable import Feeds
@testable import TextLayout

extension FuzzTarget {
  /// Values, and what numbers in them are taken for.
  static let json = FuzzTarget(
    "json", modules: ["Feeds"], longestInput: 2_048, briefRuns: 20000,
    seeds: jsonSeeds.map { Array($0.utf8) }
  ) { bytes in
    var text = bytes
    if UnicodeText.firstInvalidByte(of: text) != nil {
      text = Array(String(decoding: text, as: UTF8.self).utf8)
    }
    let span = text.withUnsafeBufferPointer { buffer -> JSONScanner.Span in
      var scanner = JSONScanner(buffer)
      return scanner.value()
    }
    try require(span.range.upperBound <= text.count, "a value beyond the end")
    guard let value = try? JSONParser.value(of: text) else { return }
    // The scanner takes a string that goes over lines for one that was broken off, the parser for
    // one.
    guard !text.contains(0x0A) else { return }
    try require(span.fault == nil, "a whole value has a fault: \(span.fault?.reason ?? "")")
    let rest = text[span.range.upperBound...]
    try require(rest.allSatisfy(JSONScanner.isSpace), "a whole value ends before its end")
    let written = Array(JSONWriting.text(of: value).utf8)
    try require(
      (try? JSONParser.value(of: written)) == JSONWriting.bounded(value),
      "written, it is another value")
    try checkFields(of: value)
  }

  private static func checkFields(of value: JSONValue) throws(Finding) {
    guard let fields = JSONFields(value, notes: ItemDiagnostics()) else { return }
    for member in fields.members {
      let name = member.key
      try require((fields.count(name) ?? 0) >= 0, "a count below 0")
      try require((1..<100_000).contains(fields.side(name) ?? 1), "a side out of range")
      try require(fields.number(name)?.isFinite ?? true, "a number without end")
      _ = (fields.text(name), fields.flag(name), fields.objects(name), fields.date(name))
    }
  }

  private static let jsonSeeds = [
    "{\"a\":1e999,\"b\":-0,\"c\":99999999999999999999,\"d\":1.5E-3,\"e\":[true,false,null]}",
    "{\"a\":\"\\u00e9\\ud83c\\udf0a\\\"\\\\\\/\\b\\f\\n\\r\\t\",\"a\":{\"b\":[[],{}]}}",
    " [ 1 , \"x\" , { } ] ", "\"\\ud800\\udc\"", "-", "0.", "{\"a\" 1}", "[1,]", "1e+", "9e18",
    "{\"w\":99999,\"h\":100000,\"n\":\"NaN\",\"i\":\"-inf\",\"s\":\"9223372036854775808\",\"x\":\"0x1p999\"}",
    String(repeating: "[", count: 600), String(repeating: "{\"a\":", count: 300) + "1",
  ]
}

/// JSON written the plain way.
private enum JSONWriting {
  /// The value with the combining marks that are written: more than a base may have are left out.
  static func bounded(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let string): .string(Sanitizer.boundingMarks(string))
    case .array(let elements): .array(elements.map(bounded))
    case .object(let members):
      .object(
        members.map {
          JSONValue.Member(key: Sanitizer.boundingMarks($0.key), value: bounded($0.value))
        })
    case .null, .bool, .number: value
    }
  }

  static func text(of value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .number(let digits): digits
    case .string(let string): JSONStringEscaping.quoted(string)
    case .array(let elements): "[\(elements.map(text).joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { "\(JSONStringEscaping.quoted($0.key)):\(text(of: $0.value))" }.joined(separator: ","))}"
    }
  }
}
