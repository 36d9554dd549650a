import Terminal

@testable import TerminalApp

/// The keys of a `ListPane` without the effects of its commands: calls are recorded by name.
@MainActor final class CommandRecorder {
  let pane = ListPane()
  let application: TerminalApplication
  var keys = KeyReader()

  init() {
    application = TerminalApplication(
      pane, display: CanvasDisplay(size: .init(width: 40, height: 10)),
      scheduler: MainQueueScheduler(isManual: true))
  }

  /// A call as its name and the number typed before it: `"next 5"`, `"top"`.
  static func text(_ call: CommandCall) -> String {
    call.count.map { "\(call.name) \($0)" } ?? call.name
  }

  func call(for event: InputEvent) -> CommandCall? {
    let tables = application.window.commandTables
    switch event {
    case .key(let key, let modifiers): return keys.read(KeyStroke(key, modifiers), in: tables)
    case .mouse(let mouse):
      return keys.read(mouse.kind == .wheelUp ? .wheelUp : .wheelDown, in: tables)
    default: return nil
    }
  }

  func step(for event: InputEvent) -> EventQueue.Step? { call(for: event).map { .call($0) } }

  func calls(_ events: [InputEvent]) -> [String] {
    events.compactMap { call(for: $0).map(Self.text) }
  }

  static func typed(_ text: String) -> [InputEvent] { text.map { .key(.character($0)) } }
}
