/// The images that a terminal with kitty's graphics has been sent and not been told to delete.
public struct KittyImages: Sendable {
  private struct Image {
    var rows: Int
    var columns: Int
    /// Whether its last piece has come.
    var isWhole: Bool
  }

  private var images: [UInt32: Image] = [:]
  /// The one whose pieces are coming.
  private var current: UInt32?

  public var count: Int { images.count }

  mutating func take(_ command: KittyCommand) {
    switch command.keys["a"] {
    case "T":
      let number = command.keys["i"].flatMap { UInt32($0) } ?? 0
      images[number] = Image(
        rows: command.keys["r"].flatMap { Int($0) } ?? 0,
        columns: command.keys["c"].flatMap { Int($0) } ?? 0, isWhole: command.keys["m"] != "1")
      current = number
    case "d":
      switch command.keys["d"] {
      case "I": images[command.keys["i"].flatMap { UInt32($0) } ?? 0] = nil
      default: images = [:]
      }
    case nil:
      if command.keys["m"] == "0", let current { images[current]?.isWhole = true }
    default: break
    }
  }

  /// What is wrong with the placeholders on `screen`: they name an image that is not there, or a place
  /// outside it.
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

  private func problem(of cell: ScreenCell) -> String? {
    let scalars = Array(cell.text.unicodeScalars)
    guard scalars.first?.value == 0x10EEEE else { return nil }
    let marks = scalars.dropFirst().map { Self.numbers[$0.value] }
    guard marks.count == 3, let row = marks[0], let column = marks[1], let high = marks[2],
      case .indexed(let low) = cell.foreground
    else { return "the placeholder \(scalars.map(\.value)) in \(cell.foreground) names no place" }
    let number = UInt32(high) << 24 | UInt32(low)
    guard let image = images[number] else { return "image \(number) is not at the terminal" }
    if !image.isWhole { return "image \(number) was not sent whole" }
    if row >= image.rows || column >= image.columns {
      return "image \(number) has \(image.rows) rows and \(image.columns) columns, not "
        + "row \(row), column \(column)"
    }
    return nil
  }

  /// What the protocol's marks stand for: its list of marks above letters, in order.
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
