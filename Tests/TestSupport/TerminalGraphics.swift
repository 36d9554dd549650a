/// A sixel picture as a program sent it.
public struct SixelStrip: Hashable, Sendable {
  /// The position of the cursor, from 0.
  public var row: Int
  public var column: Int
  /// Its size in pixels, by its raster attributes.
  public var width: Int
  public var height: Int
  /// The whole sequence.
  public var bytes: [UInt8]

  /// `nil` if `sequence` is no sixel picture with raster attributes.
  init?(_ sequence: [UInt8], row: Int, column: Int) {
    let text = String(decoding: sequence, as: UTF8.self)
    guard text.hasPrefix("\u{1b}P"), let start = text.firstIndex(of: "q"),
      text[text.index(text.startIndex, offsetBy: 2)..<start]
        .allSatisfy({ $0.isNumber || $0 == ";" })
    else { return nil }
    let rest = text[text.index(after: start)...]
    guard rest.first == "\"" else { return nil }
    let numbers = rest.dropFirst().prefix { $0.isNumber || $0 == ";" }.split(separator: ";")
    guard numbers.count == 4, let width = Int(numbers[2]), let height = Int(numbers[3]) else {
      return nil
    }
    (self.row, self.column, self.width, self.height) = (row, column, width, height)
    bytes = sequence
  }
}

/// A scroll region set by a program, which it does to move lines.
public struct LineMovement: Hashable, Sendable {
  /// Whether a painted picture was anywhere on the screen.
  public var coversPictures: Bool
}

/// The part of a painted picture in a cell of the screen: of sixels or an inline picture.
public struct PaintedCell: Hashable, Sendable {
  /// The sequence that painted it.
  public var strip: [UInt8]
  /// Columns from the picture's left edge.
  public var column: Int
  /// Rows from its upper edge.
  public var row = 0
}

/// A command of kitty's graphics protocol as a program sent it.
public struct KittyCommand: Hashable, Sendable {
  public var keys: [String: String] = [:]
  public var payload: String

  /// Parses the text between `_G` and the string terminator.
  public init(_ text: some StringProtocol) {
    let parts = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    payload = parts.count > 1 ? String(parts[1]) : ""
    for pair in (parts.first ?? "").split(separator: ",") {
      let sides = pair.split(separator: "=", maxSplits: 1)
      if sides.count == 2 { keys[String(sides[0])] = String(sides[1]) }
    }
  }
}
