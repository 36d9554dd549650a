import TestSupport
import Testing

@testable import TerminalApp

/// A prompt over any content.
@MainActor @Suite struct LinePromptTests {
  private let content = Label()

  private func open(
    _ prompt: LinePrompt, width: Int = 40
  ) -> TestScreen {
    content.text = StyledText("content")
    let screen = TestScreen(content, width: width, height: 6)
    screen.after { prompt.open(in: screen.application.window) }
    return screen
  }

  @Test func inputIsReported() {
    let prompt = LinePrompt("/", history: ["first", "second"])
    var changes: [String] = []
    var submitted: (text: String, history: [String])?
    prompt.onChange = { changes.append($0) }
    prompt.onSubmit = { submitted = ($0, $1) }
    let screen = open(prompt)
    #expect(screen.contains("content") && screen.lines.last == " /")
    screen.type("ab")
    #expect(changes.last == "ab" && screen.lines.last == " /ab")
    screen.send([.key(.up)])
    #expect(screen.lines.last == " /second")
    screen.send([.key(.enter)])
    #expect(submitted?.text == "second" && submitted?.history == ["first", "second"])
    #expect(screen.application.window.modalPanel == nil)
    #expect(!screen.contains("/second"))
  }

  @Test func escapeLeavesWithoutASubmission() {
    let prompt = LinePrompt("filter:", text: "tide")
    var isCancelled = false
    prompt.onSubmit = { _, _ in Issue.record("nothing was submitted") }
    prompt.onCancel = { isCancelled = true }
    let screen = open(prompt)
    #expect(screen.lines.last == " filter: tide")
    screen.send([.key(.escape)])
    #expect(isCancelled && screen.application.window.modalPanel == nil)
  }

  @Test func pastedTextIsBounded() {
    let prompt = LinePrompt("/")
    var last = ""
    prompt.onChange = { last = $0 }
    let screen = open(prompt)
    screen.send([.paste(String(repeating: "潮\u{1B}[2J\n", count: 300_000))])
    #expect(last.count <= LinePrompt.maximumLength && last.hasPrefix("潮 潮"))
    #expect(!last.unicodeScalars.contains { $0.value < 32 })
    screen.type("x")
    #expect(last.count <= LinePrompt.maximumLength)
  }
}
