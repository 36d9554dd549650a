extension TerminalApplication {
  /// Another one when keys are bound otherwise: a hint that is kept holds as long as this does.
  package var keyHintRevision: Int { keys.bindings.revision }

  /// The keys that matter, as the user has bound them, with what they do: `n p pictures q back`.
  /// Commands that no key asks for are left out.
  ///
  /// - Parameter parts: commands with the keys that they usually have, and what those do.
  package func keyHint(
    _ parts: [(commands: [(name: String, keys: KeySequence)], text: String)]
  ) -> String {
    parts.compactMap { part in
      let labels = keys.bindings.labels(part.commands.map { (command: $0.name, keys: $0.keys) })
      return labels.isEmpty ? nil : (labels + [part.text]).joined(separator: " ")
    }.joined(separator: "   ")
  }
}
