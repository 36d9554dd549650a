import CJobPool
import Dispatch
import FoundationEssentials
import Geometry
import Glibc
import System
import Terminal
import TerminalApp
import TerminalViews
import TextLayout

/// A program for tests of ``Screen`` as a whole: shows numbered rows and, in the last row, what
/// came in last. Letters make it end in all the ways a program can.
@MainActor final class TestProgram {
  private let screen: Screen
  private var top = 0
  /// Rows at the top that stand still, and columns at the right.
  private var still = (rows: 0, columns: 0)
  private var last = "nothing"
  private var count = 0
  /// Kept, and never resumed.
  private var end: UnsafeContinuation<Void, Never>?

  init() throws {
    let environment = ProcessInfo.processInfo.environment
    // As one that reports crashes: other threads run on while it does.
    if environment["REPORTS_CRASHES"] != nil { signal(SIGSEGV, Self.report) }
    let configuration = ScreenConfiguration(environment: environment)
    screen = try Screen(configuration)
  }

  /// Keys make it end.
  func run() async {
    screen.start { [unowned self] events in
      for event in events { self.handle(event) }
      self.draw()
    }
    draw()
    await withUnsafeContinuation { end = $0 }
  }

  private func handle(_ event: InputEvent) {
    count += 1
    switch event {
    case .key(let key, let modifiers): last = "key \(name(key)) \(modifiers.rawValue)"
    case .mouse(let mouse):
      last = "mouse \(mouse.kind) at \(mouse.position.x),\(mouse.position.y)"
    case .resize(let size): last = "size \(size.width)x\(size.height)"
    case .resumed: last = "resumed"
    case .paste(let text): last = "paste \(text.debugDescription)"
    case .pasteAbandoned: last = "paste abandoned"
    case .terminate(let signal):
      screen.close()
      if ProcessInfo.processInfo.environment["NEVER_ENDS"] != nil { while true { pause() } }
      exit(128 + signal)
    }
    switch event {
    case .key(.character("j"), []): top += 1
    case .key(.character("k"), []): top = max(0, top - 1)
    case .key(.character("J"), []): top += 3
    case .key(.character("K"), []): top = max(0, top - 4)
    case .key(.character("G"), []): top += 100
    case .key(.character("H"), []): still.rows = (still.rows + 1) % 4
    case .key(.character("S"), []): still.columns = (still.columns + 9) % 36
    case .key(.character("R"), []): screen.invalidate()
    case .key(.character("z"), .control): screen.suspend()
    case .key(.character("c"), []): showManyColors()
    case .key(.character("q"), []):
      screen.close()
      screen.close()
      exit(0)
    case .key(.character("x"), []): exit(7)
    case .key(.character("n"), []): UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
    case .key(.character("t"), []): precondition(count < 0, "a trap for the test")
    case .key(.character("o"), []): last = "\(Self.overflow(count))"
    case .key(.character("p"), []):
      let depth = count
      Task.detached { _ = Self.overflow(depth) }
    case .key(.character("w"), []):
      let depth = count
      _ = DedicatedThread.start { _ = Self.overflow(depth) }
    case .key(.character("m"), []): runOutOfMemory()
    case .key(.character("d"), []): crashWhileDrawing()
    case .key(.character("l"), []): waitForALittle()
    case .key(.character("b"), []):
      last = "busy"
      draw()
      while true { count &+= 1 }
    case .key(.character("e"), []):
      let text = "said meanwhile\n"
      _ = write(STDERR_FILENO, text, text.utf8.count)
    default: break
    }
  }

  /// More pairs of colours than ncurses is to keep.
  private func showManyColors() {
    var value = 0
    var shown = 0
    while shown < 70_000 {
      var canvas = Canvas(size: screen.size)
      for y in 0..<canvas.size.height {
        for x in 0..<canvas.size.width {
          value += 1
          let style = Style(
            foreground: .rgb(UInt8(value >> 16), UInt8(value >> 8 & 255), UInt8(value & 255)),
            background: .rgb(200, UInt8(value & 255), UInt8(value >> 8 & 255)))
          canvas[x, y] = CanvasCell("▀", style: style)
        }
      }
      screen.present(&canvas)
      shown += canvas.cells.count
    }
  }

  /// Of two pieces of work that wait, the second takes the place of the first.
  private func waitForALittle() {
    var done: [String] = []
    let isThere = MainLoop.after(milliseconds: 1) { done.append("first") }
    guard isThere else {
      last = "no loop"
      return
    }
    _ = MainLoop.after(milliseconds: 1) { [unowned self] in
      done.append("second")
      // Work that asks for more is answered as well.
      _ = MainLoop.after(milliseconds: 1) { [unowned self] in
        self.last = "later: \(done.joined(separator: ","))"
        self.draw()
      }
    }
  }

  private func name(_ key: Key) -> String {
    if case .character(let character) = key { return String(character) }
    return "\(key)"
  }

  /// Never ends, and is no tail call.
  private nonisolated static func overflow(_ depth: Int) -> Int {
    depth == .max ? 0 : overflow(depth + 1) + overflow(depth + 2)
  }

  /// A report that takes a tenth of a second, in which the other threads have many turns.
  private nonisolated static let report: @convention(c) (Int32) -> Void = { _ in
    let begin = monotonicNanoseconds()
    while monotonicNanoseconds() - begin < 100_000_000 { sched_yield() }
  }

  /// Safe in a signal handler.
  private nonisolated static func monotonicNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// Takes what memory there is, and more.
  private func runOutOfMemory() {
    let limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
    _ = withUnsafePointer(to: limit) { setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), $0) }
    var all: [[UInt8]] = []
    while true { all.append([UInt8](repeating: 1, count: 1 << 20)) }
  }

  /// Frames without end, and after some of them a crash of another thread.
  private func crashWhileDrawing() {
    var frames = 0
    while true {
      frames += 1
      if frames == 20 {
        DispatchQueue(label: "crashing").async {
          UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
        }
      }
      top += 1
      last = "frame \(frames)"
      screen.invalidate()
      draw()
    }
  }

  private func draw() {
    let size = screen.size
    var canvas = Canvas(size: size)
    for y in 0..<max(0, size.height - 1) {
      let row = y < still.rows ? y : top + y
      let strong = Style(foreground: .rgb(UInt8(row * 7 & 255), 120, 40), attributes: .bold)
      var x = canvas.draw("row \(row)", at: Point(x: 1, y: y), style: strong) + 2
      let texts = ["潮位観測所からの報告", "harbour gauge – plain", "👍🏽 é", "한국어 텍스트"]
      x += canvas.draw(texts[row % 4], at: Point(x: x, y: y)) + 1
      let filler = String(repeating: "\(row % 10)", count: max(0, size.width - x - 2))
      canvas.draw(filler, at: Point(x: x, y: y), style: Style(attributes: .dim))
      canvas.draw("│", at: Point(x: size.width - 1, y: y))
      guard still.columns > 0 else { continue }
      let corner = Point(x: size.width - still.columns, y: y)
      canvas.draw("│ beside \(y)" + String(repeating: " ", count: 40), at: corner)
    }
    canvas.draw(
      "[\(count)] \(last) | sent \(screen.bytesWritten > 0)", at: Point(x: 0, y: size.height - 1))
    screen.present(&canvas, cursor: Point(x: 1, y: 2))
  }
}

job_pool_install(2)
if ProcessInfo.processInfo.environment["MAIN_LOOP"] != nil { MainLoop.install() }
do {
  if ProcessInfo.processInfo.environment["BUSY_POOL"] != nil {
    for _ in 0..<4 { Task.detached { while true { pause() } } }
    let label = Label()
    label.text = StyledText("[0] nothing")
    exit(try await TerminalApplication.run(label))
  }
  try await TestProgram().run()
} catch {
  let line = "TerminalTestProgram: \(error)\n"
  _ = write(STDERR_FILENO, line, line.utf8.count)
  exit(66)
}
