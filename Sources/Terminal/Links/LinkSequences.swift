/// The sequences that open and close links in a terminal's text (OSC 8).
struct LinkSequences {
  /// The most bytes of an address that terminals are known to accept.
  static let maximumBytes = 2_000
  /// Closes the open link.
  static let closing = Array("\u{1B}]8;;\u{1B}\\".utf8)

  /// The opening sequences by the numbers of their links (``LinkGroup``).
  private var openings: [UInt32: [UInt8]] = [:]
  /// The bytes of all opening sequences.
  private(set) var byteCount = 0

  /// Adds a link.
  ///
  /// - Returns: false if the terminal must not receive it: its address is unknown, refused or too
  ///   long.
  mutating func add(_ number: UInt32) -> Bool {
    if openings[number] != nil { return true }
    guard let address = LinkGroup.address(of: number), let target = try? LinkAddress(address),
      target.text.utf8.count <= Self.maximumBytes
    else { return false }
    // All cells of an occurrence share an id, so that a terminal highlights it as a whole under the
    // pointer even if it wraps, and does not highlight other links to the same address.
    let opening = Array("\u{1B}]8;id=\(number);\(target.text)\u{1B}\\".utf8)
    openings[number] = opening
    byteCount += opening.count
    return true
  }

  /// The sequence that opens a link; the closing sequence if there is no link of this number.
  func sequence(for number: UInt32) -> [UInt8] { openings[number] ?? Self.closing }

  mutating func removeAll() {
    openings.removeAll(keepingCapacity: true)
    byteCount = 0
  }

  /// Whether a terminal with this name and version (XTVERSION) is known to support links. Others
  /// might show the address as text.
  static func areTaken(version: String) -> Bool {
    let version = version.lowercased()
    let known = ["foot", "kitty", "wezterm", "ghostty", "alacritty", "vte"]
    if known.contains(where: version.hasPrefix) { return true }
    // Earlier versions drop the sequences.
    return version.hasPrefix("tmux") && TerminalCapabilities.isVersion(version, atLeast: [3, 4])
  }
}
