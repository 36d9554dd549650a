/// Lines of text that hold nothing a terminal could obey, because whatever is put in is sanitized:
/// what is kept in one can be drawn and printed.
///
///     @Sanitized public var name: String
@propertyWrapper public struct Sanitized<Value: SanitizableText>: Hashable, Sendable {
  private var value: Value

  /// - Complexity: O(n) in the bytes; what is clean is kept as it is.
  public init(wrappedValue: Value) { value = wrappedValue.sanitized }

  /// The text; setting it sanitizes.
  public var wrappedValue: Value {
    get { value }
    set { value = newValue.sanitized }
  }
}

/// A string, none, or several.
public protocol SanitizableText: Hashable, Sendable {
  /// Each string on one line, without what the sanitizer takes out.
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
