import ArgumentParser
import DemoContent
import Demos
import Feeds
import Library
import Subscriptions
import System
import Terminal
import TextLayout
import TimelineStore
import TimelineUI

/// The reason why a run ends, in one line, and its exit status.
struct Failure: Error {
  let message: String
  let status: Int32
}

extension Failure {
  /// The failure of the run that an error of a library or of finding feeds causes, or that it is;
  /// `nil` for any other error.
  init?(causedBy error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as LibraryError: self.init(error)
    case let error as FeedFindingError: self.init(error)
    default: return nil
    }
  }
}

/// Runs the command line and returns the exit status.
@MainActor struct Program {
  nonisolated static let version = "0.1.0"

  let arguments: [String]
  /// The command in the arguments; `nil` for the viewer.
  private let command: CommandWord?
  private let started = ContinuousClock.now

  init(arguments: [String]) {
    self.arguments = arguments
    command = CommandWord(in: arguments)
  }

  /// The exit statuses besides those of `SourceError`, with the meanings of sysexits.h.
  enum Status {
    static let usage: Int32 = 64
    static let dataError: Int32 = 65
    static let noInput: Int32 = 66
    static let unavailable: Int32 = 69
    static let systemError: Int32 = 71
    static let ioError: Int32 = 74
  }

  /// Runs the command of the arguments.
  ///
  /// - Returns: the exit status.
  func run() async -> Int32 {
    do {
      guard let command else { return try await runViewer(ViewRequest(arguments: arguments)) }
      if command.name != .cache { try CompletionScript.check(arguments) }
      switch command.name {
      case .demo: return try await runDemo(DemoCommand.parse(command.arguments))
      case .cache:
        return Self.print(try PictureCache.perform(CacheCommand.parse(command.arguments)))
      case .add: return try await Following.perform(AddCommand.parse(command.arguments))
      case .remove: return try Following.perform(RemoveCommand.parse(command.arguments))
      case .feeds: return try Following.perform(FeedsCommand.parse(command.arguments))
      case .refresh: return try await Following.perform(RefreshCommand.parse(command.arguments))
      case .export: return try Following.perform(ExportCommand.parse(command.arguments))
      case .saved:
        return try await runViewer(ViewRequest(SavedCommand.parse(command.arguments)))
      }
    } catch let error as SourceError {
      let hint = CommandWord.hint(for: error).map { "; \($0)" } ?? ""
      return Self.fail(error.message + hint, status: error.exitStatus)
    } catch let left as FeedChoice.Left {
      return left.status
    } catch let error as TerminalError {
      return Self.fail(error)
    } catch let error as DemoContentError {
      return Self.fail("\(error)", status: Status.noInput)
    } catch {
      return Failure(causedBy: error).map { Self.fail($0) } ?? usage(error)
    }
  }

  /// Ends the process without waiting for threads that read or fetch, and without unloading
  /// libraries that they still use. The terminal was restored when its screen was closed.
  static func exit(_ status: Int32) -> Never {
    fflush(nil)
    _exit(status)
  }

  static func fail(_ failure: Failure) -> Int32 { fail(failure.message, status: failure.status) }

  /// Reports the problem with the terminal, and the option that needs none.
  private static func fail(_ error: TerminalError) -> Int32 {
    if case .system = error { return fail("\(error)", status: Status.systemError) }
    return fail("\(error); --plain prints posts as text without one", status: Status.usage)
  }

  private static func fail(_ message: String, status: Int32) -> Int32 {
    tell(message)
    return status
  }

  /// Writes one line on standard error.
  nonisolated static func tell(_ message: String) {
    let line = Array("tideline: \(Sanitizer.line(message))\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// Prints help and version on standard output with status 0; reports a wrong argument in one line
  /// with status 64.
  private func usage(_ error: any Error) -> Int32 {
    let command = self.command?.name.type ?? ViewCommand.self
    // The status is that of the error, whatever the command; one without options needs no help
    // page.
    guard NoOptions.exitCode(for: error) != .success else {
      let message = command.fullMessage(for: error)
      // Generating scripts to compare with is slower than everything else here.
      let isScript = arguments.contains { $0.hasPrefix("--generate-completion-script") }
      return Self.print(isScript ? CompletionScript.whole(for: message) ?? message : message)
    }
    let said = command.message(for: error)
    let mistyped =
      MistypedOption(in: said, of: command)
      ?? MistypedOption(among: self.command?.arguments ?? arguments, of: command)
    let message = mistyped?.message ?? said
    return Self.fail("\(message) (tideline --help shows the usage)", status: Status.usage)
  }

  /// - Returns: the exit status.
  private static func print(_ text: String) -> Int32 {
    do throws(Failure) {
      _ = try PlainOutput.write(text + "\n")
      return 0
    } catch {
      return fail(error)
    }
  }

  // MARK: The viewer

  private func runViewer(_ request: ViewRequest) async throws -> Int32 {
    try request.display.check()
    if let question = request.question { return try answer(question, of: request.display) }
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let printsPlain = request.plain || request.json || !isTerminal
    if !printsPlain { try ResourceRequirements.screen.check() }
    var notices: [String] = []
    if let library = try LibraryOpening(
      request, inputIsTerminal: isatty(STDIN_FILENO) == 1, isPrinted: printsPlain,
      noting: &notices)
    {
      return try await run(library, of: request, isPrinted: printsPlain)
    }
    return try await run(request, isPrinted: printsPlain, notices: notices)
  }

  /// Shows or prints sources. A page that is no timeline is replaced by the feed that it names.
  ///
  /// - Parameter notices: what was noticed before, in one line each.
  /// - Returns: the exit status.
  private func run(
    _ request: ViewRequest, isPrinted: Bool, notices: [String]
  ) async throws -> Int32 {
    let finding = SourceFinding(
      network: Network(
        configuredBy: request.display.configuration,
        allowsPrivateAddresses: request.allowsPrivateAddresses),
      display: request.display)
    let found = try await finding.sources(request.sources)
    var request = request
    request.sources = found.map(\.argument)
    let notices = notices + found.compactMap(\.notice)
    let opening = try opening(request, isPrinted: isPrinted)
    let outputs = try OutputFiles(request.display, inputs: opening.inputs, start: started)
    var status: Int32 = 0
    do {
      status = try await show(opening, request, isPrinted, notices, trace: outputs.trace)
    } catch let error as SourceError {
      guard case .notATimeline(let reason) = error.reason, reason.kind == .html,
        request.sources.count == 1, notices.isEmpty,
        let found = try await feed(ofPage: error.source, finding)
      else { throw error }
      request.sources = [found.argument]
      status = try await show(
        try self.opening(request, isPrinted: isPrinted), request, isPrinted,
        [found.notice].compactMap(\.self), trace: outputs.trace)
    }
    try outputs.check()
    return status
  }

  /// The feed that a page names.
  ///
  /// - Returns: `nil` if it leads to none.
  private func feed(
    ofPage page: TimelineSource, _ finding: SourceFinding
  ) async throws -> SourceFinding.Found? {
    switch page {
    case .standardInput: return nil
    case .file(let path): return try await finding.feed(ofPageInFile: path)
    case .url(let address):
      // A login is not sent elsewhere, and the feeds of such a page ask for one, too.
      guard address.login == nil else { return nil }
      return try await finding.feed(ofPage: address.url)
    }
  }

  private func opening(
    _ request: ViewRequest, isPrinted: Bool
  ) throws(SourceError) -> Opening {
    try Opening(request, inputIsTerminal: isatty(STDIN_FILENO) == 1, takesKeys: !isPrinted)
  }

  /// - Parameter notices: what was found, in one line each.
  /// - Returns: the exit status.
  private func show(
    _ opening: Opening, _ request: ViewRequest, _ isPrinted: Bool, _ notices: [String],
    trace: TraceWriter?
  ) async throws -> Int32 {
    guard isPrinted else {
      return try await Session(display: request.display, trace: trace)
        .show(opening, filter: request.filter, notices: notices)
    }
    for notice in notices { Self.tell(notice) }
    let form: PlainOutput.Form = request.json ? .json : .text
    try await printPosts(of: opening, by: PlainOutput(form: form, filter: request.filter))
    return 0
  }

  /// Shows or prints a library.
  ///
  /// - Returns: the exit status.
  private func run(
    _ library: LibraryOpening, of request: ViewRequest, isPrinted: Bool
  ) async throws -> Int32 {
    let outputs = try OutputFiles(request.display, inputs: [], start: started)
    var status: Int32 = 0
    if isPrinted {
      let form: PlainOutput.Form = request.json ? .json : .text
      try PlainOutput.check()
      try await PlainOutput(form: form).print(library.reader(as: form, fitting: request.filter))
    } else {
      let session = Session(display: request.display, trace: outputs.trace)
      status = try await session.show(library, filter: request.filter)
    }
    try outputs.check()
    return status
  }

  /// - Returns: the exit status.
  private func answer(
    _ question: ViewRequest.Question, of display: DisplayRequest
  ) throws(Failure) -> Int32 {
    let file = display.configuration
    try PlainOutput.check()
    switch question {
    case .problems:
      let problems = ConfigurationCheck.problems(in: file)
      problems.forEach(Self.tell)
      return problems.isEmpty ? 0 : Status.dataError
    case .keys: return Self.print(ConfigurationCheck.keys(boundBy: file).joined(separator: "\n"))
    case .names:
      let names = SourceNames(in: file).names
      return names.isEmpty ? 0 : Self.print(names.joined(separator: "\n"))
    case .themes:
      let names = file?.themeNames ?? []
      return names.isEmpty ? 0 : Self.print(names.joined(separator: "\n"))
    }
  }

  /// Prints the posts; the bundled ones if the last timeline has none.
  private func printPosts(of opening: Opening, by output: PlainOutput) async throws {
    let reportReplacement = { @Sendable (reason: SourceError) in
      Self.tell("the last timeline failed: \(reason.message); this is the bundled one")
    }
    try PlainOutput.check()
    if let reason = opening.replacementReason { reportReplacement(reason) }
    let replacesFailures = opening.isRemembered && !opening.isBundled
    let filter = output.filter
    try await output.print(opening.reader(showsPictures: false, fitting: filter)) { reason in
      if let feeds = opening.reader(ofListIn: reason, fitting: filter) { return feeds }
      guard replacesFailures else { return nil }
      reportReplacement(reason)
      return BundledReader(showsPictures: false)
    }
  }

  // MARK: Demos

  private func runDemo(_ command: DemoCommand) async throws -> Int32 {
    if command.list { return Self.printDemos() }
    let demo = try command.demo()
    guard demo != nil || isatty(STDOUT_FILENO) == 1 else { return Self.printDemos() }
    let display = command.display.request
    try display.check()
    let outputs = try OutputFiles(display, inputs: [], start: started)
    if command.frames, let demo {
      try FramesOutput(demo: demo, command: command).print()
      try outputs.check()
      return 0
    }
    try ResourceRequirements.screen.check()
    let session = Session(display: display, trace: outputs.trace)
    var status: Int32 = 0
    if let demo {
      status = try await session.show(demo, options: command.options)
    } else {
      // Leaving a demo leads back to the list.
      var last: Demo?
      repeat {
        let choice = try await session.chooseDemo(selecting: last)
        guard let demo = choice.demo else {
          status = choice.status
          break
        }
        status = try await session.show(demo, options: command.options)
        last = demo
      } while status == 0
    }
    try outputs.check()
    return status
  }

  /// - Returns: the exit status.
  private static func printDemos() -> Int32 {
    print(Demo.allCases.map { "\($0.rawValue)  \($0.summary)" }.joined(separator: "\n"))
  }
}

private struct NoOptions: ParsableArguments {}
