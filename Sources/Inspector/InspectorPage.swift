import Terminal
import TextLayout

/// The panel's text, and the paragraphs that can be jumped to.
struct InspectorPage {
  private(set) var text = StyledText()
  /// The first paragraph of each section.
  private(set) var sections: [Int] = []
  /// The number of first paragraphs that stay visible if there is room.
  private(set) var pinned = 0
  /// The colours of the marks that paragraphs begin with, by paragraph.
  private(set) var marks: [Int: Color] = [:]
  /// The paragraphs of the reasons' title, and of the selected view and constraint.
  var reasonsParagraph: Int?
  var viewParagraph: Int?
  var constraintParagraph: Int?

  /// The current paragraph.
  var lastParagraph: Int { text.paragraphs.count - 1 }

  /// Begins a section without a title: the next line is its first.
  mutating func beginSection() { sections.append(text.paragraphs.count) }

  mutating func beginSection(_ title: String) {
    beginSection()
    var style = StyledText.ParagraphStyle()
    style.spacingBefore = sections.count == 1 ? 0 : 1
    text.beginParagraph(style)
    text.append(title, style: TextStyle(role: .heading))
  }

  /// Begins a line whose continuation lines are indented.
  mutating func beginLine(marker: String = "", indent: Int = 0, isPreformatted: Bool = false) {
    var style = StyledText.ParagraphStyle()
    style.spacingBefore = 0
    style.indent = indent
    style.marker = marker
    style.isPreformatted = isPreformatted
    text.beginParagraph(style)
  }

  /// Begins a line with a mark of this colour, followed by `sign`.
  mutating func beginLine(mark: Color?, sign: String) {
    beginLine(marker: (mark == nil ? " " : "▌") + sign, indent: 1 + sign.count)
    marks[lastParagraph] = mark
  }

  /// Pins all paragraphs added so far.
  mutating func pin() { pinned = text.paragraphs.count }

  mutating func append(_ string: String, _ role: TextStyle.Role = .body) {
    text.append(string, style: TextStyle(role: role))
  }

  mutating func line(_ string: String, _ role: TextStyle.Role = .body) {
    beginLine()
    append(string, role)
  }
}

/// Number formats of the inspector.
package enum InspectorNumber {
  /// At most two decimals, without trailing zeros.
  package static func text(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
    let hundredths = Int((abs(value) * 100).rounded())
    let sign = value < 0 && hundredths > 0 ? "-" : ""
    let fraction = hundredths % 100
    guard fraction > 0 else { return "\(sign)\(hundredths / 100)" }
    let digits =
      fraction % 10 == 0 ? "\(fraction / 10)" : fraction < 10 ? "0\(fraction)" : "\(fraction)"
    return "\(sign)\(hundredths / 100).\(digits)"
  }

  /// A number for reading: with ¼, ½ or ¾ if it ends so, else rounded to one decimal.
  static func words(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
    let parts = [0: "", 25: "¼", 50: "½", 75: "¾"]
    let hundredths = Int((abs(value) * 100).rounded())
    let sign = value < 0 && hundredths > 0 ? "-" : ""
    if let part = parts[hundredths % 100] {
      return "\(sign)\(hundredths >= 100 || part.isEmpty ? "\(hundredths / 100)" : "")\(part)"
    }
    return text((value * 10).rounded() / 10)
  }

  /// The number with its unit: "½ line", "1 line", "13½ columns".
  package static func words(_ value: Double, _ unit: String) -> String {
    let text = words(value)
    let isPart = text == "1" || text.first.map { "¼½¾".contains($0) } == true
    return "\(text) \(isPart ? unit : unit + "s")"
  }

  static func milliseconds(_ microseconds: Int) -> String { text(Double(microseconds) / 1_000) }

  static func bytes(_ count: Int) -> String {
    count < 1_000 ? "\(count) B" : "\(count / 1_000) kB"
  }
}
