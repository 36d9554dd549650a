/// The line after `:`, in which commands are asked for by their names.
@MainActor final class CommandPrompt: LinePrompt {
  /// The commands that can be asked for, by their names.
  private let choices: [TableCommand]
  /// The part of a word that Tab completes, and which of the words it begins stands there.
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

  /// What stands before the word that is typed, that word, and the words before it that are whole:
  /// first the command's name, without a number before that.
  private var typed: (before: Substring, word: Substring, whole: [String]) {
    let text = field.text
    let count = text.prefix { $0 == " " || ("0"..."9").contains($0) }
    let start = text[count.endIndex...].lastIndex(of: " ").map { text.index(after: $0) }
    let word = text[(start ?? count.endIndex)...]
    let whole = text[count.endIndex..<word.startIndex].split(separator: " ").map(String.init)
    return (text[..<word.startIndex], word, whole)
  }

  /// The words that may stand there.
  private func candidates(after whole: [String]) -> [Completion] {
    guard let name = whole.first else { return choices.map(\.completion) }
    return choices.first { $0.name == name }?.completions(Array(whole.dropFirst())) ?? []
  }

  private func candidates(
    after whole: [String], beginningWith stem: some StringProtocol
  ) -> [Completion] {
    candidates(after: whole).filter { $0.text.hasPrefix(stem) }
  }

  /// As much of a word as is certain, then one word after the other.
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

  /// The words there are to choose from; what the only one that is left means.
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
