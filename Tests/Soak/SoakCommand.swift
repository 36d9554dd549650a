import ArgumentParser
import Glibc
import TestSupport

/// `Scripts/soak [MINUTES]`: exercises the real program for a long time and checks that it keeps
/// working.
@main struct SoakCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak",
    abstract: "Uses tideline for a long time and looks whether it stays right.",
    discussion: """
      The program runs in a terminal of its own, on files that grow and are replaced and on a server \
      that delays, fails, stalls and sends nonsense, and is given random keys, mouse reports, window \
      sizes and stops. Whenever it has come to rest, its screen is compared with its own \
      redraw, the first line must be where it was, and it must wake up no more; memory, descriptors and \
      threads must stay what they were. Each way of drawing pictures runs beside the others for the \
      whole time.

      Exit status: 0 when nothing was found; 1 when something was, with the screens, the seed and \
      the last operations on standard output; 64 for wrong usage.
      """)

  @Argument(help: ArgumentHelp("How long, in minutes.", valueName: "minutes"))
  var minutes = 20.0

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("symbols, sixel, kitty, iterm2; all of them by default.", valueName: "mode"))
  var pictures: [SoakPictures] = []

  @Option(help: ArgumentHelp("Fixes what is random.", valueName: "n"))
  var seed = UInt64.random(in: 1...999_999)

  @Option(
    help: ArgumentHelp("lines, feed, pages; one after another by default.", valueName: "source"))
  var source: SoakSourceKind?

  @Option(
    help: ArgumentHelp("The program; the one built beside this by default.", valueName: "path"))
  var program: String?

  @Option(
    help: ArgumentHelp(
      "Where to write what the program has sent since the rest before, when something is found.",
      valueName: "folder"))
  var keep: String?

  mutating func validate() throws {
    guard minutes > 0, minutes <= 10_000 else {
      throw ValidationError("\(minutes) minutes: more than 0 and at most 10,000 can be had")
    }
  }

  func run() async throws {
    let path = try program ?? ProgramUnderTest.path()
    let modes = pictures.isEmpty ? SoakPictures.allCases : pictures
    print(
      "soak: \(path), \(modes.map(\.rawValue).joined(separator: " and ")) side by side for "
        + "\(minutes.formatted) min, seed \(seed)")
    fflush(nil)
    let isClean = await withTaskGroup(of: Bool.self) { group in
      for (index, mode) in modes.enumerated() {
        let plan = SoakPlan(
          program: path, pictures: mode, sources: source.map { [$0] } ?? SoakSourceKind.allCases,
          seed: seed &+ UInt64(index) &* 1_000_003, time: .seconds(minutes * 60), folder: keep)
        group.addTask { await SoakRun.report(plan, seed: seed) }
      }
      return await group.allSatisfy { $0 }
    }
    if !isClean { throw ExitCode(1) }
  }
}

/// How pictures are drawn, which determines the terminal that the program runs in.
enum SoakPictures: String, CaseIterable, ExpressibleByArgument {
  case symbols, sixel, kitty, iterm2

  var personality: TerminalPersonality {
    switch self {
    case .symbols: .xterm
    case .sixel: .sixel
    case .kitty: .kitty
    case .iterm2: .iterm2
    }
  }
}

/// The plan of a run in one terminal.
struct SoakPlan: Sendable {
  var program: String
  var pictures: SoakPictures
  var sources: [SoakSourceKind]
  var seed: UInt64
  var time: Duration
  /// Redraws to compare even if the time is over: on a busy machine there may have been none.
  var minimumRedraws = 0
  /// The folder for the bytes before a failure; `nil` to discard them.
  var folder: String?
  /// Bytes that corrupt the terminal after each operation from a given one on, to test that this is
  /// detected.
  var damage: (afterOperations: Int, bytes: [UInt8])?
}

extension Double {
  /// The number without a zero fraction.
  var formatted: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}
