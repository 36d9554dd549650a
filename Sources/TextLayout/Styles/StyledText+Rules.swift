extension StyledText.Paragraph {
  /// The text of a rule where text is copied, printed or written.
  package static let rule = "───"

  /// Whether it is a rule: ``rule`` alone, in the secondary role. It is drawn as wide as the text.
  package var isRule: Bool {
    runs.count == 1 && runs[0].style.role == .secondary && string == Self.rule
  }
}
