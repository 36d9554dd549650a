import FoundationEssentials
import System
import Terminal

/// Puts text where it can be pasted from: by `wl-copy`, `xclip` or `xsel` where there is a display,
/// by tmux, which usually keeps what programs tell the terminal to itself, else by the terminal
/// (OSC 52), which may lie on another machine and does not say whether it did it.
///
/// 1. One text is under way at a time; a later one waits for it, and one that waits gives way to a
///    later one.
/// 2. A program that does not end in time, as without the display it was promised, is ended, with
///    what it has started, and the next way is tried. So one runs at most.
@MainActor final class Clipboard {
  private let environment: [String: String]
  private let starter: ProgramStarter
  /// Has a body run after a while.
  private let after: (Duration, @escaping @MainActor () -> Void) -> Void
  /// Has the terminal take text; false where it is known not to.
  private let send: (String) -> Bool
  private let tell: (String, Notices.Kind) -> Void
  private var isBusy = false
  private var next: (text: String, name: String, detail: String)?

  /// Bytes that programs are given. `4 MB`
  static let maximumBytes = 4 << 20
  /// Bytes that the terminal is given: what those take that limit it most. `74,994`
  static let maximumTerminalBytes = 74_994
  /// After which a program that has not ended is ended. `3 s`
  static let patience = Duration.seconds(3)

  init(
    environment: [String: String], starter: ProgramStarter,
    after: @escaping (Duration, @escaping @MainActor () -> Void) -> Void,
    send: @escaping (String) -> Bool, tell: @escaping (String, Notices.Kind) -> Void
  ) {
    (self.environment, self.starter, self.after) = (environment, starter, after)
    (self.send, self.tell) = (send, tell)
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
    if isSet("TMUX") { programs.append(["tmux", "load-buffer", "-w", "-"]) }
    return programs
  }

  /// Copies `text`, and tells how, or why not, calling it `name`: "link".
  ///
  /// - Parameter detail: what else is told, last and in few words, since it may be long.
  /// - Complexity: O(n) in the text.
  func copy(_ text: String, as name: String, detail: String = "") {
    let count = text.utf8.count
    guard count > 0 else { return tell("there is no \(name) to copy", .refusal) }
    guard count <= Self.maximumBytes else {
      return tell("\(name) not copied: it has \(count) bytes", .refusal)
    }
    guard !isBusy else {
      next = (text, name, detail)
      return
    }
    isBusy = true
    Task {
      let (outcome, kind) = await outcome(of: text, name, isShort: !detail.isEmpty, by: programs)
      // With more to tell something else was asked for than a copy, and all else gives way to it.
      if detail.isEmpty { tell(outcome, kind) } else { tell("\(outcome): \(detail)", .refusal) }
      isBusy = false
      if let (text, name, detail) = next {
        next = nil
        copy(text, as: name, detail: detail)
      }
    }
  }

  /// - Returns: nil for a program that had to be ended.
  private func end(of program: ProgramStarter.Running) async -> ChildProcess.Ending? {
    await withCheckedContinuation { continuation in
      var waiting: CheckedContinuation<ChildProcess.Ending?, Never>? = continuation
      func answer(_ ending: ChildProcess.Ending?) {
        waiting?.resume(returning: ending)
        waiting = nil
      }
      after(Self.patience) {
        if waiting != nil { program.kill() }
        answer(nil)
      }
      Task { answer(await program.ending()) }
    }
  }

  private func outcome(
    of text: String, _ name: String, isShort: Bool, by programs: [[String]]
  ) async -> (String, Notices.Kind) {
    var problems: [String] = []
    for words in programs {
      switch await starter.start(words, Array(text.utf8)) {
      // One that is not there is none of the user's problems.
      case .failure(let failure):
        if !failure.isMissingFile { problems.append("\(words[0]): \(failure.message)") }
      case .success(let program):
        guard let ending = await end(of: program) else {
          problems.append(
            "\(words[0]) has not ended after \(Self.patience.components.seconds) seconds")
          continue
        }
        guard let problem = ending.problem else {
          return ("\(name) copied (\(words[0]))", .information)
        }
        problems.append("\(words[0]) \(problem)")
      }
    }
    let failed = problems.isEmpty ? "" : "; " + problems.joined(separator: ", ")
    guard text.utf8.count <= Self.maximumTerminalBytes else {
      return (
        "\(name) not copied: \(text.utf8.count) bytes are too many for the terminal\(failed)",
        .failure
      )
    }
    guard send(Data(text.utf8).base64EncodedString()) else {
      return ("\(name) not copied: this terminal takes none\(failed)", .failure)
    }
    // Whether it was taken nobody says.
    let how = isShort ? "offered by OSC 52" : "offered to the terminal (OSC 52)"
    return ("\(name) \(how)\(failed)", .information)
  }
}
