import Testing

@testable import TerminalApp

/// The hints that are dropped if the line of keys is short of room.
@MainActor @Suite struct HintTests {
  private var status: StatusBar.Content {
    var status = StatusBar.Content()
    status.hint = "x shows it   j k posts   g G ends"
    status.persistentHint = "? help   q quit"
    return status
  }

  @Test(arguments: [
    (100, "x shows it   j k posts   g G ends   ? help   q quit"),
    (51, "x shows it   j k posts   g G ends   ? help   q quit"),
    (50, "x shows it  j k posts  g G ends  ? help  q quit"),
    (47, "x shows it  j k posts  g G ends  ? help  q quit"),
    (46, "x shows it  j k posts  ? help  q quit"),
    (26, "x shows it  ? help  q quit"),
    (25, "? help  q quit"),
    (14, "? help  q quit"),
    (13, "? help"),
    (3, "? help"),
  ])
  func helpAndQuitGoLast(columns: Int, line: String) {
    #expect(status.hints(in: columns) == line)
  }

  @Test func aSingleHintIsNeverLeftOut() {
    var status = StatusBar.Content()
    status.hint = "q closes this page"
    #expect(status.hints(in: 5) == "q closes this page")
    #expect(StatusBar.Content().hints(in: 5) == "")
  }
}
