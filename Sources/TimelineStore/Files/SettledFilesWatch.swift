import Dispatch
import System

/// Notifies when files that are read whole were written and have come to rest: a writer may take
/// several steps, and half a document cannot be read. A pipe in the place of a file is passed over:
/// to open it takes what its writer writes, and may wait for a writer for ever.
@MainActor final class SettledFilesWatch {
  private let paths: [String]
  private var watches: [FileWatch] = []
  private var stamps: [FileStamp?]
  /// Whether files have changed that have not come to rest.
  private(set) var isWaiting = false
  private let onChange: () -> Void

  /// How long the files must not change.
  static let rest = DispatchTimeInterval.milliseconds(200)

  /// - Parameter onChange: called when the files are at rest and differ from those at the last
  ///   call, or at the beginning.
  init(_ files: [(path: String, file: FileBytes)], onChange: @escaping () -> Void) {
    paths = files.map(\.path)
    stamps = paths.map { FileStamp(path: $0) }
    self.onChange = onChange
    watches = files.compactMap { path, file in
      FileWatch(path: path, file: file) { [weak self] in
        DispatchQueue.main.async { MainActor.assumeIsolated { self?.changed() } }
      }
    }
  }

  func cancel() {
    for watch in watches { watch.cancel() }
    watches = []
  }

  private func changed() {
    guard !isWaiting else { return }
    wait(seeing: paths.map { FileStamp(path: $0) })
  }

  private func wait(seeing seen: [FileStamp?]) {
    guard seen != stamps else { return }
    isWaiting = true
    DispatchQueue.main.asyncAfter(deadline: .now() + Self.rest) { [weak self] in
      MainActor.assumeIsolated { self?.look(since: seen) }
    }
  }

  private func look(since seen: [FileStamp?]) {
    isWaiting = false
    guard !watches.isEmpty else { return }
    let now = paths.map { FileStamp(path: $0) }
    guard now == seen else { return wait(seeing: now) }
    stamps = now
    if now.allSatisfy({ $0?.isRegular ?? true }) { onChange() }
  }
}
