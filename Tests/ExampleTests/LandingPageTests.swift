import FoundationEssentials
import TestSupport
import Testing

/// The pages of the libraries show what `Examples/` compiles.
@Suite struct LandingPageTests {
  /// The libraries that others can depend on.
  private func products() throws -> Set<String> {
    let manifest = try PackageFiles.bytes(at: PackageFiles.root + "/Package.swift")
    return Set(
      String(decoding: manifest, as: UTF8.self).components(separatedBy: ".library(")
        .dropFirst().compactMap { $0.components(separatedBy: "\"").dropFirst().first })
  }

  @Test func everyProductHasAPageWithAnExample() throws {
    let exemplary = Set(try LandingPage.all().filter { $0.example != nil }.map(\.module))
    #expect(try exemplary == products())
  }

  @Test func theExampleOnThePageIsTheOneThatIsCompiled() throws {
    for page in try LandingPage.all() {
      guard let example = page.example else { continue }
      let compiled = String(decoding: try PackageFiles.bytes(at: page.source), as: UTF8.self)
      #expect(example == compiled, "\(page.module): the page and \(page.source) differ")
    }
  }
}
