/// Why bundled content cannot be read.
public enum DemoContentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// None of these folders contains the content.
  case folderNotFound(searched: [String])
  /// A content file cannot be read or decoded.
  case unreadable(path: String, reason: String)
  /// There is no picture of this name.
  case unknownPicture(String)

  public var description: String {
    switch self {
    case .folderNotFound(let searched):
      "the bundled content is in none of \(searched.joined(separator: ", ")); "
        + "TIDELINE_RESOURCES may name its folder"
    case .unreadable(let path, let reason): "\(path): \(reason)"
    case .unknownPicture(let name): "no bundled picture is called \"\(name)\""
    }
  }
}
