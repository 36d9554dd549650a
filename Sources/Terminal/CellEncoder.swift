import CNcurses

/// Turns cells of a canvas into those of ncurses: colours brought to what the terminal has, pairs of
/// colours allocated, code points put in.
struct CellEncoder {
  let depth: ColorDepth
  /// Colours of the terminal's entry.
  private let colorCount: Int
  /// Pairs to use at most before all are given back: with default colours ncurses never recycles
  /// them, and past about 60,000 finding one gets slow.
  private let pairLimit: Int
  /// A blank of each style met so far.
  private var styles: [Style: cchar_t] = [:]
  private var pairs: Set<Pair> = []
  private var lastStyle: Style?
  private var lastBlank = cchar_t()

  private struct Pair: Hashable {
    var foreground: Int32
    var background: Int32
  }

  init(depth: ColorDepth, colorCount: Int, pairCount: Int) {
    self.depth = depth
    self.colorCount = colorCount
    pairLimit = max(1, min(60_000, pairCount - 1))
  }

  /// True where a frame more might need more pairs than there are.
  var isCrowded: Bool { pairs.count >= pairLimit || styles.count >= 200_000 }

  /// Gives all pairs back; whatever was encoded before is void.
  mutating func reset() {
    styles.removeAll(keepingCapacity: true)
    pairs.removeAll(keepingCapacity: true)
    lastStyle = nil
    reset_color_pairs()
    use_default_colors()
  }

  /// Encodes one row and returns how many cells it became: a wide character is one.
  ///
  /// What ncurses would count in another width than the canvas does is replaced, so that nothing to
  /// its right can shift.
  ///
  /// - Complexity: O(cells).
  mutating func encode(
    _ row: UnsafeBufferPointer<CanvasCell>, into output: UnsafeMutableBufferPointer<cchar_t>
  ) -> Int {
    var count = 0
    var x = 0
    while x < row.count {
      let cell = row[x]
      var encoded = blank(for: cell.style)
      let first = cell.scalars.0
      if first >= 0x20, first < 0x7F, cell.scalars.1 == 0, cell.width == 1 {
        encoded.chars.0 = wchar_t(first)
      } else if cell.width == 1 || (cell.width == 2 && x + 1 < row.count) {
        if first >= 0x20, curses_column_width(first) == Int32(cell.width) {
          encoded.chars = Self.characters(of: cell)
        } else if cell.width == 2 {
          // Two blanks keep the columns.
          output[count] = encoded
          count += 1
        }
      }
      output[count] = encoded
      count += 1
      x += max(1, Int(cell.width))
    }
    return count
  }

  /// The code points up to the first that a terminal could obey.
  private static func characters(
    of cell: CanvasCell
  ) -> (wchar_t, wchar_t, wchar_t, wchar_t, wchar_t) {
    func allowed(_ value: UInt32, after previous: wchar_t) -> wchar_t {
      let isControl = value < 0x20 || (0x7F..<0xA0).contains(value)
      return previous == 0 || isControl ? 0 : wchar_t(truncatingIfNeeded: value)
    }
    let a = wchar_t(truncatingIfNeeded: cell.scalars.0)
    let b = allowed(cell.scalars.1, after: a)
    let c = allowed(cell.scalars.2, after: b)
    let d = allowed(cell.scalars.3, after: c)
    return (a, b, c, d, allowed(cell.scalars.4, after: d))
  }

  private mutating func blank(for style: Style) -> cchar_t {
    if style == lastStyle { return lastBlank }
    let blank: cchar_t
    if let known = styles[style] {
      blank = known
    } else {
      blank = makeBlank(style)
      styles[style] = blank
    }
    lastStyle = style
    lastBlank = blank
    return blank
  }

  private mutating func makeBlank(_ style: Style) -> cchar_t {
    var attributes: attr_t = 0
    if style.attributes.contains(.bold) { attributes |= curses_bold() }
    if style.attributes.contains(.dim) { attributes |= curses_dim() }
    if style.attributes.contains(.italic) { attributes |= curses_italic() }
    if style.attributes.contains(.underline) { attributes |= curses_underline() }
    if style.attributes.contains(.reverse) { attributes |= curses_reverse() }
    var foreground = style.foreground.mapped(to: depth).rawValue
    var background = style.background.mapped(to: depth).rawValue
    if colorCount < 16 {
      // Terminals of eight colours show the brighter half by bold.
      if foreground >= 8 {
        foreground -= 8
        attributes |= curses_bold()
      }
      if background >= 8 { background -= 8 }
    }
    var pair: Int32 = 0
    if foreground >= 0 || background >= 0 {
      pair = max(0, alloc_pair(foreground, background))
      pairs.insert(Pair(foreground: foreground, background: background))
    }
    var blank = cchar_t()
    setcchar(&blank, [0x20, 0], attributes, 0, &pair)
    return blank
  }
}
