import Testing

@testable import TextLayout

@Suite struct LineBreaksTests {
  /// `text` with a bar wherever a line may begin.
  private func marked(_ text: String) -> String {
    var copy = text
    return copy.withUTF8 { bytes in
      let breaks = LineBreaks(bytes)
      var result: [UInt8] = []
      for offset in bytes.indices {
        if offset > 0, breaks[offset] { result.append(UInt8(ascii: "|")) }
        result.append(bytes[offset])
      }
      return String(decoding: result, as: UTF8.self)
    }
  }

  @Test(arguments: [
    "Hello, |world |(see |below) |it's |\"so\"",
    "see |http://|tide.example/|b/|c-|d?|x=1&y=2",
    "example.com |e.g. |10.5 |12:30 |a:b |a,b",
    "run |--option |-x |well-|known |-5 |3-4",
    "東|京。|「港」|と|言っ|た。",
    "潮|汐|（三）|水|位：|高",
    "한|국|어 |단|어",
    "👍🏽 |👩‍👩‍👧 |🇩🇪|🇫🇷",
    "a\u{A0}b\u{2060}c |d\u{200B}|e |co\u{AD}|op",
    "السلام |عليكم، |كيف |الحال؟",
    "שלום |עולם.",
  ])
  func opportunities(_ expected: String) {
    #expect(marked(expected.replacing("|", with: "")) == expected)
  }
}
