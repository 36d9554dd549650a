import Glibc

/// Paths that the system knows.
///
/// Foundation's `FileManager` has them as well, but its first use takes 1 % of the program's start.
public enum SystemPaths {
  /// The file of the running program; `nil` if the system does not tell it.
  public static var program: String? { target(ofLink: "/proc/self/exe") }

  /// The current folder; empty if it is gone.
  public static var currentFolder: String {
    String(unsafeUninitializedCapacity: Int(PATH_MAX)) { bytes in
      bytes.withMemoryRebound(to: CChar.self) { path in
        guard let base = path.baseAddress, getcwd(base, path.count) != nil else { return 0 }
        return strlen(base)
      }
    }
  }

  /// The path that a symbolic link names; `nil` if there is no such link.
  package static func target(ofLink path: String) -> String? {
    let target = String(unsafeUninitializedCapacity: Int(PATH_MAX)) { bytes in
      bytes.withMemoryRebound(to: CChar.self) { target in
        guard let base = target.baseAddress else { return 0 }
        return max(0, readlink(path, base, target.count))
      }
    }
    return target.isEmpty ? nil : target
  }
}
