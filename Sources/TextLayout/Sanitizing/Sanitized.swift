/// Single-line text without anything that a terminal could obey, because every value is sanitized
/// when it is set: the text can be drawn and printed.
///
///     @Sanitized public var name: String
@propertyWrapper public struct Sanitized<Value: SanitizableText>: Hashable, Sendable {
  private var value: Value

  /// - Complexity: O(n) in the bytes; clean text is kept unchanged.
  public init(wrappedValue: Value) { value = wrappedValue.sanitized }

  /// The text; setting it sanitizes.
  public var wrappedValue: Value {
    get { value }
    set { value = newValue.sanitized }
  }
}

/// A string, an optional string, or an array of strings.
public protocol SanitizableText: Hashable, Sendable {
  /// Each string on one line, sanitized.
  var sanitized: Self { get }
}

extension String: SanitizableText {
  public var sanitized: String { Sanitizer.line(self) }
}

extension Optional: SanitizableText where Wrapped == String {
  public var sanitized: String? { map(Sanitizer.line) }
}

extension Array: SanitizableText where Element == String {
  public var sanitized: [String] { map(Sanitizer.line) }
}
