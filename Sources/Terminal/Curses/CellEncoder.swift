import CNcurses

/// Converts cells of a canvas to those of ncurses: maps colours to the terminal's depth, allocates
/// pairs of colours, and copies code points.
struct CellEncoder {
  let depth: ColorDepth
  /// The number of colours in the terminal's entry.
  private let colorCount: Int
  /// Whether ncurses sets pairs by their numbers alone and need not know their colours.
  private let setsPairsByNumber: Bool
  /// Whether the terminal receives links.
  private let sendsLinks: Bool
  /// The number of pairs after which all are released: with default colours ncurses never recycles
  /// them.
  private let pairLimit: Int
  /// A blank of each style so far.
  private var styles: [Look: cchar_t] = [:]
  /// The numbers of pairs, from 1 on. They are assigned here and not by ncurses, which finds a pair
  /// by its colours: it would give a link's pair to plain text.
  private var pairs: [Pair: Int32] = [:]
  /// The sequences that replace pair numbers in ncurses' output.
  private var sequences = PairSequences()
  /// The terminal's numbers of the pictures that it draws in place of placeholders, by their ids;
  /// `nil` if pictures are painted over their cells.
  var pictureNumbers: [UInt32: UInt32]?
  /// A colour for each row of a picture at each painted position.
  private var strips: [Strip: Int] = [:]
  private var lastLook: Look?
  private var lastBlank = cchar_t()

  /// The style of a cell, and its link.
  private struct Look: Hashable {
    var style: Style
    /// From a ``LinkGroup``; 0 for none.
    var link: UInt32 = 0
  }

  private struct Pair: Hashable {
    var foreground: Int32
    var background: Int32
    var link: UInt32
  }

  private struct Strip: Hashable {
    var id: UInt32
    var row: Int
    var left: Int
  }

  /// - Parameters:
  ///   - setsPairsByNumber: whether ncurses has an entry that does so (``PairSequences``).
  ///   - supportsLinks: whether the terminal supports links. They are not sent if its own entry
  ///     sets the colours.
  init(
    depth: ColorDepth, colorCount: Int, pairCount: Int, setsPairsByNumber: Bool, supportsLinks: Bool
  ) {
    self.depth = depth
    self.colorCount = colorCount
    self.setsPairsByNumber = setsPairsByNumber
    sendsLinks = supportsLinks && setsPairsByNumber
    pairLimit = max(1, min(60_000, pairCount - 1))
  }

  /// Whether another frame might exceed one of the limits.
  var isCrowded: Bool {
    pairs.count >= pairLimit || styles.count >= 200_000 || strips.count >= stripLimit
      || sequences.linkBytes >= Self.linkByteLimit
  }

  /// The most bytes of link sequences to keep.
  private static let linkByteLimit = 4 << 20

  /// The number of distinct styles of a no-break space: 256 colours, bold or not, dim or not,
  /// italic or not; less the 512 that a screen might need at once.
  private var stripLimit: Int { depth == .trueColor ? .max : 256 * 8 - 512 }

  /// Releases all pairs; everything encoded before is invalid.
  mutating func reset() {
    styles.removeAll(keepingCapacity: true)
    pairs.removeAll(keepingCapacity: true)
    strips.removeAll(keepingCapacity: true)
    sequences.removeAll()
    lastLook = nil
    reset_color_pairs()
    use_default_colors()
  }

  /// Converts ncurses' output for the terminal.
  ///
  /// - Parameter isPlain: whether the terminal is in plain style before the output.
  /// - Complexity: O(n) in the bytes of the result.
  mutating func expand(_ output: [UInt8], isPlain: Bool = false) -> [UInt8] {
    sequences.expand(output, isPlain: isPlain)
  }

  /// Encodes these columns of a row, which hold whole characters, and returns the number of ncurses
  /// cells. A wide character is one.
  ///
  /// A character whose width by ncurses differs from the canvas's is replaced with blanks, so that
  /// nothing to its right can shift.
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
      var encoded = blank(for: Look(style: cell.style, link: sendsLinks ? cell.link : 0))
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

  /// A placeholder for the part of a picture, or else a no-break space in a style that no other row
  /// of a picture has, nor the same row elsewhere, so that ncurses overwrites stale cells.
  private mutating func encode(_ part: PictureCell, at x: Int, on background: Color) -> cchar_t {
    if let pictureNumbers {
      guard let number = pictureNumbers[part.id], part.row < KittyPlaceholder.limit,
        part.column < KittyPlaceholder.limit
      else { return blank(for: Look(style: Style(background: background))) }
      var encoded = blank(
        for: Look(
          style: Style(
            foreground: .palette(UInt8(truncatingIfNeeded: number)), background: background)))
      encoded.chars = KittyPlaceholder.characters(
        row: part.row, column: part.column, imageID: number)
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
    var encoded = blank(for: Look(style: style))
    encoded.chars.0 = 0xA0
    return encoded
  }

  /// The code points up to the first control character.
  private static func characters(
    of scalars: CellCode.Scalars
  ) -> (wchar_t, wchar_t, wchar_t, wchar_t, wchar_t) {
    func allowed(_ value: UInt32, after previous: wchar_t) -> wchar_t {
      let isControl = value < 0x20 || (0x7F..<0xA0).contains(value)
      return previous == 0 || isControl ? 0 : wchar_t(truncatingIfNeeded: value)
    }
    // Text must not be able to show pictures of other texts.
    let isPlaceholder = scalars.0 == KittyPlaceholder.scalar
    let a = wchar_t(truncatingIfNeeded: isPlaceholder ? 0xFFFD : scalars.0)
    let b = allowed(scalars.1, after: a)
    let c = allowed(scalars.2, after: b)
    let d = allowed(scalars.3, after: c)
    return (a, b, c, d, allowed(scalars.4, after: d))
  }

  private mutating func blank(for look: Look) -> cchar_t {
    if look == lastLook { return lastBlank }
    let blank: cchar_t
    if let known = styles[look] {
      blank = known
    } else {
      blank = makeBlank(look)
      styles[look] = blank
    }
    lastLook = look
    lastBlank = blank
    return blank
  }

  private mutating func makeBlank(_ look: Look) -> cchar_t {
    let style = look.style
    var attributes: attr_t = 0
    if style.attributes.contains(.bold) { attributes |= curses_bold() }
    if style.attributes.contains(.dim) { attributes |= curses_dim() }
    if style.attributes.contains(.italic) { attributes |= curses_italic() }
    if style.attributes.contains(.underline) { attributes |= curses_underline() }
    if style.attributes.contains(.reverse) { attributes |= curses_reverse() }
    var foreground = style.foreground.mapped(to: depth).rawValue
    var background = style.background.mapped(to: depth).rawValue
    if colorCount < 16 {
      // Terminals of eight colours show the brighter half as bold.
      if foreground >= 8 {
        foreground -= 8
        attributes |= curses_bold()
      }
      if background >= 8 { background -= 8 }
    }
    var pair = number(
      of: Pair(foreground: foreground, background: background, link: link(of: look)))
    var blank = cchar_t()
    setcchar(&blank, [0x20, 0], attributes, 0, &pair)
    return blank
  }

  /// The link of these cells; 0 unless they are underlined: ncurses clears other blanks instead of
  /// writing them, and cleared cells belong to no link.
  private mutating func link(of look: Look) -> UInt32 {
    guard look.link != 0, look.style.attributes.contains(.underline), pairs.count < pairLimit,
      sequences.addLink(look.link)
    else { return 0 }
    return look.link
  }

  /// The number of a pair, which is allocated if it is new; 0, the terminal's own colours, if no
  /// pair is left.
  private mutating func number(of pair: Pair) -> Int32 {
    guard pair.foreground >= 0 || pair.background >= 0 || pair.link != 0 else { return 0 }
    if let known = pairs[pair] { return known }
    let number = Int32(clamping: pairs.count + 1)
    // Cells whose pairs have equal colours are equal to ncurses, even if their links differ. So
    // each pair has colours of its own here; there are as many colours as pairs.
    let colors =
      setsPairsByNumber ? (number & 0xFF, number >> 8) : (pair.foreground, pair.background)
    guard init_extended_pair(number, colors.0, colors.1) == OK else { return 0 }
    pairs[pair] = number
    sequences.set(
      Int(number), foreground: pair.foreground, background: pair.background, link: pair.link)
    return number
  }
}
