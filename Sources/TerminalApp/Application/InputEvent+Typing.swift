import Terminal

extension InputEvent {
  /// The keys that type `text`, one for each of its code points; a line break is Enter.
  public static func typing(_ text: String) -> [InputEvent] {
    text.unicodeScalars.map { $0 == "\n" ? .key(.enter) : .key(.character(Character($0))) }
  }
}
