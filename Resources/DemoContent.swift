import FoundationEssentials

/// The content bundled with the program: a timeline, the demos' texts, and pictures for both.
///
/// It is files, not code, in a folder `Content` that is searched on each access, in this order:
/// 1. the folder that the environment variable `TIDELINE_RESOURCES` names, and then no other;
/// 2. `tideline_DemoFiles.resources/Content` beside the program, from the build;
/// 3. `../share/tideline/Content` from the program, from an installation;
/// 4. `Resources/Content` of the source code that the program was built from.
public enum DemoContent {
  /// One row of the autolayout demo.
  public struct Item: Hashable, Sendable, Decodable {
    public let text: String
    /// The name of a bundled picture.
    public let icon: String
  }

  /// A picture as a file.
  public struct Picture: Hashable, Sendable {
    public let bytes: [UInt8]
    /// For example `"image/png"`.
    public let mediaType: String

    public init(bytes: [UInt8], mediaType: String) {
      self.bytes = bytes
      self.mediaType = mediaType
    }
  }

  /// An author in a demo.
  public struct Person: Hashable, Sendable, Decodable {
    public let name: String
    /// The name of a bundled picture.
    public let icon: String
  }

  /// The texts of a row of the moments demo.
  public struct Moment: Hashable, Sendable, Decodable {
    public let title: String
    public let content: String
  }

  /// The demos' texts, in several scripts.
  public struct Texts: Hashable, Sendable, Decodable {
    /// Long and very short texts in turn.
    public let autolayout: [Item]
    public let people: [Person]
    /// The text that rows of the slack demo repeat; ends in a blank.
    public let slack: String
    public let tweets: [String]
    public let moments: [Moment]
  }

  /// The folder that contains all content.
  ///
  /// - Throws: `DemoContentError.folderNotFound`.
  public static func folder() throws(DemoContentError) -> String {
    let places = ContentFolder.places(
      environment: ProcessInfo.processInfo.environment, program: ContentFolder.runningProgram)
    return try ContentFolder.first(of: places)
  }

  /// The bundled timeline, as JSON Feed 1.1. Its picture addresses are relative: `pictures/NAME`.
  ///
  /// - Throws: `DemoContentError` if the folder or the file cannot be read.
  public static func timeline() throws(DemoContentError) -> [UInt8] {
    try bytes(of: folder() + "/timeline.json")
  }

  /// The texts of the demos.
  ///
  /// - Throws: `DemoContentError` if the folder or the file cannot be read.
  public static func texts() throws(DemoContentError) -> Texts {
    let path = try folder() + "/texts.json"
    let bytes = try bytes(of: path)
    do {
      return try JSONDecoder().decode(Texts.self, from: Data(bytes))
    } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
  }

  /// The names of all pictures in order, such as `"harbour-dusk.jpeg"`.
  ///
  /// - Throws: `DemoContentError` if the folder cannot be read.
  public static func pictureNames() throws(DemoContentError) -> [String] {
    let path = try folder() + "/pictures"
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
  }

  /// The picture of this name.
  ///
  /// - Throws: `DemoContentError.unknownPicture` for every name that ``pictureNames()`` does not
  ///   list, paths among them.
  public static func picture(named name: String) throws(DemoContentError) -> Picture {
    guard let mediaType = mediaType(of: name), try pictureNames().contains(name) else {
      throw .unknownPicture(name)
    }
    return Picture(bytes: try bytes(of: folder() + "/pictures/" + name), mediaType: mediaType)
  }

  private static func mediaType(of name: String) -> String? {
    let types = [
      "jpeg": "image/jpeg", "png": "image/png", "webp": "image/webp", "gif": "image/gif",
    ]
    return name.split(separator: ".").last.flatMap { types[String($0)] }
  }

  private static func bytes(of path: String) throws(DemoContentError) -> [UInt8] {
    do {
      return [UInt8](try Data(contentsOf: URL(filePath: path)))
    } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
  }
}
