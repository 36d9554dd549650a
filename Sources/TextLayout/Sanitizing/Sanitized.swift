/// Single-line text without anything that a terminal could obey, because every value is sanitized
/// when it is set: the text can be drawn and printed.
///
///     @Sanitized public var name: String
///
/// It is not generic, because the conformances of a generic type would be looked up while a program
/// starts.
@propertyWrapper public struct Sanitized: Hashable, Sendable {
  private var text: String

  /// - Complexity: O(n) in the bytes; clean text is kept unchanged.
  public init(wrappedValue: String) { text = Sanitizer.line(wrappedValue) }

  /// The text; setting it sanitizes.
  public var wrappedValue: String {
    get { text }
    set { text = Sanitizer.line(newValue) }
  }
}

/// An optional text, sanitized as by ``Sanitized``.
@propertyWrapper public struct SanitizedOptional: Hashable, Sendable {
  private var text: String?

  /// - Complexity: O(n) in the bytes; clean text is kept unchanged.
  public init(wrappedValue: String?) { text = wrappedValue.map(Sanitizer.line) }

  /// The text; setting it sanitizes.
  public var wrappedValue: String? {
    get { text }
    set { text = newValue.map(Sanitizer.line) }
  }
}

/// Texts, each sanitized as by ``Sanitized``.
@propertyWrapper public struct SanitizedArray: Hashable, Sendable {
  private var texts: [String]

  /// - Complexity: O(n) in the bytes; clean texts are kept unchanged.
  public init(wrappedValue: [String]) { texts = wrappedValue.map(Sanitizer.line) }

  /// The texts; setting them sanitizes.
  public var wrappedValue: [String] {
    get { texts }
    set { texts = newValue.map(Sanitizer.line) }
  }
}
