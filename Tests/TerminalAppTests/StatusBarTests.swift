import Geometry
import Terminal
import Testing

@testable import TerminalApp

/// The parts of the status line that give way on narrow screens.
@MainActor @Suite struct StatusBarTests {
  /// The status line of a timeline with a long name, among many posts.
  private func line(columns: Int, _ change: (inout StatusBar.Content) -> Void) -> String {
    let bar = StatusBar()
    bar.frame = Rect(origin: .zero, size: Size(width: columns, height: 2))
    var content = StatusBar.Content()
    content.source = "SPIEGEL Update – Die Nachrichten"
    content.position = "post 123456 of 1234567"
    change(&content)
    bar.content = content
    var canvas = Canvas(size: bar.frame.size)
    bar.draw(in: &canvas, at: .zero)
    return canvas.text(row: 0)
  }

  @Test(arguments: [
    "↓ 12 pictures", "12 pictures wait for a retry", "counting 99%", "filtering 99%",
    "seeking, any key stops: 1234 MB",
  ])
  func theActivityIsNotCut(_ activity: String) {
    let line = line(columns: 60) { $0.activity = activity }
    #expect(line.contains("post 123456 of 1234567 · \(activity)"), "\(line)")
  }

  @Test(
    arguments: [
      (
        "it stands there, as far as it can", true,
        "post 3 of 45 · it stands there, as far as it can"
      ),
      ("at the end", true, "post 3 of 45 · match 2 of 5 · at the end"),
      (
        "not opened: firefox cannot be started: No such file", false,
        "not opened: firefox cannot be started: No such file"
      ),
    ])
  func otherPartsAreDroppedForAMessage(message: String, keepsPosition: Bool, shown: String) {
    let line = line(columns: 60) { content in
      content.source = "Daring Fireball"
      content.position = "post 3 of 45"
      content.finding = "match 2 of 5"
      content.activity = "↓ 12 pictures of many"
      content.message = message
      content.makeRoomForMessage(in: 60, keepsPosition: keepsPosition)
    }
    #expect(line.trimmingPrefix(" ").hasPrefix(shown), "\(line)")
  }

  @Test func theSourceTakesTheRest() {
    #expect(line(columns: 60) { _ in }.contains("SPIEGEL Update – Die Nachrichten"))
    let line = line(columns: 60) { $0.activity = "↓ 1 picture" }
    #expect(line.contains("SPIEGEL Update"))
    #expect(line.contains("post 123456 of 1234567 · ↓ 1 picture"))
  }
}
