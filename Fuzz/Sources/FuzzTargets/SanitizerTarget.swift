import TextLayout

extension FuzzTarget {
  /// Text of any kind made safe to show. The bytes are UTF-8, or what decoding makes of them; the
  /// first one says how often they stand in a row.
  static let sanitizer = FuzzTarget(
    "sanitizer", modules: ["TextLayout"], longestInput: 512, briefRuns: 8000, seeds: sanitizerSeeds
  ) { bytes in
    var input = InputBytes(bytes)
    let times = input.byte() == 255 ? 40 : 1
    let text = String(repeating: input.text, count: times)
    let clean = Sanitizer.text(text)
    try Unsafe.check(clean, "the text")
    try require(Sanitizer.text(clean) == clean, "sanitized again it is another text")
    let line = Sanitizer.line(text)
    try Unsafe.check(line, "the line", allowsLineBreaks: false)
    try require(Sanitizer.line(line) == line, "sanitized again it is another line")
    try require(line.first != " " && line.last != " ", "a line with space at its ends")
    try checkOrigin(of: clean, in: text)
    try checkMarks(in: clean)
    var styled = StyledText(text)
    styled.append(text, style: TextStyle(role: .link, link: styled.addLink(text)))
    try PostChecks.check(styled)
    try Unsafe.check(styled.plainText, "the styled text")
    for link in styled.links { try Unsafe.check(link, "a link", allowsLineBreaks: false) }
  }

  /// What is left stood there in this order; only spaces and line breaks are put in.
  private static func checkOrigin(of clean: String, in text: String) throws(Finding) {
    var rest = text.unicodeScalars.makeIterator()
    for scalar in clean.unicodeScalars where scalar != " " && scalar != "\n" {
      var next = rest.next()
      while let other = next, other != scalar { next = rest.next() }
      try require(next != nil, "U+\(String(scalar.value, radix: 16)) was not there")
    }
  }

  /// No more combining marks on one base than a cell holds.
  private static func checkMarks(in text: String) throws(Finding) {
    var marks = 0
    for scalar in text.unicodeScalars {
      let isMark = scalar.properties.generalCategory == .nonspacingMark
      marks = isMark ? marks + 1 : 0
      try require(marks <= 8, "\(marks) marks in a row")
    }
  }

  private static let sanitizerSeeds: [[UInt8]] =
    [
      "plain text\twith\ttabs\r\nlines\r\u{0B}\u{0C}\u{85}\u{2028}\u{2029}.",
      "\u{1B}[31mred\u{1B}[0m \u{1B}]0;title\u{07} \u{1B}]8;;x\u{1B}\\ \u{1B}P1$r\u{1B}\\ \u{1B}_Ga\u{1B}\\",
      "\u{9B}31m \u{9D}0;t\u{9C} \u{90}q\u{9C} \u{9F}a\u{9C} \u{98}s\u{9C} \u{9E}p\u{9C} \u{80}\u{7F}",
      "\u{202E}abc\u{202C} \u{2066}x\u{2069} \u{200F}a\u{61C} \u{FEFF}\u{FFF9}a\u{FFFA}b\u{FFFB}",
      "e" + String(repeating: "\u{301}", count: 12)
        + "a\u{200D}\u{200D}\u{200D}\u{200D}\u{200D}\u{FE0F}",
      "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F} 🏴\u{E0067} 👩‍👩‍👧 👍🏽 🇩🇪 1\u{FE0F}\u{20E3}",
      "\u{10EEEE}\u{305} \u{E0100} \u{180E} \u{1D173} a\u{AD}b\u{200B}c",
    ].map { [0] + Array($0.utf8) } + [
      [
        0, 0xEF, 0xB7, 0x90, 0xF0, 0x9F, 0xBF, 0xBE, 0xFF, 0xC0, 0x80, 0xED, 0xA0, 0x80, 0xF4, 0x90,
        0x80, 0x80,
      ]
    ]
}
