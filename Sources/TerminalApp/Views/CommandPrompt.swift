/// The line after `:`, for entering commands by name.
@MainActor final class CommandPrompt: LinePrompt {
  /// The available commands, sorted by name.
  private let choices: [TableCommand]
  /// The text that Tab completes, and the index of the candidate shown for it.
  private var completed: (stem: String, index: Int)?

  init(_ text: String, choices: [TableCommand], history: [String]) {
    self.choices = choices.sorted { $0.name < $1.name }
    super.init(":", text: text, history: history)
    field.maximumLength = .max
    onChange = { [unowned self] _ in completed = nil }
    commands.add(Self.completions, of: self)
  }

  private static let completions: [Command<CommandPrompt>] = [
    Command("complete", "tab", help: "") { prompt, _ in prompt.complete(by: 1) },
    Command("complete-back", "shift-tab", help: "") { prompt, _ in prompt.complete(by: -1) },
  ]

  // MARK: Completion

  /// The text before the word being typed, that word, and the complete words before it, beginning
  /// with the command's name, without a count.
  private var typed: (before: Substring, word: Substring, whole: [String]) {
    let text = field.text
    let count = text.prefix { $0 == " " || ("0"..."9").contains($0) }
    let start = text[count.endIndex...].lastIndex(of: " ").map { text.index(after: $0) }
    let word = text[(start ?? count.endIndex)...]
    let whole = text[count.endIndex..<word.startIndex].split(separator: " ").map(String.init)
    return (text[..<word.startIndex], word, whole)
  }

  /// The possible next words.
  private func candidates(after whole: [String]) -> [Completion] {
    guard let name = whole.first else { return choices.map(\.completion) }
    return choices.first { $0.name == name }?.completions(Array(whole.dropFirst())) ?? []
  }

  private func candidates(
    after whole: [String], beginningWith stem: some StringProtocol
  ) -> [Completion] {
    candidates(after: whole).filter { $0.text.hasPrefix(stem) }
  }

  /// Completes the part that all candidates share, then cycles through the candidates.
  private func complete(by step: Int) {
    let (before, word, whole) = typed
    let stem = completed?.stem ?? String(word)
    let words = candidates(after: whole, beginningWith: stem).map(\.text)
    guard var common = words.first else { return }
    for word in words { while !word.hasPrefix(common) { common.removeLast() } }
    if completed == nil, common.count > stem.count {
      field.text = "\(before)\(common)"
    } else {
      let next = completed.map { $0.index + step } ?? (step > 0 ? 0 : words.count - 1)
      let index = (next + words.count) % words.count
      completed = (stem, index)
      field.text = "\(before)\(words[index])"
    }
  }

  /// The candidates, or the meaning of the only one that is left.
  override var hint: String? {
    let (_, word, whole) = typed
    let stem = completed?.stem ?? String(word)
    guard !stem.isEmpty || !whole.isEmpty else {
      return "Tab completes   ↑ ↓ earlier ones   Enter runs   Esc leaves"
    }
    let found = candidates(after: whole, beginningWith: stem)
    if found.count > 1 { return found.map(\.text).joined(separator: "   ") }
    if let only = found.first, !only.help.isEmpty || whole.isEmpty { return only.help }
    guard let name = whole.first else { return "" }
    return found.first?.text ?? choices.first { $0.name == name }?.usage ?? ""
  }
}
