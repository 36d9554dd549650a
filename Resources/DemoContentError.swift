/// Why bundled content cannot be had.
public enum DemoContentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The content's folder is in none of these places.
  case folderNotFound(searched: [String])
  /// A file of it cannot be read or understood.
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
