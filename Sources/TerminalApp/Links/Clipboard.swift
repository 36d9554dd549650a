import System
import Terminal

/// Copies text to the clipboard: by `wl-copy`, `xclip` or `xsel` if there is a display; by tmux,
/// which usually does not pass OSC 52 on; else by the terminal (OSC 52), which may run on another
/// machine and does not confirm.
///
/// 1. One text is copied at a time; a later one waits, and replaces one that waits already.
/// 2. A program that does not end in time, for example because its display does not exist, is
///    killed with its children before the next way is tried. So at most one program runs.
@MainActor final class Clipboard {
  private let surroundings: ProgramSurroundings
  /// Asks the terminal to take text; returns `false` if the terminal is known to refuse.
  private let send: (String) -> Bool
  private var isBusy = false
  private var next: (text: String, name: String, detail: String)?

  /// The bytes that programs receive at most. `4 MiB`
  static let maximumBytes = 4 << 20
  /// The bytes of a text, before base64, that the terminal receives at most: the lowest limit of
  /// known terminals. `74,994`
  static let maximumTerminalBytes = 74_994
  /// The time after which a program that is still running is killed. `3 s`
  static let patience = Duration.seconds(3)

  init(in surroundings: ProgramSurroundings, send: @escaping (String) -> Bool) {
    (self.surroundings, self.send) = (surroundings, send)
  }

  /// The programs that may work here, in the order they are tried.
  private var programs: [[String]] {
    func isSet(_ name: String) -> Bool { surroundings.environment[name]?.isEmpty == false }
    var programs: [[String]] = []
    if isSet("WAYLAND_DISPLAY") { programs.append(["wl-copy", "--type", "text/plain"]) }
    if isSet("DISPLAY") {
      programs.append(["xclip", "-selection", "clipboard"])
      programs.append(["xsel", "--clipboard", "--input"])
    }
    if isSet("TMUX") { programs.append(["tmux", "load-buffer", "-w", "-"]) }
    return programs
  }

  /// Copies `text`, and shows how, or why not. The message calls the text `name`: "link".
  ///
  /// - Parameter detail: a text to show after the message, which is shorter then, as the detail may
  ///   be long.
  /// - Complexity: O(n) in the text.
  func copy(_ text: String, as name: String, detail: String = "") {
    let count = text.utf8.count
    guard count > 0 else { return surroundings.tell("there is no \(name) to copy", .refusal) }
    guard count <= Self.maximumBytes else {
      return surroundings.tell("\(name) not copied: it has \(count) bytes", .refusal)
    }
    guard !isBusy else {
      next = (text, name, detail)
      return
    }
    isBusy = true
    Task {
      let (outcome, kind) = await outcome(of: text, name, isShort: !detail.isEmpty, by: programs)
      // With a detail the user has asked for more than a copy, so the message takes precedence.
      if detail.isEmpty {
        surroundings.tell(outcome, kind)
      } else {
        surroundings.tell("\(outcome): \(detail)", .refusal)
      }
      isBusy = false
      if let (text, name, detail) = next {
        next = nil
        copy(text, as: name, detail: detail)
      }
    }
  }

  /// - Returns: `nil` if the program had to be killed.
  private func end(of program: ProgramStarter.Running) async -> ChildProcess.Ending? {
    await withCheckedContinuation { continuation in
      var waiting: CheckedContinuation<ChildProcess.Ending?, Never>? = continuation
      func answer(_ ending: ChildProcess.Ending?) {
        waiting?.resume(returning: ending)
        waiting = nil
      }
      surroundings.after(Self.patience) {
        if waiting != nil { program.kill() }
        answer(nil)
      }
      Task { answer(await program.ending()) }
    }
  }

  private func outcome(
    of text: String, _ name: String, isShort: Bool, by programs: [[String]]
  ) async -> (String, StatusMessages.Kind) {
    var problems: [String] = []
    for words in programs {
      switch await surroundings.starter.start(words, Array(text.utf8)) {
      // A missing program is not the user's problem.
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
    guard send(text) else {
      return ("\(name) not copied: this terminal takes none\(failed)", .failure)
    }
    // The terminal does not confirm.
    let how = isShort ? "offered by OSC 52" : "offered to the terminal (OSC 52)"
    return ("\(name) \(how)\(failed)", .information)
  }
}
