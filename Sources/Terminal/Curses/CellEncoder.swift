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
  /// How the terminal is told them, for what ncurses has written.
  private(set) var sequences = PairSequences()
  /// By which numbers the terminal knows the pictures it draws in place of placeholders; nil where
  /// pictures are painted over their cells.
  var pictureNumbers: [UInt32: UInt32]?
  /// A colour for each row of a picture and each place it was painted at.
  private var strips: [Strip: Int] = [:]
  private var lastStyle: Style?
  private var lastBlank = cchar_t()

  private struct Pair: Hashable {
    var foreground: Int32
    var background: Int32
  }

  private struct Strip: Hashable {
    var id: UInt32
    var row: Int
    var left: Int
  }

  init(depth: ColorDepth, colorCount: Int, pairCount: Int) {
    self.depth = depth
    self.colorCount = colorCount
    pairLimit = max(1, min(60_000, pairCount - 1))
  }

  /// True where a frame more might need more pairs than there are.
  var isCrowded: Bool {
    pairs.count >= pairLimit || styles.count >= 200_000 || strips.count >= stripLimit
  }

  /// Styles that differ on a no-break space: 256 colours, bold or not, dim or not, italic or not; the
  /// 512 that a screen might need at once are left.
  private var stripLimit: Int { depth == .trueColor ? .max : 256 * 8 - 512 }

  /// Gives all pairs back; whatever was encoded before is void.
  mutating func reset() {
    styles.removeAll(keepingCapacity: true)
    pairs.removeAll(keepingCapacity: true)
    strips.removeAll(keepingCapacity: true)
    sequences.removeAll()
    lastStyle = nil
    reset_color_pairs()
    use_default_colors()
  }

  /// Encodes these columns of a row, which hold whole characters, and returns how many cells they
  /// became: a wide character is one.
  ///
  /// What ncurses would count in another width than the canvas does is replaced, so that nothing to
  /// its right can shift.
  ///
  /// - Complexity: O(cells).
  mutating func encode(
    _ row: UnsafeBufferPointer<CanvasCell>, _ columns: Range<Int>,
    into output: UnsafeMutableBufferPointer<cchar_t>
  ) -> Int {
    var count = 0
    var x = columns.lowerBound
    while x < columns.upperBound {
      let cell = row[x]
      if let part = cell.picture {
        output[count] = encode(part, at: x, on: cell.style.background)
        count += 1
        x += 1
        continue
      }
      var encoded = blank(for: cell.style)
      let code = cell.code.rawValue
      if code >= 0x20, code < 0x7F, cell.width == 1 {
        encoded.chars.0 = wchar_t(code)
      } else if cell.width == 1 || (cell.width == 2 && x + 1 < row.count) {
        let scalars = cell.scalars
        if scalars.0 >= 0x20, curses_column_width(scalars.0) == Int32(cell.width) {
          encoded.chars = Self.characters(of: scalars)
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

  /// A placeholder for the part of a picture; or else a no-break space in a style that no other row of
  /// a picture has, nor the same row elsewhere, so that ncurses overwrites what is stale.
  private mutating func encode(_ part: PictureCell, at x: Int, on background: Color) -> cchar_t {
    if let pictureNumbers {
      guard let number = pictureNumbers[part.id], part.row < KittyPlaceholder.limit,
        part.column < KittyPlaceholder.limit
      else { return blank(for: Style(background: background)) }
      var encoded = blank(
        for: Style(
          foreground: .palette(UInt8(truncatingIfNeeded: number)), background: background))
      encoded.chars = KittyPlaceholder.characters(
        row: part.row, column: part.column, number: number)
      return encoded
    }
    let strip = Strip(id: part.id, row: part.row, left: x - part.column)
    let number = strips[strip] ?? strips.count
    strips[strip] = number
    var style = Style(background: background)
    if depth == .trueColor {
      style.foreground = Color(rawValue: Int32(256 + number))
    } else {
      style.foreground = .palette(UInt8(truncatingIfNeeded: number))
      if number & 0x100 != 0 { style.attributes.insert(.bold) }
      if number & 0x200 != 0 { style.attributes.insert(.dim) }
      if number & 0x400 != 0 { style.attributes.insert(.italic) }
    }
    var encoded = blank(for: style)
    encoded.chars.0 = 0xA0
    return encoded
  }

  /// The code points up to the first that a terminal could obey.
  private static func characters(
    of scalars: CellCode.Scalars
  ) -> (wchar_t, wchar_t, wchar_t, wchar_t, wchar_t) {
    func allowed(_ value: UInt32, after previous: wchar_t) -> wchar_t {
      let isControl = value < 0x20 || (0x7F..<0xA0).contains(value)
      return previous == 0 || isControl ? 0 : wchar_t(truncatingIfNeeded: value)
    }
    // A text must not be able to show pictures of other texts.
    let isPlaceholder = scalars.0 == KittyPlaceholder.scalar
    let a = wchar_t(truncatingIfNeeded: isPlaceholder ? 0xFFFD : scalars.0)
    let b = allowed(scalars.1, after: a)
    let c = allowed(scalars.2, after: b)
    let d = allowed(scalars.3, after: c)
    return (a, b, c, d, allowed(scalars.4, after: d))
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
      sequences.set(Int(pair), foreground: foreground, background: background)
    }
    var blank = cchar_t()
    setcchar(&blank, [0x20, 0], attributes, 0, &pair)
    return blank
  }
}
