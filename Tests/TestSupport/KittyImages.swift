import FoundationEssentials

/// The images that a terminal with kitty's graphics has received. Checks the protocol strictly, as
/// far as placeholders need it: commands that some terminal might refuse or interpret differently
/// are violations.
///
/// 1. A picture is transmitted and placed at once (`a=T,U=1`), without a reply (`q=2`), under a
///    number that cells can express and that no other picture has.
/// 2. It comes in chunks of at most 4,096 bytes of base64, all but the last a multiple of four, one
///    right after the other; the bytes are a whole PNG, or as many pixels as announced.
/// 3. Only existing pictures are deleted, with their data.
/// 4. All pictures together stay within the terminal's quota.
public struct KittyImages: Sendable {
  /// The most decoded bytes that a terminal keeps: kitty's own quota.
  public static let quota = 320 << 20

  private struct Image {
    var rows: Int
    var columns: Int
    var bytes: Int
    /// Red, green and blue of the upper left pixel; empty if it was not found.
    var color: [UInt8]
  }

  /// A transmission whose last chunk has not come.
  private struct Transmission {
    var number: UInt32
    var keys: [String: String]
    var payload: String
  }

  private var images: [UInt32: Image] = [:]
  private var current: Transmission?
  /// Violations of the protocol, in order.
  public private(set) var violations: [String] = []
  /// Pictures transmitted so far.
  public private(set) var transmitted = 0
  /// Decoded bytes that the terminal keeps, and the most that it has kept.
  public private(set) var keptBytes = 0
  public private(set) var mostKeptBytes = 0

  public var count: Int { images.count }

  mutating func take(_ command: KittyCommand) {
    if command.payload.utf8.count > 4096 {
      violations.append("a chunk of \(command.payload.utf8.count) bytes")
    }
    switch command.keys["a"] {
    case "T": begin(command)
    case "d": delete(command)
    case nil: proceed(command)
    case let action?: violations.append("the action \(action)")
    }
  }

  private mutating func expectKeys(_ command: KittyCommand, _ allowed: Set<String>) {
    let others = Set(command.keys.keys).subtracting(allowed)
    if !others.isEmpty { violations.append("keys \(others.sorted()) of \(command.keys)") }
    if command.keys["q"] != "2" { violations.append("\(command.keys) asks for a reply") }
  }

  private mutating func begin(_ command: KittyCommand) {
    if let current { violations.append("image \(current.number) was broken off") }
    current = nil
    expectKeys(command, ["a", "U", "q", "f", "s", "v", "i", "c", "r", "m"])
    let keys = command.keys
    if keys["U"] != "1" { violations.append("a picture without placeholders: \(keys)") }
    guard let number = keys["i"].flatMap({ UInt32($0) }), number != 0 else {
      violations.append("no number in \(keys)")
      return
    }
    // The low byte is a colour, the high byte a mark; the bytes between cannot be expressed.
    if number & 0xFFFF00 != 0 { violations.append("cells cannot name image \(number)") }
    if images[number] != nil { violations.append("image \(number) is there already") }
    for side in ["c", "r"] where !(1...Self.numbers.count).contains(Int(keys[side] ?? "") ?? 0) {
      violations.append("image \(number) has \(side)=\(keys[side] ?? "")")
    }
    if !["0", "1"].contains(keys["m"]) { violations.append("m=\(keys["m"] ?? "")") }
    current = Transmission(number: number, keys: keys, payload: "")
    add(command)
  }

  private mutating func proceed(_ command: KittyCommand) {
    expectKeys(command, ["q", "m"])
    guard current != nil else {
      violations.append("a chunk of no picture")
      return
    }
    add(command)
  }

  private mutating func add(_ command: KittyCommand) {
    guard var transmission = current else { return }
    transmission.payload += command.payload
    let isLast = command.keys["m"] == "0"
    if !isLast, command.payload.utf8.count % 4 != 0 || command.payload.isEmpty {
      violations.append("a chunk of \(command.payload.utf8.count) bytes before the last")
    }
    current = isLast ? nil : transmission
    guard isLast else { return }
    finish(transmission)
  }

  private mutating func finish(_ transmission: Transmission) {
    let (number, keys) = (transmission.number, transmission.keys)
    guard let data = Data(base64Encoded: transmission.payload) else {
      violations.append("image \(number) is no base64")
      return
    }
    var bytes = 0
    var color = Array(data.prefix(3))
    switch keys["f"] {
    case "100":
      let file = PNGFile([UInt8](data))
      if file == nil { violations.append("image \(number) is no whole PNG") }
      if keys["s"] != nil || keys["v"] != nil { violations.append("a PNG with a size: \(keys)") }
      bytes = (file?.width ?? 0) * (file?.height ?? 0) * 4
      color = file?.firstPixel ?? []
    case "32":
      bytes = (Int(keys["s"] ?? "") ?? 0) * (Int(keys["v"] ?? "") ?? 0) * 4
      if bytes != data.count || bytes == 0 {
        violations.append("image \(number) has \(data.count) bytes for \(keys)")
      }
    default: violations.append("the format \(keys["f"] ?? "")")
    }
    images[number] = Image(
      rows: Int(keys["r"] ?? "") ?? 0, columns: Int(keys["c"] ?? "") ?? 0, bytes: bytes,
      color: color)
    transmitted += 1
    keptBytes += bytes
    mostKeptBytes = max(mostKeptBytes, keptBytes)
    if keptBytes > Self.quota { violations.append("\(keptBytes) bytes of pictures are kept") }
  }

  private mutating func delete(_ command: KittyCommand) {
    if let current { violations.append("image \(current.number) was broken off") }
    current = nil
    expectKeys(command, ["a", "d", "i", "q"])
    guard command.keys["d"] == "I", let number = command.keys["i"].flatMap({ UInt32($0) }) else {
      violations.append("a deletion of something else: \(command.keys)")
      deleteRange(command)
      return
    }
    guard let image = images.removeValue(forKey: number) else {
      violations.append("image \(number) is deleted and not there")
      return
    }
    keptBytes -= image.bytes
  }

  /// Deletes the images from number x to y with their data. The program does not use this: tests
  /// remove their images with it.
  private mutating func deleteRange(_ command: KittyCommand) {
    guard command.keys["d"] == "R", let first = command.keys["x"].flatMap({ UInt32($0) }),
      let last = command.keys["y"].flatMap({ UInt32($0) }), first <= last
    else { return }
    for (number, image) in images where (first...last).contains(number) {
      images[number] = nil
      keptBytes -= image.bytes
    }
  }

  /// The problems of the placeholders on `screen`: an image that does not exist, or a place outside
  /// its image.
  public func problems(of screen: ScreenSnapshot) -> [String] {
    var problems: [String] = []
    for (row, cells) in screen.cells.enumerated() {
      for (column, cell) in cells.enumerated() {
        guard let problem = problem(of: cell) else { continue }
        problems.append("row \(row), column \(column): \(problem)")
      }
    }
    return problems
  }

  /// The colour of the upper left pixel of a placeholder's image; `nil` for other cells, empty if
  /// the image does not exist.
  public func color(of cell: ScreenCell) -> [UInt8]? {
    let scalars = Array(cell.text.unicodeScalars)
    guard scalars.first?.value == 0x10EEEE else { return nil }
    guard scalars.count == 4, let high = Self.numbers[scalars[3].value],
      case .indexed(let low) = cell.foreground
    else { return [] }
    return images[UInt32(high) << 24 | UInt32(low)]?.color ?? []
  }

  private func problem(of cell: ScreenCell) -> String? {
    let scalars = Array(cell.text.unicodeScalars)
    guard scalars.first?.value == 0x10EEEE else { return nil }
    let marks = scalars.dropFirst().map { Self.numbers[$0.value] }
    guard marks.count == 3, let row = marks[0], let column = marks[1], let high = marks[2],
      case .indexed(let low) = cell.foreground
    else { return "the placeholder \(scalars.map(\.value)) in \(cell.foreground) names no place" }
    let number = UInt32(high) << 24 | UInt32(low)
    guard let image = images[number] else { return "image \(number) is not at the terminal" }
    if row >= image.rows || column >= image.columns {
      return "image \(number) has \(image.rows) rows and \(image.columns) columns, not "
        + "row \(row), column \(column)"
    }
    return nil
  }
  /// The numbers expressed by the protocol's marks: its list of marks above letters, in order.
  private static let numbers: [UInt32: Int] = {
    let ranges: [ClosedRange<UInt32>] = [
      0x305...0x305, 0x30D...0x30E, 0x310...0x310, 0x312...0x312, 0x33D...0x33F, 0x346...0x346,
      0x34A...0x34C, 0x350...0x352, 0x357...0x357, 0x35B...0x35B, 0x363...0x36F, 0x483...0x487,
      0x592...0x595, 0x597...0x599, 0x59C...0x5A1, 0x5A8...0x5A9, 0x5AB...0x5AC, 0x5AF...0x5AF,
      0x5C4...0x5C4, 0x610...0x617, 0x657...0x65B, 0x65D...0x65E, 0x6D6...0x6DC, 0x6DF...0x6E2,
      0x6E4...0x6E4, 0x6E7...0x6E8, 0x6EB...0x6EC, 0x730...0x730, 0x732...0x733, 0x735...0x736,
      0x73A...0x73A, 0x73D...0x73D, 0x73F...0x741, 0x743...0x743, 0x745...0x745, 0x747...0x747,
      0x749...0x74A, 0x7EB...0x7F1, 0x7F3...0x7F3, 0x816...0x819, 0x81B...0x823, 0x825...0x827,
      0x829...0x82D, 0x951...0x951, 0x953...0x954, 0xF82...0xF83, 0xF86...0xF87, 0x135D...0x135F,
      0x17DD...0x17DD, 0x193A...0x193A, 0x1A17...0x1A17, 0x1A75...0x1A7C, 0x1B6B...0x1B6B,
      0x1B6D...0x1B73, 0x1CD0...0x1CD2, 0x1CDA...0x1CDB, 0x1CE0...0x1CE0, 0x1DC0...0x1DC1,
      0x1DC3...0x1DC9, 0x1DCB...0x1DCC, 0x1DD1...0x1DE6, 0x1DFE...0x1DFE, 0x20D0...0x20D1,
      0x20D4...0x20D7, 0x20DB...0x20DC, 0x20E1...0x20E1, 0x20E7...0x20E7, 0x20E9...0x20E9,
      0x20F0...0x20F0, 0x2CEF...0x2CF1, 0x2DE0...0x2DFF, 0xA66F...0xA66F, 0xA67C...0xA67D,
      0xA6F0...0xA6F1, 0xA8E0...0xA8F1, 0xAAB0...0xAAB0, 0xAAB2...0xAAB3, 0xAAB7...0xAAB8,
      0xAABE...0xAABF, 0xAAC1...0xAAC1, 0xFE20...0xFE26, 0x10A0F...0x10A0F, 0x10A38...0x10A38,
      0x1D185...0x1D189, 0x1D1AA...0x1D1AD, 0x1D242...0x1D244,
    ]
    var numbers: [UInt32: Int] = [:]
    for mark in ranges.joined() { numbers[mark] = numbers.count }
    return numbers
  }()
}
