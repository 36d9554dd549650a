import TextLayout

/// The open lists, and the markers of their items.
struct HTMLLists {
  private struct List {
    /// `nil` for bullets.
    var numbering: Numbering?
    var next = 1
    var step = 1
    var count = 0
    /// Whether items count down to 1, which no number has ended: their numbers are known when the
    /// list ends.
    var countsDown = false
    /// The items that count down: the first paragraph of each.
    var countdown: [Int] = []
    /// The first item, and each whose indent differs from the previous item's: its first paragraph
    /// and its indent in columns.
    var indents: [(place: Int, columns: Int)] = []
  }

  private enum Numbering {
    case decimal
    /// Letters, from this one on.
    case letters(UnicodeScalar)
    case roman(isUpper: Bool)
  }

  /// The layout of an item.
  struct Item {
    var marker: String
    /// The indent in columns.
    var indent: Int
    /// Whether the item begins a list that is not inside another list.
    var beginsList: Bool
  }

  /// The maximum indent of a paragraph, in columns.
  static let maximumIndent = 40
  private static let numbers = -999_999...999_999
  private var lists: [List] = []

  mutating func begin(isNumbered: Bool, _ attributes: HTMLAttributes) {
    var list = List()
    if isNumbered {
      switch attributes["type"] {
      case "a": list.numbering = .letters("a")
      case "A": list.numbering = .letters("A")
      case "i": list.numbering = .roman(isUpper: false)
      case "I": list.numbering = .roman(isUpper: true)
      default: list.numbering = .decimal
      }
      let start = attributes.number("start", in: Self.numbers)
      list.next = start ?? 1
      if attributes["reversed"] != nil {
        list.step = -1
        list.countsDown = start == nil
      }
    }
    lists.append(list)
  }

  /// Ends the innermost list after its last paragraph was added to `text`: numbers items that
  /// count down, and indents all items like the one with the widest marker.
  ///
  /// - Complexity: O(n) in the items that count down, and in the paragraphs since the first item if
  ///   the widths of markers differ.
  mutating func end(_ text: inout StyledText) {
    guard let list = lists.popLast() else { return }
    if let numbering = list.numbering {
      for (index, place) in list.countdown.enumerated() {
        text.replaceMarker(
          Self.marker(1 - index, numbering), with: Self.marker(list.count - index, numbering),
          ofParagraph: place)
      }
    }
    guard list.indents.count > 1,
      let widest = list.indents.map(\.columns).max()
    else { return }
    for (index, item) in list.indents.enumerated() where item.columns < widest {
      let end = list.indents.dropFirst(index + 1).first?.place ?? text.paragraphs.count
      text.indentParagraphs(
        item.place..<end, by: widest - item.columns, atMost: Self.maximumIndent)
    }
  }

  /// Begins the next item of the innermost list.
  ///
  /// - Parameter place: the index of its first paragraph.
  mutating func item(_ attributes: HTMLAttributes, at place: Int) -> Item {
    // Taken out, so that its arrays are not copied for each item.
    guard var list = lists.popLast() else {
      return Item(marker: "• ", indent: 2, beginsList: true)
    }
    defer { lists.append(list) }
    if let value = attributes.number("value", in: Self.numbers) {
      list.next = value
      list.countsDown = false
    }
    let bullets = ["• ", "◦ ", "▪ "]
    let marker =
      list.numbering.map { Self.marker(list.next, $0) }
      ?? bullets[lists.count % bullets.count]
    let item = Item(
      marker: marker, indent: max(list.numbering == nil ? 2 : 4, marker.count),
      beginsList: list.count == 0 && lists.isEmpty)
    if list.indents.last?.columns != item.indent { list.indents.append((place, item.indent)) }
    if list.countsDown { list.countdown.append(place) }
    list.next += list.step
    list.count += 1
    return item
  }

  private static func marker(_ number: Int, _ numbering: Numbering) -> String {
    Self.number(number, numbering) + ". "
  }

  private static func number(_ number: Int, _ numbering: Numbering) -> String {
    switch numbering {
    case .decimal: break
    case .letters(let first) where number > 0:
      var rest = number
      var letters = ""
      while rest > 0, let letter = UnicodeScalar(first.value + UInt32((rest - 1) % 26)) {
        letters = String(Character(letter)) + letters
        rest = (rest - 1) / 26
      }
      return letters
    case .roman(let isUpper) where (1..<4_000).contains(number):
      let roman = roman(number)
      return isUpper ? roman.uppercased() : roman
    default: break
    }
    return "\(number)"
  }

  private static func roman(_ number: Int) -> String {
    let values = [
      (1_000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
      (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
    ]
    var rest = number
    var result = ""
    for (value, letters) in values {
      while rest >= value {
        result += letters
        rest -= value
      }
    }
    return result
  }
}
