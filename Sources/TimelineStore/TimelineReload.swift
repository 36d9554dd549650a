import System

/// The reloads of a timeline: the one that is running, the failure of the last one, and when
/// another is due. Rules:
///
/// 1. One reload runs at a time.
/// 2. A source that is to replace the shown one waits here until rows may change.
/// 3. Watched files are reloaded when they have come to rest, or later if that is impossible then.
/// 4. A file that was replaced is reloaded automatically if it is small, each version once.
@MainActor final class TimelineReload {
  private var task: Task<Void, Never>?
  /// Why the last reload has failed.
  private(set) var failure: SourceError?
  private var successor: (any PostSource)?
  private var watch: SettledFilesWatch?
  /// Whether a watched file was written while it could not be reloaded.
  private(set) var isBehind = false
  /// The stamp of the replaced file that was last reloaded.
  private var lastStamp: FileStamp?

  var isRunning: Bool { task != nil }

  /// Runs `work`, then calls `ended`.
  func begin(
    _ work: @escaping @MainActor () async throws(SourceError) -> Void,
    ended: @escaping @MainActor () -> Void
  ) {
    isBehind = false
    task = Task { [weak self] in
      var failure: SourceError?
      do throws(SourceError) { try await work() } catch { failure = error }
      guard let self else { return }
      task = nil
      self.failure = failure
      ended()
    }
  }

  /// Cancels the reload, and watches no files any more.
  func stop() {
    task?.cancel()
    watch?.cancel()
  }

  // MARK: The successor

  /// Keeps a source until it is taken, in place of any earlier one.
  func keep(_ source: any PostSource) { successor = source }

  /// The kept source, once `mayChangeRows` returns true; after that there is none.
  func takeSuccessor(if mayChangeRows: () -> Bool) -> (any PostSource)? {
    guard let successor, mayChangeRows() else { return nil }
    self.successor = nil
    return successor
  }

  // MARK: Reloads that are due

  /// Watches only these files from now on.
  ///
  /// - Parameter reload: called when they were written and have come to rest; returns whether they
  ///   can be reloaded now.
  func watch(_ files: [(path: String, file: FileBytes)], reload: @escaping () -> Bool) {
    watch?.cancel()
    watch = nil
    guard !files.isEmpty else { return }
    watch = SettledFilesWatch(files) { [weak self] in
      if !reload() { self?.isBehind = true }
    }
  }

  /// Whether the file now at `path`, which has replaced the one that was read, is to be reloaded.
  ///
  /// Remembers the version if it returns true, and returns false for it afterwards. An empty file
  /// cannot be read; writing to it makes another version.
  func isDue(replacedBy path: String) -> Bool {
    guard let stamp = FileStamp(path: path), stamp != lastStamp,
      (1...SourceReader.maximumWholeDocumentBytes).contains(stamp.size)
    else { return false }
    lastStamp = stamp
    return true
  }
}
