import ArgumentParser
import Demos
import HTTP
import System

/// `tideline demo [NAME]`
struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tideline demo",
    abstract: "Shows how the layout engine, the list and the fetch queue behave.",
    version: "tideline \(Program.version)")

  @Argument(
    help: ArgumentHelp(
      "Which demo; --list names them. Without a name, the list to choose from.", valueName: "name"),
    completion: .list(Demo.allCases.map(\.rawValue)))
  var name: String?

  @Flag(help: "List the demos.")
  var list = false

  @Option(help: ArgumentHelp("Fixes what is random: sizes, order, latencies.", valueName: "n"))
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp(
      "Take the pictures from a server instead of making them up: a URL in which {width} and "
        + "{height} are filled in.",
      valueName: "url"),
    transform: DemoPictures.init(argument:))
  var from: DemoPictures?

  @Flag(help: "Hold all pictures back until the key i lets them in, one arrival at a time.")
  var hold = false

  @Flag(help: "Have constraints of the first row clash (moments).")
  var provokeConflict = false

  @Flag(help: "Print how rows are laid out, one JSON line each, without a terminal.")
  var frames = false

  @Option(
    help: ArgumentHelp(
      "Columns of the rows that --frames prints; 80 by default. On a screen it is one less than "
        + "the screen has, for the scroll bar.",
      valueName: "columns"),
    transform: DemoCommand.columns(from:))
  var width: Int?

  @Option(
    help: ArgumentHelp(
      "Rows that --frames prints, from 0; the first 1000 by default.", valueName: "a-b"),
    transform: DemoCommand.rows(from:))
  var rows: ClosedRange<Int>?

  @Flag(help: "With --frames: as before the pictures arrive.")
  var pending = false

  @OptionGroup var display: DisplayOptions

  /// The possible widths of a row in columns.
  private static let columnLimits = 1...1000

  /// - Throws: `ValidationError` with the allowed numbers.
  private static func columns(from argument: String) throws -> Int {
    guard let columns = Int(argument), columnLimits.contains(columns) else {
      throw ValidationError(
        "it is a number from \(columnLimits.lowerBound) to \(columnLimits.upperBound)")
    }
    return columns
  }

  /// Rows "A-B", both included, counted from 0.
  ///
  /// - Throws: `ValidationError` with an example of a range.
  private static func rows(from argument: String) throws -> ClosedRange<Int> {
    let ends = argument.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last else {
      throw ValidationError("it is two numbers in order, such as 0-9")
    }
    return first...last
  }

  var options: DemoOptions {
    DemoOptions(
      seed: seed, provokesConflict: provokeConflict, holdsPictures: hold, pictures: from ?? .own,
      language: Self.language)
  }

  /// The code of two letters of the user's language (POSIX, "Environment Variables").
  private static var language: String {
    let variables = ProcessEnvironment.variables
    let name = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { variables[$0] }
      .first { !$0.isEmpty }
    return String(name?.prefix(2) ?? "en")
  }

  /// The requested demo; `nil` for the list to choose from.
  ///
  /// - Throws: `ValidationError` for an unknown name, and for options that do not apply to the
  ///   demo.
  func demo() throws -> Demo? {
    let name = name ?? (frames ? Demo.autolayout.rawValue : nil)
    let demo = name.flatMap { Demo(rawValue: $0) }
    if let name, demo == nil {
      let names = Demo.allCases.map(\.rawValue).joined(separator: ", ")
      let shown = URLReference.separatingUserInfo(name).address
      throw ValidationError("no demo is called '\(shown)'; there are \(names)")
    }
    if provokeConflict, let demo, demo != .moments {
      throw ValidationError("--provoke-conflict is for the demo moments, not \(demo.rawValue)")
    }
    if hold, let reason = demo?.reasonAgainstHolding { throw ValidationError("--hold: \(reason)") }
    if frames, hold { throw ValidationError("--hold does not go with --frames") }
    if frames, from != nil { throw ValidationError("--from does not go with --frames") }
    let optionsOfFrames = [
      ("--width", width != nil), ("--rows", rows != nil), ("--pending", pending),
    ]
    if !frames, let option = optionsOfFrames.first(where: \.1)?.0 {
      throw ValidationError("\(option) goes with --frames")
    }
    return demo
  }
}

extension DemoPictures {
  /// - Throws: `ValidationError` with the problem of the template.
  init(argument: String) throws {
    do throws(DemoTemplateError) {
      try self.init(from: argument)
    } catch {
      throw ValidationError(error.reason)
    }
  }
}
