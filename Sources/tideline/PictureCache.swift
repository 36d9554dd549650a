import HTTPCache
import System

/// The folder for pictures on disk: `pictures`, in the program's folder in the user's cache folder
/// or in the folder that the command line names.
enum PictureCache {
  /// - Parameter folder: the value of `--cache-dir`.
  /// - Returns: `nil` if `folder` is `nil` and neither `XDG_CACHE_HOME` nor `HOME` is an absolute
  ///   path.
  static func path(in folder: String?) -> String? {
    (folder ?? UserFolder.cache).map { $0 + "/pictures" }
  }

  /// Why nothing can be kept in a folder, in a few words; `nil` if it is writable or can be
  /// created.
  static func problem(of folder: String) -> String? {
    var path = folder
    var status = stat()
    // Finds the folder, or its nearest existing ancestor.
    while stat(path, &status) != 0 {
      guard errno == ENOENT else { return SystemFailure.message(of: errno) }
      guard let slash = path.lastIndex(of: "/") else {
        path = "."
        continue
      }
      path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { return SystemFailure.message(of: ENOTDIR) }
    return access(path, W_OK | X_OK) == 0 ? nil : SystemFailure.message(of: errno)
  }

  /// Performs `tideline cache`.
  ///
  /// - Returns: the text to print.
  /// - Throws: `Failure` if there is no folder, or it cannot be used.
  static func perform(_ command: CacheCommand) throws(Failure) -> String {
    guard let path = path(in: command.cacheDir) else {
      throw Failure(
        message: "no folder for pictures: neither XDG_CACHE_HOME nor HOME is an absolute path",
        status: Program.Status.noInput)
    }
    let cache = HTTPCache(path: path)
    do throws(HTTPCacheFailure) {
      switch command.action {
      case .info:
        let limit = megabytes(cache.maximumBytes)
        return "\(path)\n\(text(try cache.contents())) of at most \(limit)"
      case .clear: return "removed \(text(try cache.clear())) from \(path)"
      }
    } catch {
      let isRead = command.action == .info
      throw Failure(
        message: "\(error.path): \(error.reason)",
        status: isRead ? Program.Status.noInput : Program.Status.ioError)
    }
  }

  private static func text(_ contents: HTTPCache.Contents) -> String {
    let noun = contents.count == 1 ? "picture" : "pictures"
    return "\(contents.count) \(noun), \(megabytes(contents.bytes))"
  }

  private static func megabytes(_ bytes: Int) -> String {
    let tenths = (bytes + 50_000) / 100_000
    return tenths % 10 == 0 ? "\(tenths / 10) MB" : "\(tenths / 10).\(tenths % 10) MB"
  }
}
