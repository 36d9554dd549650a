import System

/// The threads of this module, apart by what they do: none of these waits for another.
extension WorkerThreads {
  /// For sources that are read whole. Merging large files keeps all of them busy for long.
  static let sources = WorkerThreads(limit: usualLimit)
  /// For what a server has answered, and for the place of another run in a file.
  static let pages = WorkerThreads(limit: 2)
  /// For searches and filters; the second piece of one is read while the first is looked through.
  static let searches = WorkerThreads(limit: 2)
}
