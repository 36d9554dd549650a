/// A MathML formula as text: its annotation in TeX, else its `alttext`, else the text of its
/// elements.
struct MathMLText {
  private struct Node {
    var name: String
    var text = ""
    /// The texts of the elements inside.
    var children: [String] = []
  }

  /// The names of the elements of MathML, in which blanks have no meaning.
  static let elements =
    "mi mn mo ms mtext mrow mstyle mpadded mphantom merror menclose mfenced mfrac msqrt mroot msup"
    + " msub msubsup mover munder munderover mmultiscripts mtable mtr mtd mlabeledtr maction mspace"
    + " mprescripts semantics annotation annotation-xml none math"
  private static let known = Set(elements.split(separator: " ").map(String.init))

  private let words: String?
  private var open: [Node]
  private var annotation: String?
  /// The number of bytes that may still be added; elements add their text to those around them.
  private var room = FeedLimits.beginningBytes

  init(_ attributes: HTMLAttributes) {
    words = attributes["alttext"]
    open = [Node(name: "math")]
  }

  mutating func start(_ name: String, _ attributes: HTMLAttributes) {
    var name = name
    if name == "annotation", attributes["encoding"]?.lowercased().contains("tex") != true {
      name = "annotation-xml"
    }
    open.append(Node(name: name))
  }

  mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    let piece = bytes.prefix(room)
    room -= piece.count
    open[open.count - 1].text += String(decoding: piece, as: UTF8.self)
  }

  /// Ends the innermost element.
  mutating func end() {
    guard open.count > 1, let node = open.popLast() else { return }
    switch node.name {
    case "annotation": if annotation == nil { annotation = Self.plainTeX(node.text) }
    case "annotation-xml": break
    default:
      let text = Self.text(of: node)
      open[open.count - 1].children.append(text)
      open[open.count - 1].text += text
    }
  }

  /// The text of the whole formula.
  ///
  /// - Complexity: O(n · d) in the characters and the elements still open.
  var text: String {
    var whole = self
    while whole.open.count > 1 { whole.end() }
    let said = Sanitizing.collapsed(whole.open[0].text)
    return whole.annotation ?? words.map(Self.plainTeX) ?? said
  }

  private static func text(of node: Node) -> String {
    let parts = node.children
    switch node.name {
    case "mo":
      let sign = String(node.text.trimmingBlanks)
      return "=+−-<>≤≥≠→⇒×·±∈".contains(sign) && sign.count == 1 ? " \(sign) " : sign
    case "mi", "mn": return String(node.text.trimmingBlanks)
    case "mtext", "ms": return node.text
    case "msup", "mover":
      guard parts.count == 2 else { break }
      return parts[0] + SuperSubscriptText.shown(compact(parts[1]), isRaised: true)
    case "msub", "munder":
      guard parts.count == 2 else { break }
      return parts[0] + SuperSubscriptText.shown(compact(parts[1]), isRaised: false)
    case "msubsup", "munderover":
      guard parts.count == 3 else { break }
      return parts[0] + SuperSubscriptText.shown(compact(parts[1]), isRaised: false)
        + SuperSubscriptText.shown(compact(parts[2]), isRaised: true)
    case "mfrac" where parts.count == 2: return "\(grouped(parts[0]))/\(grouped(parts[1]))"
    case "msqrt": return "√\(grouped(parts.joined()))"
    case "mtd", "mtr": return parts.joined() + " "
    default: if !known.contains(node.name) { return node.text }
    }
    return parts.isEmpty ? String(node.text.trimmingBlanks) : parts.joined()
  }

  /// Removes the blanks around signs.
  private static func compact(_ text: String) -> String {
    let parts = text.split(separator: " ")
    return parts.dropFirst().reduce(parts.first.map(String.init) ?? "") { whole, part in
      let isBetweenWords = whole.last?.isWord == true && part.first?.isWord == true
      return whole + (isBetweenWords ? " " : "") + part
    }
  }

  private static func grouped(_ text: String) -> String {
    let text = String(text.trimmingBlanks)
    return text.count > 1 && !text.allSatisfy { $0.isNumber || $0 == "." } ? "(\(text))" : text
  }

  /// Removes `\displaystyle`, which only asks for large signs.
  private static func plainTeX(_ text: String) -> String {
    let text = Sanitizing.collapsed(text)
    let style = "{\\displaystyle "
    guard text.hasPrefix(style), text.hasSuffix("}") else { return text }
    return Sanitizing.collapsed(String(text.dropFirst(style.count).dropLast()))
  }
}

extension Character {
  fileprivate var isWord: Bool { isLetter || isNumber }
}
