import FoundationEssentials
import TestSupport

/// The first page of a library's documentation: its example and what that prints.
struct LandingPage {
  let module: String
  /// The first block of Swift; nil where the page has none.
  let example: String?
  /// The first block of plain text.
  let output: String?

  /// The pages of all modules that have one.
  static func all() throws -> [LandingPage] {
    let sources = PackageFiles.root + "/Sources/"
    return try FileManager.default.contentsOfDirectory(atPath: sources).sorted().compactMap {
      let page = "\(sources)\($0)/\($0).docc/\($0).md"
      guard FileManager.default.fileExists(atPath: page) else { return nil }
      let text = String(decoding: try PackageFiles.bytes(at: page), as: UTF8.self)
      return LandingPage(
        module: $0, example: block("swift", of: text), output: block("text", of: text))
    }
  }

  /// The source file of the example.
  var source: String {
    let path = module == "TerminalApp" ? "LogViewer" : "Products/" + module
    return PackageFiles.root + "/Examples/Sources/\(path)/main.swift"
  }

  private static func block(_ language: String, of text: String) -> String? {
    let rest = text.components(separatedBy: "```\(language)\n").dropFirst().first
    return rest?.components(separatedBy: "```").first
  }
}
