import FoundationEssentials

/// An inline picture of iTerm2's protocol as a program sent it (OSC 1337, `File`). Checks the
/// sequence strictly: whatever some terminal might refuse or interpret differently is a violation.
///
/// 1. It is ended by ST and has at most 1 MiB: iTerm2 and mintty drop longer ones.
/// 2. It is drawn in place, not stored as a file, and stretched over columns and rows, of which
///    there are at most 255 each: iTerm2 numbers them in a byte.
/// 3. It states the size of its file (xterm.js needs it) and asks to keep the cursor (WezTerm,
///    mintty). There are no other keys.
/// 4. Its file is a whole PNG in base64.
public struct InlinePictureSequence: Hashable, Sendable {
  /// The position of the cursor, from 0.
  public var row: Int
  public var column: Int
  /// The cells that it covers.
  public var rows: Int
  public var columns: Int
  /// The whole sequence.
  public var bytes: [UInt8]
  /// Violations of the protocol.
  public var violations: [String] = []

  /// `nil` if `sequence` draws no file, or says nothing about its size.
  public init?(_ sequence: [UInt8], row: Int, column: Int) {
    guard sequence.starts(with: Self.start), let colon = sequence.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    var keys: [String: String] = [:]
    let text = String(decoding: sequence[Self.start.count..<colon], as: UTF8.self)
    for pair in text.split(separator: ";") {
      let sides = pair.split(separator: "=", maxSplits: 1)
      if sides.count == 2 { keys[String(sides[0])] = String(sides[1]) }
    }
    guard let columns = keys["width"].flatMap({ Int($0) }), columns > 0,
      let rows = keys["height"].flatMap({ Int($0) }), rows > 0
    else { return nil }
    (self.row, self.column, self.rows, self.columns) = (row, column, rows, columns)
    bytes = sequence
    if sequence.count > 1 << 20 { violations.append("a sequence of \(sequence.count) bytes") }
    if !sequence.suffix(2).elementsEqual([0x1B, 0x5C]) { violations.append("no ST at its end") }
    if columns > 255 || rows > 255 { violations.append("\(columns)x\(rows) cells") }
    for (key, value) in Self.constant where keys[key] != value {
      violations.append("\(key)=\(keys[key] ?? "") in \(text)")
    }
    let others = Set(keys.keys).subtracting(Self.constant.keys)
      .subtracting(["width", "height", "size"])
    if !others.isEmpty { violations.append("the keys \(others.sorted())") }
    let content = content
    if keys["size"] != content.map({ "\($0.count)" }) {
      violations.append("size=\(keys["size"] ?? "") for \(content?.count ?? -1) bytes")
    }
    if file == nil { violations.append("no whole PNG") }
  }

  private static let start = Array("\u{1B}]1337;File=".utf8)
  private static let constant = ["inline": "1", "preserveAspectRatio": "0", "doNotMoveCursor": "1"]

  /// The bytes of its file; `nil` if they are no base64.
  private var content: [UInt8]? {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let end = bytes.last == 7 ? bytes.count - 1 : max(colon + 1, bytes.count - 2)
    return Data(base64Encoded: Data(bytes[(colon + 1)..<end])).map { Array($0) }
  }

  /// Its picture; `nil` if it is no whole PNG.
  public var file: PNGFile? { content.flatMap { PNGFile($0) } }
}
