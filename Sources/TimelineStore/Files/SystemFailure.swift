/// A call of the system's that failed.
struct SystemFailure: Error, Hashable, Sendable {
  /// Its `errno`.
  let code: Int32

  var message: String { SystemErrorText.text(code) }
}
