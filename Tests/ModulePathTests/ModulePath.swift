import CTestProcess
import Runtime
import Synchronization

/// The modules that the calls to some point lead through, the outermost first.
struct ModulePath: Hashable, CustomStringConvertible {
  let modules: [String]

  var description: String { modules.joined(separator: " → ") }

  init(_ modules: [String]) { self.modules = modules }

  /// The path to where this is called, read from the stack. Frames of the system and of tests are
  /// left out, and those in an extension count for the module of the type.
  init() throws {
    // One frame fewer: that of the call below stands in the place of the C function's.
    let depth = Int(tideline_stack_depth(400)) - 1
    let backtrace = try Backtrace.capture(limit: depth, top: 0, images: Self.images)
      .symbolicated(with: Self.images, options: [.useSymbolCache])
    var modules: [String] = []
    for frame in backtrace?.frames.reversed() ?? [] {
      guard let module = frame.symbol.flatMap({ Self.module(ofSymbol: $0.rawName) }),
        Self.known.contains(module), modules.last != module
      else { continue }
      modules.append(module)
    }
    self.modules = modules
  }

  /// What is mapped into the process, read once: reading it touches the first bytes of every mapping,
  /// and another thread may just be giving one up. Read it before there are other threads.
  static let images = ImageMap.capture()

  private static let known: Set<String> = [
    "Terminal", "TerminalViews", "TerminalApp", "VirtualList", "ConstraintLayout", "TextLayout",
    "Pictures", "ImageLoading", "HTTP", "Feeds", "TimelineStore", "TimelineUI",
  ]

  /// A mangled name begins with its module's, behind the number of its letters.
  private static func module(ofSymbol name: String) -> String? {
    guard name.hasPrefix("$s") else { return nil }
    let digits = name.dropFirst(2).prefix { $0.isNumber }
    guard let count = Int(digits) else { return nil }
    return String(name.dropFirst(2 + digits.count).prefix(count))
  }
}

/// What was seen on the way of one thing, in the order in which it came.
final class PathRecord: Sendable {
  struct Entry: Hashable, CustomStringConvertible {
    var point: String
    var path: ModulePath
    var description: String { "\(point): \(path)" }
  }

  private let state = Mutex<[Entry]>([])

  /// Notes the way to here, once for each way to a point.
  func note(_ point: String) {
    let path: ModulePath
    do { path = try ModulePath() } catch { path = ModulePath(["\(error)"]) }
    let entry = Entry(point: point, path: path)
    state.withLock { if !$0.contains(entry) { $0.append(entry) } }
  }

  /// What was noted since the last call.
  func take() -> [String] {
    state.withLock { entries in
      defer { entries = [] }
      return entries.map(\.description)
    }
  }
}
