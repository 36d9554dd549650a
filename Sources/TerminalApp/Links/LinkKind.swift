/// The kinds of links, each of which may have a program that opens it (`opener KIND PROGRAM`).
package enum LinkKind: String, CaseIterable, Sendable {
  case web, audio, video, image

  /// The kind of a link to a file.
  ///
  /// - Parameter mediaType: the type that the document gives, such as `audio/mpeg`; if it names no
  ///   kind, the extension of the file's name decides.
  /// - Complexity: O(n) in the address.
  init(ofAddress address: String, mediaType: String) {
    let main = mediaType.prefix { $0 != "/" }.lowercased()
    if let kind = LinkKind(rawValue: main), kind != .web {
      self = kind
    } else {
      self = Self.byExtension[Self.fileExtension(of: address)] ?? .web
    }
  }

  private static let byExtension: [String: LinkKind] = {
    let names: [LinkKind: [String]] = [
      .audio: [
        "aac", "aif", "aiff", "flac", "m4a", "m4b", "mka", "mp3", "oga", "ogg", "opus", "wav",
      ],
      .video: ["3gp", "avi", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "ogv", "webm", "wmv"],
      .image: ["avif", "bmp", "gif", "heic", "jpeg", "jpg", "jxl", "png", "svg", "tiff", "webp"],
    ]
    return names.reduce(into: [:]) { kinds, entry in
      for name in entry.value { kinds[name] = entry.key }
    }
  }()

  /// The extension of the path's last component, in lower case; empty if it has none.
  private static func fileExtension(of address: String) -> String {
    let path = address.prefix { $0 != "?" && $0 != "#" }
    // Only after scheme and host: `https://harbour.mp4` has no path.
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    guard parts.count > 2, let last = parts.last, let stop = last.lastIndex(of: ".") else {
      return ""
    }
    return last[last.index(after: stop)...].lowercased()
  }
}
