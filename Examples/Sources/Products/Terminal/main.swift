import FoundationEssentials
import Terminal

@MainActor final class KeyNames {
  let screen: Screen

  init(on screen: Screen) {
    self.screen = screen
    show("Press a key; q ends.")
  }

  func show(_ text: String) {
    var canvas = Canvas(size: screen.size)
    canvas.draw(text, at: .zero, style: Style(foreground: .palette(6)))
    screen.present(&canvas)
  }

  /// Returns false if the program is to end.
  func take(_ event: InputEvent) -> Bool {
    switch event {
    case .key(.character("q"), []), .key(.character("c"), .control), .terminate: return false
    case .key(.character("z"), .control): screen.suspend()
    default: show("\(event)")
    }
    return true
  }
}

MainLoop.install()
let environment = ProcessInfo.processInfo.environment
let screen = try Screen(ScreenConfiguration(environment: environment))
let names = KeyNames(on: screen)
let (batches, events) = AsyncStream.makeStream(of: [InputEvent].self)
screen.start { events.yield($0) }
for await batch in batches {
  guard batch.allSatisfy({ names.take($0) }) else { break }
}
screen.close()
