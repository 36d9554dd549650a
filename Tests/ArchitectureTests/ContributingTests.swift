import FoundationEssentials
import TestSupport
import Testing

/// The tables of CONTRIBUTING.md name files and folders that exist.
@Suite struct ContributingTests {
  @Test func everyPlaceExists() throws {
    let root = PackageFiles.root
    var places: [String] = []
    for folder in ["Sources", "Tests", "Scripts"] {
      let paths = try FileManager.default.subpathsOfDirectory(atPath: root + "/" + folder)
      places += paths.map { "/\(folder)/\($0)" }
    }
    let page = String(decoding: try PackageFiles.bytes("/CONTRIBUTING.md"), as: UTF8.self)
    var checked = 0
    for row in page.split(separator: "\n") where row.hasPrefix("|") {
      let parts = row.split(separator: "`", omittingEmptySubsequences: false)
      for name in stride(from: 1, to: parts.count, by: 2).map({ parts[$0] }) where isPlace(name) {
        checked += 1
        #expect(places.contains { $0.hasSuffix("/" + name) }, "\(name)")
      }
    }
    #expect(checked > 40)
  }

  private func isPlace(_ name: Substring) -> Bool {
    name.contains("/") || name.contains(".") || name.hasSuffix("Tests")
  }
}
