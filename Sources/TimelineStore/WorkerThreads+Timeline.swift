import System

/// The threads of this module, separate for each kind of work, so that none waits for another.
extension WorkerThreads {
  /// For sources that are read whole, and for reading a library.
  static let sources = WorkerThreads(limit: defaultLimit)
  /// For sources that are merged; large files keep all of them busy for long.
  static let merging = WorkerThreads(limit: defaultLimit, niceness: backgroundNiceness)
  /// For answers of servers, and for finding a remembered place in a file.
  static let pages = WorkerThreads(limit: 2)
  /// For searches and filters; two, so that one piece is read while another is searched.
  static let searches = WorkerThreads(limit: 2)
}
