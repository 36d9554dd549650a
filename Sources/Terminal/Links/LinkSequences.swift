/// What tells a terminal where the text that follows leads (OSC 8), and that it leads nowhere any
/// more.
struct LinkSequences {
  /// Bytes of an address that terminals are known to take.
  static let maximumBytes = 2_000
  /// Ends the link that is open.
  static let closing = Array("\u{1B}]8;;\u{1B}\\".utf8)

  /// By the number of a link (``LinkGroup``), what opens it.
  private var openings: [UInt32: [UInt8]] = [:]
  /// Bytes of all openings.
  private(set) var byteCount = 0

  /// Makes a link known; its address must be one that is followed.
  ///
  /// - Returns: false where the terminal is not to be told: its address is refused, or too long.
  mutating func add(_ number: UInt32) -> Bool {
    if openings[number] != nil { return true }
    guard let address = LinkGroup.address(of: number), let target = try? LinkAddress(address),
      target.text.utf8.count <= Self.maximumBytes
    else { return false }
    // One id for all cells of an occurrence, so that it lights up whole under the pointer, however
    // it is wrapped, and no other with the same address does.
    let opening = Array("\u{1B}]8;id=\(number);\(target.text)\u{1B}\\".utf8)
    openings[number] = opening
    byteCount += opening.count
    return true
  }

  /// What opens a link; what closes the one that is open where there is none of this number.
  func sequence(for number: UInt32) -> [UInt8] { openings[number] ?? Self.closing }

  mutating func removeAll() {
    openings.removeAll(keepingCapacity: true)
    byteCount = 0
  }

  /// Whether a terminal that calls itself this (XTVERSION) is known to take links. Those that are
  /// not might show the address instead.
  static func areTaken(version: String) -> Bool {
    let version = version.lowercased()
    let known = ["foot", "kitty", "wezterm", "ghostty", "alacritty", "vte"]
    if known.contains(where: version.hasPrefix) { return true }
    guard version.hasPrefix("tmux") else { return false }
    // `tmux 3.4`, `tmux 3.5a`, `tmux next-3.6`: before 3.4 it drops what it is told.
    let numbers = version.drop { !$0.isNumber }.prefix { $0.isNumber || $0 == "." }
      .split(separator: ".").compactMap { Int($0) }
    guard let major = numbers.first else { return false }
    return major > 3 || (major == 3 && numbers.count > 1 && numbers[1] >= 4)
  }
}
