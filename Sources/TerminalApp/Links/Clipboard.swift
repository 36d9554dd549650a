import FoundationEssentials
import Terminal

/// Puts text where it can be pasted from: by `wl-copy`, `xclip` or `xsel` where there is a display, else by
/// the terminal (OSC 52), which may lie on another machine and does not say whether it did it.
///
/// One text is under way at a time; a later one waits for it, and one that waits gives way to a later one.
@MainActor final class Clipboard {
  private let environment: [String: String]
  private let starter: ProgramStarter
  /// Has the terminal take text; false where it is known not to.
  private let send: (String) -> Bool
  private let tell: (String, Notices.Kind) -> Void
  private var isBusy = false
  private var next: (text: String, name: String)?

  /// Bytes that programs are given. `4 MB`
  static let maximumBytes = 4 << 20
  /// Bytes that the terminal is given: what those take that limit it most. `74,994`
  static let maximumTerminalBytes = 74_994

  init(
    environment: [String: String], starter: ProgramStarter, send: @escaping (String) -> Bool,
    tell: @escaping (String, Notices.Kind) -> Void
  ) {
    (self.environment, self.starter, self.send, self.tell) = (environment, starter, send, tell)
  }

  /// Programs that may do it here, in the order in which they are tried.
  private var programs: [[String]] {
    func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
    var programs: [[String]] = []
    if isSet("WAYLAND_DISPLAY") { programs.append(["wl-copy", "--type", "text/plain"]) }
    if isSet("DISPLAY") {
      programs.append(["xclip", "-selection", "clipboard"])
      programs.append(["xsel", "--clipboard", "--input"])
    }
    return programs
  }

  /// Copies `text`, and tells how, or why not, calling it `name`: "link".
  ///
  /// - Complexity: O(n) in the text.
  func copy(_ text: String, as name: String) {
    let count = text.utf8.count
    guard count > 0 else { return tell("there is no \(name) to copy", .refusal) }
    guard count <= Self.maximumBytes else {
      return tell("\(name) not copied: it has \(count) bytes", .refusal)
    }
    guard !isBusy else {
      next = (text, name)
      return
    }
    isBusy = true
    Task {
      await finish(text, name, by: programs)
      isBusy = false
      if let (text, name) = next {
        next = nil
        copy(text, as: name)
      }
    }
  }

  private func finish(_ text: String, _ name: String, by programs: [[String]]) async {
    var problems: [String] = []
    for words in programs {
      switch await starter.start(words, Array(text.utf8)) {
      // One that is not there is none of the user's problems.
      case .failure(let failure):
        if !failure.isMissingFile { problems.append("\(words[0]): \(failure.message)") }
      case .success(let wait):
        guard let problem = await wait().problem else {
          return tell("\(name) copied (\(words[0]))", .information)
        }
        problems.append("\(words[0]) \(problem)")
      }
    }
    let failed = problems.isEmpty ? "" : "; " + problems.joined(separator: ", ")
    guard text.utf8.count <= Self.maximumTerminalBytes else {
      return tell(
        "\(name) not copied: \(text.utf8.count) bytes are too many for the terminal\(failed)",
        .failure)
    }
    guard send(Data(text.utf8).base64EncodedString()) else {
      return tell("\(name) not copied: this terminal takes none\(failed)", .failure)
    }
    tell("\(name) sent to the terminal's clipboard (OSC 52)\(failed)", .information)
  }
}
