import FoundationEssentials

/// Locates the bundled content. `Bundle.module` would end the program if it is missing, and needs
/// all of Foundation.
enum ContentFolder {
  /// The candidate folders, in order.
  ///
  /// - Parameter program: the path of the running program, if known.
  static func places(environment: [String: String], program: String?) -> [String] {
    if let named = environment["TIDELINE_RESOURCES"], !named.isEmpty { return [named] }
    var places: [String] = []
    if let program, let slash = program.lastIndex(of: "/") {
      let folder = program[..<slash]
      places.append(folder + "/tideline_DemoFiles.resources/Content")
      places.append(folder + "/../share/tideline/Content")
    }
    let source = #filePath
    if let slash = source.lastIndex(of: "/") { places.append(source[..<slash] + "/Content") }
    return places
  }

  /// The first of `places` that contains a timeline.
  static func first(of places: [String]) throws(DemoContentError) -> String {
    for place in places where FileManager.default.fileExists(atPath: place + "/timeline.json") {
      return place
    }
    throw .folderNotFound(searched: places)
  }

  /// The path of the running program with links resolved, if the system reports it.
  static var runningProgram: String? {
    if let linux = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
      return linux
    }
    return CommandLine.arguments.first.flatMap { $0.contains("/") ? $0 : nil }
  }
}
