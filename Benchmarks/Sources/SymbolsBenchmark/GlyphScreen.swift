import Geometry
import Pixels
import Terminal

/// Cells of characters in two colours, drawn as a terminal that draws blocks itself draws them: the
/// same for whoever chose the characters.
struct GlyphScreen {
  /// Pixels of a cell.
  static let cell = PixelSize(width: 8, height: 16)

  struct Glyph {
    var scalar: UInt32 = 0x20
    var foreground = RGB(255, 255, 255)
    var background = RGB(0, 0, 0)
  }

  let size: Size
  private var glyphs: [Glyph]
  /// Characters that are no blocks, which count as blanks.
  private(set) var unknown = 0

  init(_ canvas: Canvas) {
    size = canvas.size
    glyphs = canvas.cells.map { cell in
      Glyph(
        scalar: cell.scalars.0, foreground: cell.style.foreground.rgb ?? RGB(255, 255, 255),
        background: cell.style.background.rgb ?? RGB(0, 0, 0))
    }
  }

  /// What a program has printed for a terminal: lines of characters, and colours between them.
  init(printed text: [UInt8], size: Size) {
    self.size = size
    glyphs = Array(repeating: Glyph(), count: size.width * size.height)
    var printer = Printer()
    var (x, y) = (0, 0)
    for piece in Printer.pieces(text) {
      switch piece {
      case .style(let numbers): printer.apply(numbers)
      case .newline: (x, y) = (0, y + 1)
      case .character(let scalar):
        if x < size.width, y < size.height {
          glyphs[y * size.width + x] = printer.glyph(scalar)
        }
        x += 1
      }
    }
  }

  /// The pixels it shows.
  mutating func pixels() -> PixelBuffer {
    let (across, down) = (Self.cell.width, Self.cell.height)
    let width = size.width * across
    var bytes = [UInt8](repeating: 255, count: width * size.height * down * 4)
    for row in 0..<size.height {
      for column in 0..<size.width {
        let glyph = glyphs[row * size.width + column]
        guard let covers = Blocks.coverage(of: glyph.scalar) else {
          unknown += 1
          continue
        }
        for y in 0..<down {
          for x in 0..<across {
            let isSet = covers(Double(x) / Double(across), Double(y) / Double(down))
            let color = isSet ? glyph.foreground : glyph.background
            let at = ((row * down + y) * width + column * across + x) * 4
            (bytes[at], bytes[at + 1], bytes[at + 2]) = (color.red, color.green, color.blue)
          }
        }
      }
    }
    return PixelBuffer(
      size: PixelSize(width: width, height: size.height * down), bytes: bytes)
  }
}

/// Which part of a cell block characters cover: from 0 to 1, from the upper left corner.
enum Blocks {
  typealias Coverage = (_ x: Double, _ y: Double) -> Bool

  private static let quarters = Array("▘▝▀▖▌▞▛▗▚▐▜▄▙▟█".unicodeScalars).map(\.value)

  static func coverage(of scalar: UInt32) -> Coverage? {
    if scalar == 0x20 || scalar == 0xA0 { return { _, _ in false } }
    if let index = quarters.firstIndex(of: scalar) {
      return { x, y in (index + 1) >> ((y < 0.5 ? 0 : 2) + (x < 0.5 ? 0 : 1)) & 1 == 1 }
    }
    switch scalar {
    case 0x2581...0x2587:
      let part = Double(scalar - 0x2580) / 8
      return { _, y in y >= 1 - part }
    case 0x2589...0x258F:
      let part = Double(0x2590 - scalar) / 8
      return { x, _ in x < part }
    case 0x2594: return { _, y in y < 0.125 }
    case 0x2595: return { x, _ in x >= 0.875 }
    default: return nil
    }
  }
}

/// Reads what is printed for a terminal, as far as pictures in characters go.
private struct Printer {
  enum Piece {
    case character(UInt32)
    case newline
    /// The numbers of a sequence that sets a style.
    case style([Int])
  }

  private var style = GlyphScreen.Glyph()
  private var isReversed = false

  static func pieces(_ text: [UInt8]) -> [Piece] {
    var pieces: [Piece] = []
    var sequence: String?
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      if let known = sequence {
        sequence?.unicodeScalars.append(scalar)
        guard known.count > 0, (0x40...0x7E).contains(scalar.value) else { continue }
        if scalar == "m" {
          pieces.append(.style(known.dropFirst().split(separator: ";").map { Int($0) ?? 0 }))
        }
        sequence = nil
      } else if scalar.value == 0x1B {
        sequence = ""
      } else if scalar == "\n" {
        pieces.append(.newline)
      } else if scalar.value >= 0x20 {
        pieces.append(.character(scalar.value))
      }
    }
    return pieces
  }

  mutating func apply(_ numbers: [Int]) {
    var rest = (numbers.isEmpty ? [0] : numbers)[...]
    while let number = rest.popFirst() {
      switch number {
      case 0: (style, isReversed) = (GlyphScreen.Glyph(), false)
      case 7: isReversed = true
      case 27: isReversed = false
      case 38, 48:
        guard let color = Self.color(&rest) else { return }
        if number == 38 { style.foreground = color } else { style.background = color }
      case 39: style.foreground = RGB(255, 255, 255)
      case 49: style.background = RGB(0, 0, 0)
      default: break
      }
    }
  }

  private static func color(_ rest: inout ArraySlice<Int>) -> RGB? {
    switch rest.popFirst() {
    case 2:
      guard rest.count >= 3 else { return nil }
      let parts = rest.prefix(3).map { UInt8(clamping: $0) }
      rest = rest.dropFirst(3)
      return RGB(parts[0], parts[1], parts[2])
    case 5: return rest.popFirst().flatMap { Color.palette(UInt8(clamping: $0)).rgb }
    default: return nil
    }
  }

  func glyph(_ scalar: UInt32) -> GlyphScreen.Glyph {
    var glyph = style
    glyph.scalar = scalar
    if isReversed { (glyph.foreground, glyph.background) = (style.background, style.foreground) }
    return glyph
  }
}
