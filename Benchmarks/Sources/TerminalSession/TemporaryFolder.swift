import FoundationEssentials
import Glibc

/// A folder for what a run writes, deleted with everything in it.
package struct TemporaryFolder: ~Copyable {
  package let path: String
  private let isKept: Bool

  package init(inside parent: String?, isKept: Bool) throws(BenchmarkError) {
    let manager = FileManager.default
    let parent = parent ?? manager.temporaryDirectory.path(percentEncoded: false)
    path = (parent.hasSuffix("/") ? parent : parent + "/") + "tideline-benchmark-\(getpid())"
    self.isKept = isKept
    guard mkdir(path, 0o700) == 0 else { throw .system(call: "mkdir", subject: path, code: errno) }
  }

  /// An empty folder in it, in the place of one that may be there.
  package func emptyFolder(_ name: String) throws(BenchmarkError) -> String {
    let folder = path + "/" + name
    remove(folder)
    guard mkdir(folder, 0o700) == 0 else {
      throw .system(call: "mkdir", subject: folder, code: errno)
    }
    return folder
  }

  package func remove(_ path: String) {
    guard FileManager.default.fileExists(atPath: path) else { return }
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      let line = Array("\(path) cannot be deleted: \(error)\n".utf8)
      _ = write(STDERR_FILENO, line, line.count)
    }
  }

  deinit {
    if isKept { print("kept: \(path)") } else { remove(path) }
  }
}
